import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { labDown } from "../../lab/start";
import { projectRoot, workFolder } from "../../tools/setup/paths";

/** Name of the folder of one bed; `suffix` also ends its stack's name. */
export function workName(suffix: string): string {
  return `work-${process.pid.toString()}-${suffix}`;
}

/** Labs, folders and stack configurations of benchmarks that were killed. */
export async function removeLeftovers(): Promise<void> {
  const folder = workFolder("bench");
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const [, pid, suffix] = /^work-(\d+)-([0-9a-f]+)$/.exec(name) ?? [];
    if (pid === undefined || suffix === undefined || isRunning(Number(pid))) continue;
    await labDown(path.join(folder, name, "lab"));
    rmSync(path.join(folder, name), { recursive: true, force: true });
    rmSync(path.join(projectRoot(), "stacks", `Pulumi.bench-${suffix}.yaml`), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
