import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { z } from "zod";

/** Which process of which machine. Parts that this system does not tell are empty. */
export const processIdentitySchema = z.object({
  host: z.string(),
  /** Start of the machine, and the set of processes that can see each other. */
  boot: z.string(),
  pidNamespace: z.string(),
  pid: z.int().min(1),
  /** Start of the process, so that another one of the same number is told apart. */
  started: z.string(),
});

export type ProcessIdentity = z.infer<typeof processIdentitySchema>;

export function thisProcess(): ProcessIdentity {
  return {
    host: hostname(),
    boot: read("/proc/sys/kernel/random/boot_id"),
    pidNamespace: pidNamespace(),
    pid: process.pid,
    started: startOf(process.pid),
  };
}

/**
 * True only when it is certain: a process of this machine that does not run any more. One of another
 * machine, or of a set of processes that cannot be seen from here, may still be alive.
 */
export function isSurelyDead(known: ProcessIdentity): boolean {
  const here = thisProcess();
  if (known.host !== here.host) return false;
  if (known.boot !== here.boot) return known.boot !== "" && here.boot !== "";
  if (known.pidNamespace !== here.pidNamespace) return false;
  try {
    process.kill(known.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
  const started = startOf(known.pid);
  return known.started !== "" && started !== "" && known.started !== started;
}

/** Field 22 of /proc/<pid>/stat (proc(5)); the name in field 2 may hold blanks and brackets. */
function startOf(pid: number): string {
  const stat = read(`/proc/${pid.toString()}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
}
