import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { guestTreeFacts } from "../../tools/guest-tree/guest-tree";
import { committedLock, debFileName, treeHash } from "../../tools/guest-tree/lock";
import { sanBinaryPath } from "../../tools/san-binary";

const root = resolve(__dirname, "..", "..");

interface Facts {
  readonly packages: boolean;
  readonly engine: "PATH" | "cache" | "missing";
  readonly san: boolean;
  readonly tree?: { readonly ready: boolean; readonly downloadMB: number; readonly diskMB: number };
  readonly go?: readonly number[];
  readonly missing: readonly string[];
}

let home: string;
let cache: string;
const formerCache = process.env["XDG_CACHE_HOME"];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "sanbed-announcement-"));
  cache = join(home, "sanbed");
  process.env["XDG_CACHE_HOME"] = home;
});

afterEach(async () => {
  if (formerCache === undefined) delete process.env["XDG_CACHE_HOME"];
  else process.env["XDG_CACHE_HOME"] = formerCache;
  await rm(home, { recursive: true, force: true });
});

function run(script: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  return spawnSync(process.execPath, [join(root, "tools", script), ...args], {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
}

function gather(env: NodeJS.ProcessEnv = {}): Facts {
  return JSON.parse(run("announcement.mjs", [], env).stdout) as Facts;
}

async function plant(file: string, bytes = 0): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, "");
  await truncate(file, bytes);
}

test("finds nothing in an empty cache, and leaves it empty", async () => {
  const facts = gather({ PATH: "/nowhere" });
  expect(facts).toMatchObject({ engine: "missing", san: false });
  expect(facts.go).toBeUndefined();
  expect(await readdir(home)).toEqual([]);
});

test("finds what the set-up would find: engine, and the process built of these very sources", async () => {
  const engine = join(cache, "engine", "3.276.0", "bin");
  await plant(join(engine, "pulumi"));
  await plant(await sanBinaryPath());
  expect(gather({ PATH: "/nowhere" })).toMatchObject({ engine: "missing", san: true });
  await plant(join(engine, "pulumi-language-nodejs"));
  expect(gather({ PATH: "/nowhere" }).engine).toBe("cache");
});

test("takes an engine on PATH only when it is whole and recent", async () => {
  const folder = join(home, "bin");
  await plant(join(folder, "pulumi-language-nodejs"));
  const pulumi = join(folder, "pulumi");
  await writeFile(pulumi, "#!/bin/sh\necho v3.248.0\n", { mode: 0o755 });
  const found = () => gather({ PATH: `${folder}:/usr/bin:/bin` }).engine;
  expect(found()).toBe("missing");
  await writeFile(pulumi, "#!/bin/sh\necho v3.249.0\n");
  expect(found()).toBe("PATH");
  await rm(join(folder, "pulumi-language-nodejs"));
  expect(found()).toBe("missing");
});

const { missing } = JSON.parse(
  spawnSync(process.execPath, [join(root, "tools", "announcement.mjs")], { encoding: "utf8" })
    .stdout,
) as Facts;
const couldBeA = missing.length === 0 ? test : test.skip;

couldBeA("counts the guest tools as the one who gets them", async () => {
  const lock = committedLock(process.arch === "arm64" ? "arm64" : "amd64");
  if (lock === undefined) throw new Error("no lock for this machine");
  const same = async (): Promise<void> => {
    const { ready, downloadMB, diskMB } = await guestTreeFacts({ cacheDir: cache });
    expect(gather().tree).toEqual({ ready, downloadMB, diskMB });
  };
  await same();
  const [first, second] = lock.packages;
  if (first === undefined || second === undefined) throw new Error("no packages");
  await plant(join(cache, "debs", debFileName(first)), first.size);
  await plant(join(cache, "debs", debFileName(second)), second.size - 1);
  await same();
  for (const one of lock.packages) await plant(join(cache, "debs", debFileName(one)), one.size);
  await same();
  expect(gather().tree).toMatchObject({ ready: false, downloadMB: 0 });
  const tree = join(cache, "guest-tree", treeHash(lock, "root"), "etc");
  await mkdir(tree, { recursive: true });
  await writeFile(join(tree, "sanbed-guest-tree.json"), JSON.stringify({ ...lock, bytes: 1 }));
  await same();
  expect(gather().tree).toMatchObject({ ready: true });
});

test("stops before doing anything where Go is needed and not there, or too old", async () => {
  const none = run("bootstrap.mjs", ["setup"], { PATH: "/nowhere" });
  expect(none.status).toBe(1);
  expect(none.stdout).toContain("sanbed setup: will set everything up and stop.");
  expect(none.stderr).toContain("no Go is on PATH. Install Go 1.26.6");
  const folder = join(home, "bin");
  await mkdir(folder);
  await writeFile(join(folder, "go"), "#!/bin/sh\necho go1.19.8\n", { mode: 0o755 });
  const old = run("bootstrap.mjs", ["setup"], { PATH: `${folder}:/usr/bin:/bin` });
  expect(old.status).toBe(1);
  expect(old.stderr).toContain("Go 1.19.8 is too old");
  expect(await readdir(home)).toEqual(["bin"]);
});

test("knows its commands", () => {
  const wrong = run("bootstrap.mjs", ["dmeo"]);
  expect(wrong.status).toBe(1);
  expect(wrong.stderr).toContain('unknown command "dmeo": demo, test, bench, setup');
});
