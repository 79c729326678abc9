import type { Json, JsonObject } from "../world/state";
import { invalidValue, NotModelled, notSettable, OntapFault, unexpectedArgument } from "./faults";
import { parseSize } from "./query";
import { isObject, textAt, valuesAt } from "./record";
import type { Release } from "./release";
import { type Field, fieldAt, leavesBelow, type Shape, type WriteVerb } from "./shape";

/**
 * A request body, checked against the fields that the release lets clients set. Nested objects and
 * dotted keys mean the same; sizes are bytes or text with a unit.
 */
export class Body {
  constructor(readonly value: JsonObject) {}

  has(path: string): boolean {
    return valuesAt(this.value, path).length > 0;
  }

  /** Undefined when absent. */
  text(path: string): string | undefined {
    return this.has(path) ? textAt(this.value, path) : undefined;
  }

  texts(path: string): string[] {
    return valuesAt(this.value, path).filter((value) => typeof value === "string");
  }

  flag(path: string): boolean | undefined {
    const value = valuesAt(this.value, path)[0];
    return typeof value === "boolean" ? value : value === undefined ? undefined : value === "true";
  }

  integer(path: string): number | undefined {
    const value = valuesAt(this.value, path)[0];
    return value === undefined ? undefined : Number(value);
  }

  size(path: string): bigint | undefined {
    const value = valuesAt(this.value, path)[0];
    if (typeof value === "number") return BigInt(value);
    return typeof value === "string" ? parseSize(value) : undefined;
  }

  /** The objects in an array property. */
  objects(path: string): JsonObject[] {
    return valuesAt(this.value, path).filter(isObject);
  }

  /** Paths of all leaves that were sent. */
  leaves(): string[] {
    return [...new Set(flatten(this.value).map(([path]) => path))];
  }
}

/** @throws {OntapFault} 262197 when the text is no JSON object. */
export function parseJson(body: string): JsonObject {
  if (body.trim() === "") return {};
  let value: Json;
  try {
    value = JSON.parse(body) as Json;
  } catch {
    throw new OntapFault("262197", "The request body is not valid JSON.", "body");
  }
  if (!isObject(value)) throw new OntapFault("262197", "The request body is no object.", "body");
  return nest(value);
}

/** Turns dotted keys into nested objects. */
function nest(value: JsonObject): JsonObject {
  const out: JsonObject = {};
  for (const [key, raw] of Object.entries(value)) {
    const inner = nestValue(raw);
    const steps = key.split(".");
    let at = out;
    for (const step of steps.slice(0, -1)) {
      const next = at[step];
      const object = isObject(next) ? next : {};
      at[step] = object;
      at = object;
    }
    const last = steps[steps.length - 1] ?? key;
    const before = at[last];
    at[last] = isObject(before) && isObject(inner) ? { ...before, ...inner } : inner;
  }
  return out;
}

function nestValue(value: Json): Json {
  if (Array.isArray(value)) return value.map(nestValue);
  return isObject(value) ? nest(value) : value;
}

/**
 * @throws {OntapFault} for a field that the release does not know (262179) or that cannot be set in
 * this operation (262196), or a value of the wrong kind (262197).
 */
export function checkBody(
  shape: Shape,
  release: Release,
  verb: WriteVerb,
  given: JsonObject,
): Body {
  const value = withNames(shape, release, given, "");
  for (const [path, leaf] of flatten(value)) {
    if (path === "_links" || path.startsWith("_links.") || path.includes("._links")) continue;
    const field = fieldAt(shape, release, path);
    if (field === undefined) {
      if (leavesBelow(shape, release, path).length > 0) throw invalidValue(show(leaf), path);
      throw unexpectedArgument(firstUnknown(shape, release, path), path);
    }
    if (!field.writable.includes(verb)) throw notSettable(path);
    if (!field.modelled) throw new NotModelled(`field "${path}" in ${verb} ${shape.path}`);
    checkValue(path, field, leaf);
  }
  return new Body(value);
}

/**
 * A bare text in place of another object is that object's name: na_ontap_svm sends
 * `"snapshot_policy": "none"` and `"ipspace": "Default"` to arrays and always has.
 */
function withNames(shape: Shape, release: Release, value: JsonObject, path: string): JsonObject {
  const known = (at: string): boolean => fieldAt(shape, release, at) !== undefined;
  const one = (at: string, inner: Json): Json => {
    if (Array.isArray(inner)) return inner.map((element) => one(at, element));
    if (isObject(inner)) return withNames(shape, release, inner, at);
    return typeof inner === "string" && !known(at) && known(`${at}.name`) ? { name: inner } : inner;
  };
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      one(path === "" ? key : `${path}.${key}`, inner),
    ]),
  );
}

/** The shortest part of a path below which the release knows nothing (netapp.ontap#178). */
function firstUnknown(shape: Shape, release: Release, path: string): string {
  const steps = path.split(".");
  for (let length = 1; length < steps.length; length++) {
    const part = steps.slice(0, length).join(".");
    if (leavesBelow(shape, release, part).length === 0) return part;
  }
  return path;
}

function checkValue(path: string, field: Field, value: Json): void {
  const fits: Readonly<Record<Field["type"], boolean>> = {
    text: typeof value === "string",
    date: typeof value === "string",
    // Numbers and booleans as text are taken too: na_ontap_lun_map sends "5", the reference's
    // examples of svm/svms "true".
    integer:
      (typeof value === "number" && Number.isSafeInteger(value)) ||
      (typeof value === "string" && /^\d{1,15}$/.test(value)),
    size:
      (typeof value === "number" && Number.isSafeInteger(value)) ||
      (typeof value === "string" && parseSize(value) !== undefined),
    boolean: typeof value === "boolean" || value === "true" || value === "false",
    any: true,
  };
  if (!fits[field.type]) throw invalidValue(show(value), path);
  if (field.values !== undefined && !field.values.includes(value as string)) {
    throw invalidValue(show(value), path);
  }
}

function show(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Leaves with their paths; an array adds no step, an empty array or object is a leaf of its own. */
function flatten(value: Json, path = ""): [string, Json][] {
  if (Array.isArray(value)) {
    return value.flatMap((element) => flatten(element, path));
  }
  if (isObject(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, inner]) =>
      flatten(inner, path === "" ? key : `${path}.${key}`),
    );
  }
  return path === "" || isObject(value) ? [] : [[path, value]];
}
