import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { goBuild } from "./setup/go";
import { withLock } from "./setup/lock";
import { cacheFolder, projectRoot } from "./setup/paths";

const binaryName = "sanbed-lab-san";
const unfinished = "-new-";

export interface SanBinaryOptions {
  readonly progress?: (line: string) => void;
}

/**
 * Path of the lab's Go process, built when these sources were not built before. The cache is keyed by a hash of the Go
 * sources, so checkouts of one state share it and a changed source is never run from an old build.
 *
 * @throws {SanbedError} `setup` when there is no Go, or the build fails
 */
export async function sanBinary({ progress }: SanBinaryOptions = {}): Promise<string> {
  const sources = path.join(projectRoot(), "lab");
  const file = await sanBinaryPath();
  const folder = path.dirname(file);
  if (existsSync(file)) return file;
  return withLock(cacheFolder("san", ".lock"), progress, async () => {
    if (existsSync(file)) return file;
    progress?.("building the lab's vCenter and SAN process from Go sources (once; about a minute)");
    await removeUnfinished(path.dirname(folder));
    const work = await mkdtemp(`${folder}${unfinished}`);
    try {
      const args = ["-o", path.join(work, binaryName), `./cmd/${binaryName}`];
      await goBuild("the lab's vCenter", args, { cwd: sources });
      await rm(folder, { recursive: true, force: true });
      await rename(work, folder);
      return file;
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  });
}

/** Where what is built of these sources lies, or will lie. */
export async function sanBinaryPath(): Promise<string> {
  const sources = path.join(projectRoot(), "lab");
  return path.join(cacheFolder("san", await sourcesHash(sources)), binaryName);
}

/** What a build that was killed left. Only called while the lock is held. */
async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.includes(unfinished)) await rm(path.join(folder, name), { recursive: true });
  }
}

/** Hash of everything that the binary is made from, and of the platform. */
async function sourcesHash(sources: string): Promise<string> {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}\n`);
  for (const file of (await goFiles(sources)).sort()) {
    hash
      .update(`${path.relative(sources, file)}\0`)
      .update(await readFile(file))
      .update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}

async function goFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === "node_modules" ? [] : await goFiles(file);
      const isSource =
        entry.name === "go.mod" ||
        entry.name === "go.sum" ||
        (entry.name.endsWith(".go") && !entry.name.endsWith("_test.go"));
      return isSource ? [file] : [];
    }),
  );
  return found.flat();
}
