import fc from "fast-check";
import { z } from "zod";
import { parseInputs, parseRecorded } from "../../../provider/kit/parse";
import { setAt } from "../../../provider/kit/property-path";
import type { Path } from "../../../provider/kit/property-path";
import { decode, unknownValue } from "../../../provider/kit/values";
import { unknown } from "../../support/plugin-client";

const port = z.object({
  wwpn: z.string().regex(/^[0-9a-f]{16}$/),
  speed: z.int().min(1).default(32),
});
const schema = z.object({
  name: z.string().min(3),
  count: z.int().max(10).optional(),
  sizes: z.record(z.string(), z.string().regex(/^\d+$/)),
  hosts: z
    .array(z.object({ name: z.string().min(1), ports: z.array(port).min(1) }))
    .refine((hosts) => new Set(hosts.map((h) => h.name)).size === hosts.length, "names differ"),
  via: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("fc"), ports: z.array(z.string().min(1)) }),
    z.object({ kind: z.literal("ip"), address: z.object({ host: z.string(), port: z.number() }) }),
  ]),
  either: z.union([z.string().min(2), z.object({ nested: z.boolean() })]).optional(),
});

const wwpn = fc.stringMatching(/^[0-9a-f]{16}$/);
const valid = fc.record(
  {
    name: fc.string({ minLength: 3 }),
    count: fc.integer({ min: -5, max: 10 }),
    sizes: fc.dictionary(fc.constantFrom("data", "log", "temp"), fc.nat().map(String), {
      noNullPrototype: true,
    }),
    hosts: fc.uniqueArray(
      fc.record({
        name: fc.string({ minLength: 1 }),
        ports: fc.array(fc.record({ wwpn }, { noNullPrototype: true }), {
          minLength: 1,
          maxLength: 3,
        }),
      }),
      { maxLength: 3, selector: (host) => host.name },
    ),
    via: fc.oneof(
      fc.record({ kind: fc.constant("fc"), ports: fc.array(fc.string({ minLength: 1 })) }),
      fc.record({
        kind: fc.constant("ip"),
        address: fc.record({ host: fc.string(), port: fc.nat() }),
      }),
    ),
    either: fc.oneof(fc.string({ minLength: 2 }), fc.record({ nested: fc.boolean() })),
  },
  { requiredKeys: ["name", "sizes", "hosts", "via"], noNullPrototype: true },
);

/** Every place in a value, from the top-level properties down. */
function places(node: unknown, path: Path = []): Path[] {
  const below =
    typeof node === "object" && node !== null
      ? Object.entries(node).flatMap(([key, inner]) =>
          places(inner, [...path, Array.isArray(node) ? Number(key) : key]),
        )
      : [];
  return path.length === 0 ? below : [path, ...below];
}

test("whatever is unknown in a valid value, nothing is wrong, and it stays unknown", () => {
  fc.assert(
    fc.property(valid, fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), (value, picks) => {
      const all = places(value);
      const wire = structuredClone(value) as Record<string, unknown>;
      for (const pick of picks) {
        const path = all[pick % all.length];
        if (path !== undefined) setAt(wire, path, unknown);
      }
      const decoded = decode(wire);
      const parsed = parseInputs(schema, decoded);
      expect(parsed.problems).toEqual([]);
      expect(decode(wire).unknowns.length).toBeGreaterThan(0);
      for (const path of decoded.unknowns) {
        const found = path.reduce<unknown>(
          (node, segment) => (node as Record<string, unknown>)[segment],
          parsed.value,
        );
        expect(found).toBe(unknownValue);
      }
    }),
    { numRuns: 500 },
  );
});

test("without unknowns the result is zod's own", () => {
  fc.assert(
    fc.property(valid, (value) => {
      const { value: parsed, problems } = parseInputs(schema, decode(value));
      expect(problems).toEqual([]);
      expect(parsed).toEqual(schema.parse(value));
    }),
  );
});

test("a rule over the whole list waits until all of the list is known", () => {
  const hosts = (second: unknown): unknown => [
    { name: "a", ports: [{ wwpn: "0".repeat(16) }] },
    { name: second, ports: [{ wwpn: "1".repeat(16) }] },
  ];
  const wire = { name: "bed", sizes: {}, via: { kind: "fc", ports: [] } };
  const problems = (second: unknown): readonly unknown[] =>
    parseInputs(schema, decode({ ...wire, hosts: hosts(second) })).problems;
  expect(problems("a")).toEqual([{ path: "hosts", message: "names differ" }]);
  expect(problems(unknown)).toEqual([]);
  expect(problems("b")).toEqual([]);
});

test("the member of a union that fits best says what is wrong", () => {
  const wire = { name: "bed", sizes: {}, hosts: [], via: { kind: "fc", ports: [] } };
  const { problems } = parseInputs(schema, decode({ ...wire, either: { nested: "yes" } }));
  expect(problems).toEqual([
    { path: "either.nested", message: "Invalid input: expected boolean, received string" },
  ]);
});

test("what an older version recorded is read with today's defaults and never refused", () => {
  const recorded = { name: "x", hosts: [{ name: "a", ports: [{ wwpn: "not one" }] }], retired: 1 };
  expect(parseRecorded(schema, recorded)).toMatchObject({
    name: "x",
    retired: 1,
    hosts: [{ name: "a", ports: [{ wwpn: "not one", speed: 32 }] }],
  });
});
