import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { z } from "zod";
import { vsphereProvider } from "../../../lab/plugins/vsphere/definition";
import { packageSchema } from "../../../provider/kit/schema";
import * as sdk from "@pulumi/vsphere";

const members = z.record(z.string(), z.string());
const described = z.object({ token: z.string(), inputs: members, outputs: members });

/** Names and types of the official SDK; make-vsphere-facts.py says how they were made. */
const facts = z
  .object({
    source: z.string(),
    version: z.string(),
    resources: z.record(z.string(), described),
    functions: z.record(z.string(), described),
    types: z.record(z.string(), members),
  })
  .parse(JSON.parse(readFileSync(join(__dirname, "vsphere-facts.json"), "utf8")));

const schema = packageSchema(vsphereProvider);

type Spec = Readonly<Record<string, unknown>>;

/** A schema type in the words of the facts. */
function word(spec: Spec): string {
  const { type, $ref: reference } = spec;
  if (typeof reference === "string") return /[:/]([A-Za-z]+)$/.exec(reference)?.[1] ?? reference;
  if (type === "integer") return "int";
  if (type === "boolean") return "bool";
  if (type === "array") return `[${word(spec["items"] as Spec)}]`;
  if (type === "object") return `{${word(spec["additionalProperties"] as Spec)}}`;
  return String(type);
}

/** The facts name input and result types with an ending; the schema has one type for both. */
function plain(fact: string | undefined): string | undefined {
  return fact?.replace("?", "").replace(/(?:Args|Result)\b/, "");
}

function expectSame(place: string, ours: Readonly<Record<string, Spec>>, official: object): void {
  const known = official as Readonly<Record<string, string>>;
  const own = Object.fromEntries(
    Object.entries(ours).map(([name, spec]) => [`${place}.${name}`, word(spec)]),
  );
  const theirs = Object.fromEntries(
    Object.keys(ours).map((name) => [`${place}.${name}`, plain(known[name])]),
  );
  expect(own).toEqual(theirs);
}

describe("stand-in vSphere plugin and the official names", () => {
  it("follows the version that it says", () => {
    expect(schema.version).toBe(facts.version);
    expect(facts.source).toContain(`pulumi_vsphere-${facts.version}`);
  });

  it.each(Object.entries(facts.resources))(
    "%s has the official token, names, types",
    (name, fact) => {
      const ours = schema.resources[fact.token];
      expect(ours).toBeDefined();
      if (ours === undefined) return;
      expectSame(`${name} input`, ours.inputProperties as Record<string, Spec>, fact.inputs);
      expectSame(`${name} output`, ours.properties as Record<string, Spec>, fact.outputs);
      const required = Object.keys(fact.inputs).filter((key) => !fact.inputs[key]?.endsWith("?"));
      expect([...ours.requiredInputs].sort()).toEqual(required.sort());
    },
  );

  it.each(Object.entries(facts.functions))(
    "%s has the official token, names, types",
    (name, fact) => {
      const ours = schema.functions[fact.token];
      expect(ours).toBeDefined();
      if (ours === undefined) return;
      expectSame(`${name} input`, ours.inputs.properties as Record<string, Spec>, fact.inputs);
      expectSame(`${name} output`, ours.outputs.properties as Record<string, Spec>, fact.outputs);
    },
  );

  it.each(Object.entries(schema.types))(
    "type %s has the official names and types",
    (token, ours) => {
      const name = /[:/]([A-Za-z]+)$/.exec(token)?.[1] ?? "";
      const fact = facts.types[`${name}Args`] ?? facts.types[`${name}Result`];
      expect(fact).toBeDefined();
      expectSame(
        name,
        (ours as { properties?: Record<string, Spec> }).properties ?? {},
        fact ?? {},
      );
    },
  );

  it("offers everything that the SDK offers, and nothing else", () => {
    const names = (tokens: object): string[] =>
      Object.keys(tokens).map((token) => token.slice(token.lastIndexOf(":") + 1));
    const offered = [
      ...names(schema.resources),
      ...names(schema.functions).flatMap((name) => [name, `${name}Output`]),
    ];
    expect(Object.keys(sdk).sort()).toEqual([...offered, "Provider"].sort());
  });
});

const declarations = join(__dirname, "../../../lab/plugins/vsphere-sdk/index.d.ts");

/** Members of the SDK's interfaces and classes, as `name` or `name?` and the text of the type. */
function declared(): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const text = readFileSync(declarations, "utf8");
  const source = ts.createSourceFile(declarations, text, ts.ScriptTarget.Latest, true);
  const found = new Map<string, Map<string, string>>();
  const visit = (node: ts.Node, prefix: string): void => {
    if (ts.isModuleDeclaration(node)) {
      node.body?.forEachChild((child) => {
        visit(child, `${prefix}${node.name.text}.`);
      });
    } else if (ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)) {
      const properties = new Map<string, string>();
      for (const member of node.members) {
        if (!ts.isPropertySignature(member) && !ts.isPropertyDeclaration(member)) continue;
        const optional = member.questionToken === undefined ? "" : "?";
        const type = member.type?.getText(source).replace(/\s+/g, "") ?? "";
        properties.set(member.name.getText(source) + optional, type);
      }
      found.set(prefix + (node.name?.text ?? ""), properties);
    }
  };
  source.forEachChild((node) => {
    visit(node, "");
  });
  return found;
}

/** How the code generator of the official SDK writes a type. */
function typescript(fact: string, side: "inputs" | "outputs"): string {
  const wrap = (text: string): string => (side === "inputs" ? `pulumi.Input<${text}>` : text);
  const kind = fact.replace("?", "");
  if (kind.startsWith("[")) return `${wrap(typescript(kind.slice(1, -1), side))}[]`;
  if (kind.startsWith("{")) return `{[key:string]:${wrap(typescript(kind.slice(1, -1), side))}}`;
  if (kind === "int") return "number";
  if (kind === "bool") return "boolean";
  if (/^[A-Z]/.test(kind)) return `${side}.${plain(kind) ?? ""}`;
  return kind;
}

describe("the SDK in lab/plugins/vsphere-sdk and the official one", () => {
  const all = declared();
  const tidy = (text: string): string => text.replace(/;/g, "").replace(/readonly/g, "");

  it.each(Object.keys(facts.resources))("%s takes and gives the official types", (name) => {
    const fact = facts.resources[name];
    const args = all.get(`${name}Args`) ?? new Map<string, string>();
    expect(args.size).toBeGreaterThan(0);
    for (const [key, type] of args) {
      const official = fact?.inputs[key.replace("?", "")] ?? "";
      expect(`${key} ${tidy(type)}`).toBe(
        `${key.replace("?", "")}${official.endsWith("?") ? "?" : ""} pulumi.Input<${typescript(official, "inputs")}>`,
      );
    }
    for (const [key, type] of all.get(name) ?? []) {
      const official = fact?.outputs[key] ?? "";
      const more = official.endsWith("?") ? "|undefined" : "";
      expect(`${key} ${tidy(type)}`).toBe(
        `${key} pulumi.Output<${typescript(official, "outputs")}${more}>`,
      );
    }
  });

  it.each(Object.keys(facts.functions))("%s takes and gives the official types", (name) => {
    const fact = facts.functions[name];
    const upper = (name[0] ?? "").toUpperCase() + name.slice(1);
    for (const [key, type] of all.get(`${upper}Result`) ?? []) {
      const bare = key.replace("?", "");
      const official = fact?.outputs[bare] ?? "";
      expect(`${key} ${tidy(type)}`).toBe(
        `${bare}${official.endsWith("?") ? "?" : ""} ${typescript(official, "outputs")}`,
      );
    }
    for (const [key, type] of all.get(`${upper}Args`) ?? []) {
      const bare = key.replace("?", "");
      expect(`${bare} ${tidy(type)}`).toBe(
        `${bare} ${typescript(fact?.inputs[bare] ?? "", "outputs")}`,
      );
    }
  });

  it.each([...all.keys()].filter((name) => name.includes(".")))(
    "%s has the official members",
    (name) => {
      const [side, bare] = name.split(".") as ["inputs" | "outputs", string];
      const fact =
        facts.types[bare + (side === "inputs" ? "Args" : "")] ?? facts.types[`${bare}Result`];
      for (const [key, type] of all.get(name) ?? []) {
        const member = key.replace("?", "");
        const official = fact?.[member] ?? "";
        const text = typescript(official, side);
        expect(`${key} ${tidy(type)}`).toBe(
          `${member}${official.endsWith("?") ? "?" : ""} ${side === "inputs" ? `pulumi.Input<${text}>` : text}`,
        );
      }
    },
  );
});
