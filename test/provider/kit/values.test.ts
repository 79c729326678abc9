import fc from "fast-check";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { formatPath, parsePath, startsWith, valueAt } from "../../../provider/kit/property-path";
import type { Path } from "../../../provider/kit/property-path";
import { AssetValue, decode, encode, textsAt, unknownValue } from "../../../provider/kit/values";
import { asset, output, secret, unknown } from "../../support/plugin-client";
import type { Wire } from "../../support/plugin-client";

const key = fc.string({ minLength: 1, maxLength: 6 }).filter((k) => k !== "__proto__");
/** Any property value: plain, unknown, secret or asset, nested in lists and maps. */
const { node } = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
    fc.boolean(),
    fc.constant(unknown),
    fc.constant(asset("text", "hash")),
    fc.array(tie("node"), { maxLength: 4 }),
    fc.dictionary(key, tie("node"), { maxKeys: 4, noNullPrototype: true }),
    tie("node")
      .filter((inner) => !isWrapped(inner))
      .map((inner) => secret(inner)),
  ),
}));
const properties = fc.dictionary(key, node, { maxKeys: 5, noNullPrototype: true });

function isWrapped(value: unknown): boolean {
  return JSON.stringify(value).includes("1b47061264138c4ac30d75fd1eb44270");
}

/** Over protobuf and back, as between engine and plugin. */
function overTheWire(wire: Wire): Wire {
  const bytes = Struct.fromJavaScript(
    wire as Parameters<typeof Struct.fromJavaScript>[0],
  ).serializeBinary();
  return Struct.deserializeBinary(bytes).toJavaScript();
}

test("what is taken apart and put together again is the same, at every depth", () => {
  fc.assert(
    fc.property(properties, (wire) => {
      const { value, secrets } = decode(overTheWire(wire));
      expect(encode(value, secrets)).toEqual(overTheWire(wire));
    }),
  );
});

test("handlers see no wrapper and no reserved string; every secret and unknown has its path", () => {
  fc.assert(
    fc.property(properties, (wire) => {
      const { value, secrets, unknowns } = decode(wire);
      expect(isWrapped(value)).toBe(false);
      expect(JSON.stringify(value)).not.toContain(unknown);
      for (const path of unknowns) expect(valueAt(value, path)).toBe(unknownValue);
      const count = JSON.stringify(wire).split("1b47061264138c4ac30d75fd1eb44270").length - 1;
      expect(secrets).toHaveLength(count);
    }),
  );
});

test("output values are secret, unknown or plain; resource references become ids", () => {
  const reference = {
    "4dabf18193072939515e22adb298388d": "5cf8f73096256a8f31e491e813e4eb8e",
    urn: "urn:x",
  };
  const { value, secrets, unknowns } = decode({
    a: output("x"),
    b: output({ deep: output("y", true) }),
    c: output(undefined, true),
    d: { ...reference, id: "id-1" },
    e: reference,
    f: { ...reference, id: "" },
  });
  expect(value).toEqual({
    a: "x",
    b: { deep: "y" },
    c: unknownValue,
    d: "id-1",
    e: "urn:x",
    f: unknownValue,
  });
  expect(secrets).toEqual([["b", "deep"], ["c"]]);
  expect(unknowns).toEqual([["c"], ["f"]]);
});

test("every kind of unknown that the engine knows is taken", () => {
  for (const id of [
    "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
    "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  ]) {
    expect(decode({ a: [id] }).unknowns).toEqual([["a", 0]]);
  }
});

test("absent and null members of objects are left out, null elements of lists stay", () => {
  expect(decode({ a: null, b: [null], c: { d: null } }).value).toEqual({ b: [null], c: {} });
  expect(encode({ a: undefined, b: [undefined], c: { d: null } })).toEqual({ b: [null], c: {} });
});

test("a secret whose place is gone is kept by what is above it", () => {
  expect(encode({ list: ["a"], other: "x" }, [["list", 3]])).toEqual({
    list: secret(["a"]),
    other: "x",
  });
  expect(encode({ flat: "text" }, [["flat", "deep", 0]])).toEqual({ flat: secret("text") });
  expect(encode({ other: "x" }, [["gone"]])).toEqual({ other: "x" });
});

test("assets pass as they are; 64-bit numbers and other strangers are refused by path", () => {
  const { value } = decode({ file: asset("content", "abc") });
  expect(value["file"]).toBeInstanceOf(AssetValue);
  expect(encode(value)).toEqual({ file: asset("content", "abc") });
  expect(() => encode({ sizes: [1n] })).toThrow("the value at sizes[0] cannot travel");
  expect(() => encode({ n: NaN })).toThrow("the value at n cannot travel");
  expect(() => decode({ x: { "4dabf18193072939515e22adb298388d": "other" } })).toThrow(
    "unknown kind at x",
  );
});

test("all texts below a secret are secret", () => {
  expect(textsAt({ a: { b: ["x", 1, { c: "y" }] }, d: "z" }, [["a"], ["gone", 0]])).toEqual([
    "x",
    "y",
  ]);
});

test("paths print as Pulumi prints them and read back the same", () => {
  expect(formatPath(["hosts", 0, "wwpn"])).toBe("hosts[0].wwpn");
  expect(formatPath(["labels", "a.b", 'c"d'])).toBe('labels["a.b"]["c\\"d"]');
  expect(parsePath("a[*].b.*")).toEqual(["a", "*", "b", "*"]);
  const segment = fc.oneof(fc.nat({ max: 99 }), fc.string());
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (segments) => {
      // A path starts with a name, and text that looks like a number is a key all the same.
      const path: Path = ["root", ...segments];
      expect(parsePath(formatPath(path))).toEqual(path);
    }),
  );
});

test("a pattern matches what lies at or below it", () => {
  expect(startsWith(["hosts", 3, "wwpn"], parsePath("hosts[*]"))).toBe(true);
  expect(startsWith(["hosts"], parsePath("hosts[*]"))).toBe(false);
  expect(startsWith(["labels", "a"], parsePath("labels.b"))).toBe(false);
});
