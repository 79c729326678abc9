import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { packageSchema } from "../../../provider/kit/schema";
import { definition } from "../../../provider/resources/definition";
import { schemaText } from "../../../tools/generate-schema";
import { sdkFiles } from "../../../tools/sdk/package-text";

const provider = resolve(__dirname, "../../../provider");
const schema = packageSchema(definition);
const remedy = "run `npm run build && node dist/tools/generate-sdk.js` and commit the result";

test(`the committed schema is that of the handlers (else ${remedy})`, () => {
  expect(readFileSync(join(provider, "schema.json"), "utf8")).toBe(schemaText(schema));
});

test(`the committed SDK is that of the schema (else ${remedy})`, () => {
  const files = sdkFiles(schema);
  expect(readdirSync(join(provider, "sdk")).sort()).toEqual([...files.keys()].sort());
  for (const [name, text] of files) {
    expect(readFileSync(join(provider, "sdk", name), "utf8")).toBe(text);
  }
});

test("every resource and function of the package has a description", () => {
  for (const [token, { description }] of Object.entries({
    ...schema.resources,
    ...schema.functions,
  })) {
    expect(`${token}: ${description}`).toMatch(/: \w.{20,}/s);
  }
});
