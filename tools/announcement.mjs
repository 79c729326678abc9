// What a command of bootstrap.mjs will do, download and need, found out without doing any of it.
// Plain JavaScript like bootstrap.mjs. `node tools/announcement.mjs [folder]` prints the facts as JSON.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const engineVersion = "3.276.0";
/** As in tools/setup/engine.ts. */
const oldestEngineOnPath = [3, 249, 0];
/** Measured: what a finished tree takes, and Debian's package index; as in tools/guest-tree. */
const treeMB = 482;
const indexMB = 10;
const MB = 1e6;

/**
 * What is there and what is missing.
 * - `engine`: "PATH", "cache" or "missing"; `san`: built from these very Go sources before
 * - `tree`: undefined where real guests are out of the question
 * - `go`: version of the Go on PATH, `[1, 26, 8]`
 * - `missing`: why level A (systemd and block devices) cannot run here; what can only be found out by trying is
 *   left to the probe that follows
 */
export function gatherFacts(root) {
  const cache = cacheFolder();
  const missing = missingForLevelA();
  return {
    root,
    cache,
    packages: existsSync(path.join(root, "node_modules", ".bin")),
    engine: engineOnPath() ? "PATH" : engineInCache(cache) ? "cache" : "missing",
    san: existsSync(
      path.join(cache, "san", goSourcesHash(path.join(root, "lab")), "sanbed-lab-san"),
    ),
    tree: process.platform === "linux" ? treeFacts(root, cache) : undefined,
    go: goVersion(),
    missing,
  };
}

/** Lines for people. */
export function announcement(command, what, facts) {
  const { engine, san, tree, missing } = facts;
  const row = (name, text) => `  ${name.padEnd(22)} ${text}`;
  const rows = [
    row("npm packages", facts.packages ? "there" : "download, 450 MB on disk, about 1 minute"),
    row(`Pulumi engine ${engineVersion}`, engineWords(engine)),
    row("lab vCenter and SAN", san ? "there" : "built with Go, about 1 minute"),
  ];
  if (tree !== undefined) {
    const todo = `download ${tree.downloadMB} MB, ${tree.diskMB} MB on disk, about 15 seconds; unpacked into the cache only`;
    rows.push(row("guest tools (Debian)", tree.ready ? "there" : todo));
  }
  return [
    `sanbed ${command}: will ${what}.`,
    "Needs Node 20 or later and Go 1.26.6 or later (or 1.21 that may fetch it); installs nothing on this machine.",
    ...rows,
    row("lab level", levelWords(missing)),
    row(
      "ports",
      "free ones, on loopback only, kept in .sanbed/lab/ports.json; guests on 127.0.x.y",
    ),
    row(
      "everything lies in",
      `${facts.root} (.sanbed, node_modules, dist, plugin, lab/plugins/bin)`,
    ),
    row("", `and ${facts.cache}`),
    row("set-up takes", setUpTime(facts)),
  ];
}

/** What makes going on pointless, with the remedy; undefined when nothing does. */
export function obstacle({ san, go }) {
  if (san) return undefined;
  const remedy =
    "Install Go 1.26.6 or later, or one from 1.21 on that may download it, from https://go.dev/dl/.";
  if (go === undefined) return `the lab's vCenter is a Go program, and no Go is on PATH. ${remedy}`;
  if (isAtLeast(go, [1, 21, 0])) return undefined;
  return `Go ${go.join(".")} is too old to fetch the version that the lab's vCenter needs. ${remedy}`;
}

function engineWords(engine) {
  if (engine === "PATH") return "the one on PATH";
  if (engine === "cache") return "there";
  const build = "built from Go modules (140 MB on disk, about 6 minutes on 2 cores)";
  if (process.env.SANBED_OFFLINE === "1") return build;
  return `official download (about 100 MB); where that is not reachable, ${build}`;
}

function levelWords(missing) {
  if (missing.length === 0)
    return "A, guests with systemd, if the probe of namespaces agrees; else B or C";
  const why = missing.join("; ");
  if (process.platform !== "linux") return `D, emulators only: nothing can be measured (${why})`;
  return `B or C, guests without systemd and block devices (for A: ${why})`;
}

function setUpTime({ packages, engine, san, tree }) {
  const seconds =
    (packages ? 0 : 75) + (san ? 0 : 60) + (tree === undefined || tree.ready ? 0 : 15);
  if (engine === "missing")
    return `${Math.ceil(seconds / 60)} to ${Math.ceil(seconds / 60) + 6} minutes`;
  return seconds === 0 ? "a second, or 15 when sources changed" : `about ${seconds} seconds`;
}

/** `${XDG_CACHE_HOME:-~/.cache}/sanbed`; a relative path is to be ignored (XDG base directories). */
function cacheFolder() {
  const base = process.env.XDG_CACHE_HOME;
  const usable =
    base !== undefined && path.isAbsolute(base) ? base : path.join(homedir(), ".cache");
  return path.join(usable, "sanbed");
}

function engineInCache(cache) {
  return isEngine(path.join(cache, "engine", engineVersion, "bin"));
}

function engineOnPath() {
  return pathFolders().some((folder) => {
    if (folder.includes(`node_modules${path.sep}.bin`) || !isEngine(folder)) return false;
    const text = output(path.join(folder, "pulumi"), ["version"]);
    return isAtLeast(numbers(text), oldestEngineOnPath);
  });
}

function isEngine(folder) {
  return ["pulumi", "pulumi-language-nodejs"].every((name) => existsSync(path.join(folder, name)));
}

/** The lab's sources as tools/san-binary.ts names what it built of them. */
function goSourcesHash(lab) {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}\n`);
  for (const file of goFiles(lab).sort()) {
    hash
      .update(`${path.relative(lab, file)}\0`)
      .update(readFileSync(file))
      .update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}

function goFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : goFiles(file);
    const isSource = /^go\.(mod|sum)$|\.go$/.test(entry.name) && !entry.name.endsWith("_test.go");
    return isSource ? [file] : [];
  });
}

/** What tools/guest-tree would still have to get, from the committed list of packages. */
function treeFacts(root, cache) {
  const lock = JSON.parse(
    readFileSync(path.join(root, "tools", "guest-tree", "lock.json"), "utf8"),
  );
  if (lock.architecture !== { x64: "amd64", arm64: "arm64" }[process.arch]) {
    return { ready: false, downloadMB: 120, diskMB: treeMB + 120 };
  }
  if (hasTree(path.join(cache, "guest-tree"), lock))
    return { ready: true, downloadMB: 0, diskMB: 0 };
  const missing = lock.packages.filter(({ name, version, architecture, size }) => {
    const file = `${name}_${version.replaceAll(":", "%3a")}_${architecture}.deb`;
    return sizeOf(path.join(cache, "debs", file)) !== size;
  });
  const debsMB = missing.reduce((sum, { size }) => sum + size, 0) / MB;
  return {
    ready: false,
    downloadMB: missing.length === 0 ? 0 : Math.ceil(debsMB + indexMB),
    diskMB: Math.ceil(treeMB + debsMB),
  };
}

/** A finished tree lists what it is made of. */
function hasTree(trees, lock) {
  if (!existsSync(trees)) return false;
  const wanted = JSON.stringify(lock.packages);
  return readdirSync(trees).some((name) => {
    const manifest = path.join(trees, name, "etc", "sanbed-guest-tree.json");
    if (!existsSync(manifest)) return false;
    return JSON.stringify(JSON.parse(readFileSync(manifest, "utf8")).packages) === wanted;
  });
}

function missingForLevelA() {
  if (process.platform !== "linux") return [`Linux: this is ${process.platform}`];
  const devices = ["/dev/fuse", "/dev/loop-control"].filter((file) => !existsSync(file));
  return [
    ...(process.getuid?.() === 0 ? [] : ["not root"]),
    ...devices.map((file) => `no ${file}`),
  ];
}

/** The Go on PATH itself, whatever it would fetch. */
function goVersion() {
  const text = output("go", ["env", "GOVERSION"], { GOTOOLCHAIN: "local", GOFLAGS: "" });
  return text === "" ? undefined : numbers(text);
}

function output(program, args, env = {}) {
  const options = { encoding: "utf8", env: { ...process.env, ...env }, cwd: "/", timeout: 20_000 };
  const { status, stdout } = spawnSync(program, args, options);
  return status === 0 ? stdout : "";
}

function numbers(text) {
  return (/(\d+)\.(\d+)(?:\.(\d+))?/.exec(text) ?? []).slice(1, 4).map((part) => Number(part ?? 0));
}

function isAtLeast(version, oldest) {
  if (version.length < 3) return false;
  const at = oldest.findIndex((part, index) => part !== version[index]);
  return at < 0 || version[at] > oldest[at];
}

function sizeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.size;
}

function pathFolders() {
  return (process.env.PATH ?? "").split(path.delimiter).filter((folder) => folder !== "");
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
  process.stdout.write(`${JSON.stringify(gatherFacts(process.argv[2] ?? root))}\n`);
}
