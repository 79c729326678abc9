import { readdirSync, readFileSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** A process that can be told from a later one with the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time in clock ticks after boot (field 22 of /proc/pid/stat); 0 where there is no /proc. */
  readonly start: number;
}

/** Start time of a process; 0 when it is not there or the system does not tell. */
export function startTicks(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid.toString()}/stat`, "utf8");
    // The second field is the program's name in parentheses and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(fields[19] ?? 0);
  } catch {
    return 0;
  }
}

/** True only when the process lives and is provably the one that was recorded. */
export function isAlive(identity: ProcessIdentity): boolean {
  return (
    identity.start !== 0 && startTicks(identity.pid) === identity.start && !isZombie(identity.pid)
  );
}

/** Living processes whose command line has these arguments one after the other. */
export function processesWith(wanted: readonly string[]): ProcessIdentity[] {
  const text = `\0${wanted.join("\0")}\0`;
  return listProcesses().flatMap((pid) => {
    const identity = { pid, start: startTicks(pid) };
    return commandLine(pid).includes(text) && isAlive(identity) ? [identity] : [];
  });
}

/** Its working folder is this very one, not one of the same name in a container. */
export function worksIn({ pid }: ProcessIdentity, folder: string): boolean {
  try {
    const there = statSync(`/proc/${pid.toString()}/cwd`);
    const here = statSync(folder);
    return there.dev === here.dev && there.ino === here.ino;
  } catch {
    return false;
  }
}

function listProcesses(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid.toString()}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** Waits until it has gone. @returns false when it still lives at the end of the time. */
export async function waitGone(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isAlive(identity)) {
    if (Date.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid.toString()}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
  } catch {
    return true;
  }
}
