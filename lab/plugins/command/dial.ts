import type { Duplex } from "node:stream";
import { connect as connectTcp, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, type ConnectConfig, utils } from "ssh2";
import { ConfigError, type Problem, SanbedError } from "../../../bed/errors";
import { fingerprint, parseHostKey } from "../../../provider/devices/guest-ssh/host-key";
import type { ResourceCall } from "../../../provider/kit/handler";
import type { Connection, Hop } from "./connection-schema";

type Call = Pick<ResourceCall<unknown>, "signal" | "status">;

/**
 * The official plugin ignores the host key when none is given. Here it is required, since beds always
 * pin it and a forgotten one would go unnoticed.
 */
export function hostKeyProblems(connection: Connection | undefined): Problem[] {
  if (connection === undefined) return [];
  const missing = (path: string): Problem => ({
    path,
    message: "is required by this stand-in for the command plugin",
    remedy: "give the public host key of the machine",
  });
  const { hostKey, proxy } = connection;
  const problems = hostKey === undefined ? [missing("connection.hostKey")] : [];
  if (proxy !== undefined && proxy.hostKey === undefined) {
    problems.push(missing("connection.proxy.hostKey"));
  }
  return problems;
}

/**
 * Opens an SSH connection, trying again as often as the connection says, with pauses that grow from
 * 0.1 to 5 seconds (the official plugin's). The caller ends it.
 * @throws {SanbedError} `ssh` with the last reason.
 */
export async function dial(call: Call, connection: Connection): Promise<Client> {
  const { proxy } = connection;
  if (proxy === undefined) return dialHop(call, connection, () => tcp(connection));
  const through = await dialHop(call, proxy, () => tcp(proxy));
  try {
    const client = await dialHop(call, connection, () => forward(through, connection));
    client.once("close", () => through.end());
    return client;
  } catch (error) {
    through.end();
    throw error;
  }
}

async function dialHop(
  call: Call,
  hop: Hop,
  open: () => Duplex | Promise<Duplex>,
): Promise<Client> {
  refuseBadKey(hop);
  const limit = hop.dialErrorLimit;
  for (let failed = 0; ;) {
    call.signal.throwIfAborted();
    try {
      return await connectOnce(call.signal, hop, await open());
    } catch (error) {
      if (call.signal.aborted) throw error;
      failed += 1;
      const reason = error instanceof Error ? error.message : String(error);
      const place = `${hop.host}:${hop.port.toString()}`;
      if (limit >= 0 && failed > limit) {
        throw new SanbedError(
          "ssh",
          `${place}: after ${limit.toString()} failed attempts: ${reason}`,
        );
      }
      const of = limit < 0 ? "inf" : limit.toString();
      call.status(`Dial ${failed.toString()}/${of} failed: retrying`);
      await sleep(Math.min(5000, 100 * 1.5 ** (failed - 1)), undefined, { signal: call.signal });
    }
  }
}

/** A key that cannot be read will not be better next time. ssh2 never quotes the key. */
function refuseBadKey({ privateKey, privateKeyPassword }: Hop): void {
  if (privateKey === undefined) return;
  const parsed = utils.parseKey(privateKey, privateKeyPassword);
  if (!(parsed instanceof Error)) return;
  throw new ConfigError([{ path: "connection.privateKey", message: parsed.message }]);
}

function connectOnce(signal: AbortSignal, hop: Hop, sock: Duplex): Promise<Client> {
  return new Promise<Client>((resolve, reject) => {
    const client = new Client();
    let offered: Buffer | undefined;
    const config = connectConfig(hop, sock, (key) => (offered = key));
    const fail = (error: unknown): void => {
      signal.removeEventListener("abort", abort);
      client.destroy();
      sock.destroy();
      reject(hostKeyMismatch(hop, offered) ?? (error as Error));
    };
    const abort = (): void => {
      fail(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    sock.once("error", fail);
    client.once("error", fail);
    client.once("close", () => {
      fail(new Error("the connection was closed during login"));
    });
    client.once("ready", () => {
      signal.removeEventListener("abort", abort);
      client.removeAllListeners("close").removeListener("error", fail);
      // A later error closes the connection; whoever uses it sees the close.
      client.on("error", () => undefined);
      resolve(client);
    });
    client.on("keyboard-interactive", (_name, _text, _language, prompts, finish) => {
      finish(prompts.map(() => hop.password ?? ""));
    });
    client.connect(config);
  });
}

function connectConfig(hop: Hop, sock: Duplex, offer: (key: Buffer) => void): ConnectConfig {
  const pinned = parseHostKey(hop.hostKey ?? "", "connection.hostKey");
  const agent = hop.agentSocketPath ?? process.env["SSH_AUTH_SOCK"];
  const { privateKey, privateKeyPassword, password } = hop;
  return {
    sock,
    username: hop.user,
    readyTimeout: hop.perDialTimeout * 1000,
    algorithms: { serverHostKey: pinned.algorithms },
    hostVerifier: (key: Buffer) => {
      offer(key);
      return key.equals(pinned.blob);
    },
    ...(privateKey === undefined ? {} : { privateKey }),
    ...(privateKeyPassword === undefined ? {} : { passphrase: privateKeyPassword }),
    ...(password === undefined ? {} : { password, tryKeyboard: true }),
    ...(agent === undefined ? {} : { agent }),
  };
}

function hostKeyMismatch(hop: Hop, offered: Buffer | undefined): Error | undefined {
  const { blob } = parseHostKey(hop.hostKey ?? "", "connection.hostKey");
  if (offered === undefined || offered.equals(blob)) return undefined;
  const seen = `it has ${fingerprint(offered)}, expected is ${fingerprint(blob)}`;
  return new Error(`ssh: handshake failed: ssh: host key mismatch (${seen})`);
}

function tcp(hop: Hop): Socket {
  const socket = connectTcp({ host: hop.host, port: hop.port });
  // Else every small packet waits some 40 ms for the peer's delayed acknowledgement.
  socket.setNoDelay(true);
  return socket;
}

function forward(through: Client, hop: Hop): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    through.forwardOut("127.0.0.1", 0, hop.host, hop.port, (error, channel) => {
      if (error === undefined) resolve(channel);
      else reject(error);
    });
  });
}
