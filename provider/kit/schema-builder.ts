import { z } from "zod";
import { SanbedError } from "../../bed/errors";

/** A property or type reference in Pulumi's schema. */
export interface PropertySpec {
  readonly $ref?: string;
  readonly type?: string;
  readonly items?: PropertySpec;
  readonly additionalProperties?: PropertySpec;
  readonly oneOf?: readonly PropertySpec[];
  readonly discriminator?: {
    readonly propertyName: string;
    readonly mapping: Record<string, string>;
  };
  readonly const?: string;
  readonly default?: string | number | boolean;
  readonly description?: string;
  readonly deprecationMessage?: string;
  readonly secret?: boolean;
  readonly willReplaceOnChanges?: boolean;
}

export interface ObjectSpec {
  readonly type: "object";
  readonly properties: Readonly<Record<string, PropertySpec>>;
  readonly required: readonly string[];
  readonly description?: string;
}

interface EnumSpec {
  readonly type: "string" | "integer" | "number";
  readonly enum: readonly { readonly value: string | number }[];
  readonly description?: string;
}

export type TypeSpec = ObjectSpec | EnumSpec;

/** A zod schema says something that a Pulumi schema cannot. */
export class SchemaError extends SanbedError {
  constructor(token: string, path: string, reason: string) {
    super("schema", `${token}${path === "" ? "" : ` ${path}`}: ${reason}`);
  }
}

/** The part of JSON Schema that zod gives. */
interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly enum?: readonly (string | number)[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly secret?: boolean;
  readonly pulumiRef?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

const reservedNames = new Set(["id", "urn", "pulumi"]);

/** Collects the named types of one package while objects are turned into Pulumi's form. */
export class SchemaBuilder {
  private readonly packageName: string;
  private readonly found = new Map<string, TypeSpec>();
  /** Names already looked at, per conversion. */
  private readonly seen = new WeakMap<object, Set<string>>();

  constructor(packageName: string) {
    this.packageName = packageName;
  }

  /**
   * Properties of a resource, a function or the provider. `token` is for messages. `allowed` are
   * reserved names that have their usual meaning there: a function may answer an `id`.
   */
  object(
    schema: z.ZodObject,
    io: "input" | "output",
    module: string,
    token: string,
    allowed: readonly string[] = [],
  ): Omit<ObjectSpec, "type"> {
    let json: JsonSchema;
    try {
      json = z.toJSONSchema(schema, { io }) as JsonSchema;
    } catch (error) {
      throw new SchemaError(token, "", `${io}: ${(error as Error).message}`);
    }
    const root = json.$ref === undefined ? json : (json.$defs?.[nameOf(json.$ref)] ?? {});
    const scope = { token, module, defs: json.$defs ?? {} };
    const reserved = Object.keys(root.properties ?? {}).find(
      (name) => (reservedNames.has(name) && !allowed.includes(name)) || name.startsWith("__"),
    );
    if (reserved !== undefined) throw new SchemaError(token, reserved, "is a reserved name");
    const { properties, required } = this.members(scope, root, "");
    return { properties, required };
  }

  /** All named types, by token. */
  types(): Record<string, TypeSpec> {
    return Object.fromEntries([...this.found].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  private members(scope: Scope, node: JsonSchema, path: string): ObjectSpec {
    const properties: Record<string, PropertySpec> = {};
    for (const [name, member] of Object.entries(node.properties ?? {})) {
      properties[name] = this.property(scope, member, path === "" ? name : `${path}.${name}`);
    }
    const nullable = (name: string): boolean => isNullable(node.properties?.[name]);
    const required = [...(node.required ?? [])].filter((name) => !nullable(name)).sort();
    return { type: "object", properties, required };
  }

  private property(scope: Scope, node: JsonSchema, path: string): PropertySpec {
    const kept: Record<string, unknown> = {};
    if (node.description !== undefined) kept["description"] = node.description;
    if (node.secret === true) kept["secret"] = true;
    if (node.deprecated === true) kept["deprecationMessage"] = node.description ?? "deprecated";
    // Pulumi takes no default of a list or object; check applies it.
    if (["string", "number", "boolean"].includes(typeof node.default))
      kept["default"] = node.default;
    return { ...this.shape(scope, withoutNull(node), path), ...kept };
  }

  private shape(scope: Scope, node: JsonSchema, path: string): PropertySpec {
    if (node.pulumiRef !== undefined) return { $ref: node.pulumiRef };
    if (node.$ref !== undefined) return { $ref: `#/types/${this.named(scope, nameOf(node.$ref))}` };
    if (node.oneOf !== undefined) return this.choice(scope, node.oneOf, path);
    const refused = reasonToRefuse(node);
    if (refused !== undefined) throw new SchemaError(scope.token, path, refused);
    if (node.type === undefined) return { $ref: "pulumi.json#/Any" };
    if (node.type === "array") {
      return { type: "array", items: this.property(scope, node.items ?? {}, `${path}[]`) };
    }
    if (node.type === "object") {
      const values = typeof node.additionalProperties === "object" ? node.additionalProperties : {};
      return { type: "object", additionalProperties: this.property(scope, values, `${path}{}`) };
    }
    const constant = typeof node.const === "string" ? { const: node.const } : {};
    return { type: String(node.type), ...constant };
  }

  private choice(scope: Scope, members: readonly JsonSchema[], path: string): PropertySpec {
    const constants = members.map((member) => {
      const name = member.$ref === undefined ? undefined : nameOf(member.$ref);
      if (name === undefined) {
        throw new SchemaError(scope.token, path, "every member of a union needs .meta({ id })");
      }
      const found = Object.entries(scope.defs[name]?.properties ?? {}).find(
        ([, p]) => typeof p.const === "string",
      );
      if (found === undefined) {
        throw new SchemaError(
          scope.token,
          path,
          `member ${name} of the union has no constant to tell it by`,
        );
      }
      return { property: found[0], value: String(found[1].const), token: this.named(scope, name) };
    });
    const propertyName = constants[0]?.property ?? "";
    const mapping = Object.fromEntries(
      constants.map(({ value, token }) => [value, `#/types/${token}`]),
    );
    return {
      oneOf: constants.map(({ token }) => ({ $ref: `#/types/${token}` })),
      discriminator: { propertyName, mapping },
    };
  }

  /** Registers a named type and gives its token. An id with colons is a whole token already. */
  private named(scope: Scope, id: string): string {
    const module = scope.module.includes("/")
      ? `${scope.module.split("/")[0] ?? ""}/${id}`
      : scope.module;
    const token = id.includes(":") ? id : `${this.packageName}:${module}:${id}`;
    // Marked before its members are looked at: a type may contain itself.
    const seen = this.seen.get(scope.defs) ?? new Set();
    this.seen.set(scope.defs, seen);
    if (seen.has(id)) return token;
    seen.add(id);
    const spec = this.typeOf(scope, scope.defs[id] ?? {}, id);
    const before = this.found.get(token);
    // The input form decides what may be left out; it always comes first.
    if (before === undefined) this.found.set(token, spec);
    else if (!sameMembers(before, spec)) {
      throw new SchemaError(
        scope.token,
        id,
        `another type of this name is in the same module (${token})`,
      );
    }
    return token;
  }

  private typeOf(scope: Scope, node: JsonSchema, id: string): TypeSpec {
    const description = node.description === undefined ? {} : { description: node.description };
    if (node.enum !== undefined) {
      const type = typeof node.enum[0] === "number" ? "number" : "string";
      return { type, enum: node.enum.map((value) => ({ value })), ...description };
    }
    if (node.type !== "object" || node.properties === undefined) {
      throw new SchemaError(
        scope.token,
        id,
        ".meta({ id }) belongs on objects with properties and on enums",
      );
    }
    return { ...this.members(scope, node, id), ...description };
  }
}

/** What Pulumi cannot say, or would take as something weaker without a word. */
function reasonToRefuse(node: JsonSchema): string | undefined {
  if (node.anyOf !== undefined || node.allOf !== undefined || Array.isArray(node.type)) {
    return "a union needs z.discriminatedUnion over objects with .meta({ id })";
  }
  if (node.enum !== undefined) return "an enum needs .meta({ id }): else it becomes a plain string";
  if (node.prefixItems !== undefined) return "Pulumi has no tuples: use an object or a list";
  if (node.type === "null") return "Pulumi has no null: leave the property out";
  if (node.type === "object" && node.properties !== undefined) {
    return "an inline object needs .meta({ id }): else it becomes a plain map";
  }
  return undefined;
}

interface Scope {
  readonly token: string;
  readonly module: string;
  readonly defs: Readonly<Record<string, JsonSchema>>;
}

function nameOf(ref: string): string {
  return ref.replace("#/$defs/", "").replaceAll("~1", "/").replaceAll("~0", "~");
}

function isNullable(node: JsonSchema | undefined): boolean {
  const types = node?.type;
  if (Array.isArray(types)) return types.includes("null");
  return node?.anyOf?.some((member) => member.type === "null") === true;
}

function withoutNull(node: JsonSchema): JsonSchema {
  if (!isNullable(node)) return node;
  if (Array.isArray(node.type)) {
    const rest = (node.type as readonly string[]).filter((type) => type !== "null");
    return { ...node, type: rest.length === 1 ? (rest[0] ?? "") : rest };
  }
  const rest = (node.anyOf ?? []).filter((member) => member.type !== "null");
  return rest.length === 1 ? { ...rest[0] } : { anyOf: rest };
}

function sameMembers(a: TypeSpec, b: TypeSpec): boolean {
  const names = (spec: TypeSpec): string =>
    "enum" in spec ? JSON.stringify(spec.enum) : Object.keys(spec.properties).sort().join(",");
  return names(a) === names(b);
}
