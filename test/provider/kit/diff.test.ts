import { secret, unknown } from "../../support/plugin-client";
import type { DiffResult, PluginClient, Wire } from "../../support/plugin-client";
import { withProvider } from "./in-process";

const boxToken = "test:shelf:Box";
const host = { name: "esx1", wwpn: "10000010aabbccdd", queueDepth: 32 };
const inputs = {
  name: "alpha",
  sizeBytes: "1024",
  mode: "thin",
  labels: { a: "1", "b.c": "2" },
  hosts: [host],
};

async function diff(client: PluginClient, news: Wire, ignore: string[] = []): Promise<DiffResult> {
  const state = { ...inputs, serial: "s1", devices: {}, key: secret("k") };
  return client.diff(boxToken, "box-alpha", { inputs, state }, news, ignore);
}

test("equal inputs are no change, and unchanged secrets are none either", () =>
  withProvider(async ({ client }) => {
    const same = await diff(client, { ...inputs, labels: secret(inputs.labels) });
    expect(same).toMatchObject({ changes: false, detailed: {}, replaces: [] });
    expect(same.stables).toEqual(["id", "serial", "devices"]);
  }));

test("gives the path of every change and how it is carried out", () =>
  withProvider(async ({ client }) => {
    const changed = await diff(client, {
      ...inputs,
      sizeBytes: "2048",
      labels: { "b.c": "3", d: "4" },
      hosts: [{ ...host, queueDepth: 64 }, host],
    });
    expect(changed).toMatchObject({
      changes: true,
      replaces: [],
      deleteBeforeReplace: false,
      diffs: expect.arrayContaining(["sizeBytes", "labels", "hosts"]) as string[],
      detailed: {
        sizeBytes: "UPDATE",
        "labels.a": "DELETE",
        'labels["b.c"]': "UPDATE",
        "labels.d": "ADD",
        "hosts[0].queueDepth": "UPDATE",
        "hosts[1]": "ADD",
      },
    });
  }));

test("replaces where the device cannot change in place, deleting first", () =>
  withProvider(async ({ client }) => {
    const changed = await diff(client, { ...inputs, name: "beta", mode: "thick" });
    expect(changed).toMatchObject({
      replaces: ["name"],
      deleteBeforeReplace: true,
      stables: [],
      detailed: { name: "UPDATE_REPLACE", mode: "UPDATE" },
    });
  }));

test("an unknown in a replace key is a replacement, also deep inside; elsewhere an update", () =>
  withProvider(async ({ client }) => {
    const outside = await diff(client, { ...inputs, labels: { a: unknown, "b.c": "2" } });
    expect(outside).toMatchObject({ replaces: [], detailed: { "labels.a": "UPDATE" } });
    const name = await diff(client, { ...inputs, name: unknown });
    expect(name).toMatchObject({ replaces: ["name"], deleteBeforeReplace: true });
    const deep = await diff(client, { ...inputs, via: { kind: "fc", ports: [unknown] } });
    expect(deep).toMatchObject({ replaces: ["via"], detailed: { via: "ADD_REPLACE" } });
  }));

test("where a handler says so, what becomes unknown replaces; what is added may be unknown", () =>
  withProvider(async ({ client }) => {
    const whole = await diff(client, { ...inputs, hosts: unknown });
    expect(whole).toMatchObject({ replaces: ["hosts"], detailed: { hosts: "UPDATE_REPLACE" } });
    const part = await diff(client, { ...inputs, hosts: [{ ...host, wwpn: unknown }] });
    expect(part.detailed).toEqual({ "hosts[0].wwpn": "UPDATE_REPLACE" });
    const more = await diff(client, { ...inputs, hosts: [host, { ...host, wwpn: unknown }] });
    expect(more).toMatchObject({ replaces: [], detailed: { "hosts[1]": "ADD" } });
    const known = await diff(client, { ...inputs, hosts: [{ ...host, queueDepth: 64 }] });
    expect(known).toMatchObject({ replaces: [] });
  }));

test("leaves out what ignoreChanges names", () =>
  withProvider(async ({ client }) => {
    const news = {
      ...inputs,
      sizeBytes: "2048",
      hosts: [{ ...host, queueDepth: 1 }],
      mode: "thick",
    };
    const changed = await diff(client, news, ["sizeBytes", "hosts[*].queueDepth"]);
    expect(changed.detailed).toEqual({ mode: "UPDATE" });
  }));

test("the handler may drop a change, and a change that it will refuse is still shown", () =>
  withProvider(async ({ client }) => {
    const dropped = await diff(client, { ...inputs, labels: { ...inputs.labels, ignoreMe: "x" } });
    expect(dropped.changes).toBe(false);
    const refused = await diff(client, { ...inputs, sizeBytes: "1" });
    expect(refused.detailed).toEqual({ sizeBytes: "UPDATE" });
  }));

test("a default that came with a newer plugin is no change", () =>
  withProvider(async ({ client }) => {
    const old = { name: "alpha" };
    const state = { ...old, sizeBytes: "1024", serial: "s1", key: "k" };
    const news = { name: "alpha", sizeBytes: "1024", mode: "thin", hosts: [] };
    const result = await client.diff(boxToken, "box-alpha", { inputs: old, state }, news);
    expect(result.changes).toBe(false);
  }));

test("an input that the plugin no longer knows is no change", () =>
  withProvider(async ({ client }) => {
    const old = { ...inputs, retired: "x" };
    const state = { ...old, serial: "s1", key: "k" };
    const result = await client.diff(boxToken, "box-alpha", { inputs: old, state }, inputs);
    expect(result.changes).toBe(false);
  }));

test("without an update method every change replaces", () =>
  withProvider(async ({ client }) => {
    const olds = { inputs: { text: "a", tags: [] }, state: { text: "a", tags: [] } };
    const result = await client.diff("test:shelf:Note", "note-a", olds, { text: "a", tags: ["t"] });
    expect(result).toMatchObject({
      replaces: ["tags"],
      deleteBeforeReplace: false,
      detailed: { "tags[0]": "ADD_REPLACE" },
    });
  }));
