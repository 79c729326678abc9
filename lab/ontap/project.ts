import type { Json, JsonObject } from "../world/state";
import { isObject, type Rec, textAt } from "./record";
import type { Shape } from "./shape";

/** Copies the chosen leaves of a record and adds the links that HAL asks for. */
export function project(
  shape: Shape,
  record: Rec,
  leaves: readonly string[],
  hal: boolean,
): JsonObject {
  const out = copy(shape, record, record, "", withAncestors(leaves), hal);
  if (hal && shape.plain !== true) out["_links"] = { self: { href: instanceUrl(shape, record) } };
  return out;
}

/**
 * A key in a URL. Colons stay, as in the reference's examples (`…/initiators/20:01:00:50:56:bb:70:72`);
 * NetApp's library encodes the keys that it takes from a Location itself.
 */
export function urlPart(key: string): string {
  return encodeURIComponent(key).replaceAll("%3A", ":");
}

/** URL of an object: the collection with its keys, percent-encoded. */
function instanceUrl(shape: Shape, record: Rec): string {
  const base = fill(shape.path, record);
  const keys = shape.keys.map((key) => urlPart(textAt(record, key)));
  return [base, ...keys].join("/");
}

function copy(
  shape: Shape,
  root: Rec,
  source: JsonObject,
  path: string,
  leaves: ReadonlySet<string>,
  hal: boolean,
): JsonObject {
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(source)) {
    const at = path === "" ? key : `${path}.${key}`;
    if (!leaves.has(at)) continue;
    const copied = copyValue(shape, root, value, at, leaves, hal);
    if (copied !== undefined) out[key] = copied;
  }
  return out;
}

function copyValue(
  shape: Shape,
  root: Rec,
  value: Json,
  at: string,
  leaves: ReadonlySet<string>,
  hal: boolean,
): Json | undefined {
  if (Array.isArray(value)) {
    return value.map((element) => copyValue(shape, root, element, at, leaves, hal) ?? element);
  }
  if (!isObject(value)) return value;
  const inner = copy(shape, root, value, at, leaves, hal);
  if (Object.keys(inner).length === 0) return undefined;
  const link = hal ? shape.links?.[at] : undefined;
  return link === undefined
    ? inner
    : { ...inner, _links: { self: { href: fill(link, value, root) } } };
}

/** The leaves and every path on the way to them. */
function withAncestors(leaves: readonly string[]): ReadonlySet<string> {
  const all = new Set<string>();
  for (const leaf of leaves) {
    let path = leaf;
    while (path !== "" && !all.has(path)) {
      all.add(path);
      path = path.slice(0, Math.max(0, path.lastIndexOf(".")));
    }
  }
  return all;
}

/** Puts the record's values into `{key}`; `{/key}` looks in the outermost object. */
function fill(template: string, record: JsonObject, root: JsonObject = record): string {
  return template.replace(/\{(\/?)([^}]+)\}/g, (_all, outer: string, key: string) =>
    urlPart(textAt(outer === "" ? record : root, key)),
  );
}
