import { z } from "zod";
import { parseBytes, parseDuration } from "./units";

/** Fields that several schemas of the model share. */

/** A size as text, `"270 GB"`, more than nothing; {@link parseBytes} reads it. */
export const sizeField = z
  .string()
  .refine((text) => canParse(parseBytes, text), {
    error: 'expected a size of whole bytes such as "270 GB"',
    abort: true,
  })
  .refine((text) => parseBytes(text) > 0n, { error: "a size of nothing" });

/** No review runs a part for as long: a slip of the keyboard must not occupy an array for a year. */
const longestMs = 30 * 24 * 3_600_000;

/** A span of time as text, `"2h"`, at most 30 days; {@link parseDuration} reads it. */
export const durationField = z
  .string()
  .refine((text) => canParse(parseDuration, text), {
    error: 'expected a duration such as "2h"',
    abort: true,
  })
  .refine((text) => parseDuration(text) <= longestMs, { error: "is longer than 30 days" });

/** The same for what is measured or reported: tools count whole seconds, and nothing measures in none. */
export const windowField = durationField.refine(
  (text) => !canParse(parseDuration, text) || parseDuration(text) >= 1000,
  { error: "is shorter than a second" },
);

/** A stable key within a bed. */
export const keyField = z
  .string()
  .regex(/^[a-z][a-z0-9_]*$/, "small letters, digits and _, a letter first");

/**
 * How many guests. The limit is ours, far beyond any review: a slip of the keyboard must not plan until
 * memory ends.
 */
export const guestCountField = z
  .int()
  .min(1)
  .max(1024, "at most 1,024 guests: each has a disk and a process of its own to run");

function canParse(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}
