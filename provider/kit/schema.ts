import { z } from "zod";
import type { AnyDefinition, AnyFunction, AnyResource } from "./session";
import { SchemaBuilder, SchemaError } from "./schema-builder";
import type { ObjectSpec, PropertySpec, TypeSpec } from "./schema-builder";

/** Pulumi's package schema, as far as it is used here (pkg/codegen/schema, "Pulumi package metaschema"). */
export interface PackageSchema {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly config: { readonly variables: Properties; readonly required: readonly string[] };
  readonly types: Readonly<Record<string, TypeSpec>>;
  readonly provider: InputSpec & { readonly description?: string };
  readonly resources: Readonly<Record<string, ResourceSpec>>;
  readonly functions: Readonly<Record<string, FunctionSpec>>;
}

type Properties = Readonly<Record<string, PropertySpec>>;

interface InputSpec {
  readonly inputProperties: Properties;
  readonly requiredInputs: readonly string[];
}

export interface ResourceSpec extends InputSpec {
  readonly description: string;
  readonly properties: Properties;
  readonly required: readonly string[];
}

export interface FunctionSpec {
  readonly description: string;
  readonly inputs: ObjectSpec;
  readonly outputs: ObjectSpec;
}

/**
 * Makes the package schema from a definition's zod schemas. Order is by token, so the text is stable.
 * @throws {SchemaError} for what a Pulumi schema cannot say, or would silently turn into a plain map.
 */
export function packageSchema(definition: AnyDefinition): PackageSchema {
  const types = new SchemaBuilder(definition.name);
  const config = types.object(definition.config, "input", "provider", "config");
  const resources = sorted(definition.resources).map((handler) => [
    handler.token,
    resourceSpec(types, handler),
  ]);
  const functions = sorted(definition.functions).map((handler) => [
    handler.token,
    functionSpec(types, handler),
  ]);
  const description =
    definition.description === undefined ? {} : { description: definition.description };
  return {
    name: definition.name,
    version: definition.version,
    ...description,
    config: { variables: config.properties, required: config.required },
    types: types.types(),
    provider: {
      ...description,
      inputProperties: config.properties,
      requiredInputs: config.required,
    },
    resources: Object.fromEntries(resources) as Record<string, ResourceSpec>,
    functions: Object.fromEntries(functions) as Record<string, FunctionSpec>,
  };
}

function resourceSpec(types: SchemaBuilder, handler: AnyResource): ResourceSpec {
  const { token } = handler;
  const module = moduleOf(token);
  const inputs = types.object(handler.inputs, "input", module, token);
  const state = types.object(handler.state, "output", module, token);
  const stray = handler.replaceOn.find((name) => !(name in inputs.properties));
  if (stray !== undefined) throw new SchemaError(token, stray, "is in replaceOn but is no input");
  const inputProperties = Object.fromEntries(
    Object.entries(inputs.properties).map(([name, property]) => {
      const replaces = handler.update === undefined || handler.replaceOn.includes(name);
      return [name, replaces ? { ...property, willReplaceOnChanges: true } : property];
    }),
  );
  return {
    description: handler.description,
    properties: { ...inputs.properties, ...state.properties },
    required: [...new Set([...inputs.required, ...state.required])].sort(),
    inputProperties,
    requiredInputs: inputs.required,
  };
}

function functionSpec(types: SchemaBuilder, handler: AnyFunction): FunctionSpec {
  const module = moduleOf(handler.token);
  const inputs = types.object(handler.inputs, "input", module, handler.token);
  const outputs = types.object(handler.outputs, "output", module, handler.token, ["id"]);
  return {
    description: handler.description,
    inputs: { type: "object", ...inputs },
    outputs: { type: "object", ...outputs },
  };
}

function moduleOf(token: string): string {
  const parts = token.split(":");
  if (parts.length !== 3 || parts.some((part) => part === "")) {
    throw new SchemaError(token, "", "is no token: expected <package>:<module>:<Name>");
  }
  return parts[1] ?? "";
}

function sorted<T extends { readonly token: string }>(handlers: readonly T[]): T[] {
  return [...handlers].sort((a, b) => (a.token < b.token ? -1 : 1));
}

/** Marks a property that takes an asset (a file or text) or, with `archive`, an archive as well. */
export function assetSchema(kind: "Asset" | "Archive"): z.ZodUnknown {
  return z.unknown().meta({ pulumiRef: `pulumi.json#/${kind}` });
}
