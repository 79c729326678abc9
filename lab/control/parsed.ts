import type { z } from "zod";
import { ConfigError } from "../../bed/errors";

/** A body as its schema has it. @throws {ConfigError} with every problem. */
export function parsed<T>(schema: z.ZodType<T>, body: unknown, what: string): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw new ConfigError(
    result.error.issues.map(({ path, message }) => ({ path: path.map(String).join("."), message })),
    `${what} has problems`,
  );
}
