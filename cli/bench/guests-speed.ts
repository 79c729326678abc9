import { BenchBed } from "./bench-bed";
import { overheadOf, type Overhead } from "./overhead";

/** How long machines take to come and go when the vCenter is slow. */
export interface GuestsSpeed {
  readonly guests: number;
  readonly hosts: number;
  readonly overhead: readonly Overhead[];
}

/** Four hosts, the first cluster of the lab. */
const hosts = 4;

/**
 * A bed of so many guests over four hosts, a volume each, with so much latency in every call to the
 * vCenter. Guests are machines that nothing boots (level D): what is measured is how calls overlap.
 */
export async function measureGuests(
  guests: number,
  latencyMs: number,
  signal: AbortSignal,
): Promise<GuestsSpeed> {
  const scale = {
    cases: [guests],
    volumeGroups: { sysbench: { count: guests, size: "4 GiB" } },
  };
  return BenchBed.with({ level: "D", scale, signal }, async (bed) => {
    await bed.lab.addFault({ device: "vcenter", effect: { latencyMs } });
    const up = await bed.operate("up");
    const resources = await bed.resources();
    const destroy = await bed.operate("destroy");
    return {
      guests,
      hosts,
      overhead: [
        overheadOf("up", latencyMs, up, resources),
        overheadOf("destroy", latencyMs, destroy, resources),
      ],
    };
  });
}
