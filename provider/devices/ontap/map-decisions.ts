/** A unit in a group; `number` is the LUN number, undefined where the array chooses (NVMe). */
export interface WantedMap {
  readonly volume: string;
  readonly group: string;
  readonly number: number | undefined;
}

export interface PresentMap extends WantedMap {
  readonly number: number;
}

export type MapDecision =
  | { readonly missing: readonly WantedMap[] }
  | { readonly object: string; readonly refusal: string; readonly remedy: string };

/** Which of the wanted maps of one group are missing, or why they cannot be made. Pure. */
export function decideMaps(
  present: readonly PresentMap[],
  wanted: readonly WantedMap[],
): MapDecision {
  const byVolume = new Map(present.map((map) => [map.volume, map.number]));
  const byNumber = new Map(present.map((map) => [map.number, map.volume]));
  for (const map of wanted) {
    if (map.number === undefined) continue;
    const number = byVolume.get(map.volume);
    if (number !== undefined && number !== map.number) {
      return {
        object: map.volume,
        refusal: `it is mapped to ${map.group} as LUN ${number.toString()}, not ${map.number.toString()}`,
        remedy: "A LUN number changes only by removing the map and making it anew.",
      };
    }
    const owner = byNumber.get(map.number);
    if (owner !== undefined && owner !== map.volume) {
      return {
        object: map.volume,
        refusal: `LUN ${map.number.toString()} of ${map.group} is taken by ${owner}`,
        remedy: "Choose another first LUN number for the volume group.",
      };
    }
  }
  return { missing: wanted.filter((map) => !byVolume.has(map.volume)) };
}
