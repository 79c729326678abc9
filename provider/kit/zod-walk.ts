import { z } from "zod";
import type { Problem } from "../../bed/errors";
import type { Path } from "./property-path";
import { formatPath, startsWith } from "./property-path";
import { AssetValue, unknownValue } from "./values";

type AnyZod = z.core.$ZodType;
type Def = z.core.$ZodTypes["_zod"]["def"];

/** The definition of a schema, as zod's own union of definitions. */
export function definitionOf(schema: AnyZod): Def {
  return schema._zod.def as Def;
}

/** The schema inside wrappers that do not change the shape: optional, default, readonly, pipe, lazy... */
export function unwrap(schema: AnyZod): AnyZod {
  const inner = innerOf(schema);
  return inner === undefined ? schema : unwrap(inner);
}

/** True when the property is marked `.meta({ secret: true })` on any of its wrappers. */
function isMarkedSecret(schema: AnyZod): boolean {
  if (z.globalRegistry.get(schema)?.["secret"] === true) return true;
  const inner = innerOf(schema);
  return inner !== undefined && isMarkedSecret(inner);
}

/** Paths in `value` of everything that the schema marks as secret. */
export function secretPaths(schema: AnyZod, value: unknown, path: Path = []): Path[] {
  if (value === undefined) return [];
  if (isMarkedSecret(schema) && path.length > 0) return [path];
  if (value === unknownValue) return [];
  return children(schema, value).flatMap(({ key, schema: child, value: inner }) =>
    secretPaths(child, inner, [...path, key]),
  );
}

/**
 * Paths of the values that are secrets themselves. A structure may be secret as a whole although only
 * some of its members are (a connection with a host and a password): then only these count.
 */
export function secretCores(schema: AnyZod, value: unknown, secrets: readonly Path[]): Path[] {
  const marked = markedPaths(schema, value, []);
  const all = [...secrets, ...marked];
  return all.filter(
    (path) => !marked.some((inner) => inner.length > path.length && startsWith(inner, path)),
  );
}

function markedPaths(schema: AnyZod, value: unknown, path: Path): Path[] {
  if (value === undefined || value === unknownValue) return [];
  const inside = children(schema, value).flatMap(({ key, schema: child, value: inner }) =>
    markedPaths(child, inner, [...path, key]),
  );
  return isMarkedSecret(schema) && path.length > 0 ? [path, ...inside] : inside;
}

/** Keys that the schema does not know, at any depth. zod drops them silently; a typing mistake should not be. */
export function unknownKeys(schema: AnyZod, value: unknown, path: Path = []): Problem[] {
  const problems: Problem[] = [];
  const def = definitionOf(unwrap(schema));
  if (def.type === "union") {
    const branch = branchFor(def.options, value);
    return branch === undefined ? [] : unknownKeys(branch, value, path);
  }
  if (def.type === "object" && def.catchall === undefined && isPlainObject(value)) {
    const known = Object.keys(def.shape);
    for (const key of Object.keys(value).filter((k) => !known.includes(k))) {
      problems.push(unknownKey([...path, key], key, known));
    }
  }
  for (const { key, schema: child, value: inner } of children(schema, value)) {
    problems.push(...unknownKeys(child, inner, [...path, key]));
  }
  return problems;
}

/** The problem "there is no such property", with the nearest name that there is. */
export function unknownKey(path: Path, key: string, known: readonly string[]): Problem {
  const near = known
    .map((name) => ({ name, distance: editDistance(name.toLowerCase(), key.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance)[0];
  const remedy = near === undefined ? `known: ${known.join(", ")}` : `did you mean ${near.name}?`;
  return { path: formatPath(path), message: "there is no such property", remedy };
}

interface Child {
  readonly key: string | number;
  readonly schema: AnyZod;
  readonly value: unknown;
}

function children(schema: AnyZod, value: unknown): Child[] {
  const def = definitionOf(unwrap(schema));
  if (def.type === "array" && Array.isArray(value)) {
    return value.map((item, key) => ({ key, schema: def.element, value: item as unknown }));
  }
  if (def.type === "record" && isPlainObject(value)) {
    return Object.entries(value).map(([key, item]) => ({
      key,
      schema: def.valueType,
      value: item,
    }));
  }
  if (def.type === "object" && isPlainObject(value)) {
    return Object.entries(def.shape)
      .filter(([key]) => key in value)
      .map(([key, child]) => ({ key, schema: child, value: value[key] }));
  }
  if (def.type === "intersection") {
    return [...children(def.left, value), ...children(def.right, value)];
  }
  if (def.type === "union") {
    const branch = branchFor(def.options, value);
    return branch === undefined ? [] : children(branch, value);
  }
  return [];
}

/** The member of a union that a value is meant for: told by its constants, else the only object. */
function branchFor(options: readonly AnyZod[], value: unknown): AnyZod | undefined {
  if (Array.isArray(value)) return options.find((o) => definitionOf(unwrap(o)).type === "array");
  if (!isPlainObject(value)) return undefined;
  const objects = options.filter((o) =>
    ["object", "record"].includes(definitionOf(unwrap(o)).type),
  );
  const matching = objects.filter((option) => {
    const def = definitionOf(unwrap(option));
    if (def.type !== "object") return true;
    return Object.entries(def.shape).every(([key, child]) => {
      const constant = definitionOf(unwrap(child));
      if (constant.type !== "literal") return true;
      return (constant.values as readonly unknown[]).includes(value[key]);
    });
  });
  return matching.length === 1 ? matching[0] : undefined;
}

function innerOf(schema: AnyZod): AnyZod | undefined {
  const def = definitionOf(schema);
  // eslint-disable-next-line @typescript-eslint/switch-exhaustiveness-check -- all others wrap nothing
  switch (def.type) {
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "nonoptional":
    case "readonly":
    case "catch":
      return def.innerType;
    case "pipe":
      return definitionOf(def.in).type === "transform" ? def.out : def.in;
    case "lazy":
      return def.getter();
    default:
      return undefined;
  }
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof AssetValue)
  );
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
