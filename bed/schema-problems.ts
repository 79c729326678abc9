import { z } from "zod";
import type { Problem } from "./errors";
import { issueText, kindName, oneOf } from "./schema-words";

/** Keys and indexes from the root of an input to a value in it. */
export type ValuePath = readonly PropertyKey[];

/** `hosts[2].hbas[0].wwpn`; keys that are no plain words stand in quotes, `devices["my switch"]`. */
export function problemPath(path: ValuePath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part.toString()}]`;
    const key = String(part);
    if (!/^[A-Za-z_][\w-]*$/.test(key)) return `${text}[${quoted(key)}]`;
    return text === "" ? key : `${text}.${key}`;
  }, "");
}

/** Text of an input inside a message: in quotes, short, and without control characters. */
export function quoted(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 57)}...` : text;
  // JSON leaves these as they are, and terminals obey them.
  return JSON.stringify(short).replace(/[\u007f-\u009f\u2028-\u202e]/g, "?");
}

/**
 * What a schema found, in words for a person who reads a file, one problem for each place. Values of
 * the input are never repeated: one may be a secret in the wrong place.
 */
export function schemaProblems(error: z.ZodError, schema: z.ZodType, input: unknown): Problem[] {
  // Made once, and only when it is needed: a file may have thousands of unknown keys.
  let form: JsonSchema | undefined;
  const keys = (path: ValuePath): string[] => {
    form ??= z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;
    return keysAt(form, path);
  };
  return error.issues.flatMap((issue) => issueProblems(issue, keys, input, issue.path));
}

function issueProblems(
  issue: z.core.$ZodIssue,
  keys: (path: ValuePath) => string[],
  input: unknown,
  path: ValuePath,
): Problem[] {
  if (issue.code === "unrecognized_keys") {
    const known = keys(path);
    return issue.keys.map((key) => ({
      path: problemPath([...path, key]),
      message: "there is no such setting",
      ...unknownKeyRemedy(key, known),
    }));
  }
  if (issue.code === "invalid_union") {
    // The alternative that the input comes closest to is the one that was meant.
    const closest = issue.errors.toSorted((a, b) => depth(b) - depth(a))[0] ?? [];
    if (depth(closest) > 0) {
      return closest.flatMap((one) => issueProblems(one, keys, input, [...path, ...one.path]));
    }
  }
  return [{ path: problemPath(path), ...wrongValue(issue, valueAt(input, path)) }];
}

function wrongValue(issue: z.core.$ZodIssue, value: unknown): Omit<Problem, "path"> {
  if (value === undefined) return { message: `is missing${expectation(issue)}` };
  if (value === null) return { message: `has no value${expectation(issue)}` };
  if (issue.code !== "invalid_type") return { message: issueText(issue) };
  const remedy = "write it in quotes: without them YAML takes it for something else";
  return {
    message: `expected ${kindName(issue.expected)}, found ${kindOf(value)}`,
    ...(issue.expected === "string" && typeof value !== "object" ? { remedy } : {}),
  };
}

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return `: expected ${kindName(issue.expected)}`;
  if (issue.code === "invalid_value") return `: expected ${oneOf(issue.values)}`;
  return "";
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a map";
  return typeof value === "boolean" ? `${value.toString()} (a truth value)` : `a ${typeof value}`;
}

function depth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length));
}

function valueAt(input: unknown, path: ValuePath): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, part)
        ? (value as Record<PropertyKey, unknown>)[part]
        : undefined,
    input,
  );
}

function unknownKeyRemedy(key: string, known: readonly string[]): { remedy?: string } {
  const near = known.find((one) => editDistance(one.toLowerCase(), key.toLowerCase()) <= 2);
  if (near !== undefined) return { remedy: `did you mean ${near}?` };
  return known.length === 0 ? {} : { remedy: `settings here are ${known.join(", ")}` };
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

/** The settings that a schema knows at a place, by way of its JSON Schema. */
function keysAt(form: JsonSchema, path: ValuePath): string[] {
  let places = [form];
  for (const part of path) {
    places = places.flatMap(alternatives).flatMap((place) => {
      const next = typeof part === "number" ? place.items : place.properties?.[String(part)];
      if (next !== undefined) return [next];
      return typeof place.additionalProperties === "object" ? [place.additionalProperties] : [];
    });
  }
  return [...new Set(places.flatMap(alternatives).flatMap((p) => Object.keys(p.properties ?? {})))];
}

function alternatives(place: JsonSchema): JsonSchema[] {
  return [place, ...[...(place.anyOf ?? []), ...(place.allOf ?? [])].flatMap(alternatives)];
}

/** Levenshtein distance; anything beyond 2 is told as 3. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return Math.min(row[b.length] ?? 3, 3);
}
