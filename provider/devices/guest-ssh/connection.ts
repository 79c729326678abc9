import { Client } from "ssh2";
import type { Socket } from "node:net";
import { connect as connectTcp } from "node:net";
import { GuestError } from "../../../bed/errors";
import type { DeviceCall } from "../call";
import type { GuestAddress } from "../guest-shell";
import { fingerprint, parseHostKey, type HostKey } from "./host-key";

export interface ConnectionOptions {
  /** Resolves the reference in `privateKey` to the key itself, at each connect. */
  readonly resolve: (reference: string) => Promise<string>;
  /** Time for TCP connect and login together. Default 15 s. */
  readonly connectTimeoutMs?: number;
  /** A connection that stays silent this long, three times in a row, counts as lost. Default 10 s. */
  readonly keepaliveMs?: number;
}

/**
 * One SSH connection to a guest, made when first needed and made again after a loss. Concurrent
 * callers share it. The server's key must be the pinned one.
 */
export class GuestConnection {
  private readonly hostKey: HostKey;
  private live: Promise<Client> | undefined;

  constructor(
    private readonly address: GuestAddress,
    private readonly options: ConnectionOptions,
  ) {
    this.hostKey = parseHostKey(address.hostKey);
  }

  /** The live connection. @throws {GuestError} unreachable, hostKey, unauthorized, aborted. */
  async client(call: DeviceCall): Promise<Client> {
    throwIfAborted(call, this.address.name, "connect");
    const live = this.live ?? this.open();
    this.live = live;
    return abortable(call, this.address.name, "connect", live);
  }

  /** Forgets a connection that turned out to be dead, unless a newer one has taken its place. */
  async drop(client: Client): Promise<void> {
    const current = await this.live?.catch(() => undefined);
    if (current === client) this.live = undefined;
    client.destroy();
  }

  async close(): Promise<void> {
    const live = this.live;
    this.live = undefined;
    (await live?.catch(() => undefined))?.end();
  }

  private open(): Promise<Client> {
    const opened = this.connect();
    const forget = (): void => {
      if (this.live === opened) this.live = undefined;
    };
    opened.then((client) => {
      client.on("close", forget);
      client.on("error", forget);
    }, forget);
    return opened;
  }

  private async connect(): Promise<Client> {
    const { host, port, user, name } = this.address;
    const privateKey = await this.options.resolve(this.address.privateKey);
    const timeout = this.options.connectTimeoutMs ?? 15_000;
    const sock = connectTcp({ host, port });
    // Without this every small packet waits for the peer's delayed acknowledgement (about 40 ms each).
    sock.setNoDelay(true);
    return new Promise<Client>((resolve, reject) => {
      const client = new Client();
      let offered: Buffer | undefined;
      const fail = (error: unknown): void => {
        client.destroy();
        sock.destroy();
        reject(this.failure(error, offered));
      };
      client.once("error", fail);
      client.once("close", () => {
        fail(new Error("the connection was closed during login"));
      });
      client.once("ready", () => {
        client.removeAllListeners("close").removeListener("error", fail);
        // A later error closes the connection; whoever uses it sees the close.
        client.on("error", () => undefined);
        resolve(client);
      });
      try {
        client.connect({
          sock,
          username: user,
          privateKey,
          readyTimeout: timeout,
          keepaliveInterval: this.options.keepaliveMs ?? 10_000,
          keepaliveCountMax: 3,
          algorithms: { serverHostKey: this.hostKey.algorithms },
          hostVerifier: (key: Buffer) => {
            offered = key;
            return key.equals(this.hostKey.blob);
          },
        });
      } catch (error) {
        fail(new GuestError(name, "connect", keyProblem(error), keyRemedy, error, "unauthorized"));
      }
      failSocketWith(sock, fail);
    });
  }

  private failure(error: unknown, offered: Buffer | undefined): GuestError {
    const { name, host, port, user } = this.address;
    if (error instanceof GuestError) return error;
    const reason = error instanceof Error ? error.message : String(error);
    const place = `${host}:${port.toString()}`;
    if (offered !== undefined && !offered.equals(this.hostKey.blob)) {
      const seen = `${place} answers with host key ${fingerprint(offered)}`;
      const pinned = `, pinned is ${fingerprint(this.hostKey.blob)}`;
      return new GuestError(name, "connect", seen + pinned, wrongKeyRemedy, error, "hostKey");
    }
    if (/no matching host key/i.test(reason)) {
      const text = `${place} has no ${this.hostKey.type} host key`;
      return new GuestError(name, "connect", text, wrongKeyRemedy, error, "hostKey");
    }
    if (levelOf(error) === "client-authentication") {
      const text = `${place} refuses the key for user ${user}`;
      return new GuestError(name, "connect", text, keyRemedy, error, "unauthorized");
    }
    const text = `no SSH at ${place} (${reason})`;
    return new GuestError(name, "connect", text, "Is the guest up?", error, "unreachable");
  }
}

const keyRemedy = "Check the guest's user and private key reference.";
const wrongKeyRemedy = "Another machine may hold this address; else correct the pinned host key.";

function keyProblem(error: unknown): string {
  // ssh2 never quotes the key in its messages.
  return `the private key cannot be used (${error instanceof Error ? error.message : "unknown"})`;
}

function levelOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "level" in error ? error.level : undefined;
}

function failSocketWith(sock: Socket, fail: (error: unknown) => void): void {
  sock.once("error", fail);
}

function throwIfAborted(call: DeviceCall, guest: string, operation: string): void {
  if (call.signal.aborted) {
    throw new GuestError(guest, operation, "the call was aborted", undefined, undefined, "aborted");
  }
}

/** Settles with the work, or at once with an `aborted` error when the call is given up. */
export function abortable<T>(
  call: DeviceCall,
  guest: string,
  operation: string,
  work: Promise<T>,
  onAbort?: () => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => {
      onAbort?.();
      reject(
        new GuestError(guest, operation, "the call was aborted", undefined, undefined, "aborted"),
      );
    };
    if (call.signal.aborted) {
      work.catch(() => undefined);
      abort();
      return;
    }
    call.signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => {
      call.signal.removeEventListener("abort", abort);
    });
  });
}
