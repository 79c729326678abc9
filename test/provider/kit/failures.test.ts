import { status } from "@grpc/grpc-js";
import { CallFailed, secret } from "../../support/plugin-client";
import type { PluginClient, Wire } from "../../support/plugin-client";
import { withProvider } from "./in-process";

const trapToken = "test:shelf:Trap";

async function failure(work: Promise<unknown>): Promise<CallFailed> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof CallFailed) return error;
  throw new Error("the call did not fail", { cause: error });
}

function spring(client: PluginClient, trap: Wire): Promise<CallFailed> {
  return failure(client.create(trapToken, trap));
}

test("a failure before the first side effect leaves nothing", () =>
  withProvider(async ({ client }) => {
    const error = await spring(client, { at: "before", how: "device" });
    expect(error.initFailed).toBeUndefined();
    expect(error.code).toBe(status.FAILED_PRECONDITION);
    expect(error.message).toBe('array: cannot make trap: the array said "no". Do not.');
  }));

test("a full disk is no mistake of the plugin", () =>
  withProvider(async ({ client }) => {
    const error = await spring(client, { at: "before", how: "disk" });
    expect(error.code).toBe(status.FAILED_PRECONDITION);
    expect(error.message).toMatch(
      /^create of test:shelf:Trap \S+: cannot write .* on this machine: no space is left/,
    );
  }));

test("from the first side effect on a failure keeps the resource with id and state", () =>
  withProvider(async ({ client }) => {
    const error = await spring(client, {
      at: "after",
      how: "device",
      password: secret("hunter22"),
    });
    expect(error.initFailed).toEqual({
      id: "trap-1",
      state: { at: "after", how: "device", password: secret("hunter22"), step: "begun" },
      reasons: ['array: cannot make trap: the array said "[secret]". Do not.'],
    });
  }));

test("what a failed create left is updated by the next up, and an update may fail half-way too", () =>
  withProvider(async ({ client }) => {
    const inputs = { at: "after", how: "device" };
    const { initFailed } = await spring(client, inputs);
    const olds = { inputs, state: initFailed?.state ?? {} };
    const half = await failure(client.update(trapToken, "trap-1", olds, inputs));
    expect(half.initFailed).toMatchObject({ id: "trap-1", state: { step: "update begun" } });
    const healed = { ...inputs, at: "never" };
    expect(await client.update(trapToken, "trap-1", olds, healed)).toMatchObject({
      step: "updated",
    });
  }));

test("an update that fails before its first side effect changes nothing", () =>
  withProvider(async ({ client }) => {
    const olds = { inputs: {}, state: { at: "never", how: "device", step: "done" } };
    const news = { at: "before", how: "device" };
    expect(
      (await failure(client.update(trapToken, "trap-1", olds, news))).initFailed,
    ).toBeUndefined();
  }));

test("without an update method a repair runs create again, and must find the same object", () =>
  withProvider(async ({ client, shelf }) => {
    const note = { text: "hello", tags: [] };
    const olds = { inputs: note, state: note };
    expect(await client.update("test:shelf:Note", "note-hello", olds, note)).toEqual(note);
    expect(shelf.journal).toEqual(["note hello"]);
    const other = await failure(client.update("test:shelf:Note", "note-other", olds, note));
    expect(other.message).toContain("repairing note-other gave another object, note-hello");
  }));

test("a wrong input found late names its path", () =>
  withProvider(async ({ client }) => {
    const error = await spring(client, { at: "before", how: "config" });
    expect(error.message).toBe('the input has problems\n  at: the array said "no"');
  }));

test("a mistake of ours prints shortly; its stack goes to the debug log, without secrets", () =>
  withProvider(async ({ client, engine }) => {
    const error = await spring(client, { at: "before", how: "bug", password: "hunter22" });
    expect(error.code).toBe(status.INTERNAL);
    expect(error.message).toBe(
      "create of test:shelf:Trap it: internal error: cannot read [secret] of undefined. " +
        "This is a mistake in the plugin; please report it.",
    );
    const line = await engine.line(({ severity }) => severity === "debug");
    expect(line.message).toContain("test-provider.ts");
    expect(line.message).not.toContain("hunter22");
  }));

test("a state of some 30 KB travels with a failure, though it goes in a header", () =>
  withProvider(async ({ client }) => {
    const password = "volume ".repeat(4300);
    const { initFailed } = await spring(client, { at: "after", how: "device", password });
    expect(initFailed?.state["password"]).toEqual(secret(password));
    // A long message is cut, but only after secrets are out of it.
    expect(initFailed?.reasons[0]).toBe(
      'array: cannot make trap: the array said "[secret]". Do not.',
    );
  }));

test("log lines and live status reach the engine for the resource, without secrets", () =>
  withProvider(async ({ client, engine }) => {
    await client.create("test:shelf:Box", { name: "alpha", token: "hunter22" });
    const urn = client.urn("test:shelf:Box");
    const status = await engine.line(({ ephemeral }) => ephemeral);
    expect(status).toEqual({ severity: "info", message: "making alpha", urn, ephemeral: true });
    const line = await engine.line(({ ephemeral }) => !ephemeral);
    expect(line).toEqual({ severity: "info", message: "token is [secret]", urn, ephemeral: false });
  }));
