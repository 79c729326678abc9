import { secret, unknown } from "../../support/plugin-client";
import { device, withProvider } from "./in-process";

const devices = { array: device };

test("settings are checked with property paths", () =>
  withProvider(async ({ client }) => {
    const { failures } = await client.checkConfig({
      bedId: "BED",
      devices: { array: { kind: "tape", endpoint: "x" } },
      retires: 2,
    });
    expect(failures.map(({ property }) => property)).toEqual([
      "bedId",
      "devices.array.kind",
      "retires",
    ]);
  }));

test("an object setting is also taken as JSON text, and comes out as an object", () =>
  withProvider(async ({ client }) => {
    const text = JSON.stringify({ array: { ...device, password: "hunter22" } });
    const { inputs, failures } = await client.checkConfig({
      bedId: "bed",
      devices: text,
      retries: "5",
      version: "1.2.3",
    });
    expect(failures).toEqual([]);
    expect(inputs).toEqual({
      bedId: "bed",
      devices: { array: { ...device, password: secret("hunter22") } },
      retries: 5,
      version: "1.2.3",
    });
    const broken = await client.checkConfig({ bedId: "bed", devices: "{" });
    expect(broken.failures).toEqual([
      {
        property: "devices",
        reason: "is text, but no valid JSON (give an object, or the object as JSON text)",
      },
    ]);
    const wrongInside = await client.checkConfig({
      bedId: "bed",
      devices: '{"a":{"kind":"array"}}',
    });
    expect(wrongInside.failures.map(({ property }) => property)).toEqual(["devices.a.endpoint"]);
  }));

test("a secret table stays secret, an unknown one is tolerated", () =>
  withProvider(async ({ client }) => {
    const { inputs } = await client.checkConfig({
      bedId: "bed",
      devices: secret(JSON.stringify(devices)),
    });
    expect(inputs["devices"]).toEqual(secret(devices));
    const open = await client.checkConfig({ bedId: unknown, devices: { array: unknown } });
    expect(open.failures).toEqual([]);
    expect(open.inputs).toMatchObject({ bedId: unknown, devices: { array: unknown } });
  }));

test("the definition's own check runs on complete settings", () =>
  withProvider(async ({ client }) => {
    const { failures } = await client.checkConfig({ bedId: "bed", devices: {} });
    expect(failures).toEqual([{ property: "devices", reason: "there is no device" }]);
  }));

test("only another bed replaces the provider; an endpoint, JSON or not, never does", () =>
  withProvider(async ({ client }) => {
    const olds = { bedId: "bed", devices, retries: 3 };
    const moved = JSON.stringify({ array: { ...device, endpoint: "https://b" } });
    const endpoint = await client.diffConfig(olds, { bedId: "bed", devices: moved });
    expect(endpoint).toMatchObject({
      changes: true,
      replaces: [],
      detailed: { "devices.array.endpoint": "UPDATE" },
    });
    const other = await client.diffConfig(olds, { bedId: "other", devices });
    expect(other).toMatchObject({ replaces: ["bedId"], detailed: { bedId: "UPDATE_REPLACE" } });
    const open = await client.diffConfig(olds, { bedId: unknown, devices });
    expect(open.replaces).toEqual([]);
    expect(await client.diffConfig(olds, olds)).toMatchObject({ changes: false });
  }));

test("configure hands plain settings over, and names every problem", () =>
  withProvider(async ({ client, shelf }) => {
    const answer = await client.configure({
      bedId: "bed",
      devices: JSON.stringify({ array: { ...device, password: "hunter22" } }),
    });
    expect(answer).toEqual({ acceptSecrets: true, supportsPreview: true });
    expect(shelf.configs.at(-1)).toEqual({
      bedId: "bed",
      devices: { array: { ...device, password: "hunter22" } },
      retries: 3,
    });
    // The context of the first configuration is closed when another one takes its place.
    expect(shelf.closed).toBe(1);
    await expect(client.configure({ bedId: "BED", devices })).rejects.toThrow("bedId: ");
  }));

test("with unknown settings the provider stays unconfigured, and says so when it is used", () =>
  withProvider(async ({ client, shelf }) => {
    const before = shelf.configs.length;
    await client.configure({ bedId: unknown, devices });
    expect(shelf.configs).toHaveLength(before);
  }));

test("says what it is: handshake, version, schema", () =>
  withProvider(async ({ client, engine }) => {
    expect(await client.handshake(engine.address)).toEqual({
      acceptSecrets: true,
      acceptOutputs: true,
    });
    expect(await client.pluginInfo()).toBe("1.2.3");
    expect(JSON.parse(await client.schema())).toMatchObject({ name: "test", version: "1.2.3" });
  }));

test("secrets of the settings do not get into messages, but device names do", () =>
  withProvider(async ({ client }) => {
    await client.configure({
      bedId: "bed",
      devices: secret(JSON.stringify({ array: { ...device, password: "hunter22" } })),
    });
    const trap = { at: "before", how: "device", password: "hunter22" };
    await expect(client.create("test:shelf:Trap", trap)).rejects.toThrow(
      'array: cannot make trap: the array said "[secret]"',
    );
  }));
