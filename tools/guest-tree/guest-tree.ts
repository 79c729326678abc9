import { mkdir, readdir, readFile, rename, rm, stat, statfs, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { SanbedError } from "../../bed/errors";
import { runCommand } from "./command";
import { makeDatadir } from "./datadir";
import { unpackDeb } from "./deb";
import { missingDebs, obtainDebs } from "./debs";
import { exclusively } from "./exclusive";
import { finishTree, prepareTree } from "./finish";
import {
  committedLock,
  debFileName,
  downloadBytes,
  parseLock,
  treeHash,
  type GuestLock,
} from "./lock";
import { debianArchitecture, TREE_MB } from "./packages";

export interface GuestTreeOptions {
  /** One line per step. */
  readonly progress?: (line: string) => void;
  /** Cache folder, default `${XDG_CACHE_HOME:-~/.cache}/sanbed`. */
  readonly cacheDir?: string;
}

/** What getting the guest tree will take, said before anything is done. */
export interface GuestTreeFacts {
  /** The tree is there: nothing will be done. */
  readonly ready: boolean;
  readonly packages: number;
  /** What is still to be downloaded, package index included. */
  readonly downloadMB: number;
  /** What is still to be written below the cache folder. */
  readonly diskMB: number;
}

const INDEX_MB = 10;
const MB = 1e6;

/** The cache folder of this user: `${XDG_CACHE_HOME:-~/.cache}/sanbed`. */
function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const base = env["XDG_CACHE_HOME"];
  // The XDG base directory specification: a relative path is to be ignored.
  const usable = base !== undefined && path.isAbsolute(base) ? base : undefined;
  return path.join(usable ?? path.join(os.homedir(), ".cache"), "sanbed");
}

/**
 * Makes the read-only root file system of the lab's guests, or finds the one that is there (0 s). Nothing is installed
 * on the host: packages are downloaded into the cache, checked by SHA-256 and unpacked by our own code, without their
 * scripts. A tree appears under its final name only when it is complete, and is never changed again.
 *
 * @returns the tree's folder and the bytes it takes
 * @throws SanbedError when a package cannot be had, its hash is wrong, or a tool is missing
 */
export async function guestTree(
  options: GuestTreeOptions = {},
): Promise<{ path: string; bytes: number }> {
  const cache = options.cacheDir ?? cacheFolder();
  const progress = options.progress ?? (() => undefined);
  const trees = path.join(cache, "guest-tree");
  await mkdir(trees, { recursive: true });
  const lock = await currentLock(trees);
  const ready = lock && (await readyTree(trees, lock));
  if (ready !== undefined) return ready;
  const wait = (): void => {
    progress("guest tree: another process is making it, waiting");
  };
  return exclusively(path.join(trees, ".lock"), wait, async () => {
    const again = lock && (await readyTree(trees, lock));
    return again ?? build(cache, trees, lock, progress);
  });
}

/** What {@link guestTree} would have to do now. Touches nothing. */
export async function guestTreeFacts(
  options: Pick<GuestTreeOptions, "cacheDir"> = {},
): Promise<GuestTreeFacts> {
  const cache = options.cacheDir ?? cacheFolder();
  const trees = path.join(cache, "guest-tree");
  const lock = await currentLock(trees);
  if (lock === undefined)
    return { ready: false, packages: 0, downloadMB: 120, diskMB: TREE_MB + 120 };
  const packages = lock.packages.length;
  if ((await readyTree(trees, lock)) !== undefined) {
    return { ready: true, packages, downloadMB: 0, diskMB: 0 };
  }
  const missing = await missingDebs(path.join(cache, "debs"), lock.packages);
  const debsMB = downloadBytes(missing) / MB;
  const downloadMB = missing.length === 0 ? 0 : Math.ceil(debsMB + INDEX_MB);
  return { ready: false, packages, downloadMB, diskMB: Math.ceil(TREE_MB + debsMB) };
}

async function build(
  cache: string,
  trees: string,
  wanted: GuestLock | undefined,
  progress: (line: string) => void,
): Promise<{ path: string; bytes: number }> {
  const asRoot = process.getuid?.() === 0;
  await checkTools();
  await checkSpace(cache);
  await removeUnfinished(trees);
  const debs = path.join(cache, "debs");
  const lock = await obtainDebs({ debs, architecture: architecture(), lock: wanted, progress });
  if (lock !== wanted) await writeFile(resolvedFile(trees), JSON.stringify(lock, undefined, 1));
  const ready = await readyTree(trees, lock);
  if (ready !== undefined) return ready;
  const tree = path.join(trees, `.new-${process.pid}`);
  try {
    progress(`guest tree: unpacking ${lock.packages.length} packages`);
    await prepareTree(tree);
    await unpackAll(
      lock.packages.map((pkg) => path.join(debs, debFileName(pkg))),
      tree,
      asRoot,
    );
    progress("guest tree: finishing, making the database template");
    await finishTree(tree, asRoot);
    await makeDatadir(tree, asRoot);
    const bytes = await diskUsage(tree);
    await writeFile(path.join(tree, MANIFEST), JSON.stringify({ ...lock, bytes }));
    const final = treeFolder(trees, lock);
    await rename(tree, final);
    return { path: final, bytes };
  } catch (error) {
    await rm(tree, { recursive: true, force: true });
    throw error;
  }
}

/** Lists what a tree is made of; written last, so it also says that the tree is complete. */
const MANIFEST = "etc/sanbed-guest-tree.json";

async function readyTree(
  trees: string,
  lock: GuestLock,
): Promise<{ path: string; bytes: number } | undefined> {
  const folder = treeFolder(trees, lock);
  const text = await readFile(path.join(folder, MANIFEST), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const { bytes } = JSON.parse(text) as { bytes: number };
  return { path: folder, bytes };
}

function treeFolder(trees: string, lock: GuestLock): string {
  return path.join(trees, treeHash(lock, process.getuid?.() === 0 ? "root" : "user"));
}

function resolvedFile(trees: string): string {
  const committed = committedLock(architecture());
  const base = committed === undefined ? "none" : treeHash(committed, "root");
  return path.join(trees, `resolved-${architecture()}-${base}.json`);
}

/** The committed lock, or what was resolved in its place on this machine because the archive had moved on. */
async function currentLock(trees: string): Promise<GuestLock | undefined> {
  const committed = committedLock(architecture());
  if (committed !== undefined && (await readyTree(trees, committed)) !== undefined)
    return committed;
  const text = await readFile(resolvedFile(trees), "utf8").catch(() => undefined);
  return text === undefined ? committed : parseLock(JSON.parse(text));
}

function architecture(): string {
  const name = debianArchitecture();
  if (name !== undefined && process.platform === "linux") return name;
  throw new SanbedError(
    "guest-tree",
    `there is no guest tree for ${process.platform} on ${process.arch}. Use lab level D, which has no real guests.`,
  );
}

/** Two at a time: unpacking is bound by one core each, and more would fight over the disk. */
async function unpackAll(
  files: readonly string[],
  tree: string,
  keepOwners: boolean,
): Promise<void> {
  const queue = [...files];
  const worker = async (): Promise<void> => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      await unpackDeb(file, tree, keepOwners);
    }
  };
  await Promise.all(Array.from({ length: Math.min(4, os.availableParallelism()) }, worker));
}

async function checkTools(): Promise<void> {
  for (const tool of ["tar", "xz", "flock"]) {
    await runCommand(tool, ["--version"]).catch((cause: unknown) => {
      const remedy = `Install ${tool}; the guest tree is unpacked with it.`;
      throw new SanbedError("guest-tree", `${tool} is missing on this machine. ${remedy}`, {
        cause,
      });
    });
  }
}

async function checkSpace(cache: string): Promise<void> {
  const { bavail, bsize } = await statfs(cache);
  const freeMB = Math.floor((bavail * bsize) / MB);
  const neededMB = TREE_MB + 150;
  if (freeMB >= neededMB) return;
  throw new SanbedError(
    "guest-tree",
    `${cache} has ${freeMB} MB free, the guest tree needs ${neededMB} MB. Free some space or set XDG_CACHE_HOME.`,
  );
}

/** Removes what an interrupted build left. Only called while the lock is held. */
async function removeUnfinished(trees: string): Promise<void> {
  for (const name of await readdir(trees)) {
    if (name.startsWith(".new-"))
      await rm(path.join(trees, name), { recursive: true, force: true });
  }
}

async function diskUsage(folder: string): Promise<number> {
  const text = await runCommand("du", ["-s", "--block-size=1", folder]);
  const bytes = Number(text.split("\t")[0]);
  return Number.isSafeInteger(bytes) ? bytes : (await stat(folder)).size;
}
