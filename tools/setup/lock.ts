import { mkdir, open, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Runs `work` while holding a lock file, so that two set-ups never build the same thing at once.
 * A lock whose process has gone is taken over.
 */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  await mkdir(path.dirname(file), { recursive: true });
  for (;;) {
    try {
      const handle = await open(file, "wx");
      await handle.writeFile(process.pid.toString());
      await handle.close();
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (await isStale(file)) await rm(file, { force: true });
      else await sleep(500);
    }
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function isStale(file: string): Promise<boolean> {
  const text = await readFile(file, "utf8").catch(() => "");
  const pid = Number(text);
  if (!Number.isInteger(pid) || pid <= 0) return text !== "";
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
