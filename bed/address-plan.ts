import type { GuestClass } from "./review-bed";
import type { Site } from "./site";

/**
 * An address for each guest of a class: those of the site's list from `firstAddress` on. One that is in
 * use already is put off to the other end of the list, as LUN numbers are: the others stay.
 * @returns an empty text where the list is too short.
 */
export function planAddresses(
  site: Site,
  classes: readonly { readonly name: string; readonly first: number; readonly count: number }[],
): ReadonlyMap<string, readonly string[]> {
  const { addresses } = site.guests;
  const taken = new Set(site.occupancy?.addresses ?? []);
  const last = addresses.length - 1;
  const used = new Set<number>();
  const wanted = classes.map(
    ({ name, first, count }) =>
      [name, Array.from({ length: count }, (_, index) => first + index)] as const,
  );
  const kept = new Set(wanted.flatMap(([, positions]) => positions));
  const free = (position: number): boolean =>
    !used.has(position) && !kept.has(position) && !taken.has(addresses[position] ?? "");
  const putOff = (position: number): string => {
    for (let other = last - position; other >= 0; other--) {
      if (!free(other)) continue;
      used.add(other);
      return addresses[other] ?? "";
    }
    for (let other = last; other > last - position && other >= 0; other--) {
      if (!free(other)) continue;
      used.add(other);
      return addresses[other] ?? "";
    }
    return "";
  };
  return new Map(
    wanted.map(([name, positions]) => [
      name,
      positions.map((position) => {
        const address = addresses[position];
        if (address === undefined) return "";
        return taken.has(address) ? putOff(position) : address;
      }),
    ]),
  );
}

/** How many guests of a class there are: as declared, or as many as the largest case needs. */
export function guestCount(declared: GuestClass, cases: readonly number[]): number {
  return declared.count ?? Math.max(...cases);
}
