import type { DataReduction, VolumeInfo } from "../devices/block-array";

/** What a refresh shows of a volume group: its settings as they are, in the words of the program. Pure. */

type Volumes = Record<string, { name: string; sizeBytes: string; pool: string }>;

/** One volume that is otherwise than recorded shows, so that `up` sets it again. */
export function thinOf(recorded: boolean | undefined, found: readonly VolumeInfo[]): boolean {
  if (recorded === undefined) return found.every((one) => one.thin);
  return found.every((one) => one.thin === recorded) ? recorded : !recorded;
}

/** As {@link thinOf}. What the program leaves to the array stays out, whatever is in force. */
export function reductionOf(
  recorded: DataReduction | undefined,
  found: readonly VolumeInfo[],
): { dataReduction?: DataReduction } {
  if (recorded === undefined) return {};
  const keys = (["deduplication", "compression", "compaction"] as const).filter(
    (key) => recorded[key] !== undefined,
  );
  const seen = keys.map((key) => {
    const other = found.find(
      ({ dataReduction }) => dataReduction !== undefined && dataReduction[key] !== recorded[key],
    );
    return [key, other === undefined ? recorded[key] : other.dataReduction?.[key]];
  });
  return { dataReduction: Object.fromEntries(seen) as DataReduction };
}

/** The volumes as they serve; one that is gone or offline is left out, so that `up` brings it back. */
export function volumesOf(
  names: Readonly<Record<string, string>>,
  known: { readonly volumes: Volumes },
  found: readonly VolumeInfo[],
): Volumes {
  const volumes: Volumes = {};
  for (const [key, name] of Object.entries(names)) {
    const one = found.find((candidate) => candidate.name === name);
    if (one === undefined) continue;
    const recorded = known.volumes[key]?.sizeBytes;
    // The array may round up to a whole cylinder (about one per cent): that is no drift.
    const rounded =
      recorded !== undefined &&
      one.sizeBytes >= BigInt(recorded) &&
      one.sizeBytes <= BigInt(recorded) + BigInt(recorded) / 100n;
    const sizeBytes = rounded ? recorded : one.sizeBytes.toString();
    volumes[key] = { name, sizeBytes, pool: one.pool };
  }
  return volumes;
}
