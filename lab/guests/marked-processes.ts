import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** Environment variable by which the processes of a guest without namespaces are known (level C). */
export const GUEST_MARK = "SANBED_LAB_GUEST";

/**
 * Processes of this user that carry a mark which begins so, this process left out. A process that is just being
 * replaced by another program may be missed: ask until none is left.
 */
export async function markedProcesses(prefix: string): Promise<number[]> {
  const wanted = `\0${GUEST_MARK}=${prefix}`;
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => {
      if (pid === process.pid) return false;
      // Those of other users cannot be read, and are none of ours.
      const text = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
      return `\0${text}`.includes(wanted);
    }),
  );
  return pids.filter((_, index) => found[index]);
}

/**
 * Ends by force all processes with the mark, and those that they start meanwhile.
 *
 * @throws Error when some are still there after the time
 */
export async function killMarked(prefix: string, timeoutMs = 20_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const pids = await markedProcesses(prefix);
    if (pids.length === 0) return;
    if (Date.now() > end) {
      throw new Error(`processes ${pids.join(", ")} do not end: they wait for the machine's disk`);
    }
    for (const pid of pids) kill(pid);
    await sleep(20);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
