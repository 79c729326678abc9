import { bedOfName } from "../../bed/mark";

/** WWNs and `domain,index` behind the members of a zone, sorted and once each. Pure. */
export function expandMembers(
  members: readonly string[],
  aliases: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  return [...new Set(members.flatMap((member) => aliases.get(member) ?? [member]))].sort();
}

/** The bed whose marked alias a zone has as a member. Pure. */
export function bedOfZone(members: readonly string[]): string | undefined {
  return members.map((member) => bedOfName(member)).find((bed) => bed !== undefined);
}

/** Members are a set: order and repetition mean nothing to a switch. Pure. */
export function sameMembers(left: readonly string[], right: readonly string[]): boolean {
  const set = new Set(left);
  return set.size === new Set(right).size && right.every((member) => set.has(member));
}
