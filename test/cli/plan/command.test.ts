import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { planCommand } from "../../../cli/plan/command";
import { exampleSite } from "../../support/example-site";

let dir: string;
let output: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "sanbed-test-plan-"));
  mkdirSync(join(dir, "stacks"));
  writeFileSync(
    join(dir, "Pulumi.yaml"),
    "name: testbed\nruntime: nodejs\nmain: stacks\nstackConfigDir: stacks\n",
  );
  writeFileSync(join(dir, "site.json"), JSON.stringify(exampleSite(8, 64)));
  output = "";
  jest.spyOn(process.stdout, "write").mockImplementation((text) => {
    output += String(text);
    return true;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(dir, { recursive: true, force: true });
});

const sound = `config:
  testbed:bed: aff-a250-fcp
  testbed:phase: sysbench
  testbed:site: site.json
  testbed:bedId: abcdefghij
`;

function stack(name: string, text: string): void {
  writeFileSync(join(dir, "stacks", `Pulumi.${name}.yaml`), text);
}

function run(...args: string[]): number {
  output = "";
  return planCommand(["--project", dir, ...args]);
}

describe("sanbed plan", () => {
  it("prints the plan of the only stack, from any folder of the project, and ends with 0", () => {
    stack("one", sound);
    expect(run()).toBe(0);
    expect(output).toMatch(/^NetApp AFF A250, FCP.*: phase sysbench\nstack one, bed abcdefghij/);
    expect(planCommand(["--project", join(dir, "stacks")])).toBe(0);
  });

  it("prints plan and problems as JSON, sizes as digits", () => {
    stack("one", sound);
    expect(run("--json")).toBe(0);
    const { plan, problems } = JSON.parse(output) as {
      plan: Record<string, unknown[]>;
      problems: unknown[];
    };
    expect(problems).toEqual([]);
    expect(plan["volumeGroups"]).toMatchObject([
      { volumes: { length: 32, 0: { sizeBytes: "300000000000" } } },
    ]);
    expect(output).not.toMatch(/credentials|env:NONE/);
  });

  it("draws the picture into a file", () => {
    stack("one", sound);
    expect(run("--svg", join(dir, "bed.svg"))).toBe(0);
    expect(readFileSync(join(dir, "bed.svg"), "utf8")).toMatch(/^<svg [^]*<\/svg>\n$/);
  });

  it("ends with 2 and every problem of site, devices, configuration and plan at once", () => {
    const site = exampleSite(8, 3);
    Object.assign(site.devices["array"]!, { concurrency: "many" });
    writeFileSync(join(dir, "site.json"), JSON.stringify(site));
    stack("one", `${sound}  testbed:scale:\n    hosts: [nobody, esx01.example]\n`);
    expect(run()).toBe(2);
    const text = output.replace(/\s+/g, " ");
    expect(text).toMatch(/- site\.devices\.array\.concurrency: /);
    expect(text).toMatch(/- scale\.hosts\[0\]: the site has no host "nobody"/);
    expect(text).toMatch(/guests\.addresses: /);
    stack("one", `${sound}  testbed:colour: blue\n  testbed:runId: "A B"\n  testbed:scale: [1]\n`);
    writeFileSync(join(dir, "site.json"), "{\n");
    expect(run("--json")).toBe(2);
    const { problems } = JSON.parse(output) as { problems: { path: string }[] };
    expect(problems.map(({ path }) => path.replace(dir, ""))).toEqual([
      "colour",
      "/site.json:2:1",
      "runId",
      "scale",
    ]);
  });

  it.each([
    [
      "no project",
      () => {
        rmSync(join(dir, "Pulumi.yaml"));
      },
      /has a Pulumi\.yaml \(go to the project/,
    ],
    ["no stack", () => undefined, /the project has no stack/],
    [
      "two stacks",
      () => {
        stack("a", sound);
        stack("b", sound);
      },
      /--stack: is missing.*a, b/,
    ],
    [
      "broken YAML",
      () => {
        stack("a", "config: [\n");
      },
      /Pulumi\.a\.yaml:\d+:\d+: is no plain YAML/,
    ],
    [
      "a project file without a name",
      () => {
        writeFileSync(join(dir, "Pulumi.yaml"), "runtime: nodejs\n");
      },
      /name: is missing/,
    ],
    [
      "an encrypted value",
      () => {
        stack("a", `${sound}  testbed:runId:\n    secure: v1:x\n`);
      },
      /runId: is encrypted/,
    ],
  ])("ends with 2 and a message for %s, never with a stack trace", (_what, prepare, message) => {
    prepare();
    expect(run()).toBe(2);
    expect(output.replace(/\s+/g, " ")).toMatch(message);
    expect(output).not.toMatch(/ {4}at /);
  });

  it("names the stacks when there is none of that name", () => {
    stack("one", sound);
    expect(run("--stack", "two")).toBe(2);
    expect(output).toMatch(/Pulumi\.two\.yaml: cannot be read \(ENOENT\)[^]*one/);
  });

  it("takes what the project file says for all stacks, and the stack's own before it", () => {
    writeFileSync(
      join(dir, "Pulumi.yaml"),
      "name: testbed\nstackConfigDir: stacks\nconfig:\n  site: site.json\n  phase: {default: vdbench}\n  testbed:bed: {value: aff-a250-fcp}\n",
    );
    stack("one", "config:\n  testbed:bedId: abcdefghij\n  testbed:phase: sysbench\n");
    expect(run()).toBe(0);
    expect(output).toMatch(/phase sysbench/);
  });
});
