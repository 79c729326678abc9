import { EngineStub } from "../../support/engine-stub";
import type { CallFailed } from "../../support/plugin-client";
import type { Wire } from "../../support/plugin-client";
import { withProvider } from "./in-process";
import type { Running } from "./in-process";

const trapToken = "test:shelf:Trap";
const hang = (at: "before" | "after", how = "hang"): Wire => ({ at, how });

async function sprung({ shelf }: Running, name = "it"): Promise<void> {
  while (!shelf.journal.includes(`sprung ${name}`)) await new Promise((r) => setTimeout(r, 2));
}

function outcome(work: Promise<unknown>): Promise<CallFailed> {
  return work.then(
    () => {
      throw new Error("the call did not fail");
    },
    (error: unknown) => error as CallFailed,
  );
}

test("Cancel stops every call in flight: begun ones keep their id, others leave nothing", () =>
  withProvider(async (running) => {
    const { client, shelf } = running;
    const begun = outcome(client.create(trapToken, hang("after"), { name: "one" }));
    const fresh = outcome(client.create(trapToken, hang("before"), { name: "two" }));
    await sprung(running, "one");
    await sprung(running, "two");
    await client.cancel();
    const reason = "stopped: the deployment was cancelled";
    expect((await begun).initFailed).toMatchObject({
      id: "trap-1",
      state: { step: "begun" },
      reasons: [reason],
    });
    expect(await fresh).toMatchObject({ initFailed: undefined, message: reason });
    expect(shelf.journal).toEqual(expect.arrayContaining(["aborted one", "aborted two"]));
  }));

test("after Cancel nothing new is started, until another engine configures the plugin", () =>
  withProvider(async ({ client, shelf }) => {
    await client.cancel();
    const late = await outcome(client.create("test:shelf:Box", { name: "alpha" }));
    expect(late.message).toBe("stopped: the deployment was cancelled");
    expect(shelf.journal).toEqual([]);
    await client.configure({ bedId: "bed", devices: { array: { kind: "array", endpoint: "x" } } });
    await client.create("test:shelf:Box", { name: "alpha" });
    expect(shelf.journal).toEqual(["create alpha"]);
  }));

test("Cancel with nothing in flight does nothing", () =>
  withProvider(async ({ client, shelf }) => {
    await client.create("test:shelf:Box", { name: "alpha" });
    await client.cancel();
    expect(shelf.boxes.size).toBe(1);
  }));

test("a handler that does not react is answered for after the grace time", () =>
  withProvider(async (running) => {
    const stuck = outcome(running.client.create(trapToken, hang("after", "hangDeaf")));
    await sprung(running);
    await running.client.cancel();
    expect((await stuck).initFailed).toMatchObject({ id: "trap-1", state: { step: "begun" } });
  }, 50));

test("the deadline of create, update, read and delete is kept", () =>
  withProvider(async ({ client }) => {
    const state = { at: "before", how: "hang", step: "done" };
    const olds = { inputs: state, state };
    const late = (verb: string): string =>
      `${verb} of test:shelf:Trap it: not done within its deadline of 0.05 s (custom timeout)`;
    const create = await outcome(client.create(trapToken, hang("after"), { timeout: 0.05 }));
    expect(create.initFailed).toMatchObject({ id: "trap-1", reasons: [late("create")] });
    const update = await outcome(
      client.update(trapToken, "trap-1", olds, hang("before"), { timeout: 0.05 }),
    );
    expect(update.message).toBe(late("update"));
    const read = await outcome(client.read(trapToken, "trap-1", { state, timeout: 0.05 }));
    expect(read.message).toBe(late("read"));
    const deleted = await outcome(client.delete(trapToken, "trap-1", state, { timeout: 0.05 }));
    expect(deleted.message).toBe(late("delete"));
  }));

test("a single call that the engine gives up is stopped, the others go on", () =>
  withProvider(async (running) => {
    const { client, shelf } = running;
    const giveUp = new AbortController();
    const one = outcome(
      client.create(trapToken, hang("after"), { name: "one", cancel: giveUp.signal }),
    );
    const two = outcome(client.create(trapToken, hang("after"), { name: "two" }));
    await sprung(running, "one");
    await sprung(running, "two");
    giveUp.abort();
    await one;
    while (!shelf.journal.includes("aborted one")) await new Promise((r) => setTimeout(r, 2));
    expect(shelf.journal).not.toContain("aborted two");
    await client.cancel();
    await two;
  }));

test("when the engine is gone all calls are stopped as on Cancel", () =>
  withProvider(async (running) => {
    const stuck = outcome(running.client.create(trapToken, hang("after")));
    await sprung(running);
    running.engine.kill();
    expect((await stuck).initFailed?.reasons).toEqual(["stopped: the Pulumi engine is gone"]);
    await running.lost;
  }));

test("an engine that attaches later is logged to and watched", () =>
  withProvider(async (running) => {
    const other = await EngineStub.start();
    await running.client.attach(other.address);
    await running.client.create("test:shelf:Box", { name: "alpha" });
    await other.line(({ message }) => message === "making alpha");
    // The engine before is no longer watched.
    running.engine.kill();
    await running.client.create("test:shelf:Box", { name: "beta" });
    other.kill();
    await running.lost;
  }));
