import type { StackResource } from "../stack-runner";
import { BenchBed } from "./bench-bed";
import { countCalls, type BedSize, type DeviceCalls } from "./calls";
import { overheadOf, type Overhead } from "./overhead";
import { compareSecondUp, type SecondUp } from "./second-up";

export interface StorageFigures {
  readonly overhead: readonly Overhead[];
  /** Measured without added latency only: it changes how often is polled, not what is asked. */
  readonly calls: readonly DeviceCalls[];
  readonly secondUp: SecondUp | undefined;
  readonly pluginPeakBytes: number | undefined;
}

/**
 * One life of the demo's bed on emulators (level D) with so much latency in every call to every
 * device; without latency also a second `up`, a refresh and the engine-only baseline.
 */
export async function measureStorage(
  latencyMs: number,
  signal: AbortSignal,
): Promise<StorageFigures> {
  return BenchBed.with({ level: "D", signal }, async (bed) => {
    if (latencyMs > 0) await bed.lab.addFault({ device: "*", effect: { latencyMs } });
    const up = await bed.operate("up");
    const resources = await bed.resources();
    const size = sizeOf(resources, bed.lab.site().array.ports.length);
    const calls = countCalls("up", up, size);
    let secondUp: SecondUp | undefined;
    if (latencyMs === 0) {
      const second = await bed.operate("up");
      secondUp = await compareSecondUp(bed, second);
      calls.push(...countCalls("second up", second, size));
      calls.push(...countCalls("refresh", await bed.operate("refresh"), size));
    }
    const destroy = await bed.operate("destroy");
    calls.push(...countCalls("destroy", destroy, size));
    return {
      overhead: [
        overheadOf("up", latencyMs, up, resources),
        overheadOf("destroy", latencyMs, destroy, resources),
      ],
      calls: latencyMs === 0 ? calls : [],
      secondUp,
      pluginPeakBytes: up.pluginPeakBytes,
    };
  });
}

function sizeOf(resources: readonly StackResource[], targetPorts: number): BedSize {
  const of = (type: string): readonly StackResource[] =>
    resources.filter((resource) => resource.type === type);
  const entries = of("sanbed:array:HostEntry");
  const initiators = entries[0]?.inputs?.["initiators"];
  const volumes = of("sanbed:array:VolumeSet").map(
    ({ inputs }) => Object.keys((inputs?.["volumes"] as object | undefined) ?? {}).length,
  );
  return {
    hosts: entries.length,
    portsPerHost: Array.isArray(initiators) ? initiators.length : 0,
    volumes: volumes.reduce((sum, count) => sum + count, 0),
    targetPorts,
  };
}
