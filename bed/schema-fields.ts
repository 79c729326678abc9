import { z } from "zod";
import { parseBytes, parseDuration } from "./units";

/** Fields that several schemas of the model share. */

/** A size as text, `"270 GB"`; {@link parseBytes} reads it. */
export const sizeField = z
  .string()
  .refine((text) => canParse(parseBytes, text), { error: 'expected a size such as "270 GB"' });

/** A span of time as text, `"2h"`; {@link parseDuration} reads it. */
export const durationField = z
  .string()
  .refine((text) => canParse(parseDuration, text), { error: 'expected a duration such as "2h"' });

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
