import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LabClient } from "./client";
import { labError } from "./emulator/lab-error";
import { type ControlFile, LabFolder } from "./folder";
import { type Level, type LevelProbe, probeLevel } from "./levels";
import { type LabShape, shapeOfReleases, shapeWords } from "./presets/lab-shape";
import {
  isAlive,
  processesWith,
  type ProcessIdentity,
  startTicks,
  waitGone,
  worksIn,
} from "./processes";
import { cleanStaleLab } from "./stale";
import { withStartLock } from "./start-lock";

/** Arrays that a lab can have. */
export { netappModels } from "./presets/netapp-array";

export interface UpOptions {
  readonly dir: string;
  /** Wanted level; absent: the best that can be had. */
  readonly level?: Level | undefined;
  readonly profiles?: Readonly<Record<string, string>>;
  /** Array and switches of the lab; absent: as it was before. */
  readonly shape?: Partial<LabShape>;
  readonly sanBinary?: string | undefined;
  readonly guestTree?: string | undefined;
  /** Compiled daemon; default beside this file. */
  readonly daemonScript?: string;
  readonly progress?: (line: string) => void;
}

const startTimeoutMs = 60_000;
const downTimeoutMs = 90_000;

/** Namespaces of the daemon: whoever kills it takes every process, mount and loop device along. */
const namespaces = ["--mount", "--propagation", "private", "--pid", "--fork", "--kill-child"];

/** The shell knows its own pid and keeps it through exec; inside the namespace it cannot be known. */
const launcher =
  'SANBED_LAB_PID=$$ SANBED_LAB_PID_START=$(cut -d" " -f22 "/proc/$$/stat") && ' +
  'export SANBED_LAB_PID SANBED_LAB_PID_START && exec "$@"';

/**
 * Starts a lab in its folder and waits until it is ready. One that runs there already is taken, also
 * one that another process is just starting.
 * @throws {SanbedError} `lab` with the end of the daemon's log when it does not come up.
 */
export function labUp(options: UpOptions): Promise<LabClient> {
  const folder = new LabFolder(options.dir);
  folder.create();
  return withStartLock(folder, (record) => upAlone(options, folder, record));
}

async function upAlone(
  options: UpOptions,
  folder: LabFolder,
  record: (daemon: ProcessIdentity) => void,
): Promise<LabClient> {
  const running = await LabClient.connect(folder.path).catch(() => undefined);
  if (running !== undefined) return checkRunning(running, options);
  await cleanStaleLab(folder);
  const probe = await chooseLevel(options, folder);
  options.progress?.(`starting at level ${probe.level}`);
  const child = spawnDaemon(options, folder, probe);
  if (child.pid !== undefined) record({ pid: child.pid, start: startTicks(child.pid) });
  const deadline = Date.now() + startTimeoutMs;
  while (Date.now() < deadline) {
    if (child.ended() !== undefined) break;
    if (existsSync(folder.control)) return LabClient.connect(folder.path);
    await sleep(30);
  }
  const ended = child.ended();
  if (ended === undefined) child.kill();
  const what = ended === undefined ? "is not ready after 60 s" : `ended at its start (${ended})`;
  throw labError(`the lab in ${folder.path} ${what}; end of its log:\n${logTail(folder)}`);
}

async function checkRunning(running: LabClient, options: UpOptions): Promise<LabClient> {
  const { level, emulators, shape, vsphere } = await running.status();
  const runs = (device: string): string | undefined =>
    device === "vcenter" ? vsphere : emulators[device]?.profile;
  const wanted = { ...shape, ...shapeOfReleases(options.profiles ?? {}), ...options.shape };
  const asked = [
    ...(options.level === undefined || options.level === level ? [] : [`level ${options.level}`]),
    ...(shapeWords(wanted) === shapeWords(shape) ? [] : [shapeWords(wanted)]),
    ...Object.entries(options.profiles ?? {})
      .filter(([device, release]) => runs(device) !== release)
      .map(([device, release]) => `${device}=${release}`),
  ];
  if (asked.length === 0) return running;
  throw labError(
    `a lab of level ${level} with ${shapeWords(shape)} runs in ${running.folder.path}; ` +
      `stop it before asking for ${asked.join(" and ")}`,
  );
}

/** Stops the lab of a folder, also one that was killed or hangs. Nothing running is done. */
export function labDown(dir: string): Promise<"stopped" | "killed" | "nothing"> {
  const folder = new LabFolder(dir);
  return existsSync(folder.path)
    ? withStartLock(folder, () => downAlone(folder), true)
    : Promise.resolve("nothing");
}

async function downAlone(folder: LabFolder): Promise<"stopped" | "killed" | "nothing"> {
  let control: ControlFile | undefined;
  try {
    control = folder.readControl();
  } catch {
    return downWithoutControl(folder);
  }
  if (control === undefined) {
    await cleanStaleLab(folder);
    return "nothing";
  }
  const identity = { pid: control.pid, start: control.pidStart };
  const asked = await new LabClient(folder, control.port, control.token).down().then(
    () => true,
    () => false,
  );
  let how: "stopped" | "killed" | "nothing" = asked ? "stopped" : "nothing";
  if (!(await waitGone(identity, asked ? downTimeoutMs : 0)) && isAlive(identity)) {
    // SIGTERM is blocked by unshare; its death takes the daemon and all below along.
    process.kill(identity.pid, "SIGKILL");
    await waitGone(identity, 10_000);
    how = "killed";
  }
  await cleanStaleLab(folder);
  return how;
}

/** The control file is damaged: the daemon is told by its command line, which names the folder. */
async function downWithoutControl(folder: LabFolder): Promise<"killed" | "nothing"> {
  const daemons = processesWith(["--dir", folder.path, "--probe"]).filter((daemon) =>
    worksIn(daemon, folder.path),
  );
  for (const daemon of daemons) {
    // At level A the death of the first takes the others along.
    if (isAlive(daemon)) process.kill(daemon.pid, "SIGKILL");
    await waitGone(daemon, 10_000);
  }
  rmSync(folder.control, { recursive: true, force: true });
  await cleanStaleLab(folder);
  return daemons.length > 0 ? "killed" : "nothing";
}

async function chooseLevel(options: UpOptions, folder: LabFolder): Promise<LevelProbe> {
  const { level } = options;
  const without = [
    ...(options.guestTree === undefined ? ["the guests' root file system was not given"] : []),
    ...(options.sanBinary === undefined ? ["the SAN process was not given"] : []),
  ];
  const probe = await probeLevel(folder.path, without, level);
  if (level === undefined || level === probe.level) return probe;
  const reasons = probe.missing[level] ?? [];
  throw labError(`level ${level} cannot be had here: ${reasons.join("; ")}`);
}

/** What goes before the daemon's command, so that nothing of its guests outlives it. */
function enclosure(level: Level): string[] {
  if (level !== "A" && level !== "B") return [];
  const user = level === "B" ? ["--user", "--map-root-user"] : [];
  return ["/bin/sh", "-c", launcher, "sh", "unshare", ...user, ...namespaces, "--mount-proc"];
}

interface SpawnedDaemon {
  /** Undefined when it could not be spawned. */
  readonly pid: number | undefined;
  /** Why it ended; undefined while it runs. */
  ended(): string | undefined;
  kill(): void;
}

function spawnDaemon(options: UpOptions, folder: LabFolder, probe: LevelProbe): SpawnedDaemon {
  const script = options.daemonScript ?? join(__dirname, "daemon.js");
  const daemon = [process.execPath, script, "--dir", folder.path, "--probe", JSON.stringify(probe)];
  daemon.push("--profiles", JSON.stringify(options.profiles ?? {}));
  daemon.push("--shape", JSON.stringify(options.shape ?? {}));
  if (options.sanBinary !== undefined) daemon.push("--san-binary", options.sanBinary);
  if (options.guestTree !== undefined) daemon.push("--guest-tree", options.guestTree);
  const command = [...enclosure(probe.level), ...daemon];
  const log = openSync(folder.daemonLog, "a");
  const child = spawn(command[0] ?? "", command.slice(1), {
    detached: true,
    stdio: ["ignore", log, log],
    cwd: folder.path,
  });
  closeSync(log);
  let ended: string | undefined;
  child.once("error", (error) => (ended = error.message));
  child.once("exit", (code, signal) => (ended ??= signal ?? `exit code ${String(code)}`));
  child.unref();
  return { pid: child.pid, ended: () => ended, kill: () => child.kill("SIGKILL") };
}

function logTail(folder: LabFolder): string {
  try {
    return readFileSync(folder.daemonLog, "utf8").trimEnd().split("\n").slice(-15).join("\n");
  } catch {
    return "(no log)";
  }
}
