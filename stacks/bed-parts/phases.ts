import type { BedAssumption, Phase, VolumeGroup } from "../../bed/review-bed";
import { sqlDriver, sqlServerGuest, sysbenchGuest, vdbenchWorker } from "./guests";
import { vdbenchHost } from "./hosts";
import type { PublishedRates } from "./published-rates";
import { assume } from "./reviews";
import { sqlServerWorkload, sysbenchWorkload, vdbenchWorkload } from "./workloads";

/** What differs between the beds' phases. */
export interface PhaseParts {
  readonly pools: Phase["pools"];
  readonly rates: PublishedRates;
  readonly sysbench: {
    readonly volumes: VolumeGroup;
    readonly cases: readonly number[];
    /** Where boot and prebuilt disks lie: the site's own datastore, or with the disk under test. */
    readonly rest: "site" | "sysbench";
  };
  readonly sqlserver: { readonly volumes: VolumeGroup; readonly cases: readonly number[] };
  readonly vdbench: { readonly volumes: VolumeGroup; readonly dataSize: string };
}

/** The three phases that every review has; one stands at a time. */
export function phases(parts: PhaseParts): Record<"sysbench" | "sqlserver" | "vdbench", Phase> {
  const { pools, rates, sysbench, sqlserver, vdbench } = parts;
  return {
    sysbench: {
      pools,
      volumeGroups: { sysbench: sysbench.volumes },
      guests: { sysbench: sysbenchGuest("sysbench", sysbench.rest) },
      cases: [...sysbench.cases],
      workload: sysbenchWorkload(rates),
    },
    sqlserver: {
      pools,
      volumeGroups: { sqlserver: sqlserver.volumes },
      guests: { sqlserver: sqlServerGuest("sqlserver"), drivers: sqlDriver() },
      cases: [...sqlserver.cases],
      workload: sqlServerWorkload(),
    },
    vdbench: {
      pools,
      volumeGroups: { vdbench: vdbench.volumes },
      guests: { vdbench: vdbenchWorker("vdbench", vdbench.dataSize) },
      cases: [8],
      workload: vdbenchWorkload(rates),
      host: vdbenchHost,
    },
  };
}

export const volumes = (
  count: number,
  size: string,
  firstLun: number,
  thin: boolean,
): VolumeGroup => ({ count, size, thin, firstLun, generation: 1 });

/** One pool for each of the two controllers. */
export const twoPools = (size: string): Phase["pools"] => ({
  p1: { controller: 1, size },
  p2: { controller: 2, size },
});

export function layoutAssumptions(): BedAssumption[] {
  return [
    assume(
      "LUN numbers",
      "explicit, from 10 on",
      "not stated; explicit ones are never renumbered",
      ["phases.*.volumeGroups.*.firstLun", "phases.*.volumeGroups.*.generation"],
    ),
    assume(
      "one datastore on each volume",
      "VMFS 6",
      "the reviews name datastores nowhere; one on a volume keeps volumes apart",
      "phases.*.guests.*.disks.*.on",
    ),
  ];
}

/** Why boot and prebuilt disks lie elsewhere than the disks under test. */
export function restOnSite(reason: string): BedAssumption {
  return assume(
    "boot and prebuilt disks on a datastore of the site",
    "only the 270 GB under test lie on the array",
    reason,
    "phases.sysbench.guests.sysbench.disks.*.on",
  );
}
