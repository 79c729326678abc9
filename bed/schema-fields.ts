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

function canParse(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}
