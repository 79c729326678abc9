import { writeFileSync } from "node:fs";
import path from "node:path";
import { siteJsonSchema } from "../bed/site/json-schema";

/**
 * Writes `stacks/sites/site.schema.json` from the schema of sites, for editors. Committed;
 * `test/bed/site-schema.test.ts` fails when it is not current.
 */
const file = path.resolve(__dirname, "..", "..", "stacks", "sites", "site.schema.json");
writeFileSync(file, `${JSON.stringify(siteJsonSchema(), undefined, 2)}\n`);
process.stdout.write(`wrote ${file}\n`);
