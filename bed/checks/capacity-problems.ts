import type { BedPlan, PoolEstimate } from "../bed-plan";
import type { Problem } from "../errors";
import { familyLimits } from "../families/table";
import { largestDatastore } from "../hypervisor-limits";
import { formatBytes, type Bytes } from "../units";
import { datastoreProblems } from "./datastore-problems";

/** Space: pools, what a volume may be, datastores. */
export function capacityProblems(plan: BedPlan): Problem[] {
  return [
    ...plan.estimates.pools.flatMap((pool) => poolProblems(plan, pool)),
    ...volumeProblems(plan),
    ...datastoreProblems(plan),
  ];
}

function poolProblems(plan: BedPlan, pool: PoolEstimate): Problem[] {
  const capacity = pool.capacityBytes;
  if (capacity === undefined) return [];
  const { spaceNote } = familyLimits[plan.bed.array.family];
  const path = poolPath(plan, pool.pool);
  if (pool.reservedBytes > capacity) {
    return [
      {
        path,
        message: `pool ${pool.pool} has ${formatBytes(capacity)} free, the thick volumes need ${formatBytes(pool.reservedBytes)} (${spaceNote}), ${formatBytes(pool.reservedBytes - capacity)} more`,
        remedy: `smaller or fewer volumes, or thin ones; ${fittingVolumes(plan, pool.pool, capacity)}`,
      },
    ];
  }
  if (pool.expectedBytes <= capacity) return [];
  return [
    {
      path,
      message: `pool ${pool.pool} has ${formatBytes(capacity)} free, the guests' data will take ${formatBytes(pool.expectedBytes)}, ${formatBytes(pool.expectedBytes - capacity)} more`,
      remedy: `fewer guests, less data, or disks on the site's own datastore; ${neededReduction(plan, pool.expectedBytes, capacity)}`,
    },
  ];
}

function poolPath(plan: BedPlan, name: string): string {
  return `site.array.pools[${plan.site.array.pools.findIndex((pool) => pool.name === name).toString()}]`;
}

/** How many thick volumes would fit, and at which size as many would, with the family's overhead. */
function fittingVolumes(plan: BedPlan, pool: string, capacity: Bytes): string {
  const { spaceInPool } = familyLimits[plan.bed.array.family];
  const thick = plan.volumeGroups
    .filter((group) => !group.thin)
    .flatMap((group) => group.volumes.filter((volume) => volume.pool === pool));
  const largest = thick.reduce((max, { sizeBytes }) => (sizeBytes > max ? sizeBytes : max), 0n);
  if (largest === 0n) return "none fit";
  const space = spaceInPool(largest);
  const size = (capacity * largest) / (BigInt(thick.length) * space);
  return `${(capacity / space).toString()} of ${formatBytes(largest)} fit there, or ${thick.length.toString()} of ${formatBytes(size)}`;
}

function neededReduction(plan: BedPlan, expected: Bytes, capacity: Bytes): string {
  const { on, ratio } = plan.bed.array.dataReduction;
  if (capacity === 0n) return "nothing fits";
  const counted = on ? ratio : 1;
  // Rounded up, so that the figure is enough.
  const needed = Math.ceil((Number((expected * 10_000n) / capacity) / 100) * counted + 0.01) / 100;
  return `or data reduction of ${needed.toString()}:1, counted with ${counted.toString()}:1`;
}

function volumeProblems(plan: BedPlan): Problem[] {
  const limits = familyLimits[plan.bed.array.family];
  const problems: Problem[] = [];
  for (const group of plan.volumeGroups) {
    const size = group.volumes[0]?.sizeBytes ?? 0n;
    if (group.thin && !limits.thin) {
      problems.push({
        path: `volumeGroups.${group.name}.thin`,
        message: `pools of ${plan.bed.array.family} as beds use them hold no thin volumes`,
        remedy: "thin: false",
      });
    }
    // The family's own limit where it is known; a datastore is never larger than its file system allows.
    const { max, source } = limits.largestVolumeBytes ?? largestDatastore;
    if (size > max) {
      problems.push({
        path: `volumeGroups.${group.name}.size`,
        message: `volumes of ${formatBytes(size)}, ${formatBytes(size - max)} too large: at most ${formatBytes(max)} (${source})`,
        remedy: "more and smaller volumes",
      });
    }
  }
  const limit = limits.volumesPerPool;
  if (limit === undefined) return problems;
  for (const pool of plan.estimates.pools) {
    if (pool.volumes <= limit.max) continue;
    problems.push({
      path: poolPath(plan, pool.pool),
      message: `${pool.volumes.toString()} volumes in pool ${pool.pool}, at most ${limit.max.toString()} (${limit.source})`,
      remedy: `${(pool.volumes - limit.max).toString()} volumes fewer`,
    });
  }
  return problems;
}
