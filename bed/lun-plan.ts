import type { FamilyLimits } from "./families/limits";
import type { VolumeGroup } from "./review-bed";
import type { Site } from "./site";

/** A LUN number for each volume of each group, in the volumes' order. */
export type LunNumbers = ReadonlyMap<string, readonly number[]>;

/**
 * LUN numbers: those that the groups ask for, one after another from `firstLun`. One that is taken, by
 * another array or somebody else's bed on a host of this bed, is put off to the other end of the range
 * (number n to `max` - n, or the next free one below); all others stay. So a number that gets taken
 * moves the one volume that had it, and adding or removing volumes and groups moves none.
 */
export function planLuns(
  groups: Readonly<Record<string, VolumeGroup>>,
  taken: ReadonlySet<number>,
  limits: FamilyLimits,
): LunNumbers {
  const { min, max, reserved } = limits.lun;
  const wanted = Object.entries(groups).map(
    ([name, group]) =>
      [name, Array.from({ length: group.count }, (_, index) => group.firstLun + index)] as const,
  );
  const used = new Set([...taken, ...reserved]);
  const unusable = (lun: number): boolean => taken.has(lun) || reserved.includes(lun) || lun < min;
  const kept = new Set(wanted.flatMap(([, luns]) => luns));
  const putOff = (lun: number): number => {
    let other = max - (lun % (max + 1));
    for (let tries = 0; tries <= max; tries++) {
      if (!used.has(other) && !kept.has(other) && other >= min) break;
      other = other === 0 ? max : other - 1;
    }
    used.add(other);
    return other;
  };
  return new Map(
    wanted.map(([name, luns]) => [name, luns.map((lun) => (unusable(lun) ? putOff(lun) : lun))]),
  );
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
