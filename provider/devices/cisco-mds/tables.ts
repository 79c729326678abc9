/**
 * Rows of a structured answer. NX-OS writes a list as `TABLE_<name>: { ROW_<name>: [...] }`, leaves the
 * brackets out where there is one row, leaves all out where there is none, and repeats the table itself
 * for some commands (show interface counters). All of these come out as a list of objects.
 */
export function rowsOf(body: unknown, name: string): readonly Readonly<Record<string, unknown>>[] {
  return listOf(fieldOf(body, `TABLE_${name}`))
    .flatMap((table) => listOf(fieldOf(table, `ROW_${name}`)))
    .filter(isRecord);
}

/** Text of a field; numbers as written, blanks around it dropped. Undefined where it is absent or empty. */
export function textOf(row: unknown, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = fieldOf(row, key);
    if (typeof value === "number" || typeof value === "bigint") return value.toString();
    if (typeof value === "string" && value.trim() !== "") return value.trim();
  }
  return undefined;
}

/** A whole number of any size; undefined where the field is absent or no whole number. */
export function wholeOf(row: unknown, ...keys: readonly string[]): bigint | undefined {
  const text = textOf(row, ...keys);
  return text !== undefined && /^\d+$/.test(text) ? BigInt(text) : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null || value === "") return [];
  return Array.isArray(value) ? (value as unknown[]) : [value];
}

function fieldOf(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
