import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageSchema, type PackageSchema } from "../provider/kit/schema";
import type { AnyDefinition } from "../provider/kit/session";

/** The text of `provider/schema.json` for a definition. */
export function schemaText(schema: PackageSchema): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** Writes `provider/schema.json` below `root` and gives the schema. */
export function writeSchema(root: string, definition: AnyDefinition): PackageSchema {
  const schema = packageSchema(definition);
  writeFileSync(join(root, "provider", "schema.json"), schemaText(schema));
  return schema;
}
