import path from "node:path";
import { SanbedError } from "../../bed/errors";
import { BenchBed } from "./bench-bed";
import { watchMemory } from "./process-memory";
import { smallProject } from "./small-project";
import type { VolumesWanted } from "./volumes-program";

export interface PluginMemory {
  readonly volumes: number;
  /** Undefined where the system does not tell (no /proc). */
  readonly peakBytes: number | undefined;
  readonly budgetBytes: number;
  readonly ratioToBudget: number | undefined;
  readonly upMs: number;
}

const budgetBytes = 150 * 1024 ** 2;

/** Resident memory of the plugin while it makes so many volumes on the array, as one volume set. */
export async function measurePluginMemory(
  volumes: number,
  signal: AbortSignal,
): Promise<PluginMemory> {
  return BenchBed.with({ level: "D", signal }, async (bed) => {
    const wanted: VolumesWanted = {
      bedId: bed.bedId,
      folder: bed.bedFolder,
      site: bed.lab.site(),
      volumes,
    };
    const folder = path.join(bed.folder, "volumes");
    const runner = await smallProject(folder, "volumes-program", wanted);
    const { child, done } = runner.start("up", "--yes", "--skip-preview");
    const memory = watchMemory(child.pid, "pulumi-resource-sanbed");
    const up = await done;
    const peakBytes = memory.end();
    // The lab goes as a whole: taking a thousand volumes away one by one would measure nothing more.
    if (up.code !== 0) throw new SanbedError("engine", up.output);
    return {
      volumes,
      peakBytes,
      budgetBytes,
      ratioToBudget: peakBytes === undefined ? undefined : peakBytes / budgetBytes,
      upMs: up.endedAtMs - up.startedAtMs,
    };
  });
}
