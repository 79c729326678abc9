import type { FamilyLimits } from "./families/limits";
import type { BedId } from "./identities";
import { markShort } from "./mark";
import { datastoreRules, physicalName } from "./physical-names";
import { alternating, type PlannedPool } from "./pool-plan";
import type { VolumeGroup } from "./review-bed";
import { parseBytes, type Bytes } from "./units";

interface PlannedVolume {
  /** Stable key within the group: `01`, `02`... */
  readonly key: string;
  /** Name on the array. */
  readonly name: string;
  readonly sizeBytes: Bytes;
  readonly pool: string;
  /** Undefined with NVMe: the array gives namespaces their numbers. */
  readonly lun: number | undefined;
  /** Name of the datastore on it. */
  readonly datastore: string;
}

export interface PlannedVolumeGroup {
  readonly name: string;
  readonly thin: boolean;
  readonly generation: number;
  /** Key of the host group that sees the volumes. */
  readonly hostGroup: string;
  readonly volumes: readonly PlannedVolume[];
}

/** What a group of volumes is planned with, besides its own declaration. */
export interface VolumeGroupContext {
  readonly bedId: BedId;
  /** Begins every name. */
  readonly prefix: string;
  readonly limits: FamilyLimits;
  readonly pools: readonly PlannedPool[];
  /** Undefined with NVMe. */
  readonly luns: readonly number[] | undefined;
  readonly hostGroup: string;
}

/**
 * Lays a group's volumes over its pools in turn. A volume's name and pool follow from its own key
 * alone, so adding or removing volumes at the end moves nothing else.
 */
export function planVolumeGroup(
  name: string,
  group: VolumeGroup,
  context: VolumeGroupContext,
): PlannedVolumeGroup {
  const { prefix, limits } = context;
  const pools =
    group.pools === undefined
      ? alternating(context.pools)
      : group.pools.flatMap((key) => context.pools.find((pool) => pool.key === key) ?? []);
  const sizeBytes = parseBytes(group.size);
  const volumes = Array.from({ length: group.count }, (_, index): PlannedVolume => {
    const key = (index + 1).toString().padStart(2, "0");
    const parts = [prefix, name, key];
    return {
      key,
      name:
        limits.volumeMark === "comment"
          ? physicalName(limits.volumeName, ...parts)
          : // The bed's id stands for the prefix, which would leave no room.
            markShort(context.bedId, limits.volumeName, name, key),
      sizeBytes,
      pool: pools[index % pools.length]?.name ?? "",
      lun: context.luns?.[index],
      datastore: physicalName(datastoreRules, ...parts),
    };
  });
  const { thin, generation } = group;
  return { name, thin, generation, hostGroup: context.hostGroup, volumes };
}
