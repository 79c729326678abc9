import { datastoreRules, ontapVolumeRules, physicalName } from "./physical-names";
import type { VolumeGroup } from "./review-bed";
import type { Site } from "./site";
import { parseBytes, type Bytes } from "./units";

interface PlannedVolume {
  /** Stable key within the group: `01`, `02`... */
  readonly key: string;
  /** Name on the array. */
  readonly name: string;
  readonly sizeBytes: Bytes;
  readonly pool: string;
  readonly lun: number;
  /** Name of the datastore on it. */
  readonly datastore: string;
}

export interface PlannedVolumeGroup {
  readonly name: string;
  readonly thin: boolean;
  readonly generation: number;
  readonly volumes: readonly PlannedVolume[];
}

/**
 * Lays a group's volumes over the pools in turn. A volume's name, pool and LUN number follow from
 * its own key alone, so adding or removing volumes at the end moves nothing else.
 */
export function planVolumeGroup(
  site: Site,
  prefix: string,
  name: string,
  group: VolumeGroup,
): PlannedVolumeGroup {
  const pools = site.array.pools;
  const volumes = Array.from({ length: group.count }, (_, index): PlannedVolume => {
    const key = (index + 1).toString().padStart(2, "0");
    return {
      key,
      name: physicalName(ontapVolumeRules, prefix, name, key),
      sizeBytes: parseBytes(group.size),
      pool: pools[index % pools.length]?.name ?? "",
      lun: group.firstLun + index,
      datastore: physicalName(datastoreRules, prefix, name, key),
    };
  });
  return { name, thin: group.thin, generation: group.generation, volumes };
}

/** Space that the groups take from each pool: all of it when thick, nothing for sure when thin. */
export function reservedByPool(groups: readonly PlannedVolumeGroup[]): Map<string, Bytes> {
  const reserved = new Map<string, Bytes>();
  for (const volume of groups.filter((g) => !g.thin).flatMap((g) => g.volumes)) {
    reserved.set(volume.pool, (reserved.get(volume.pool) ?? 0n) + volume.sizeBytes);
  }
  return reserved;
}
