import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandProvider } from "../../../../lab/plugins/command/definition";
import { startProvider } from "../../../../provider/kit/serve";
import type { RunningProvider } from "../../../../provider/kit/serve";
import { EngineStub } from "../../../support/engine-stub";
import { asset, CallFailed, PluginClient, secret, unknown } from "../../../support/plugin-client";
import type { Wire } from "../../../support/plugin-client";
import { SshServer } from "../../../support/ssh-server";

const commandToken = "command:remote:Command";
const copyToken = "command:remote:CopyToRemote";
const folder = mkdtempSync(join(tmpdir(), "sanbed-command-"));
let server: SshServer;
let engine: EngineStub;
let provider: RunningProvider;
let client: PluginClient;

beforeAll(async () => {
  server = await SshServer.start({
    acceptEnv: ["GREETING", "PULUMI_COMMAND_STDOUT", "PULUMI_COMMAND_STDERR"],
    password: "open sesame",
  });
  engine = await EngineStub.start();
  provider = await startProvider(commandProvider, { engineAddress: engine.address, graceMs: 500 });
  client = PluginClient.connect(provider.port);
  await client.configure({});
});
afterAll(async () => {
  await client.close();
  await provider.stop();
  engine.kill();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Check and create, as the engine does it. */
async function create(
  token: string,
  inputs: Wire,
): Promise<{ id: string; inputs: Wire; state: Wire }> {
  const checked = await client.check(token, { connection: server.connection(), ...inputs });
  expect(checked.failures).toEqual([]);
  const { id, state } = await client.create(token, checked.inputs);
  return { id, inputs: checked.inputs, state };
}

async function failure(work: Promise<unknown>): Promise<CallFailed> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(CallFailed);
  return error as CallFailed;
}

test("create runs over SSH: output without its last break, connection secret and closed", async () => {
  const { id, state } = await create(commandToken, { create: "echo out; echo; echo err >&2" });
  expect(id).toMatch(/^it[0-9a-f]{8}$/);
  expect(state).toMatchObject({
    stdout: "out\n",
    stderr: "err",
    connection: secret(expect.objectContaining({ host: "127.0.0.1", dialErrorLimit: 10 })),
  });
  while (server.connections > 0) await new Promise((later) => setTimeout(later, 5));
});

test("standard input and environment reach the command", async () => {
  const { state } = await create(commandToken, {
    create: "cat; echo $GREETING",
    stdin: "line one\n",
    environment: { GREETING: "hello you" },
  });
  expect(state["stdout"]).toBe("line one\nhello you");
});

test("a variable that the server does not accept fails the command, naming it", async () => {
  const inputs = { create: "echo ran", environment: { FORBIDDEN: "1" } };
  const error = await failure(create(commandToken, inputs));
  expect(error.message).toContain('could not set environment variable "FORBIDDEN"');
  expect(server.commands).not.toContain("echo ran");
});

test("a failed create leaves nothing; the message has status, command and output", async () => {
  const error = await failure(create(commandToken, { create: "echo oops >&2; exit 7" }));
  expect(error.initFailed).toBeUndefined();
  expect(error.message).toBe(
    'Process exited with status 7: running "echo oops >&2; exit 7":\noops\n',
  );
  const killed = await failure(create(commandToken, { create: "kill -KILL $$" }));
  expect(killed.message).toContain("Process was ended by signal SIGKILL");
});

test("update runs update, else create again, with the last output in the environment", async () => {
  const first = await create(commandToken, {
    create: "echo one",
    update: "echo was $PULUMI_COMMAND_STDOUT",
  });
  const second = await client.update(commandToken, first.id, first, {
    ...first.inputs,
    stdin: "x",
  });
  expect(second["stdout"]).toBe("was one");
  const quiet = { ...first.inputs, addPreviousOutputInEnv: false };
  expect((await client.update(commandToken, first.id, first, quiet))["stdout"]).toBe("was");
  const plain = await create(commandToken, { create: "echo again" });
  const before = server.commands.length;
  await client.update(commandToken, plain.id, plain, { ...plain.inputs, stdin: "x" });
  expect(server.commands.slice(before)).toEqual(["echo again"]);
});

test("delete runs delete over the recorded connection; without one it does nothing", async () => {
  const file = join(folder, "made");
  const { id, state } = await create(commandToken, {
    create: `touch ${file}`,
    delete: `rm ${file}`,
  });
  expect(existsSync(file)).toBe(true);
  await client.delete(commandToken, id, state);
  expect(existsSync(file)).toBe(false);
  const before = server.logins;
  const plain = await create(commandToken, {});
  await client.delete(commandToken, plain.id, plain.state);
  expect(server.logins).toBe(before);
});

test("changed triggers replace, anything else updates in place, create before delete", async () => {
  const olds = await create(commandToken, { create: ":", triggers: ["a", secret("b")] });
  const trigger = { ...olds.inputs, triggers: ["a", "c"] };
  expect(await client.diff(commandToken, olds.id, olds, trigger)).toMatchObject({
    replaces: ["triggers"],
    deleteBeforeReplace: false,
    detailed: { "triggers[1]": "UPDATE_REPLACE" },
  });
  const connection = { ...server.connection(), user: "other" };
  const moved = await client.diff(commandToken, olds.id, olds, { ...olds.inputs, connection });
  expect(moved).toMatchObject({ replaces: [], detailed: { "connection.user": "UPDATE" } });
  const same = await client.diff(commandToken, olds.id, olds, olds.inputs);
  expect(same.changes).toBe(false);
});

test("logging follows the setting", async () => {
  const shown = async (logging: Wire, tag: string): Promise<string[]> => {
    await create(commandToken, {
      create: `echo ${tag}-out; echo ${tag}-err >&2; sleep 0.05`,
      ...logging,
    });
    await create(commandToken, { create: `echo ${tag}-end; sleep 0.05`, logging: "stdout" });
    await engine.line(({ message }) => message === `${tag}-end`);
    return engine.lines
      .map(({ message }) => message)
      .filter((m) => /-(out|err)$/.test(m) && m.startsWith(tag));
  };
  expect(await shown({ logging: "none" }, "n")).toEqual([]);
  expect(await shown({ logging: "stderr" }, "e")).toEqual(["e-err"]);
  expect(await shown({ logging: "stdout" }, "o")).toEqual(["o-out"]);
});

test("a wrong host key is never trusted, and is tried as often as the limit says", async () => {
  const other = await SshServer.start();
  try {
    const connection = {
      ...server.connection(),
      hostKey: other.connection().hostKey,
      dialErrorLimit: 2,
    };
    const before = server.connects;
    const error = await failure(create(commandToken, { connection, create: "echo never" }));
    expect(error.message).toMatch(
      /127\.0\.0\.1:\d+: after 2 failed attempts: ssh: handshake failed: ssh: host key mismatch/,
    );
    expect(server.connects - before).toBe(3);
    expect(server.commands).not.toContain("echo never");
  } finally {
    await other.stop();
  }
});

test("without a host key the check refuses, naming the property", async () => {
  const { host, port, user, privateKey } = server.connection();
  const connection = { host, port, user, privateKey };
  const { failures } = await client.check(commandToken, { connection, create: ":" });
  expect(failures.map(({ property }) => property)).toEqual(["connection.hostKey"]);
});

test("a password works, alone and through a proxy; a wrong one does not get into the message", async () => {
  const { host, port, user, hostKey } = server.connection();
  const rest = { host, port, user, hostKey };
  const connection = { ...rest, password: "open sesame" };
  expect((await create(commandToken, { connection, create: "echo in" })).state["stdout"]).toBe(
    "in",
  );
  const proxied = { ...connection, proxy: server.connection() };
  const through = await create(commandToken, { connection: proxied, create: "echo through" });
  expect(through.state["stdout"]).toBe("through");
  const wrong = { ...rest, password: "close barley", dialErrorLimit: 0 };
  const error = await failure(create(commandToken, { connection: wrong, create: "echo never" }));
  expect(error.message).toContain("All configured authentication methods failed");
  expect(error.message).not.toContain("barley");
});

test("a private key that cannot be read is refused at once and never shown", async () => {
  const connection = { ...server.connection(), privateKey: "-----BEGIN NOTHING-----\nabcdefgh\n" };
  const error = await failure(create(commandToken, { connection, create: ":" }));
  expect(error.message).toContain("connection.privateKey");
  expect(error.message).not.toContain("abcdefgh");
});

test("preview runs nothing; outputs are unknown", async () => {
  const connection = { ...server.connection(), host: unknown };
  const inputs = (await client.check(commandToken, { connection, create: "echo x" })).inputs;
  const before = server.logins;
  const { state } = await client.create(commandToken, inputs, { preview: true });
  expect(state).toMatchObject({ create: "echo x", stdout: unknown, stderr: unknown });
  expect(server.logins).toBe(before);
});

test("Cancel ends the wait for a command at once", async () => {
  const slow = client.create(commandToken, {
    connection: server.connection(),
    create: "echo started-slow; exec sleep 30",
  });
  const failed = failure(slow);
  await engine.line(({ message }) => message === "started-slow");
  await client.cancel();
  expect((await failed).message).toContain("stopped: the deployment was cancelled");
  await client.configure({});
});

describe("CopyToRemote", () => {
  test("copies a file, a text, a folder and an archive of assets, making directories", async () => {
    const source = join(folder, "source");
    mkdirSync(join(source, "deep"), { recursive: true });
    writeFileSync(join(source, "a.txt"), "content of a");
    writeFileSync(join(source, "deep", "b.bin"), Buffer.alloc(300_000, 7));
    const to = join(folder, "target");
    const file = (path: string): Wire => ({ ...asset("", "h1"), text: "", path });
    const archive = (body: Wire): Wire => ({
      "4dabf18193072939515e22adb298388d": "0def7320c3a5731c473e5ecbe6d01bc7",
      hash: "h2",
      ...body,
    });
    await create(copyToken, {
      source: file(join(source, "a.txt")),
      remotePath: join(to, "x/copy.txt"),
    });
    expect(readFileSync(join(to, "x/copy.txt"), "utf8")).toBe("content of a");
    await create(copyToken, { source: file(join(source, "a.txt")), remotePath: join(to, "x") });
    expect(readFileSync(join(to, "x/a.txt"), "utf8")).toBe("content of a");
    await create(copyToken, { source: asset("just text", "h3"), remotePath: join(to, "text") });
    expect(readFileSync(join(to, "text"), "utf8")).toBe("just text");
    await create(copyToken, { source: archive({ path: source }), remotePath: join(to, "whole") });
    expect(readFileSync(join(to, "whole/source/deep/b.bin"))).toHaveLength(300_000);
    await create(copyToken, {
      source: archive({ path: `${source}/` }),
      remotePath: join(to, "in"),
    });
    expect(readFileSync(join(to, "in/a.txt"), "utf8")).toBe("content of a");
    const assets = { "one.txt": asset("1", "h4"), "sub/two.txt": asset("2", "h5") };
    await create(copyToken, { source: archive({ assets }), remotePath: join(to, "set") });
    expect(readFileSync(join(to, "set/sub/two.txt"), "utf8")).toBe("2");
  });

  test("copies that run at the same time make a common directory together", async () => {
    const to = join(folder, "common", "deep");
    const copies = Array.from({ length: 8 }, (_, i) =>
      create(copyToken, {
        source: asset("t", `h${i.toString()}`),
        remotePath: join(to, i.toString()),
      }),
    );
    await Promise.all(copies);
    expect(readdirSync(to)).toHaveLength(8);
  });

  test("copies again only when content or path changes; delete leaves the copy", async () => {
    const remotePath = join(folder, "kept");
    const first = await create(copyToken, { source: asset("v1", "h1"), remotePath });
    writeFileSync(remotePath, "touched");
    const connection = { ...server.connection(), perDialTimeout: 3 };
    await client.update(copyToken, first.id, first, { ...first.inputs, connection });
    expect(readFileSync(remotePath, "utf8")).toBe("touched");
    await client.update(copyToken, first.id, first, { ...first.inputs, source: asset("v2", "h2") });
    expect(readFileSync(remotePath, "utf8")).toBe("v2");
    await client.delete(copyToken, first.id, first.state);
    expect(existsSync(remotePath)).toBe(true);
  });

  test("refuses what is no asset, and a folder where a file is in the way", async () => {
    const wrong = await client.check(copyToken, {
      connection: server.connection(),
      source: "a string",
      remotePath: "/x",
    });
    expect(wrong.failures).toEqual([
      { property: "source", reason: "must be an asset or an archive" },
    ]);
    const file = join(folder, "file");
    writeFileSync(file, "");
    const blocked = create(copyToken, { source: asset("t", "h"), remotePath: join(file, "below") });
    expect((await failure(blocked)).message).toContain(
      `remote path ${file} exists but is not a directory`,
    );
  });
});
