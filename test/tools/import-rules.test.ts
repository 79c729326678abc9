import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";

const root = resolve(__dirname, "..", "..");

/** Per rule: files, and what each of them imports, that the rule must report. */
const forbidden: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>> = {
  "no-cycles": [
    ["bed/ring", "bed/ring-back"],
    ["bed/ring-back", "bed/ring"],
  ],
  "no-unknown": [["cli/lost", "no-such-package"]],
  "not-to-test": [["tools/from-test", "test/support/lab"]],
  bed: [
    ["bed/up", "components/test-bed"],
    ["bed/out", "@pulumi/pulumi"],
  ],
  "bed-no-node": [["bed/reads", "node:fs"]],
  kit: [
    ["provider/kit/to-device", "provider/devices/registry"],
    ["provider/kit/to-bed", "bed/site"],
    ["provider/kit/to-sdk", "@pulumi/pulumi"],
  ],
  devices: [
    ["provider/devices/to-kit", "provider/kit/serve"],
    ["provider/devices/ontap/to-pulumi", "@pulumi/pulumi"],
    ["provider/devices/ontap/to-lab", "lab/ontap/emulator"],
  ],
  "devices-apart": [["provider/devices/brocade-fos/to-other", "provider/devices/ontap/driver"]],
  "ontap-apart": [["provider/devices/ontapi/to-other", "provider/devices/brocade-fos/driver"]],
  "devices-by-contract": [
    ["provider/resources/to-driver", "provider/devices/ontap/driver"],
    ["runner/to-driver", "provider/devices/vcenter/client"],
    ["cli/to-driver", "provider/devices/brocade-fos/driver"],
  ],
  resources: [
    ["provider/resources/to-component", "components/test-bed"],
    ["provider/resources/to-lab", "lab/client"],
    ["provider/resources/to-sdk", "provider/sdk/array"],
  ],
  sdk: [["provider/sdk/to-bed", "bed/units"]],
  components: [
    ["components/to-device", "provider/devices/registry"],
    ["components/to-resource", "provider/resources/definition"],
    ["components/to-lab", "lab/client"],
    ["components/to-runner", "runner/run-case"],
  ],
  stacks: [
    ["stacks/to-device", "provider/devices/registry"],
    ["stacks/to-resource", "provider/resources/definition"],
    ["stacks/to-lab", "lab/client"],
  ],
  runner: [
    ["runner/to-pulumi", "@pulumi/pulumi"],
    ["runner/to-component", "components/test-bed"],
    ["runner/to-lab", "lab/client"],
    ["runner/to-resource", "provider/resources/definition"],
  ],
  report: [
    ["runner/report/to-device", "provider/devices/guest-shell"],
    ["runner/report/to-workload", "runner/workloads/workload"],
    ["runner/report/to-runner", "runner/run-case"],
  ],
  templates: [["templates/to-bed", "bed/site"]],
  lab: [
    ["lab/ontap/to-driver", "provider/devices/ontap/driver"],
    ["lab/world/to-kit", "provider/kit/serve"],
    ["lab/to-component", "components/test-bed"],
    ["lab/to-runner", "runner/run-case"],
    ["lab/to-plan", "bed/plan"],
    ["lab/to-plugin", "lab/plugins/vsphere/definition"],
  ],
  "lab-plugins": [
    ["lab/plugins/vsphere/to-emulator", "lab/ontap/emulator"],
    ["lab/plugins/command/to-array", "provider/devices/block-array"],
    ["lab/plugins/command/to-resource", "provider/resources/definition"],
  ],
  "lab-vsphere-sdk": [["lab/plugins/vsphere-sdk/to-plugin", "lab/plugins/vsphere/names"]],
  "lab-internals": [
    ["cli/to-emulator", "lab/ontap/emulator"],
    ["tools/to-world", "lab/world/world"],
  ],
};

/** What the table allows, on the very edges of the rules above. */
const allowed: readonly (readonly [from: string, to: string])[] = [
  ["bed/uses", "zod"],
  ["provider/kit/uses", "bed/errors"],
  ["provider/kit/uses-proto", "@pulumi/pulumi/proto/provider_pb"],
  ["provider/devices/ontap/uses", "provider/devices/block-array"],
  ["provider/devices/ontapi/uses", "provider/devices/ontap/naming"],
  ["provider/resources/uses", "provider/devices/registry"],
  ["components/uses", "@pulumi/command"],
  ["components/uses-vsphere", "lab/plugins/vsphere-sdk/index"],
  ["runner/uses", "provider/devices/guest-shell"],
  ["runner/report/uses", "runner/results/samples"],
  ["lab/uses", "bed/units"],
  ["lab/plugins/vsphere/uses", "provider/devices/vcenter/client"],
  ["cli/uses", "lab/client"],
  ["test/uses", "lab/ontap/emulator"],
  ["lab/reads", "node:fs"],
];

test("reports every kind of forbidden import, by the name of its rule, and no allowed one", async () => {
  const planted = Object.entries(forbidden).flatMap(([rule, pairs]) =>
    pairs.map(([from, to]) => ({ rule, from, to })),
  );
  const reported = await cruise([
    ...planted.map(({ from, to }) => [from, to] as const),
    ...allowed,
  ]);
  for (const { rule, from, to } of planted) {
    expect({ from, to, rules: reported.get(`${from}.ts`) }).toEqual({
      from,
      to,
      rules: expect.arrayContaining([rule]) as string[],
    });
  }
  for (const [from] of allowed)
    expect({ from, rules: reported.get(`${from}.ts`) }).toEqual({ from });
}, 60_000);

test("plants a violation of each rule", () => {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the tool's configuration is CommonJS
  const { forbidden: rules } = require("../../.dependency-cruiser.cjs") as {
    forbidden: readonly { name: string }[];
  };
  expect(Object.keys(forbidden).sort()).toEqual(rules.map((rule) => rule.name).sort());
});

/** Runs the tool with the project's configuration over a tree of planted files: rules by file. */
async function cruise(
  imports: readonly (readonly [from: string, to: string])[],
): Promise<Map<string, string[]>> {
  const tree = await mkdtemp(join(tmpdir(), "sanbed-import-rules-"));
  try {
    for (const name of ["node_modules", "tsconfig.json", ".dependency-cruiser.cjs"]) {
      await symlink(join(root, name), join(tree, name));
    }
    const sources = new Set(imports.map(([from]) => from));
    for (const [from, to] of imports) {
      await write(tree, from, `import "${specifier(from, to)}";\n`);
      if (isOurs(to) && !sources.has(to)) await write(tree, to, "export {};\n");
    }
    return await run(tree);
  } finally {
    await rm(tree, { recursive: true, force: true });
  }
}

async function run(tree: string): Promise<Map<string, string[]>> {
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    scripts: { cruise: string };
  };
  const folders = manifest.scripts.cruise.split(" ").slice(1, -2);
  const tool = join(root, "node_modules", "dependency-cruiser", "bin", "dependency-cruiser.mjs");
  // With JSON output the exit code is the number of violations.
  const stdout = await promisify(execFile)(
    process.execPath,
    // The tree's packages are a link; they must be seen where the link lies.
    [tool, ...folders, "--config", "--preserve-symlinks", "--output-type", "json"],
    { cwd: tree, maxBuffer: 64 * 1024 * 1024 },
  ).then(
    (done) => done.stdout,
    (error: unknown) => {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      if (stdout === "") throw new Error(stderr);
      return stdout;
    },
  );
  const { modules } = JSON.parse(stdout) as {
    modules: { source: string; dependencies: { rules?: { name: string }[] }[] }[];
  };
  const byFile = new Map<string, string[]>();
  for (const { source, dependencies } of modules) {
    const names = dependencies.flatMap(({ rules }) => (rules ?? []).map((rule) => rule.name));
    if (names.length > 0) byFile.set(source, names);
  }
  return byFile;
}

/** Paths that begin with a folder of ours; everything else is a package or part of Node. */
function isOurs(to: string): boolean {
  return /^(?:bed|components|provider|runner|templates|stacks|cli|lab|tools|test)\//.test(to);
}

function specifier(from: string, to: string): string {
  if (!isOurs(to)) return to;
  const path = relative(dirname(from), to);
  return path.startsWith(".") ? path : `./${path}`;
}

async function write(tree: string, name: string, text: string): Promise<void> {
  const file = join(tree, `${name}.ts`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
