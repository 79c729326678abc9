import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as ts from "typescript";
import { commandProvider } from "../../../../lab/plugins/command/definition";
import { packageSchema } from "../../../../provider/kit/schema";

/** The npm package of the official SDK: what programs are written against. */
const sdk = dirname(require.resolve("@pulumi/command/package.json"));
const schema = packageSchema(commandProvider);

/** Members of a class or interface in a declaration file: name -> optional, and its type as text. */
function members(
  file: string,
  container: string,
): Map<string, { optional: boolean; type: string }> {
  const text = readFileSync(join(sdk, file), "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const found = new Map<string, { optional: boolean; type: string }>();
  const visit = (node: ts.Node): void => {
    const isContainer =
      (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node)) &&
      node.name?.text === container;
    if (!isContainer) {
      ts.forEachChild(node, visit);
      return;
    }
    for (const member of node.members) {
      const isProperty = ts.isPropertyDeclaration(member) || ts.isPropertySignature(member);
      if (!isProperty || !ts.isIdentifier(member.name)) continue;
      const type = member.type?.getText(source) ?? "";
      const optional = member.questionToken !== undefined || type.includes("| undefined>");
      found.set(member.name.text, { optional, type: type.replace(/\s+/g, " ") });
    }
  };
  visit(source);
  expect(found.size).toBeGreaterThan(0);
  return found;
}

function names(found: ReadonlyMap<string, unknown>): string[] {
  return [...found.keys()].sort();
}

function required(found: ReadonlyMap<string, { optional: boolean }>): string[] {
  return names(new Map([...found].filter(([, member]) => !member.optional)));
}

test("the version is the SDK's", () => {
  const { version } = JSON.parse(readFileSync(join(sdk, "package.json"), "utf8")) as {
    version: string;
  };
  expect(schema.version).toBe(version);
});

test.each([
  ["remote/command", "Command"],
  ["remote/copyToRemote", "CopyToRemote"],
])("%s has the official tokens, inputs and outputs", (file, name) => {
  const ours = schema.resources[`command:remote:${name}`];
  expect(readFileSync(join(sdk, `${file}.js`), "utf8")).toContain(`'command:remote:${name}'`);
  const args = members(`${file}.d.ts`, `${name}Args`);
  expect(Object.keys(ours?.inputProperties ?? {}).sort()).toEqual(names(args));
  expect(ours?.requiredInputs).toEqual(required(args));
  const outputs = members(`${file}.d.ts`, name);
  expect(Object.keys(ours?.properties ?? {}).sort()).toEqual(names(outputs));
  expect([...(ours?.required ?? [])].sort()).toEqual(required(outputs));
});

test.each(["Connection", "ProxyConnection"])("%s has the official properties and types", (name) => {
  const official = members("types/input.d.ts", `${name}Args`);
  const ours = schema.types[`command:remote:${name}`];
  if (ours === undefined || !("properties" in ours)) throw new Error(`no type ${name}`);
  expect(Object.keys(ours.properties).sort()).toEqual(names(official));
  expect(ours.required).toEqual(required(official));
  const typeOf = (spec: { type?: string; $ref?: string }): string =>
    spec.type === undefined
      ? "inputs.remote.ProxyConnectionArgs"
      : spec.type.replace("integer", "number");
  for (const [property, spec] of Object.entries(ours.properties)) {
    expect(`${property}: pulumi.Input<${typeOf(spec)}>`).toBe(
      `${property}: ${official.get(property)?.type ?? ""}`,
    );
  }
});

test("defaults are those that the SDK applies", () => {
  const text = readFileSync(join(sdk, "types/input.js"), "utf8");
  const ours = schema.types["command:remote:Connection"];
  if (ours === undefined || !("properties" in ours)) throw new Error("no type Connection");
  const defaults = Object.entries(ours.properties).filter(([, spec]) => spec.default !== undefined);
  expect(defaults).toHaveLength(4);
  for (const [property, spec] of defaults) {
    expect(text).toContain(`${property}: (val.${property}) ?? ${JSON.stringify(spec.default)},`);
  }
});

test("the ways of logging are the official ones", () => {
  const text = readFileSync(join(sdk, "types/enums/remote/index.js"), "utf8");
  const official = [...text.matchAll(/^ {4}\w+: "(\w+)",$/gm)].map((match) => match[1]);
  const ours = schema.types["command:remote:Logging"];
  if (ours === undefined || !("enum" in ours)) throw new Error("no type Logging");
  expect(ours.enum.map(({ value }) => value)).toEqual(official);
});
