import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { definition } from "../provider/resources/definition";
import { writeSchema } from "./generate-schema";
import { sdkFiles } from "./sdk/package-text";

/** Writes `provider/schema.json` and `provider/sdk/*.ts` from the provider's definition. */
function generate(root: string): void {
  const schema = writeSchema(root, definition);
  const folder = join(root, "provider", "sdk");
  mkdirSync(folder, { recursive: true });
  const files = sdkFiles(schema);
  for (const old of readdirSync(folder)) {
    if (old.endsWith(".ts") && !files.has(old)) rmSync(join(folder, old));
  }
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  process.stdout.write(`provider/schema.json and ${files.size.toString()} files in provider/sdk\n`);
}

generate(resolve(__dirname, "..", ".."));
