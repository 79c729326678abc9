import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, normalize, resolve } from "node:path";
import { promisify } from "node:util";

const root = resolve(__dirname, "..", "..");
const run = promisify(execFile);

interface Entry {
  readonly types: string;
  readonly default: string;
}

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, Entry | string | null>>;
  readonly typesVersions: { readonly "*": Readonly<Record<string, readonly string[]>> };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

let folder: string;
/** The package as a user gets it, installed beside nothing. */
let installed: string;
let files: ReadonlySet<string>;
let manifest: Manifest;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sanbed-package-"));
  const npm = ["pack", "--ignore-scripts", "--offline", "--pack-destination", folder];
  await run("npm", npm, { cwd: root });
  const [archive] = await readdir(folder);
  await run("tar", ["-xzf", archive ?? ""], { cwd: folder });
  installed = join(folder, "node_modules", "sanbed");
  await mkdir(dirname(installed));
  await rename(join(folder, "package"), installed);
  const entries = await readdir(installed, { recursive: true, withFileTypes: true });
  files = new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1)),
  );
  manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8")) as Manifest;
}, 60_000);

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** `./components/*` once for each file that it stands for. */
function entryPoints(): { name: string; entry: Entry }[] {
  return Object.entries(manifest.exports).flatMap(([name, entry]) => {
    if (entry === null || typeof entry === "string") return [];
    if (!name.includes("*")) return [{ name, entry }];
    const [before = "", after = ""] = entry.default.slice("./".length).split("*");
    return [...files]
      .filter((file) => file.startsWith(before) && file.endsWith(after))
      .map((file) => file.slice(before.length, -after.length))
      .filter((star) => manifest.exports[name.replace("*", star)] !== null)
      .map((star) => ({
        name: name.replace("*", star),
        entry: { types: entry.types.replace("*", star), default: entry.default.replace("*", star) },
      }));
  });
}

async function node(script: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  // The packages that npm would install beside it.
  const NODE_PATH = join(root, "node_modules");
  const { stdout } = await run(process.execPath, ["-e", script], {
    cwd: folder,
    env: { ...process.env, NODE_PATH, ...env },
  });
  return stdout;
}

test("holds what a user needs", () => {
  expect([...files]).toEqual(
    expect.arrayContaining([
      "LICENSE",
      "README.md",
      "plugin/pulumi-resource-sanbed",
      "plugin/templates/guests/job.sh.hbs",
      "templates/guests/bootstrap-sysbench.sh.hbs",
      "dist/cli/main.js",
      "dist/lab/daemon.js",
      "stacks/sites/example.yaml",
      "stacks/sites/site.schema.json",
      "lab/go.mod",
      "lab/go.sum",
      "lab/cmd/sanbed-lab-san/main.go",
    ]),
  );
});

test("holds no test, no source map, no stand-in and nothing of the repository's own tools", () => {
  const unwanted =
    /^test\/|\.map$|_test\.go$|fakedaemon|plugins\/|vsphere-sdk|^dist\/(test|stacks\/index|cli\/(demo|bench)|tools\/(run|bundle|sdk|generate))|^(?!.*\.d\.ts$).*\.ts$/;
  expect([...files].filter((file) => unwanted.test(file))).toEqual([]);
  // A package.json in dist would be taken for the package's own.
  expect([...files].filter((file) => file.endsWith("package.json"))).toEqual(["package.json"]);
});

test("has code and types behind every entry point, for old and new resolution alike", () => {
  const points = entryPoints();
  expect(points.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["./bed", "./beds/aff-a250", "./components/test-bed", "./provider"]),
  );
  for (const { entry } of points) {
    expect(files).toContain(normalize(entry.default));
    expect(files).toContain(normalize(entry.types));
  }
  const typed = Object.entries(manifest.exports).flatMap(([name, entry]) =>
    entry === null || typeof entry === "string"
      ? []
      : [[name.slice("./".length), [normalize(entry.types)]] as const],
  );
  expect(manifest.typesVersions["*"]).toEqual(Object.fromEntries(typed));
});

test("loads every entry point from the installed package, and nothing beside them", async () => {
  const names = entryPoints().map(({ name }) => name.replace(".", "sanbed"));
  const script = `
    const names = ${JSON.stringify(names)};
    const empty = names.filter((name) => Object.keys(require(name)).length === 0);
    const open = ["sanbed", "sanbed/components/keyed", "sanbed/dist/bed/index.js"].filter((name) => {
      try { require.resolve(name); return true; } catch { return false; }
    });
    console.log(JSON.stringify({ empty, open }));`;
  expect(JSON.parse(await node(script))).toEqual({ empty: [], open: [] });
});

test("finds its templates from the installed code and from beside the plugin", async () => {
  const bootstrap = JSON.stringify(join(installed, "dist/templates/sysbench-bootstrap.js"));
  const script = `console.log(require(${bootstrap}).sysbenchBootstrap({
    bedId: "aaaaaaaaaa", address: "127.0.0.1", databasePort: 3306, bufferPoolBytes: 8388608n,
    tables: 1, threads: 1, testDisk: "/dev/sdb" }))`;
  expect(await node(script)).toContain("mountpoint");
  const beside = [...files].filter((file) => file.startsWith("plugin/templates/"));
  const own = [...files].filter((file) => file.startsWith("templates/"));
  expect(beside.sort()).toEqual(own.map((file) => `plugin/${file}`).sort());
});

test("reaches only files that are packed and packages that it declares", async () => {
  const declared = { ...manifest.dependencies, ...manifest.peerDependencies };
  const roots = [
    ...entryPoints().map(({ entry }) => normalize(entry.default)),
    normalize(manifest.bin["sanbed"] ?? ""),
    "dist/lab/daemon.js",
  ];
  const reached = new Set(roots);
  const missing: string[] = [];
  for (const file of reached) {
    if (!file.endsWith(".js")) continue;
    const code = await readFile(join(installed, file), "utf8");
    for (const [, wanted = ""] of code.matchAll(/\b(?:require|import)\("([^"]+)"\)/g)) {
      const found = wanted.startsWith(".") ? packedFile(file, wanted) : undefined;
      if (found !== undefined) reached.add(found);
      else if (!isDeclared(wanted, declared)) missing.push(`${file} -> ${wanted}`);
    }
  }
  expect(missing).toEqual([]);
  expect(reached.size).toBeGreaterThan(100);
});

function packedFile(from: string, wanted: string): string | undefined {
  const path = join(dirname(from), wanted);
  return [path, `${path}.js`, join(path, "index.js")].find((name) => files.has(name));
}

function isDeclared(wanted: string, declared: object): boolean {
  const parts = wanted.split("/");
  const name = parts.slice(0, wanted.startsWith("@") ? 2 : 1).join("/");
  return wanted.startsWith("node:") || name in declared;
}

test("brings the command and the plugin", async () => {
  const command = JSON.stringify(join(installed, manifest.bin["sanbed"] ?? ""));
  const home = join(folder, "pulumi-home");
  const call = (args: readonly string[]) =>
    node(
      `process.argv.splice(1, Infinity, "sanbed", ...${JSON.stringify(args)}); require(${command});`,
      {
        PULUMI_HOME: home,
      },
    );
  expect(await call(["--help"])).toContain("sanbed lab up");
  expect(await call(["id"])).toMatch(/^[a-z2-7]{10}\n$/);
  expect(await call(["lab", "--help"])).toContain("--level");
  await call(["install-plugin"]);
  const [plugin = ""] = await readdir(join(home, "plugins"));
  expect(await readdir(join(home, "plugins", plugin))).toEqual(
    expect.arrayContaining(["pulumi-resource-sanbed", "templates"]),
  );
});
