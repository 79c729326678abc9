import { extraInput } from "./faults";
import { childOf, type Elem, isList, isNode, type ZNode, type ZValue } from "./xml";

/** Attributes that a record type has: `true` for a leaf or a list of leaves. */
export interface Shape {
  readonly [name: string]: true | Shape;
}

/** Leaves by name, in one string. */
export function leaves(names: string): Record<string, true> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, true as const]));
}

/** @throws {ZapiFault} for an attribute that the record type does not have. */
export function checkShape(elem: Elem, shape: Shape): void {
  for (const child of elem.children) {
    const inner = shape[child.name];
    if (inner === undefined) throw extraInput(child.name);
    if (inner !== true) checkShape(child, inner);
  }
}

/** True when the record fulfils every leaf of the query. */
export function matches(record: ZNode, query: Elem): boolean {
  return query.children.every((condition) => matchesOne(record[condition.name], condition));
}

function matchesOne(value: ZValue | undefined, condition: Elem): boolean {
  if (condition.children.length === 0) {
    // An empty element asks for nothing.
    return condition.text === "" || hasText(value, condition.text);
  }
  if (value === undefined) return false;
  if (isList(value)) return value.some((element) => matchesOne(element, condition));
  return isNode(value) && matches(value, condition);
}

/**
 * `a|b` means either, `*` any text, a leading `!` the contrary, `>`, `>=`, `<`, `<=` and `a..b` compare
 * whole numbers (as the command line's queries).
 */
function hasText(value: ZValue | undefined, wanted: string): boolean {
  if (value !== undefined && isList(value)) return value.some((each) => hasText(each, wanted));
  if (wanted.startsWith("!")) return !hasText(value, wanted.slice(1));
  if (value === undefined || isNode(value)) return false;
  const given = String(value);
  return wanted
    .split("|")
    .some((pattern) => compared(given, pattern) ?? wildcard(pattern).test(given));
}

/** Undefined: the pattern compares nothing. */
function compared(given: string, pattern: string): boolean | undefined {
  const [, from, to] = /^(\d+)\.\.(\d+)$/.exec(pattern) ?? [];
  if (from !== undefined && to !== undefined) {
    return /^\d+$/.test(given) && BigInt(given) >= BigInt(from) && BigInt(given) <= BigInt(to);
  }
  const [, sign, limit] = /^([<>]=?)(\d+)$/.exec(pattern) ?? [];
  if (sign === undefined || limit === undefined) return undefined;
  if (!/^\d+$/.test(given)) return false;
  const [value, bound] = [BigInt(given), BigInt(limit)];
  if (value === bound) return sign.endsWith("=");
  return sign.startsWith(">") === value > bound;
}

function wildcard(pattern: string): RegExp {
  const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`);
}

/**
 * What `desired-attributes` leaves of a record. An attribute that is named without any below it is
 * sent whole; without the element everything is.
 */
export function desired(record: ZNode, wanted: Elem | undefined): ZNode {
  if (wanted === undefined || wanted.children.length === 0) return record;
  const kept = Object.entries(record).flatMap(([name, value]): [string, ZValue][] => {
    const asked = childOf(wanted, name);
    if (asked === undefined || value === undefined) return [];
    return [[name, isNode(value) ? desired(value, asked) : value]];
  });
  return Object.fromEntries(kept);
}
