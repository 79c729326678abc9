import { mkdir, open, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Runs `work` while holding a lock file, so that two set-ups never build the same thing at once.
 * A lock whose process has gone is taken over.
 *
 * @param progress - told once when another process holds the lock
 */
export async function withLock<T>(
  file: string,
  progress: ((line: string) => void) | undefined,
  work: () => Promise<T>,
): Promise<T> {
  await mkdir(path.dirname(file), { recursive: true });
  let told = false;
  while (!(await take(file))) {
    const owner = await ownerOf(file);
    if (owner === undefined) {
      await rm(file, { force: true });
      continue;
    }
    if (!told) progress?.(`waiting for process ${owner}, which holds ${file}`);
    told = true;
    await sleep(500);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function take(file: string): Promise<boolean> {
  try {
    const handle = await open(file, "wx");
    await handle.writeFile(process.pid.toString());
    await handle.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** The living process that holds the lock, as text; undefined when nobody does. */
async function ownerOf(file: string): Promise<string | undefined> {
  const text = await readFile(file, "utf8").catch(() => "");
  const pid = Number(text);
  if (text !== "" && Number.isInteger(pid) && pid > 0) return isAlive(pid) ? text : undefined;
  // Made but not yet written; who was killed just then never will.
  const made = await stat(file).catch(() => undefined);
  return made !== undefined && Date.now() - made.mtimeMs < 10_000 ? "(unknown)" : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
