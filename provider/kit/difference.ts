import type { PropertyChange } from "./handler";
import type { Path } from "./property-path";
import { formatPath, parsePath, startsWith } from "./property-path";
import { AssetValue, unknownValue } from "./values";
import { isPlainObject } from "./zod-walk";

/**
 * The structural difference of two property values, one change per leaf. An unknown new value is a
 * change. `replaces` says which top-level properties replace the resource.
 */
export function difference(
  olds: Readonly<Record<string, unknown>>,
  news: Readonly<Record<string, unknown>>,
  replaces: (property: string) => boolean,
): PropertyChange[] {
  const changes: PropertyChange[] = [];
  const note = (path: Path, kind: PropertyChange["kind"]): void => {
    changes.push({ path: formatPath(path), kind, replace: replaces(String(path[0])) });
  };
  const compare = (a: unknown, b: unknown, path: Path): void => {
    if (a === undefined && b === undefined) return;
    if (a === undefined) note(path, "add");
    else if (b === undefined) note(path, "delete");
    else if (b === unknownValue || a === unknownValue) note(path, "update");
    else if (isPlainObject(a) && isPlainObject(b)) {
      for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
        compare(a[key], b[key], [...path, key]);
      }
    } else if (Array.isArray(a) && Array.isArray(b)) {
      for (let i = 0; i < Math.max(a.length, b.length); i++) compare(a[i], b[i], [...path, i]);
    } else if (!sameLeaf(a, b)) note(path, "update");
  };
  compare(olds, news, []);
  return changes;
}

/** Leaves out the changes that `ignoreChanges` names (paths, `*` for any key or index). */
export function withoutIgnored(
  changes: readonly PropertyChange[],
  ignored: readonly string[],
): PropertyChange[] {
  const patterns = ignored.map(parsePath);
  return changes.filter(({ path }) => {
    const parsed = parsePath(path);
    return !patterns.some((pattern) => startsWith(parsed, pattern));
  });
}

function sameLeaf(a: unknown, b: unknown): boolean {
  if (a instanceof AssetValue && b instanceof AssetValue) {
    const [hashA, hashB] = [a.wire["hash"], b.wire["hash"]];
    const known = hashA !== undefined && hashB !== undefined;
    return known ? hashA === hashB : JSON.stringify(a.wire) === JSON.stringify(b.wire);
  }
  return a === b;
}
