import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { packageSchema } from "../../../provider/kit/schema";
import { sdkFiles } from "../../../tools/sdk/package-text";
import { Shelf, testProvider } from "../../support/test-provider";

const root = resolve(__dirname, "../../..");
const schema = packageSchema(testProvider(new Shelf()));
let folder = "";

beforeAll(() => {
  // Below the root, so that the SDK finds @pulumi/pulumi.
  mkdirSync(join(root, ".sanbed"), { recursive: true });
  folder = mkdtempSync(join(root, ".sanbed", "sdk-test-"));
  for (const [name, text] of sdkFiles(schema)) writeFileSync(join(folder, name), text);
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      extends: "../../tsconfig.json",
      compilerOptions: { rootDir: ".", noEmit: true, types: ["node"] },
      include: ["."],
      exclude: [],
    }),
  );
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const program = `
import * as pulumi from "@pulumi/pulumi";
import * as sdk from "./index";

const provider = new sdk.Provider("bed", {
  bedId: pulumi.output("bed"),
  devices: { array: { kind: sdk.shelf === undefined ? "switch" : "array", endpoint: "https://a" } },
  retries: 2,
});
const first = new sdk.shelf.Box(
  "first",
  {
    name: "alpha",
    mode: sdk.shelf.Mode.Thick,
    hosts: [{ name: "esx1", wwpn: pulumi.secret("10000010aabbccdd") }],
    via: { kind: "fc", ports: ["0e"] },
    token: "tok-1",
    file: new pulumi.asset.StringAsset("content"),
  },
  { provider },
);
const second = new sdk.shelf.Box("second", { name: first.serial, labels: { device: first.devices["main"]! } });
const note: pulumi.Output<string | undefined> = second.note;
const depth: pulumi.Output<number | undefined> = first.hosts.apply((hosts) => hosts[0]?.queueDepth);
export const found = sdk.shelf.getBoxOutput({ name: second.name }).serial;
export const plain: Promise<string> = sdk.shelf.getBox({ name: "alpha" }).then((box) => box.key);
sdk.shelf.Box.get("known", "box-1");
void [note, depth, sdk.shelf.Box.isInstance(first) && first.serial];
`;

const misuse = `
import * as sdk from "./index";
// @ts-expect-error a required input is missing
new sdk.shelf.Box("x", { sizeBytes: "1" });
// @ts-expect-error no such input
new sdk.shelf.Box("x", { name: "a", sizebytes: "1" });
// @ts-expect-error no such member of the enum
new sdk.shelf.Box("x", { name: "a", mode: "fat" });
// @ts-expect-error a member of another choice
new sdk.shelf.Box("x", { name: "a", via: { kind: "ip", ports: [] } });
// @ts-expect-error outputs are read-only
new sdk.shelf.Box("x", { name: "a" }).serial = "s";
// @ts-expect-error an unknown device kind
new sdk.Provider("p", { bedId: "bed", devices: { a: { kind: "tape", endpoint: "x" } } });
`;

test("the SDK compiles under strict settings, and its types refuse misuse", () => {
  writeFileSync(join(folder, "program.ts"), program);
  writeFileSync(join(folder, "misuse.ts"), misuse);
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const run = (): string =>
    execFileSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8", stdio: "pipe" });
  try {
    expect(run()).toBe("");
  } catch (error) {
    throw new Error((error as { stdout?: string }).stdout ?? String(error), { cause: error });
  }
}, 60_000);

test("programs register what they should: types, inputs, secrets, JSON settings, version", async () => {
  writeFileSync(join(folder, "program.ts"), program);
  writeFileSync(
    join(folder, "run.ts"),
    `import * as pulumi from "@pulumi/pulumi";
const seen: unknown[] = [];
const isSecret = (v: unknown) => JSON.stringify(v)?.includes("1b47061264138c4ac30d75fd1eb44270");
void pulumi.runtime.setMocks({
  newResource: (args) => {
    const secrets = Object.entries(args.inputs).filter(([, v]) => isSecret(v)).map(([k]) => k);
    seen.push({ type: args.type, name: args.name, id: args.id, inputs: Object.keys(args.inputs).sort(), secrets, devices: args.inputs.devices });
    return { id: args.name, state: { ...args.inputs, serial: "s1", devices: { main: "naa.s1" } } };
  },
  call: (args) => { seen.push({ call: args.token, inputs: args.inputs }); return { serial: "s9", key: "k9" }; },
}).then(async () => {
  const program = await import("./program");
  const plain = await program.plain;
  program.found.apply((found: string) => process.stdout.write(JSON.stringify({ seen, plain, found })));
});
`,
  );
  const outfile = join(folder, "run.cjs");
  await build({
    entryPoints: [join(folder, "run.ts")],
    outfile,
    bundle: true,
    platform: "node",
    external: ["@pulumi/pulumi"],
    logLevel: "error",
  });
  const answer = JSON.parse(
    execFileSync(process.execPath, [outfile], { encoding: "utf8" }),
  ) as Record<string, unknown>;
  expect(answer).toMatchObject({ plain: "k9", found: "s9" });
  expect(answer["seen"]).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        type: "pulumi:providers:test",
        devices: '{"array":{"kind":"array","endpoint":"https://a"}}',
      }),
      expect.objectContaining({
        type: "test:shelf:Box",
        name: "first",
        inputs: ["file", "hosts", "mode", "name", "token", "via"],
        secrets: ["hosts", "token"],
      }),
      expect.objectContaining({
        type: "test:shelf:Box",
        name: "second",
        inputs: ["labels", "name"],
      }),
      expect.objectContaining({ type: "test:shelf:Box", name: "known", id: "box-1", inputs: [] }),
      { call: "test:shelf:getBox", inputs: { name: "alpha" } },
    ]),
  );
});

test("two things of one name in a module are refused", () => {
  const box = schema.resources["test:shelf:Box"];
  const doubled = { ...schema, functions: { ...schema.functions, "test:shelf:Box": {} } };
  expect(box).toBeDefined();
  const types = { ...schema.types, "test:shelf:Note": schema.types["test:shelf:Host"] };
  const clash = {
    ...doubled,
    functions: schema.functions,
    types,
    resources: {
      ...schema.resources,
      "test:shelf:User": {
        ...box,
        properties: { note: { $ref: "#/types/test:shelf:Note" } },
      },
    },
  };
  expect(() => sdkFiles(clash as unknown as typeof schema)).toThrow(
    "module shelf of the SDK would have two things named Note",
  );
});
