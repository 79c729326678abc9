import { ConfigError } from "./errors";
import { familyLimits } from "./families/table";
import { hostGroupOf } from "./host-group-plan";
import type { BedId } from "./identities";
import { lunsTaken, planLuns, unusableLun } from "./lun-plan";
import type { ReviewBed, VolumeGroup } from "./review-bed";
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
  /** How; default `fcp`. */
  readonly protocol?: ReviewBed["array"]["protocol"];
}

/**
 * One volume group without a bed, over all pools of the site; for programs that use parts only.
 * @throws {ConfigError} where the hosts have no LUN number left.
 */
export function planSingleGroup(
  name: string,
  group: VolumeGroup,
  { site, bedId, prefix, hosts, protocol }: SingleGroupContext,
): PlannedVolumeGroup {
  const limits = familyLimits[site.array.family];
  const taken = lunsTaken(site, hosts);
  const luns =
    protocol === "nvme-fc" ? undefined : planLuns({ [name]: group }, taken, limits).get(name);
  const without = (luns ?? []).filter(unusableLun(taken, limits));
  if (without.length > 0) {
    throw new ConfigError(
      [
        {
          path: `${name}.firstLun`,
          message: `${without.length.toString()} volumes get no LUN number: all others are in use on the hosts, or kept by the array`,
          remedy: `${without.length.toString()} volumes fewer, or hosts that see fewer LUNs`,
        },
      ],
      "the volume group does not fit",
    );
  }
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
    luns,
    hostGroup: hostGroupOf(group),
  });
}
