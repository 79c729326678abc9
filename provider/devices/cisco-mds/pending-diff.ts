import { bedOfName } from "../../../bed/mark";

/**
 * Objects that an open session would change, `zone x`, `zoneset y`, `fcalias z`, each with its changed
 * lines. Read from the text of `show zone pending-diff`, which marks changed lines with + and - and repeats
 * the objects around them.
 */
export type PendingObjects = ReadonlyMap<string, readonly string[]>;

/** What makes a pending object ours: the change at hand names it, or it carries the mark of the change's bed. */
export interface Ours {
  readonly touched: ReadonlySet<string>;
  readonly beds: ReadonlySet<string>;
}

export function pendingObjects(text: string): PendingObjects {
  const found = new Map<string, readonly string[]>();
  let around: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const changed = /^\s*[+-]/.test(line);
    const words = line.replace(/^[\s+-]+/, "").trim();
    const [, kind, name] = /^(zone|zoneset|fcalias) name (\S+)/.exec(words) ?? [];
    if (kind !== undefined && name !== undefined) around = `${kind} ${name}`;
    if (!changed || around === undefined || words === "") continue;
    found.set(around, [...(found.get(around) ?? []), words]);
  }
  return found;
}

/** Those that neither the change names nor carry its bed's mark. */
export function foreignObjects(pending: PendingObjects, ours: Ours): readonly string[] {
  return [...pending]
    .filter(([object, lines]) => !isOurs(object, lines, ours))
    .map(([object]) => object);
}

/** True when everything that the session would change is ours. An empty session is nobody's. */
export function holdsOnly(pending: PendingObjects, ours: Ours): boolean {
  return pending.size > 0 && foreignObjects(pending, ours).length === 0;
}

/** Names in `show device-alias pending-diff`: `+ device-alias name x pwwn ...`. */
export function pendingAliases(text: string): readonly string[] {
  return [...text.matchAll(/^\s*[+-]\s*device-alias name (\S+)/gm)].flatMap(
    ([, name]) => name ?? [],
  );
}

export function isOfBeds(name: string, beds: ReadonlySet<string>): boolean {
  const bed = bedOfName(name);
  return bed !== undefined && beds.has(bed);
}

/** An fcalias carries the mark in its name, a zone in the alias that it gets or loses. */
function isOurs(object: string, lines: readonly string[], { touched, beds }: Ours): boolean {
  if (touched.has(object)) return true;
  const [kind, name = ""] = object.split(" ");
  if (kind === "fcalias") return isOfBeds(name, beds);
  if (kind !== "zone") return false;
  return lines.some((line) => line.split(/[\s[\]]+/).some((word) => isOfBeds(word, beds)));
}
