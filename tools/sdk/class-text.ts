import type { FunctionSpec, PackageSchema, ResourceSpec } from "../../provider/kit/schema";
import type { PropertySpec } from "../../provider/kit/schema-builder";
import { docComment } from "./doc-comment";
import { keyText, membersText, typeText } from "./type-text";

/** The class of a resource and the interface of its arguments. */
export function resourceText(
  schema: PackageSchema,
  token: string,
  spec: ResourceSpec,
  used: Set<string>,
): string {
  const name = nameOf(token);
  const outputs = Object.entries(spec.properties).map(([property, type]) => {
    const optional = spec.required.includes(property) ? "" : " | undefined";
    const text = typeText(schema, type, "plain", used);
    return `${docComment(type.description, "  ")}  declare public readonly ${property}: pulumi.Output<${text}${optional}>;\n`;
  });
  const args = membersText(schema, spec.inputProperties, spec.requiredInputs, "input", used);
  return `${docComment(spec.description)}export class ${name} extends pulumi.CustomResource {
  /** @internal */
  public static readonly __pulumiType = ${JSON.stringify(token)};

  /** Looks up an existing resource by its id. */
  public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ${name} {
    return new ${name}(name, undefined as never, { ...opts, id });
  }

  /** True for a ${name}, also from another copy of this SDK in the same process. */
  public static override isInstance(value: unknown): value is ${name} {
    return (value as { __pulumiType?: unknown } | undefined)?.__pulumiType === ${name}.__pulumiType;
  }

${outputs.join("\n")}
  constructor(name: string, args: ${name}Args, opts: pulumi.CustomResourceOptions = {}) {
${constructorBody(name, spec)}  }
}

${docComment(`Arguments of {@link ${name}}.`)}export interface ${name}Args {
${args}}
`;
}

function constructorBody(name: string, spec: ResourceSpec): string {
  const inputs = Object.entries(spec.inputProperties);
  const outputsOnly = Object.keys(spec.properties).filter((p) => !(p in spec.inputProperties));
  const secrets = Object.entries(spec.properties).filter(([, type]) => type.secret === true);
  const lines = [
    "const inputs: pulumi.Inputs = {};",
    // Look-ups come without arguments, whatever the type says.
    `const given: Partial<${name}Args> = (args as ${name}Args | undefined) ?? {};`,
    "if (opts.id === undefined) {",
    "  if (opts.urn === undefined) {",
    ...spec.requiredInputs.map((p) => `    required(given.${p}, ${JSON.stringify(p)});`),
    "  }",
    ...inputs.map(([p, type]) => `  inputs[${JSON.stringify(p)}] = ${inputText(p, type)};`),
    ...outputsOnly.map((p) => `  inputs[${JSON.stringify(p)}] = undefined;`),
    "} else {",
    ...Object.keys(spec.properties).map((p) => `  inputs[${JSON.stringify(p)}] = undefined;`),
    "}",
    secrets.length === 0
      ? "const own = { version: packageVersion };"
      : `const own = { version: packageVersion, additionalSecretOutputs: ${JSON.stringify(secrets.map(([p]) => p))} };`,
    `super(${name}.__pulumiType, name, inputs, pulumi.mergeOptions(own, opts));`,
  ];
  return lines.map((line) => `    ${line}\n`).join("");
}

function inputText(property: string, spec: PropertySpec): string {
  return spec.secret === true ? `secret(given.${property})` : `given.${property}`;
}

/** A function of the package: plain, answering a promise, and over outputs. */
export function functionText(
  schema: PackageSchema,
  token: string,
  spec: FunctionSpec,
  used: Set<string>,
): string {
  const name = nameOf(token);
  const type = name.charAt(0).toUpperCase() + name.slice(1);
  const members = (form: "plain" | "input"): string =>
    membersText(schema, spec.inputs.properties, spec.inputs.required, form, used);
  const passed = Object.keys(spec.inputs.properties)
    .map((property) => `${keyText(property)}: args.${property}`)
    .join(", ");
  const noArgs = spec.inputs.required.length === 0 ? " = {}" : "";
  return `${docComment(spec.description)}export function ${name}(args: ${type}Args${noArgs}, opts: pulumi.InvokeOptions = {}): Promise<${type}Result> {
  return pulumi.runtime.invoke(${JSON.stringify(token)}, { ${passed} }, { version: packageVersion, ...opts }) as Promise<${type}Result>;
}

${docComment(`${spec.description}\nArguments may be outputs.`)}export function ${name}Output(
  args: ${type}OutputArgs${noArgs},
  opts: pulumi.InvokeOutputOptions = {},
): pulumi.Output<${type}Result> {
  return pulumi.runtime.invokeOutput(${JSON.stringify(token)}, { ${passed} }, { version: packageVersion, ...opts });
}

${docComment(`Arguments of {@link ${name}}.`)}export interface ${type}Args {
${members("plain")}}

${docComment(`Arguments of {@link ${name}Output}.`)}export interface ${type}OutputArgs {
${members("input")}}

${docComment(`Result of {@link ${name}}.`)}export interface ${type}Result {
${membersText(schema, spec.outputs.properties, spec.outputs.required, "plain", used)}}
`;
}

/** Last part of a token: the class or function name. */
function nameOf(token: string): string {
  return token.slice(token.lastIndexOf(":") + 1);
}
