import { createHash } from "node:crypto";

/** Short stand-in for a large value in comparisons whose failure must stay readable. */
export function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);
}
