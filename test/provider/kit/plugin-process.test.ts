import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { bundlePlugin } from "../../../tools/bundle";
import { EngineStub } from "../../support/engine-stub";
import { CallFailed, PluginClient, secret, unknown } from "../../support/plugin-client";

const folder = mkdtempSync(join(tmpdir(), "sanbed-plugin-"));
const executable = join(folder, "pulumi-resource-test");
const settings = { bedId: "bed", devices: { array: { kind: "array", endpoint: "x" } } };

beforeAll(async () => {
  const entry = resolve(__dirname, "../../support/test-plugin-main.ts");
  await bundlePlugin({ entry, executable });
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function withPlugin(
  use: (client: PluginClient, engine: EngineStub) => Promise<void>,
): Promise<void> {
  const engine = await EngineStub.start();
  const client = await PluginClient.spawn(executable, { engineAddress: engine.address });
  try {
    await client.configure(settings);
    await use(client, engine);
  } finally {
    engine.kill();
    await client.close();
  }
}

test("the bundle runs alone in an empty folder and serves a whole life cycle", () =>
  withPlugin(async (client) => {
    const { inputs } = await client.check("test:shelf:Box", {
      name: "alpha",
      token: secret("tok-1"),
    });
    const { id, state } = await client.create("test:shelf:Box", inputs);
    expect(state).toMatchObject({ serial: "s1", token: secret("tok-1") });
    const preview = await client.create("test:shelf:Box", { name: unknown }, { preview: true });
    expect(preview.state["serial"]).toBe(unknown);
    await client.delete("test:shelf:Box", id, state);
    expect((await client.read("test:shelf:Box", id, { state, inputs })).id).toBe("");
  }));

test("SIGTERM ends the plugin in good order, answering what is in flight", () =>
  withPlugin(async (client, engine) => {
    const stuck = client.create("test:shelf:Trap", { at: "after", how: "hang" });
    const failed = stuck.catch((error: unknown) => error);
    await client.create("test:shelf:Box", { name: "alpha" });
    await engine.line(({ message }) => message === "making alpha");
    client.signal("SIGTERM");
    expect(await failed).toMatchObject({ initFailed: { id: "trap-1" } });
    expect(await client.ended()).toBe(0);
  }));

test("SIGINT ends the plugin", () =>
  withPlugin(async (client) => {
    client.signal("SIGINT");
    expect(await client.ended()).toBe(0);
  }));

test("after kill -9 of the engine the plugin stops its calls and ends by itself", async () => {
  // A port that a process of its own holds, as the engine's: killing it gives no farewell.
  const listen = `require("net").createServer((s) => s.resume()).listen(0, "127.0.0.1", function () {
    console.log(this.address().port); })`;
  const engine = spawn(process.execPath, ["-e", listen], { stdio: ["ignore", "pipe", "inherit"] });
  const port = await new Promise<string>((ready) => {
    engine.stdout.once("data", (data: Buffer) => {
      ready(data.toString().trim());
    });
  });
  const client = await PluginClient.spawn(executable, { engineAddress: `127.0.0.1:${port}` });
  await client.configure(settings);
  const stuck = client.create("test:shelf:Trap", { at: "after", how: "hang" });
  const failed = stuck.catch((error: unknown) => error);
  await client.create("test:shelf:Box", { name: "alpha" });
  engine.kill("SIGKILL");
  const error = await failed;
  expect(error).toBeInstanceOf(CallFailed);
  expect((error as CallFailed).initFailed?.reasons).toEqual(["stopped: the Pulumi engine is gone"]);
  expect(await client.ended()).toBe(1);
  await client.close();
});

test("without an engine address it serves until it is told to end (attach, debugging)", async () => {
  const client = await PluginClient.spawn(executable);
  const engine = await EngineStub.start();
  await client.attach(engine.address);
  await client.configure(settings);
  engine.kill();
  const second = await EngineStub.start();
  await client.attach(second.address);
  await client.configure(settings);
  await client.create("test:shelf:Box", { name: "alpha" });
  await second.line(({ message }) => message === "making alpha");
  second.kill();
  await client.close();
  expect(await client.ended()).toBe(0);
});
