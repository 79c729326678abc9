import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

// Control groups are the one thing of a guest that outlives its processes: empty directories in the kernel's hierarchy.
// The lab's own one is written into a list before it is made, so that `lab down` finds it after a kill.
const OURS = /\/sanbed-lab-[0-9a-f]{12}$/;

/** Mount point of the version 2 hierarchy: `/sys/fs/cgroup`, or below it on hosts that also have version 1. */
export async function findCgroup2(): Promise<string | undefined> {
  const mounts = await readFile("/proc/self/mounts", "utf8");
  const line = mounts.split("\n").find((mount) => mount.split(" ")[2] === "cgroup2");
  return line?.split(" ")[1];
}

/**
 * Makes the lab's directory in the hierarchy. One per lab folder, so that labs side by side do not meet.
 *
 * @param list - file that names it, one directory a line
 * @throws Error when there is no version 2 hierarchy or it cannot be written
 */
export async function makeLabCgroup(list: string): Promise<string> {
  const base = await findCgroup2();
  if (base === undefined) throw new Error("no cgroup version 2 hierarchy is mounted");
  const hash = createHash("sha256").update(path.resolve(list)).digest("hex").slice(0, 12);
  const directory = path.join(base, `sanbed-lab-${hash}`);
  await writeFile(list, `${directory}\n`);
  await mkdir(directory, { recursive: true });
  return directory;
}

/** Makes a guest's directory; an old one of the same guest is removed first. */
export async function makeGuestCgroup(labCgroup: string, vm: string): Promise<string> {
  const directory = path.join(labCgroup, vm);
  await removeCgroup(directory);
  await mkdir(directory);
  return directory;
}

/**
 * Removes a directory with everything below it. Absent is success.
 *
 * @throws Error EBUSY while processes are in it
 */
export async function removeCgroup(directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(ignoreAbsent);
  if (entries === undefined) return;
  for (const entry of entries) {
    if (entry.isDirectory()) await removeCgroup(path.join(directory, entry.name));
  }
  // Ended processes leave their group a moment after they were waited for.
  for (let attempt = 0; ; attempt++) {
    try {
      await rmdir(directory);
      return;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === "ENOENT") return;
      if (code !== "EBUSY" || attempt === 100) throw error;
      await sleep(10);
    }
  }
}

/**
 * Removes the control groups that a list names. Lines that are not a lab's directory are left alone.
 *
 * @returns directories that were removed, and those that still hold processes
 */
export async function removeListedCgroups(
  list: string,
): Promise<{ removed: string[]; left: string[] }> {
  const text = (await readFile(list, "utf8").catch(ignoreAbsent)) ?? "";
  const removed: string[] = [];
  const left: string[] = [];
  for (const directory of text.split("\n").filter((line) => OURS.test(line))) {
    await removeCgroup(directory).then(
      () => removed.push(directory),
      () => left.push(directory),
    );
  }
  return { removed, left };
}

function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
