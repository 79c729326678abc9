import { readdirSync, readFileSync } from "node:fs";

const everyMs = 100;

/**
 * Watches a program below a process: the most resident memory it has had (`VmHWM`, proc(5)), looked at
 * ten times a second while it runs.
 */
export function watchMemory(
  ancestor: number | undefined,
  program: string,
): { end(): number | undefined } {
  let peak: number | undefined;
  const look = (): void => {
    for (const pid of descendants(ancestor)) {
      if (!read(pid, "cmdline")?.includes(program)) continue;
      const kibibytes = /^VmHWM:\s*(\d+) kB/m.exec(read(pid, "status") ?? "")?.[1];
      if (kibibytes !== undefined) peak = Math.max(peak ?? 0, Number(kibibytes) * 1024);
    }
  };
  const timer = setInterval(look, everyMs);
  timer.unref();
  return {
    end: () => {
      clearInterval(timer);
      return peak;
    },
  };
}

/** Processes below this one; none where the system has no /proc. */
function descendants(ancestor: number | undefined): number[] {
  const parents = new Map<number, number>();
  for (const name of processes()) {
    const pid = Number(name);
    // The parent follows the name in brackets, which may itself hold brackets and spaces.
    const stat = read(pid, "stat");
    const parent = stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[1];
    if (parent !== undefined) parents.set(pid, Number(parent));
  }
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 1 && (pid === ancestor || isBelow(parents.get(pid)));
  return [...parents.keys()].filter((pid) => pid !== ancestor && isBelow(pid));
}

function processes(): string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** Undefined for a process that has ended meanwhile. */
function read(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid.toString()}/${file}`, "utf8");
  } catch {
    return undefined;
  }
}
