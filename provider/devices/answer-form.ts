import type { z } from "zod";
import { DeviceError } from "../../bed/errors";

/** Where an answer came from, for the error of one that is not of the documented form. */
export interface AnswerSource {
  readonly device: string;
  /** What was tried, `read the zoning database`. */
  readonly operation: string;
  /** What was asked, a path or a command. */
  readonly asked?: string | undefined;
}

/**
 * An answer of a device, read by the form that its documentation gives.
 * @throws {DeviceError} `protocol`, with each place that differs, in words.
 */
export function readAnswer<T extends z.ZodType>(
  form: T,
  answer: unknown,
  source: AnswerSource,
): z.infer<T> {
  const parsed = form.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new DeviceError({
    kind: "protocol",
    device: source.device,
    operation: source.operation,
    reason: `${source.asked === undefined ? "its answer" : `the answer to ${source.asked}`} is not of the documented form: ${differences(parsed.error, answer)}`,
    remedy:
      "Check that the address is the device itself and that its release is a supported one; if so, report this line.",
  });
}

const shown = 3;

/** `alias[3].alias-name: expected text, found nothing; ...` */
function differences(error: z.ZodError, answer: unknown): string {
  const places = error.issues.slice(0, shown).map((issue) => {
    const expected =
      issue.code === "invalid_type"
        ? (words[issue.expected] ?? issue.expected)
        : lowerFirst(issue.message);
    return `${placeOf(issue.path)}: expected ${expected}, found ${found(valueAt(answer, issue.path))}`;
  });
  const more = error.issues.length - places.length;
  return [...places, ...(more > 0 ? [`and ${more.toString()} more`] : [])].join("; ");
}

const words: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  nan: "a number",
};

function placeOf(path: readonly PropertyKey[]): string {
  const text = path.map((key) =>
    typeof key === "number" ? `[${key.toString()}]` : `.${String(key)}`,
  );
  return text.length === 0 ? "as a whole" : text.join("").replace(/^\./, "");
}

/** The value at a place. A list of one may have come as a bare element: then the index is skipped. */
function valueAt(answer: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (typeof value !== "object" || value === null) return undefined;
    if (key === 0 && !Array.isArray(value)) return value;
    return (value as Readonly<Record<PropertyKey, unknown>>)[key];
  }, answer);
}

/** What is there, short: a device's answer may be long and may hold what is nobody's business. */
function found(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return `a list of ${value.length.toString()}`;
  if (typeof value === "object") return "an object";
  const text = typeof value === "string" ? `"${value}"` : JSON.stringify(value);
  return text.length > 40 ? `a text of ${text.length.toString()} characters` : text;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
