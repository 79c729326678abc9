/** Structured output of a command, before it is written as JSON. */
export type Value = string | number | boolean | Body | readonly Value[];
export interface Body {
  readonly [name: string]: Value | undefined;
}

/** A table of NX-API: `TABLE_x` with its `ROW_x`; no entry at all when there are no rows. */
export function table(name: string, rows: readonly Body[]): Body {
  return rows.length === 0 ? {} : { [`TABLE_${name}`]: { [`ROW_${name}`]: rows } };
}

/** A leaf as text; empty for what is none. */
export function leafText(value: Value | undefined): string {
  return typeof value === "object" || value === undefined ? "" : String(value);
}

/**
 * Bodies as the switch writes them: a list with one entry is the bare entry (rows and plain lists
 * alike), entries without value vanish.
 */
export function collapse(value: Value): Value {
  if (Array.isArray(value)) {
    const list = (value as readonly Value[]).map(collapse);
    const [only] = list;
    return list.length === 1 && only !== undefined ? only : list;
  }
  if (typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value as Body).flatMap(([name, item]) =>
      item === undefined ? [] : [[name, collapse(item)]],
    ),
  );
}
