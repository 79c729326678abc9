import { parseWwpn, type BedId } from "../../bed/identities";
import { bedOfName } from "../../bed/mark";
import { zoneNameRules } from "../../bed/physical-names";
import type { Zone } from "./fabric-switch";

/** WWNs and `domain,index` behind the members of a zone, sorted and once each. Pure. */
export function expandMembers(
  members: readonly string[],
  aliases: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  return [...new Set(members.flatMap((member) => aliases.get(member) ?? [member]))].sort();
}

/** The bed whose marked alias is among the members: anybody may put it into a zone of his own. Pure. */
export function bedInZone(members: readonly string[]): BedId | undefined {
  return members.map((member) => bedOfName(member)).find((bed) => bed !== undefined);
}

/**
 * The bed that a zone is of, by all that a switch can show of it: one marked alias with nothing but WWPNs
 * beside it, and the zone's name ends as the alias does (`sanbed_<bed>_esx01_vmhba2`, `t_esx01_vmhba2`). A zone of
 * somebody else that has our alias as a member is his. Pure.
 */
export function bedOfZone({ name, members, type }: Zone): BedId | undefined {
  const [alias, ...more] = members.filter((member) => parseWwpn(member) === undefined);
  const bed = bedOfName(alias ?? "");
  if (alias === undefined || bed === undefined || more.length > 0 || type !== "standard") {
    return undefined;
  }
  // A name that was cut to the switch's length ends in a hash of its own.
  const cut = [alias, name].some((one) => one.length >= zoneNameRules.maxLength);
  return cut || name.endsWith(alias.slice(alias.indexOf(bed) + bed.length)) ? bed : undefined;
}

/** Members are a set: order and repetition mean nothing to a switch. Pure. */
export function sameMembers(left: readonly string[], right: readonly string[]): boolean {
  const set = new Set(left);
  return set.size === new Set(right).size && right.every((member) => set.has(member));
}
