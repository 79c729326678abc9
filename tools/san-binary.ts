import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { SanbedError } from "../bed/errors";
import { run } from "./setup/command";
import { withLock } from "./setup/lock";
import { cacheFolder, projectRoot } from "./setup/paths";

const binaryName = "sanbed-lab-san";

export interface SanBinaryOptions {
  readonly progress?: (line: string) => void;
}

/**
 * Path of the lab's Go process, built when these sources were not built before. The cache is keyed by a hash of the Go
 * sources, so checkouts of one state share it and a changed source is never run from an old build.
 *
 * @throws {SanbedError} `command` when there is no Go, or the build fails
 */
export async function sanBinary({ progress }: SanBinaryOptions = {}): Promise<string> {
  const sources = path.join(projectRoot(), "lab");
  const folder = cacheFolder("san", await sourcesHash(sources));
  const file = path.join(folder, binaryName);
  if (existsSync(file)) return file;
  return withLock(cacheFolder("san", ".lock"), async () => {
    if (existsSync(file)) return file;
    progress?.("building the lab's vCenter and SAN process from Go sources (once; about a minute)");
    await mkdir(path.dirname(folder), { recursive: true });
    const work = await mkdtemp(`${folder}-new-`);
    try {
      await build(sources, path.join(work, binaryName));
      await rm(folder, { recursive: true, force: true });
      await rename(work, folder);
      return file;
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  });
}

async function build(sources: string, output: string): Promise<void> {
  const go = await run("go", ["version"]).catch(() => undefined);
  if (go === undefined) {
    throw new SanbedError(
      "command",
      "the lab's vCenter is a Go program, and no Go is on PATH. " +
        "Install Go 1.26.6 or later, or an older one from 1.21 on that may download it, from https://go.dev/dl/.",
    );
  }
  await run("go", ["build", "-trimpath", "-buildvcs=false", "-o", output, `./cmd/${binaryName}`], {
    cwd: sources,
    env: { ...process.env, CGO_ENABLED: "0", GOTOOLCHAIN: process.env["GOTOOLCHAIN"] ?? "auto" },
  });
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
