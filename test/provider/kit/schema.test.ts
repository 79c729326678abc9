import { z } from "zod";
import { packageSchema } from "../../../provider/kit/schema";
import type { PackageSchema } from "../../../provider/kit/schema";
import { resource } from "../../../provider/kit/handler";
import type { AnyDefinition } from "../../../provider/kit/session";
import { Shelf, testProvider } from "../../support/test-provider";

/** Schema of a provider that has one resource with one input of the given type. */
function schemaOf(property: z.ZodType, token = "test:shelf:Thing", name = "value"): PackageSchema {
  const inputs = z.object({ [name]: property });
  const handler = resource({
    token,
    description: "A thing.",
    inputs,
    state: inputs,
    replaceOn: [],
    deleteBeforeReplace: false,
    create: () => Promise.reject(new Error("never called")),
    delete: () => Promise.resolve(),
  });
  const definition = { ...testProvider(new Shelf()), resources: [handler], functions: [] };
  return packageSchema(definition);
}

const schema = packageSchema(testProvider(new Shelf()));

test("resources tell inputs from outputs, required, secret and replacing ones", () => {
  const box = schema.resources["test:shelf:Box"];
  expect(box?.requiredInputs).toEqual(["name"]);
  expect(box?.inputProperties["name"]).toEqual({
    type: "string",
    description: "Name on the shelf.",
    willReplaceOnChanges: true,
  });
  expect(box?.inputProperties["sizeBytes"]).toEqual({ type: "string", default: "1024" });
  expect(box?.inputProperties["token"]).toEqual({ type: "string", secret: true });
  expect(box?.required).toEqual(["devices", "hosts", "key", "mode", "name", "serial", "sizeBytes"]);
  expect(box?.properties["key"]).toEqual({ type: "string", secret: true });
});

test("objects and enums with an id become named types in the module of their resource", () => {
  expect(schema.types["test:shelf:Mode"]).toEqual({
    type: "string",
    enum: [{ value: "thin" }, { value: "thick" }],
    description: "How space is taken.",
  });
  // Check applies the default, so a program may leave the property out.
  expect(schema.types["test:shelf:Host"]).toMatchObject({
    type: "object",
    required: ["name", "wwpn"],
    properties: { queueDepth: { type: "integer", default: 32 } },
  });
  expect(schema.provider.inputProperties["devices"]).toEqual({
    type: "object",
    additionalProperties: { $ref: "#/types/test:provider:Device" },
  });
});

test("a discriminated union keeps its discriminator", () => {
  expect(schema.resources["test:shelf:Box"]?.inputProperties["via"]).toMatchObject({
    oneOf: [{ $ref: "#/types/test:shelf:ViaFc" }, { $ref: "#/types/test:shelf:ViaIp" }],
    discriminator: {
      propertyName: "kind",
      mapping: { fc: "#/types/test:shelf:ViaFc", ip: "#/types/test:shelf:ViaIp" },
    },
  });
});

test("functions have inputs and outputs", () => {
  expect(schema.functions["test:shelf:getBox"]).toMatchObject({
    inputs: { type: "object", required: ["name"] },
    outputs: { properties: { key: { type: "string", secret: true } } },
  });
});

test("free values, assets, lists, maps, recursion and nullable ones have a form", () => {
  const value = (property: z.ZodType): unknown =>
    schemaOf(property).resources["test:shelf:Thing"]?.inputProperties["value"];
  expect(value(z.unknown())).toMatchObject({ $ref: "pulumi.json#/Any" });
  expect(value(z.array(z.number()))).toMatchObject({ type: "array", items: { type: "number" } });
  expect(value(z.string().nullable())).toMatchObject({ type: "string" });
  expect(value(z.array(z.string()).default(["x"]))).not.toHaveProperty("default");
  interface Tree {
    readonly children: readonly Tree[];
  }
  const tree: z.ZodType<Tree> = z
    .object({ children: z.array(z.lazy(() => tree)) })
    .meta({ id: "Tree" });
  expect(schemaOf(tree).types["test:shelf:Tree"]).toMatchObject({
    properties: { children: { items: { $ref: "#/types/test:shelf:Tree" } } },
  });
});

test("foreign tokens keep their form, and a whole token may be an id", () => {
  const disk = z.object({ label: z.string() }).meta({ id: "VirtualMachineDisk" });
  const foreign = schemaOf(z.array(disk), "vsphere:index/virtualMachine:VirtualMachine");
  expect(Object.keys(foreign.types)).toContain("test:index/VirtualMachineDisk:VirtualMachineDisk");
  const whole = z.object({ a: z.string() }).meta({ id: "other:index/Whole:Whole" });
  expect(schemaOf(whole).resources["test:shelf:Thing"]?.inputProperties["value"]).toMatchObject({
    $ref: "#/types/other:index/Whole:Whole",
  });
});

test.each([
  ["an inline object", z.object({ a: z.string() }), "value: an inline object needs .meta({ id })"],
  ["an inline object in a list", z.array(z.object({})), "value[]: an inline object"],
  ["an inline enum", z.enum(["a"]), "value: an enum needs .meta({ id })"],
  ["a tuple", z.tuple([z.string()]), "value: Pulumi has no tuples"],
  ["a union of plain types", z.union([z.string(), z.number()]), "value: a union needs"],
  [
    "a union without a constant",
    z.union([z.object({ a: z.string() }).meta({ id: "A" }), z.string()]),
    "value: a union needs",
  ],
  ["a 64-bit number", z.bigint(), "BigInt"],
  ["a date", z.date(), "Date"],
  ["a null", z.null(), "Pulumi has no null"],
])("refuses %s", (_what, property, message) => {
  expect(() => schemaOf(property)).toThrow(message);
});

test.each(["id", "urn", "__defaults"])("refuses the reserved name %s", (name) => {
  expect(() => schemaOf(z.string(), "test:shelf:Thing", name)).toThrow(
    `test:shelf:Thing ${name}: is a reserved name`,
  );
});

test("refuses a wrong token, a replace key that is no input, and two types of one name", () => {
  expect(() => schemaOf(z.string(), "Thing")).toThrow("Thing: is no token");
  const one = z.object({ a: z.string() }).meta({ id: "Same" });
  const definition = testProvider(new Shelf());
  const [box, ...others] = definition.resources;
  const stray = { ...box, replaceOn: ["nam"] };
  expect(() =>
    packageSchema({ ...definition, resources: [stray, ...others] } as unknown as AnyDefinition),
  ).toThrow("test:shelf:Box nam: is in replaceOn but is no input");
  const thing = (name: string, type: z.ZodType): unknown => ({
    ...box,
    token: `test:shelf:${name}`,
    inputs: z.object({ x: type }),
    state: z.object({ x: type }),
    replaceOn: [],
  });
  // Taken from the registry first: zod itself allows an id only once in one conversion.
  const first = thing("One", one);
  const second = thing("Two", z.object({ b: z.string() }).meta({ id: "Same" }));
  expect(() =>
    packageSchema({ ...definition, resources: [first, second] } as unknown as AnyDefinition),
  ).toThrow("another type of this name is in the same module (test:shelf:Same)");
});
