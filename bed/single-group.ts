import { familyLimits } from "./families/table";
import { hostGroupOf } from "./host-group-plan";
import type { BedId } from "./identities";
import { lunsTaken, planLuns } from "./lun-plan";
import type { VolumeGroup } from "./review-bed";
import type { Site, SiteHost } from "./site";
import { planVolumeGroup, type PlannedVolumeGroup } from "./volume-plan";

/** Where a volume group outside a bed goes. */
export interface SingleGroupContext {
  readonly site: Site;
  readonly bedId: BedId;
  /** Begins every name. */
  readonly prefix: string;
  /** Hosts that will see the volumes. */
  readonly hosts: readonly SiteHost[];
}

/** One volume group without a bed, over all pools of the site; for programs that use parts only. */
export function planSingleGroup(
  name: string,
  group: VolumeGroup,
  { site, bedId, prefix, hosts }: SingleGroupContext,
): PlannedVolumeGroup {
  const limits = familyLimits[site.array.family];
  return planVolumeGroup(name, group, {
    bedId,
    prefix,
    limits,
    pools: site.array.pools.map((pool) => ({
      key: pool.name,
      name: pool.name,
      controller: pool.controller,
      capacityBytes: pool.freeBytes === undefined ? undefined : BigInt(pool.freeBytes),
    })),
    luns: planLuns({ [name]: group }, lunsTaken(site, hosts), limits).get(name),
    hostGroup: hostGroupOf(group),
  });
}
