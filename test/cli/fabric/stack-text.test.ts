import { readStackText } from "../../../cli/fabric/stack-text";

const urn = (name: string): string => `urn:pulumi:s::p::sanbed:fabric:HostZones::${name}`;
const zones = (name: string, inputs: object, outputs?: object): object => ({
  urn: urn(name),
  type: "sanbed:fabric:HostZones",
  inputs,
  ...(outputs === undefined ? {} : { outputs }),
});
const provider = {
  urn: "urn:pulumi:s::p::pulumi:providers:sanbed::bed",
  type: "pulumi:providers:sanbed",
  inputs: { bedId: "abcdefghij", devices: '{"fabricA":{"kind":"brocade-fos"}}' },
};
const step = (op: string, oldState?: object, newState?: object): object => ({
  op,
  urn: urn("x"),
  oldState,
  newState,
});
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

test("a preview gives what will be made, changed and removed, and no more", () => {
  const text = JSON.stringify({
    config: {},
    steps: [
      step("same", provider, provider),
      step("create", undefined, zones("h1", { host: "h1" })),
      step("update", zones("h2", {}, { owned: 2 }), zones("h2", { host: "h2" })),
      step("delete", zones("h3", {}, { owned: 3 })),
      step("same", zones("h4", {}, {}), zones("h4", {})),
      step("replace", zones("h5", {}, {}), zones("h5", {})),
      step("create", undefined, zones("h6", { fabrics: { A: { targets: [unknown] } } })),
    ],
  });
  const stack = readStackText(text, false);
  expect(stack.hosts).toEqual([
    { name: "h1", change: "ensure", inputs: { host: "h1" }, recorded: undefined },
    { name: "h2", change: "ensure", inputs: { host: "h2" }, recorded: { owned: 2 } },
    { name: "h3", change: "remove", inputs: undefined, recorded: { owned: 3 } },
  ]);
  expect(stack.unknown).toEqual(["h6"]);
  expect(stack.provider).toEqual({
    bedId: "abcdefghij",
    devices: { fabricA: { kind: "brocade-fos" } },
  });
});

test("an export gives what is recorded, to compare or to remove", () => {
  const text = JSON.stringify({
    version: 3,
    deployment: { resources: [provider, zones("h1", { host: "h1" }, { owned: 1 })] },
  });
  expect(readStackText(text, false).hosts).toEqual([
    { name: "h1", change: "ensure", inputs: { host: "h1" }, recorded: { owned: 1 } },
  ]);
  expect(readStackText(text, true).hosts).toEqual([
    { name: "h1", change: "remove", inputs: undefined, recorded: { owned: 1 } },
  ]);
});

test("anything else is refused in words", () => {
  expect(() => readStackText("Previewing update (dev):", false)).toThrow(
    /neither what `pulumi preview --json` prints/,
  );
});
