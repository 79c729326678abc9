import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { labError } from "./emulator/lab-error";
import type { LabFolder } from "./folder";
import { isAlive, type ProcessIdentity, startTicks, waitGone } from "./processes";

/** Who starts or stops the lab of a folder, and the daemon that it has started so far. */
interface Holder extends ProcessIdentity {
  readonly daemon?: ProcessIdentity;
}

/** Longer than a start and a stop together may take. */
const waitLimitMs = 180_000;

/**
 * Runs `work` as the only one that starts or stops the lab of this folder; others wait. The lock of a
 * process that has gone is taken over, and the daemon that it was starting is ended: nobody else knows
 * of that one.
 *
 * @param work - gets a function that records the daemon as soon as it is spawned
 * @param unlocked - go on without a lock where none can be written (a full disk): for a stop
 * @throws {SanbedError} `lab` when another process holds the lock for three minutes.
 */
export async function withStartLock<T>(
  folder: LabFolder,
  work: (record: (daemon: ProcessIdentity) => void) => Promise<T>,
  unlocked = false,
): Promise<T> {
  const self: Holder = { pid: process.pid, start: startTicks(process.pid) };
  await acquire(folder, self).catch((error: unknown) => {
    const ofMachine = (error as NodeJS.ErrnoException).syscall !== undefined;
    if (!unlocked || !ofMachine) throw error;
  });
  try {
    return await work((daemon) => {
      const temporary = temporaryOf(folder.startLock);
      writeFileSync(temporary, JSON.stringify({ ...self, daemon }), { mode: 0o600 });
      renameSync(temporary, folder.startLock);
    });
  } finally {
    rmSync(folder.startLock, { force: true });
  }
}

async function acquire(folder: LabFolder, self: Holder): Promise<void> {
  const deadline = Date.now() + waitLimitMs;
  while (!take(folder.startLock, self)) {
    const holder = readHolder(folder.startLock);
    if (holder === undefined || !isAlive(holder)) await takeOver(folder, holder);
    else if (Date.now() > deadline) {
      throw labError(
        `process ${holder.pid.toString()} has been starting or stopping the lab in ${folder.path} for ` +
          "three minutes; end it, then run again",
      );
    } else await sleep(50);
  }
}

let temporaries = 0;

function temporaryOf(file: string): string {
  return `${file}.${process.pid.toString()}.${(++temporaries).toString()}`;
}

/** A link appears whole or not at all: nobody ever reads a lock without its holder. */
function take(file: string, self: Holder): boolean {
  const temporary = temporaryOf(file);
  try {
    writeFileSync(temporary, JSON.stringify(self), { mode: 0o600 });
    linkSync(temporary, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Undefined: it has gone, or holds nothing that we wrote. */
function readHolder(file: string): Holder | undefined {
  try {
    const holder = JSON.parse(readFileSync(file, "utf8")) as Partial<Holder> | null;
    if (typeof holder?.pid !== "number" || typeof holder.start !== "number") return undefined;
    return holder as Holder;
  } catch {
    return undefined;
  }
}

async function takeOver(folder: LabFolder, gone: Holder | undefined): Promise<void> {
  const aside = temporaryOf(folder.startLock);
  try {
    renameSync(folder.startLock, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  const taken = readHolder(aside);
  if (taken !== undefined && isAlive(taken)) {
    // Somebody was faster and holds it now: it is theirs.
    linkSync(aside, folder.startLock);
    rmSync(aside);
    return;
  }
  rmSync(aside, { recursive: true });
  const daemon = gone?.daemon;
  if (daemon === undefined || isReady(folder, daemon) || !isAlive(daemon)) return;
  process.kill(daemon.pid, "SIGKILL");
  await waitGone(daemon, 10_000);
}

/** A daemon with a control file runs as it should, whoever started it. */
function isReady(folder: LabFolder, daemon: ProcessIdentity): boolean {
  try {
    return folder.readControl()?.pid === daemon.pid;
  } catch {
    return false;
  }
}
