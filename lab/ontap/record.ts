import type { Json, JsonObject } from "../world/state";

/** An object as it goes over the wire. */
export type Rec = JsonObject;

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The values at a dotted path; an array on the way contributes each of its elements. */
export function valuesAt(record: Json | undefined, path: string): Json[] {
  let current: Json[] = record === undefined ? [] : [record];
  for (const step of path.split(".")) {
    current = current.flatMap((value) => {
      const elements: Json[] = Array.isArray(value) ? value : [value];
      return elements.flatMap((element) => {
        const next = isObject(element) ? element[step] : undefined;
        return next === undefined ? [] : [next];
      });
    });
  }
  return current.flatMap((value) => (Array.isArray(value) ? value : [value]));
}

/** The one value at a path as text; empty when there is none. */
export function textAt(record: Json | undefined, path: string): string {
  const value = valuesAt(record, path)[0];
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? value.toString() : "";
}

/** Sizes on the wire are JSON integers; an array's sizes stay far below 2^53. */
export function wireSize(bytes: bigint): number {
  return Number(bytes);
}

/** Drops properties that are undefined, so that builders can name what may be unset. */
export function defined(parts: Record<string, Json | undefined>): JsonObject {
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(parts)) if (value !== undefined) out[key] = value;
  return out;
}

/** Takes an object out of a record of the world; its keys are ids of the emulator's own making. */
export function drop<T>(record: Record<string, T>, key: string): void {
  Reflect.deleteProperty(record, key);
}
