import { type BedId, parseBedId } from "./identities";
import { physicalName, type NameRules } from "./physical-names";

/**
 * The mark: what shows that an object on a device is ours. Devices with a comment carry
 * {@link markComment}; those without carry {@link markName} inside the object's own name
 * (on a switch: an alias; on ONTAP before 9.9.1: the igroup's name), {@link markShort} where names are
 * short as well (ETERNUS: 16 characters).
 * The same name without the mark is foreign.
 */
const markWord = "sanbed";

/** Comment of an object of ours: `sanbed bed=<bedId> role=<role>`. ASCII, below 64 characters. */
export function markComment(bedId: BedId, role: string): string {
  return `${markWord} bed=${bedId} role=${role}`;
}

/** The bed that a comment names, or undefined when the comment is not a mark of ours. */
export function bedOfComment(comment: string | undefined): BedId | undefined {
  const match = /^sanbed bed=([a-z2-7]{10})(?: |$)/.exec(comment ?? "");
  return match?.[1] === undefined ? undefined : parseBedId(match[1]);
}

/** Name that carries the mark: `sanbed_<bedId>_<rest>`. */
export function markName(bedId: BedId, rest: string): string {
  return `${markWord}_${bedId}_${rest}`;
}

/**
 * Name that carries the mark in its short form, `sb<bedId>_<rest>`, for devices that have neither
 * comments nor room. The rest is cut to what fits and kept apart by a hash.
 */
export function markShort(bedId: BedId, rules: NameRules, ...rest: readonly string[]): string {
  const mark = `sb${bedId}_`;
  const room = { ...rules, maxLength: rules.maxLength - mark.length };
  return `${mark}${physicalName(room, ...rest)}`;
}

/** The name with the bed's mark; one that carries it already stays as it is. */
export function withMark(bedId: BedId, name: string): string {
  return bedOfName(name) === bedId ? name : markName(bedId, name);
}

/** The bed that a marked name belongs to, or undefined when the name carries no mark. */
export function bedOfName(name: string): BedId | undefined {
  const match = /^(?:sanbed_|sb)([a-z2-7]{10})_/.exec(name);
  return match?.[1] === undefined ? undefined : parseBedId(match[1]);
}
