import type { VolumeMapping } from "../block-array";

export type MapDecision =
  | { readonly missing: readonly VolumeMapping[] }
  | { readonly object: string; readonly refusal: string; readonly remedy: string };

/** Which of the wanted maps of one group are missing, or why they cannot be made. Pure. */
export function decideMaps(
  present: readonly VolumeMapping[],
  wanted: readonly VolumeMapping[],
): MapDecision {
  const byVolume = new Map(present.map((map) => [map.volume, map.lun]));
  const byLun = new Map(present.map((map) => [map.lun, map.volume]));
  for (const map of wanted) {
    const lun = byVolume.get(map.volume);
    if (lun !== undefined && lun !== map.lun) {
      return {
        object: map.volume,
        refusal: `it is mapped to ${map.group} as LUN ${lun.toString()}, not ${map.lun.toString()}`,
        remedy: "A LUN number changes only by removing the map and making it anew.",
      };
    }
    const owner = byLun.get(map.lun);
    if (owner !== undefined && owner !== map.volume) {
      return {
        object: map.volume,
        refusal: `LUN ${map.lun.toString()} of ${map.group} is taken by ${owner}`,
        remedy: "Choose another first LUN number for the volume group.",
      };
    }
  }
  return { missing: wanted.filter((map) => !byVolume.has(map.volume)) };
}
