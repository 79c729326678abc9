import { asset, output, secret, unknown } from "../../support/plugin-client";
import { withProvider } from "./in-process";

const boxToken = "test:shelf:Box";
const wwpn = "10000010aabbccdd";

test("gives inputs with defaults at every depth", () =>
  withProvider(async ({ client }) => {
    const { inputs, failures } = await client.check(boxToken, {
      name: "alpha",
      hosts: [{ name: "esx1", wwpn }],
    });
    expect(failures).toEqual([]);
    expect(inputs).toEqual({
      name: "alpha",
      sizeBytes: "1024",
      mode: "thin",
      hosts: [{ name: "esx1", wwpn, queueDepth: 32 }],
    });
  }));

test("reports all problems at once, each with its property path", () =>
  withProvider(async ({ client }) => {
    const { failures } = await client.check(boxToken, {
      sizeBytes: "12 GB",
      mode: "fat",
      hosts: [
        { name: "esx1", wwpn },
        { name: "", wwpn: "xyz" },
      ],
      via: { kind: "fc", ports: [] },
    });
    expect(failures.map(({ property }) => property).sort()).toEqual([
      "hosts[1].name",
      "hosts[1].wwpn",
      "mode",
      "name",
      "sizeBytes",
      "via.ports",
    ]);
    expect(failures.find(({ property }) => property === "hosts[1].wwpn")?.reason).toBe(
      "not a WWPN: expected 16 hex digits",
    );
  }));

test("reports keys that there are not, at every depth, with the nearest name", () =>
  withProvider(async ({ client }) => {
    const { failures } = await client.check(boxToken, {
      name: "alpha",
      sizebytes: "1",
      hosts: [{ name: "esx1", wwpn, wwppn: "x" }],
      via: { kind: "ip", address: "a", ports: ["p"] },
    });
    expect(failures).toEqual([
      { property: "sizebytes", reason: "there is no such property (did you mean sizeBytes?)" },
      { property: "hosts[0].wwppn", reason: "there is no such property (did you mean wwpn?)" },
      { property: "via.ports", reason: "there is no such property (known: kind, address)" },
    ]);
  }));

test.each([
  ["a whole list", { hosts: unknown }],
  ["an element", { hosts: [unknown, { name: "esx1", wwpn }] }],
  ["a property of an element", { hosts: [{ name: "esx1", wwpn: unknown }] }],
  ["a value with a default", { sizeBytes: unknown, mode: unknown }],
  ["a value in a map", { labels: { a: unknown } }],
  ["a whole map", { labels: unknown }],
  ["the discriminator of a choice", { via: { kind: unknown, ports: ["p"] } }],
  ["a member of a choice", { via: { kind: "fc", ports: unknown } }],
  ["a whole choice", { via: unknown }],
  ["a free value", { anything: { deep: [unknown] } }],
  ["an output without a value", { labels: output() }],
  ["a secret unknown", { token: secret(unknown) }],
])("takes an unknown value for %s and keeps it", (_what, partial) =>
  withProvider(async ({ client }) => {
    const { inputs, failures } = await client.check(boxToken, { name: "alpha", ...partial });
    expect(failures).toEqual([]);
    const [key = ""] = Object.keys(partial);
    expect(JSON.stringify(inputs[key])).toContain(unknown);
  }),
);

test("still finds what is wrong beside unknown values", () =>
  withProvider(async ({ client }) => {
    const { inputs, failures } = await client.check(boxToken, {
      name: unknown,
      hosts: [{ name: unknown, wwpn: "bad" }],
      typo: 1,
    });
    expect(failures.map(({ property }) => property)).toEqual(["hosts[0].wwpn", "typo"]);
    expect(inputs).toMatchObject({ name: unknown, sizeBytes: "1024" });
  }));

test("keeps secrets where they were, and wraps what the schema says is secret", () =>
  withProvider(async ({ client }) => {
    const { inputs } = await client.check(boxToken, {
      name: secret("alpha"),
      labels: secret({ a: "b" }),
      hosts: [{ name: "esx1", wwpn: output(wwpn, true), password: "hunter22" }],
      token: "plain text",
    });
    expect(inputs).toMatchObject({
      name: secret("alpha"),
      labels: secret({ a: "b" }),
      hosts: [{ name: "esx1", wwpn: secret(wwpn), password: secret("hunter22"), queueDepth: 32 }],
      token: secret("plain text"),
    });
  }));

test("output values that are known and open count as plain values; assets pass whole", () =>
  withProvider(async ({ client }) => {
    const file = asset("content", "abc");
    const { inputs, failures } = await client.check(boxToken, { name: output("alpha"), file });
    expect(failures).toEqual([]);
    expect(inputs).toMatchObject({ name: "alpha", file });
  }));

test("runs the handler's own check on what is known and sound", () =>
  withProvider(async ({ client }) => {
    const big = { name: "alpha", mode: "thick", sizeBytes: "2000000000000" };
    expect((await client.check(boxToken, big)).failures).toEqual([
      { property: "sizeBytes", reason: "thick boxes end at 1 TB (make it thin)" },
    ]);
    const open = await client.check(boxToken, { ...big, mode: unknown });
    expect(open.failures).toEqual([]);
  }));

test("an unknown resource type is refused by name", () =>
  withProvider(async ({ client }) => {
    await expect(client.check("test:shelf:Crate", {})).rejects.toThrow(
      "test 1.2.3 has no resource type test:shelf:Crate",
    );
  }));
