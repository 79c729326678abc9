import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  /** Arguments, joined by blanks. */
  readonly command: string;
  /** Clock ticks after boot: a pid alone proves nothing. */
  readonly start: string;
}

/** All processes below one, as /proc shows them now. */
export function descendantsOf(pid: number): RunningProcess[] {
  const all = readdirSync("/proc").flatMap((name) =>
    /^\d+$/.test(name) ? (readProcess(Number(name)) ?? []) : [],
  );
  const found: RunningProcess[] = [];
  const visit = (parent: number): void => {
    for (const child of all.filter((one) => one.parent === parent)) {
      found.push(child);
      visit(child.pid);
    }
  };
  visit(pid);
  return found;
}

function readProcess(pid: number): RunningProcess | undefined {
  try {
    const stat = readFileSync(`/proc/${pid.toString()}/stat`, "utf8");
    // The name in parentheses may hold anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z") return undefined;
    const command = readFileSync(`/proc/${pid.toString()}/cmdline`, "utf8").split("\0").join(" ");
    return { pid, parent: Number(fields[1]), command, start: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}

/** Waits until the processes are gone; answers those that are not after the time. */
export async function stillThere(
  processes: readonly RunningProcess[],
  withinMs: number,
): Promise<RunningProcess[]> {
  const until = Date.now() + withinMs;
  for (;;) {
    const left = processes.filter((one) => readProcess(one.pid)?.start === one.start);
    if (left.length === 0 || Date.now() > until) return left;
    await delay(50);
  }
}

export function isPlugin({ command }: RunningProcess): boolean {
  return command.includes("/pulumi-resource-");
}

/** Ends the plugin below a `pulumi` process as the kernel does, without any warning. */
export function killPlugin(pulumi: number): void {
  const plugins = descendantsOf(pulumi).filter(({ command }) =>
    command.includes("pulumi-resource-sanbed"),
  );
  if (plugins.length === 0) throw new Error("no plugin runs below this process");
  for (const { pid } of plugins) process.kill(pid, "SIGKILL");
}
