import { z } from "zod";
import { parseMeasuredBytes } from "../units";

/**
 * Free space as devices and people give it: bytes as digits, or a size such as "9.8 TiB", of which a part
 * of a byte is dropped. Comes out as digits.
 */
export const freeSpace = z.string().transform((text, context) => {
  if (/^\d+$/.test(text)) return text;
  try {
    return parseMeasuredBytes(text).toString();
  } catch {
    context.addIssue({
      code: "custom",
      message: 'expected bytes as digits, or one size such as "9.8 TiB"',
    });
    return z.NEVER;
  }
});
