import type { PackageSchema } from "../../provider/kit/schema";
import type { PropertySpec } from "../../provider/kit/schema-builder";
import { docComment } from "./doc-comment";

/**
 * `plain`: values as functions take and outputs hold them. `input`: every value, at any depth, may
 * also be an output of another resource.
 */
export type Form = "plain" | "input";

/** Name of a named type: `HostZonesFabric` plain, `HostZonesFabricArgs` as input. Enums have one name. */
export function typeName(schema: PackageSchema, token: string, form: Form): string {
  const name = token.slice(token.lastIndexOf(":") + 1);
  const spec = schema.types[token];
  if (spec === undefined) throw new Error(`the schema has no type ${token}`);
  return form === "input" && !("enum" in spec) ? `${name}Args` : name;
}

/** TypeScript of a property's type. Named types that it needs are added to `used`, as `token form`. */
export function typeText(
  schema: PackageSchema,
  spec: PropertySpec,
  form: Form,
  used: Set<string>,
): string {
  if (spec.$ref !== undefined) return refText(schema, spec.$ref, form, used);
  if (spec.oneOf !== undefined) {
    return spec.oneOf.map((member) => typeText(schema, member, form, used)).join(" | ");
  }
  if (spec.const !== undefined) return JSON.stringify(spec.const);
  switch (spec.type) {
    case "string":
    case "boolean":
    case "number":
      return spec.type;
    case "integer":
      return "number";
    case "array": {
      const inner = memberText(schema, spec.items ?? {}, form, used);
      return inner.includes(" | ") ? `(${inner})[]` : `${inner}[]`;
    }
    case "object":
      return `Record<string, ${memberText(schema, spec.additionalProperties ?? {}, form, used)}>`;
    case undefined:
    default:
      throw new Error(`no TypeScript for ${JSON.stringify(spec)}`);
  }
}

/** Members of an interface, each with its comment. */
export function membersText(
  schema: PackageSchema,
  properties: Readonly<Record<string, PropertySpec>>,
  required: readonly string[],
  form: Form,
  used: Set<string>,
): string {
  return Object.entries(properties)
    .map(([name, spec]) => {
      const mark = required.includes(name) ? "" : "?";
      const text = memberText(schema, spec, form, used);
      return `${docComment(spec.description, "  ")}  readonly ${keyText(name)}${mark}: ${text};\n`;
    })
    .join("");
}

/** A property name as it stands in an object or interface. */
export function keyText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function memberText(
  schema: PackageSchema,
  spec: PropertySpec,
  form: Form,
  used: Set<string>,
): string {
  const text = typeText(schema, spec, form, used);
  return form === "input" ? `pulumi.Input<${text}>` : text;
}

function refText(schema: PackageSchema, ref: string, form: Form, used: Set<string>): string {
  if (ref === "pulumi.json#/Any") return form === "input" ? "unknown" : "any";
  if (ref === "pulumi.json#/Asset") return "pulumi.asset.Asset | pulumi.asset.Archive";
  if (ref === "pulumi.json#/Archive") return "pulumi.asset.Archive";
  const token = ref.replace("#/types/", "");
  used.add(`${token} ${form}`);
  return typeName(schema, token, form);
}
