import { z } from "zod";

/** What the schema library says by itself: a message that differs is a schema's own and is kept. */
const standard = z.locales.en().localeError;

const kinds: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a map of settings",
  record: "a map",
};

/** `a list`, `a text`: what a schema expects, in the words of whoever writes the file. */
export function kindName(expected: string): string {
  return kinds[expected] ?? `a ${expected}`;
}

/** What is wrong with a value that is there, in words for a person who reads a file. */
export function issueText(issue: z.core.$ZodIssue): string {
  return hasOwnWords(issue) ? issue.message : ourWords(issue);
}

function hasOwnWords(issue: z.core.$ZodIssue): boolean {
  const given = standard(issue as z.core.$ZodRawIssue);
  return issue.message !== (typeof given === "string" ? given : given?.message);
}

function ourWords(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_value":
      return `expected ${oneOf(issue.values)}`;
    case "too_small":
      return `is too ${few(issue.origin)}: at least ${counted(issue.minimum, issue.origin)}`;
    case "too_big":
      return `is too ${many(issue.origin)}: at most ${counted(issue.maximum, issue.origin)}`;
    case "invalid_format":
      return "is not written as it must be";
    case "not_multiple_of":
      return `expected a multiple of ${issue.divisor.toString()}`;
    case "invalid_key":
      return "has a key that is none here";
    case "invalid_union":
      return "is none of what can stand here";
    case "invalid_type":
    case "unrecognized_keys":
    case "invalid_element":
    case "custom":
      return "cannot stand here";
  }
}

/** `A or B`, `one of A, B, C`: values that a setting can have. */
export function oneOf(values: readonly unknown[]): string {
  const [first, second, ...more] = values.map(String);
  if (second === undefined) return first ?? "nothing";
  if (more.length === 0) return `${first ?? ""} or ${second}`;
  return `one of ${values.map(String).join(", ")}`;
}

const isList = (origin: string): boolean => origin === "array" || origin === "set";
const isText = (origin: string): boolean => origin === "string";
const few = (origin: string): string => (isList(origin) || isText(origin) ? "short" : "small");
const many = (origin: string): string => (isList(origin) || isText(origin) ? "long" : "large");
function counted(limit: number | bigint, origin: string): string {
  const one = limit.toString() === "1";
  if (isList(origin)) return `${limit.toString()} ${one ? "entry" : "entries"}`;
  if (isText(origin)) return `${limit.toString()} ${one ? "character" : "characters"}`;
  return limit.toString();
}
