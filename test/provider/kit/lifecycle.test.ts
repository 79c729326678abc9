import { secret, unknown } from "../../support/plugin-client";
import { withProvider } from "./in-process";

const boxToken = "test:shelf:Box";
const wwpn = "10000010aabbccdd";

test("creates, reads, updates and deletes over gRPC", () =>
  withProvider(async ({ client, shelf }) => {
    const { inputs } = await client.check(boxToken, { name: "alpha" });
    const { id, state } = await client.create(boxToken, inputs);
    expect(id).toBe("box-alpha");
    expect(state).toMatchObject({ name: "alpha", sizeBytes: "1024", serial: "s1" });
    const read = await client.read(boxToken, id, { state, inputs });
    expect(read).toEqual({ id, state, inputs });
    const news = { ...inputs, sizeBytes: "4096" };
    const updated = await client.update(boxToken, id, { inputs, state }, news);
    expect(updated).toMatchObject({ sizeBytes: "4096", serial: "s1" });
    await client.delete(boxToken, id, updated);
    expect((await client.read(boxToken, id, { state: updated, inputs: news })).id).toBe("");
    expect(shelf.journal).toEqual(["create alpha", "update alpha", "delete box-alpha"]);
  }));

test("secret inputs stay secret in the state, and outputs that the schema marks are secret", () =>
  withProvider(async ({ client }) => {
    const { state } = await client.create(boxToken, {
      name: "alpha",
      labels: secret({ a: "b" }),
      hosts: [{ name: secret("esx1"), wwpn, password: secret("hunter22") }],
    });
    expect(state).toMatchObject({
      name: "alpha",
      key: secret("key-of-alpha"),
      labels: secret({ a: "b" }),
      hosts: [{ name: secret("esx1"), wwpn, password: secret("hunter22") }],
    });
  }));

test("a secret that moved to another place is never sent in clear", () =>
  withProvider(async ({ client }) => {
    const first = {
      name: "alpha",
      hosts: [
        { name: "a", wwpn },
        { name: secret("b"), wwpn },
      ],
    };
    const { id, state } = await client.create(boxToken, first);
    const news = { name: "alpha", hosts: [{ name: secret("b"), wwpn }] };
    const updated = await client.update(boxToken, id, { inputs: first, state }, news);
    // hosts[1] is gone, so the list as a whole is kept secret.
    expect(updated["hosts"]).toEqual(secret([expect.objectContaining({ wwpn })]));
  }));

test("preview of a create touches nothing: inputs, planned outputs, everything else unknown", () =>
  withProvider(async ({ client, shelf }) => {
    const inputs = { name: "alpha", labels: { a: unknown }, token: secret("tok-1") };
    const { id, state } = await client.create(boxToken, inputs, { preview: true });
    expect(id).toBe("");
    expect(state).toEqual({
      ...inputs,
      sizeBytes: "1024",
      mode: "thin",
      hosts: [],
      serial: unknown,
      devices: unknown,
      key: secret(unknown),
      note: "box alpha",
    });
    const open = await client.create(boxToken, { name: unknown }, { preview: true });
    expect(open.state["note"]).toBe(unknown);
    expect(shelf.journal).toEqual([]);
  }));

test("preview of an update keeps outputs that never change", () =>
  withProvider(async ({ client, shelf }) => {
    const inputs = { name: "alpha" };
    const { id, state } = await client.create(boxToken, inputs);
    const news = { name: "alpha", labels: { a: "1" } };
    const preview = await client.update(boxToken, id, { inputs, state }, news, { preview: true });
    expect(preview).toMatchObject({
      labels: { a: "1" },
      serial: "s1",
      devices: { main: "naa.s1" },
      key: secret(unknown),
      note: "box alpha",
    });
    expect(shelf.journal).toEqual(["create alpha"]);
  }));

test.each([true, false])(
  "an update that must not be is refused with its reason, preview: %s",
  (preview) =>
    withProvider(async ({ client, shelf }) => {
      const inputs = { name: "alpha", sizeBytes: "1024" };
      const { id, state } = await client.create(boxToken, inputs);
      const news = { name: "alpha", sizeBytes: "1" };
      const update = client.update(boxToken, id, { inputs, state }, news, { preview });
      await expect(update).rejects.toThrow(/sizeBytes: a box never shrinks.*make another/s);
      await expect(update).rejects.not.toHaveProperty("initFailed.id");
      expect(shelf.journal).toEqual(["create alpha"]);
    }),
);

test("a preview says what a handler sees ahead of it, without secrets", () =>
  withProvider(async ({ client, engine, shelf }) => {
    const inputs = { name: "alpha", token: "hunter22" };
    await client.create(boxToken, inputs, { preview: true });
    const urn = client.urn(boxToken);
    const made = await engine.line(() => true);
    expect(made).toMatchObject({ severity: "info", message: "would make alpha by [secret]", urn });
    const { id, state } = await client.create(boxToken, inputs);
    await client.update(boxToken, id, { inputs, state }, inputs, { preview: true });
    await engine.line(({ message }) => message === "would change alpha by [secret]");
    expect(shelf.journal).toEqual(["create alpha"]);
  }));

test("a preview that cannot look ahead warns, and one with unknown inputs does not look", () =>
  withProvider(async ({ client, engine }) => {
    const { state } = await client.create(boxToken, { name: "hidden" }, { preview: true });
    expect(state["name"]).toBe("hidden");
    const line = await engine.line(() => true);
    expect(line.severity).toBe("warning");
    expect(line.message).toContain("shelf: cannot look for box hidden: it is dark");
    await client.create(boxToken, { name: "b", token: unknown }, { preview: true });
    await client.create(boxToken, { name: "c" }, { preview: true });
    const next = await engine.line(({ severity }) => severity === "info");
    expect(next.message).toBe("would make c by nobody");
  }));

test("import rebuilds inputs and state from the id alone", () =>
  withProvider(async ({ client }) => {
    await client.create(boxToken, { name: "alpha", token: secret("tok-1") });
    const imported = await client.read(boxToken, "box-alpha");
    expect(imported.inputs).toMatchObject({ name: "alpha", token: secret("tok-1") });
    expect(imported.state).toMatchObject({ serial: "s1", key: secret("key-of-alpha") });
  }));

test("a resource without read answers what is recorded, and cannot be imported", () =>
  withProvider(async ({ client }) => {
    const note = { text: secret("hello"), tags: [] };
    const read = await client.read("test:shelf:Note", "note-hello", { state: note, inputs: note });
    expect(read).toEqual({ id: "note-hello", state: note, inputs: note });
    await expect(client.read("test:shelf:Note", "note-hello")).rejects.toThrow(
      "cannot be imported",
    );
  }));

test("a create with a value that is not known is refused with its path", () =>
  withProvider(async ({ client }) => {
    const inputs = { name: "alpha", labels: { a: unknown } };
    await expect(client.create(boxToken, inputs)).rejects.toThrow(
      "labels.a: the value is not known yet",
    );
  }));

test("functions answer, refuse wrong arguments by path, and mark secrets", () =>
  withProvider(async ({ client }) => {
    await client.create(boxToken, { name: "alpha" });
    const found = await client.invoke("test:shelf:getBox", { name: "alpha" });
    expect(found).toEqual({ result: { serial: "s1", key: secret("key-of-alpha") }, failures: [] });
    const wrong = await client.invoke("test:shelf:getBox", { nam: "alpha" });
    expect(wrong.failures.map(({ property }) => property)).toEqual(["name", "nam"]);
    const open = await client.invoke("test:shelf:getBox", { name: unknown });
    expect(open.result).toEqual({ serial: unknown, key: unknown });
    await expect(client.invoke("test:shelf:getBox", { name: "beta" })).rejects.toThrow(
      "shelf: cannot find box beta: it is not there.",
    );
  }));
