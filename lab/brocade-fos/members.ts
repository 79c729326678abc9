import { zoneError } from "./errors";

/** YANG `zone-name-type`: 1 to 64 of these, case sensitive. */
const namePattern = /^[A-Za-z0-9_\-^$]{1,64}$/;
const wwnPattern = /^(?:[0-9a-f]{2}:){7}[0-9a-f]{2}$/;

export function checkName(name: string): string {
  if (!namePattern.test(name)) {
    throw zoneError(
      name.length > 64
        ? `"${name.slice(0, 64)}..." is too long: a zone object name has at most 64 characters`
        : `"${name}" is no valid zone object name`,
    );
  }
  return name;
}

/** A WWN or `domain,index`, WWNs in lower case as the switch stores them; undefined otherwise. */
export function portMember(text: string): string | undefined {
  const lower = text.toLowerCase();
  if (wwnPattern.test(lower)) return lower;
  const match = /^(\d{1,3}),(-1|\d{1,5})$/.exec(text.replace(/\s/g, ""));
  if (match === null) return undefined;
  const [domain, index] = [Number(match[1]), Number(match[2])];
  return domain >= 1 && domain <= 239 && index <= 65_535 ? `${domain},${index}` : undefined;
}

/** Member of an alias: never an alias. */
export function aliasMember(text: string): string {
  const member = portMember(text);
  if (member === undefined) throw zoneError(`"${text}" is no WWN and no domain,index`);
  return member;
}

/** Member of a zone: an alias name, a WWN, or `domain,index`. Aliases need not exist yet. */
export function zoneMember(text: string): string {
  const member = portMember(text);
  if (member !== undefined) return member;
  if (text.includes(":") || text.includes(",")) {
    throw zoneError(`"${text}" is no WWN, no domain,index and no alias name`);
  }
  return checkName(text);
}

/** In order, without repetition. */
export function unique(members: readonly string[]): string[] {
  return [...new Set(members)];
}
