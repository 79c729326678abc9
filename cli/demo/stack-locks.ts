import { readdirSync, readFileSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { SanbedError } from "../../bed/errors";

/** What the engine's file backend writes into a lock file. */
interface LockContent {
  readonly pid?: unknown;
  readonly hostname?: unknown;
}

/**
 * Refuses while any process holds a lock of the stack, and removes the locks of engines that have gone. Never
 * `pulumi cancel`: that takes the lock away from an engine at work too, which goes on with the same bed.
 *
 * @param backendUrl - `file://FOLDER`, as in PULUMI_BACKEND_URL
 * @param stack - `PROJECT/STACK`
 * @throws {SanbedError} naming the process that holds the stack
 */
export function removeDeadLocks(backendUrl: string, stack: string): void {
  const folder = path.join(fileURLToPath(backendUrl), ".pulumi", "locks", "organization", stack);
  const files = lockFiles(folder);
  const held = files.filter((file) => !hasGone(file));
  const [first] = held;
  if (first !== undefined) {
    throw new SanbedError(
      "demo",
      `stack ${stack} is in use: ${holder(first)} holds ${first}. Nothing was changed. Wait until it has ended, or ` +
        "stop it with Ctrl-C, then run the demo again. If no pulumi is at work there, `. .sanbed/env` and " +
        "`pulumi cancel` remove the lock.",
    );
  }
  for (const file of files) rmSync(file, { force: true });
}

function lockFiles(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
    return names.map((name) => path.join(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function contentOf(file: string): LockContent {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as LockContent;
  } catch {
    return {};
  }
}

/** Provably: a lock of another machine, or one that cannot be read, may be held. */
function hasGone(file: string): boolean {
  const { pid, hostname: host } = contentOf(file);
  return typeof pid === "number" && host === hostname() && !processExists(pid);
}

function holder(file: string): string {
  const { pid, hostname: host } = contentOf(file);
  if (typeof pid !== "number") return "an unknown process";
  return `process ${pid.toString()}${host === hostname() ? "" : ` of machine ${String(host)}`}`;
}

/** Also true for a process of another user. */
function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
