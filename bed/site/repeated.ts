import type { Problem } from "../errors";
import { problemPath, quoted, type ValuePath } from "../schema-problems";

/** A problem for each entry of a list whose key is also that of an earlier one. */
export function repeated<T>(
  entries: readonly T[],
  at: ValuePath,
  field: ValuePath,
  keyOf: (entry: T) => string | undefined,
  what: string,
): Problem[] {
  const first = new Map<string, number>();
  return entries.flatMap((entry, index) => {
    const key = keyOf(entry);
    if (key === undefined || key === "") return [];
    const other = first.get(key);
    first.set(key, other ?? index);
    if (other === undefined) return [];
    const place = problemPath([...at, other, ...field]);
    return [
      {
        path: problemPath([...at, index, ...field]),
        message: `${what} ${quoted(key)} is listed twice, first at ${place}`,
      },
    ];
  });
}
