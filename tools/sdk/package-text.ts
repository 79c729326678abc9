import type { PackageSchema } from "../../provider/kit/schema";
import type { PropertySpec } from "../../provider/kit/schema-builder";
import { functionText, resourceText } from "./class-text";
import { docComment } from "./doc-comment";
import { membersText, typeName } from "./type-text";

const banner = "// Made from provider/schema.json by tools/generate-sdk.ts. Do not edit.\n";

/** The SDK of a package: file name -> text. One file per module, `provider.ts` and `index.ts`. */
export function sdkFiles(schema: PackageSchema): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const modules = modulesOf(schema);
  for (const module of modules) files.set(`${module}.ts`, moduleText(schema, module));
  files.set("provider.ts", providerText(schema));
  files.set("version.ts", versionText(schema));
  files.set("index.ts", indexText(modules));
  return files;
}

function moduleText(schema: PackageSchema, module: string): string {
  const used = new Set<string>();
  const inModule = (token: string): boolean => moduleOf(token) === module;
  const resources = Object.entries(schema.resources).filter(([token]) => inModule(token));
  const functions = Object.entries(schema.functions).filter(([token]) => inModule(token));
  const parts = [
    ...resources.map(([token, spec]) => resourceText(schema, token, spec, used)),
    ...functions.map(([token, spec]) => functionText(schema, token, spec, used)),
  ];
  const types = typesText(schema, module, used);
  const body = [...parts, ...types.parts];
  refuseDoubles(module, body);
  const helpers = ["packageVersion", "required", "secret"].filter((name) =>
    body.some((part) => new RegExp(`\\b${name}\\b(?!:)`).test(part)),
  );
  const imports = [
    'import * as pulumi from "@pulumi/pulumi";\n',
    ...[...types.imports].map(
      ([from, names]) => `import type { ${names.join(", ")} } from "./${from}";\n`,
    ),
    helpers.length === 0 ? "" : `import { ${helpers.join(", ")} } from "./version";\n`,
  ];
  return [`${banner}${imports.join("")}`, ...body].join("\n");
}

/** Interfaces and enums that a module's classes need, and those they need in turn. */
function typesText(
  schema: PackageSchema,
  module: string,
  used: Set<string>,
): { readonly parts: string[]; readonly imports: ReadonlyMap<string, string[]> } {
  const texts = new Map<string, string>();
  const imports = new Map<string, string[]>();
  // `used` grows while it is walked: a type may need further types.
  for (const need of used) {
    const [token, form] = need.split(" ") as [string, "plain" | "input"];
    const name = typeName(schema, token, form);
    const from = moduleOf(token);
    if (from === module) texts.set(name, typeText(schema, token, form, used));
    else if (!imports.get(from)?.includes(name))
      imports.set(from, [...(imports.get(from) ?? []), name]);
  }
  const parts = [...texts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  return { parts, imports };
}

function typeText(
  schema: PackageSchema,
  token: string,
  form: "plain" | "input",
  used: Set<string>,
): string {
  const spec = schema.types[token];
  if (spec === undefined) throw new Error(`the schema has no type ${token}`);
  const name = typeName(schema, token, form);
  const doc = docComment(spec.description);
  if ("enum" in spec) {
    const members = spec.enum.map(
      ({ value }) => `  ${enumKey(value)}: ${JSON.stringify(value)},\n`,
    );
    return `${doc}export const ${name} = {\n${members.join("")}} as const;\n\n${doc}export type ${name} = (typeof ${name})[keyof typeof ${name}];\n`;
  }
  const members = membersText(schema, spec.properties, spec.required, form, used);
  return `${doc}export interface ${name} {\n${members}}\n`;
}

function providerText(schema: PackageSchema): string {
  const used = new Set<string>();
  const { inputProperties, requiredInputs, description } = schema.provider;
  const args = membersText(schema, inputProperties, requiredInputs, "input", used);
  const types = typesText(schema, "provider", used);
  const lines = [
    ...requiredInputs.map((p) => `required(args.${p}, ${JSON.stringify(p)});`),
    "const inputs: pulumi.Inputs = {",
    ...Object.entries(inputProperties).map(([p, spec]) => `  ${p}: ${providerInput(p, spec)},`),
    "};",
    `super(${JSON.stringify(schema.name)}, name, inputs, pulumi.mergeOptions({ version: packageVersion }, opts));`,
  ];
  const helpers = ["packageVersion", "required", "secret"].filter((helper) =>
    lines.some((line) => line.includes(helper)),
  );
  const usesText = lines.some((line) => line.includes("jsonText("));
  const head = `${banner}import * as pulumi from "@pulumi/pulumi";\nimport { ${helpers.join(", ")} } from "./version";\n`;
  const provider = `${docComment(description)}export class Provider extends pulumi.ProviderResource {
  /** @internal */
  public static readonly __pulumiType = ${JSON.stringify(schema.name)};

  /** True for this package's provider, also from another copy of this SDK in the same process. */
  public static override isInstance(value: unknown): value is Provider {
    const type = (value as { __pulumiType?: unknown } | undefined)?.__pulumiType;
    return type === \`pulumi:providers:\${Provider.__pulumiType}\`;
  }

  constructor(name: string, args: ProviderArgs, opts: pulumi.ResourceOptions = {}) {
${lines.map((line) => `    ${line}\n`).join("")}  }
}

/** Arguments of {@link Provider}. */
export interface ProviderArgs {
${args}}
`;
  const jsonText = `/** Settings of a provider travel as text; the plugin takes objects as JSON. */
function jsonText(value: unknown): pulumi.Output<string> | undefined {
  if (value === undefined) return undefined;
  return pulumi.output(value).apply((plain) => JSON.stringify(plain));
}
`;
  return [head, provider, ...(usesText ? [jsonText] : []), ...types.parts].join("\n");
}

function providerInput(property: string, spec: PropertySpec): string {
  const plain = spec.type === "string" ? `args.${property}` : `jsonText(args.${property})`;
  return spec.secret === true ? `secret(${plain})` : plain;
}

function versionText(schema: PackageSchema): string {
  return `${banner}import * as pulumi from "@pulumi/pulumi";

/** Version of the package: the engine starts the plugin of the same version. */
export const packageVersion = ${JSON.stringify(schema.version)};

/** @internal */
export function required(value: unknown, property: string): void {
  if (value === undefined) throw new Error(\`Missing required property '\${property}'\`);
}

/** @internal */
export function secret(value: unknown): unknown {
  return value === undefined ? undefined : pulumi.secret(value);
}
`;
}

function indexText(modules: readonly string[]): string {
  const exports = modules.map((module) => `export * as ${module} from "./${module}";\n`);
  return `${banner}${exports.join("")}export { Provider, type ProviderArgs } from "./provider";\nexport { packageVersion } from "./version";\n`;
}

function modulesOf(schema: PackageSchema): string[] {
  const tokens = [...Object.keys(schema.resources), ...Object.keys(schema.functions)];
  return [...new Set(tokens.map(moduleOf))].sort();
}

function moduleOf(token: string): string {
  return token.split(":")[1] ?? "";
}

function enumKey(value: string | number): string {
  const words = String(value)
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "");
  const key = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[A-Za-z]/.test(key) ? key : `_${key}`;
}

function refuseDoubles(module: string, parts: readonly string[]): void {
  const names = parts.flatMap((part) =>
    [...part.matchAll(/^export (?:class|interface|function|const) (\w+)/gm)].map(
      (match) => match[1] ?? "",
    ),
  );
  const double = names.find((name, i) => names.indexOf(name) !== i);
  if (double !== undefined)
    throw new Error(`module ${module} of the SDK would have two things named ${double}`);
}
