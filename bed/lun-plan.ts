import type { FamilyLimits } from "./families/limits";
import type { VolumeGroup } from "./review-bed";
import type { Site } from "./site";

/** A LUN number for each volume of each group, in the volumes' order. */
export type LunNumbers = ReadonlyMap<string, readonly number[]>;

/**
 * LUN numbers: those that the groups ask for, one after another from `firstLun`. One that is taken, by
 * another array or somebody else's bed on a host of this bed, is put off to the other end of the range
 * (number n to `max` - n, or the next free one below); all others stay. So a number that gets taken
 * moves the one volume that had it, and adding or removing volumes and groups moves none. With no number
 * left a volume keeps the one asked for, which `unusableLun` tells.
 */
export function planLuns(
  groups: Readonly<Record<string, VolumeGroup>>,
  taken: ReadonlySet<number>,
  limits: FamilyLimits,
): LunNumbers {
  const { min, max, reserved } = limits.lun;
  const unusable = unusableLun(taken, limits);
  const wanted = Object.entries(groups).map(
    ([name, group]) =>
      [name, Array.from({ length: group.count }, (_, index) => group.firstLun + index)] as const,
  );
  const used = new Set([...taken, ...reserved]);
  const kept = new Set(wanted.flatMap(([, luns]) => luns));
  const putOff = (lun: number): number | undefined => {
    let other = max - (lun % (max + 1));
    for (let tries = 0; tries <= max; tries++) {
      if (!used.has(other) && !kept.has(other) && other >= min) {
        used.add(other);
        return other;
      }
      other = other === 0 ? max : other - 1;
    }
    return undefined;
  };
  return new Map(
    wanted.map(([name, luns]) => [
      name,
      luns.map((lun) => (unusable(lun) ? (putOff(lun) ?? lun) : lun)),
    ]),
  );
}

/** Whether a volume of the bed cannot have a number: taken, kept by the array, or below what it uses. */
export function unusableLun(
  taken: ReadonlySet<number>,
  { lun: { min, reserved } }: FamilyLimits,
): (lun: number) => boolean {
  return (lun) => taken.has(lun) || reserved.includes(lun) || lun < min;
}

/** LUN numbers that hosts of the bed see already. */
export function lunsTaken(site: Site, hosts: readonly { readonly name: string }[]): Set<number> {
  const ours = new Set(hosts.map(({ name }) => name));
  return new Set(
    site.hosts
      .filter((host) => ours.has(host.name))
      .flatMap((host) => [...host.lunsTaken, ...(site.occupancy?.luns[host.name] ?? [])]),
  );
}
