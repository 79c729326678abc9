import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { run } from "./command";
import { goBuild } from "./go";
import { withLock } from "./lock";
import { cacheFolder, projectRoot } from "./paths";

/** The engine that sanbed is developed and tested with. */
const engineVersion = "3.276.0";
const hostVersion = "3.68.0";
/** Oldest engine on PATH that is taken: the first whose protocol the provider kit was written for. */
const oldestOnPath = [3, 249, 0] as const;

export interface Engine {
  /** Folder with `pulumi` and `pulumi-language-nodejs`; goes to the front of PATH. */
  readonly bin: string;
  readonly version: string;
  readonly source: "PATH" | "cache" | "download" | "build";
}

/** Finds or makes the Pulumi engine: PATH, cache, official download, else a build from Go modules. */
export async function findEngine(progress: (line: string) => void): Promise<Engine> {
  const onPath = await engineOnPath();
  if (onPath !== undefined) return onPath;
  const bin = cacheFolder("engine", engineVersion, "bin");
  return withLock(cacheFolder("engine", ".lock"), progress, async () => {
    if (isComplete(bin)) return { bin, version: engineVersion, source: "cache" };
    // Also removes what a set-up that was killed left.
    await rm(path.dirname(bin), { recursive: true, force: true });
    await mkdir(path.dirname(bin), { recursive: true });
    const work = await mkdtemp(path.join(path.dirname(bin), "new-"));
    try {
      const source = (await download(work, progress)) ? "download" : await build(work, progress);
      await writeFile(path.join(work, "bin", "source"), source);
      await rm(bin, { recursive: true, force: true });
      await rename(path.join(work, "bin"), bin);
      return { bin, version: engineVersion, source };
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  });
}

/** The engine that a set-up would take, without downloading or building one. */
export async function locateEngine(): Promise<Engine | undefined> {
  const onPath = await engineOnPath();
  if (onPath !== undefined) return onPath;
  const bin = cacheFolder("engine", engineVersion, "bin");
  return isComplete(bin) ? { bin, version: engineVersion, source: "cache" } : undefined;
}

function isComplete(bin: string): boolean {
  return ["pulumi", "pulumi-language-nodejs"].every((name) => existsSync(path.join(bin, name)));
}

async function engineOnPath(): Promise<Engine | undefined> {
  for (const folder of (process.env["PATH"] ?? "").split(path.delimiter)) {
    if (folder.includes(`node_modules${path.sep}.bin`) || !isComplete(folder)) continue;
    const version = (await run(path.join(folder, "pulumi"), ["version"]).catch(() => ""))
      .trim()
      .replace(/^v/, "");
    if (isAtLeast(version, oldestOnPath)) return { bin: folder, version, source: "PATH" };
  }
  return undefined;
}

function isAtLeast(version: string, oldest: readonly [number, number, number]): boolean {
  const parts = version.split(/[.-]/).slice(0, 3).map(Number);
  if (parts.length < 3 || parts.some(Number.isNaN)) return false;
  for (const [index, wanted] of oldest.entries()) {
    const have = parts[index] ?? 0;
    if (have !== wanted) return have > wanted;
  }
  return true;
}

/** The official archive, checked against the official checksum file. False when it cannot be had. */
async function download(work: string, progress: (line: string) => void): Promise<boolean> {
  if (process.env["SANBED_OFFLINE"] === "1") return false;
  const platform = `${process.platform}-${process.arch === "arm64" ? "arm64" : "x64"}`;
  const name = `pulumi-v${engineVersion}-${platform}.tar.gz`;
  const base = "https://get.pulumi.com/releases/sdk";
  try {
    const sums = await fetchBytes(`${base}/pulumi-${engineVersion}-checksums.txt`, 10_000);
    progress(`engine: downloading ${name}`);
    const archive = await fetchBytes(`${base}/${name}`, 600_000);
    const sha256 = createHash("sha256").update(archive).digest("hex");
    if (
      !sums
        .toString("utf8")
        .split("\n")
        .some((line) => line.startsWith(sha256) && line.endsWith(name))
    ) {
      progress(`engine: ${name} does not match its published checksum, not used`);
      return false;
    }
    await writeFile(path.join(work, name), archive);
    await run("tar", ["-xzf", name], { cwd: work });
    await rename(path.join(work, "pulumi"), path.join(work, "bin"));
    return isComplete(path.join(work, "bin"));
  } catch (error) {
    progress(
      `engine: the official download is not reachable (${shortReason(error)}), building from Go modules`,
    );
    return false;
  }
}

async function fetchBytes(url: string, timeoutMs: number): Promise<Buffer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`HTTP ${response.status.toString()}`);
  return Buffer.from(await response.arrayBuffer());
}

function shortReason(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}

/** About six minutes on two cores the first time. The modules are pinned by the committed go.sum. */
async function build(work: string, progress: (line: string) => void): Promise<"build"> {
  const bin = path.join(work, "bin");
  await mkdir(bin);
  await go(work, "pulumi", "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi", engineVersion, progress);
  await go(
    work,
    "language-host",
    "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
    hostVersion,
    progress,
  );
  return "build";
}

async function go(
  work: string,
  module: string,
  target: string,
  version: string,
  progress: (line: string) => void,
): Promise<void> {
  const started = Date.now();
  const folder = path.join(work, module);
  await cp(path.join(projectRoot(), "tools", "engine", module), folder, { recursive: true });
  progress(`engine: building ${path.basename(target)} ${version} from Go modules`);
  const ticker = setInterval(() => {
    progress(`engine: still building ${path.basename(target)}, ${seconds(started)} s`);
  }, 30_000);
  const ldflags = `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=${version}`;
  const output = path.join(work, "bin", path.basename(target));
  try {
    await goBuild("the Pulumi engine", ["-ldflags", ldflags, "-o", output, target], {
      cwd: folder,
      instead: "Or put pulumi and pulumi-language-nodejs on PATH.",
    });
  } finally {
    clearInterval(ticker);
  }
  progress(`engine: ${path.basename(target)} built in ${seconds(started)} s`);
}

function seconds(started: number): string {
  return Math.round((Date.now() - started) / 1000).toString();
}
