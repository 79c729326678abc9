import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import type { Site } from "../../bed/site";
import { LabClient } from "../../lab/client";
import { LabFolder, writeJson } from "../../lab/folder";
import { Lab } from "../../lab/lab";
import type { LabShape } from "../../lab/presets/lab-shape";
import { labDown, labUp } from "../../lab/start";

const prefix = "sanbed-test-lab-";

/** A lab of one test. */
export interface TestLab {
  readonly dir: string;
  readonly client: LabClient;
  readonly site: Site;
  /** The lab itself where it runs in this process (level D). */
  readonly lab: Lab | undefined;
}

export interface TestLabOptions {
  /** Release of an emulated device, `{ array: "9.9.1" }`. */
  readonly profiles?: Readonly<Record<string, string>>;
  /** Other switches than one Brocade per fabric. */
  readonly shape?: Partial<LabShape>;
  /** The SAN process; level D runs without unless it is given. */
  readonly sanBinary?: string;
  readonly guestTree?: string;
}

/**
 * Runs a test against a lab of its own: temporary folder, free ports, torn down whatever happens.
 * Level D runs in this process, emulators only unless a SAN process is given; level A as a daemon of
 * its own.
 */
export async function withLab<T>(
  level: "A" | "D",
  test: (lab: TestLab) => Promise<T>,
  options: TestLabOptions = {},
): Promise<T> {
  removeOrphans();
  const dir = mkdtempSync(join(tmpdir(), `${prefix}${process.pid.toString()}-`));
  try {
    return level === "D" ? await inProcess(dir, test, options) : await detached(dir, test, options);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Folders of tests that were killed before they could tidy up. */
function removeOrphans(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || exists(Number(pid))) continue;
    rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

async function inProcess<T>(
  dir: string,
  test: (lab: TestLab) => Promise<T>,
  options: TestLabOptions,
): Promise<T> {
  const bugs: string[] = [];
  const token = "test-token";
  const lab = await Lab.start({
    dir,
    probe: { level: "D", missing: { A: ["this is a test"] } },
    token,
    log: (line) => bugs.push(line),
    ...options,
  });
  try {
    const { startedAt, level } = lab;
    const port = lab.ports.control;
    writeJson(lab.folder.control, { pid: 0, pidStart: 0, port, token, startedAt, level });
    const client = new LabClient(lab.folder, port, token);
    const result = await test({ dir, client, site: lab.site(), lab });
    if (bugs.length > 0) throw new Error(`the lab reported:\n${bugs.join("\n")}`);
    return result;
  } finally {
    await lab.stop();
  }
}

async function detached<T>(
  dir: string,
  test: (lab: TestLab) => Promise<T>,
  options: TestLabOptions,
): Promise<T> {
  const daemonScript = join(dir, "daemon.js");
  await bundleDaemon(daemonScript);
  const labDir = join(dir, "lab");
  try {
    const client = await labUp({ dir: labDir, level: "A", daemonScript, ...options });
    return await test({
      dir: new LabFolder(labDir).path,
      client,
      site: client.site(),
      lab: undefined,
    });
  } finally {
    await labDown(labDir);
  }
}

/** The daemon from the sources under test: `dist/` may be older. */
export async function bundleDaemon(outfile: string): Promise<void> {
  await build({
    entryPoints: [join(__dirname, "..", "..", "lab", "daemon.ts")],
    outfile,
    bundle: true,
    platform: "node",
    target: "node22",
    external: ["cpu-features", "*.node"],
    logLevel: "error",
  });
}
