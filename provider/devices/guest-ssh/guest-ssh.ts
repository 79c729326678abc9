import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "ssh2";
import { GuestError, type GuestErrorKind } from "../../../bed/errors";
import { quoteArgv } from "../../../bed/shell-words";
import type { DeviceCall } from "../call";
import type { ExecOptions, ExecResult, GuestAddress, GuestShell } from "../guest-shell";
import { abortable, GuestConnection, type ConnectionOptions } from "./connection";
import { measureClock } from "./clock";
import { collect } from "./exec-output";
import { fetchBySftp } from "./transfer";

/** Below OpenSSH's default `MaxSessions 10`. */
const sessionsAtOnce = 8;
/** How long a server may refuse channels to us, whose sessions others use up. */
const channelPatienceMs = 30_000;
const channelPauseMs = 250;

/**
 * A guest over SSH (OpenSSH on the other side). See {@link GuestShell}.
 * @throws {GuestError} of every kind; `unreachable` after a loss, and then the command may or may
 * not have run: callers repeat only what is idempotent.
 */
class GuestSsh implements GuestShell {
  readonly guest: string;
  private readonly connection: GuestConnection;
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(address: GuestAddress, options: ConnectionOptions) {
    this.guest = address.name;
    this.connection = new GuestConnection(address, options);
  }

  async exec(
    call: DeviceCall,
    argv: readonly string[],
    options: ExecOptions = {},
  ): Promise<ExecResult> {
    const operation = `run ${argv[0] ?? ""}`;
    return this.inTurn(async () => {
      const run = await this.start(call, quoteArgv(argv), operation, options);
      const result = await abortable(call, this.guest, operation, run.output, run.close);
      if (result.exitCode !== 0 && options.allowFailure !== true) {
        const text = (result.stderr.trim() || result.stdout.trim()).slice(-800);
        const reason = `exit code ${result.exitCode.toString()}${text === "" ? "" : `: ${text}`}`;
        throw new GuestError(this.guest, operation, reason);
      }
      return result;
    });
  }

  async writeFile(call: DeviceCall, path: string, content: string, mode = 0o600): Promise<void> {
    // Made whole beside the target, then renamed: a reader never sees half a file.
    const script = 'umask 077 && cat >"$1.part" && chmod "$2" "$1.part" && mv -f "$1.part" "$1"';
    await this.exec(call, ["sh", "-c", script, "sh", path, mode.toString(8)], { stdin: content });
  }

  async fetchFile(
    call: DeviceCall,
    path: string,
    localPath: string,
  ): Promise<{ bytes: number; sha256: string }> {
    return this.inTurn(async () => {
      const client = await this.connection.client(call);
      const work = fetchBySftp(client, this.guest, path, localPath, call.signal);
      return abortable(call, this.guest, `fetch ${path}`, work);
    });
  }

  clockOffset(call: DeviceCall): Promise<{ offsetMs: number; uncertaintyMs: number }> {
    return measureClock(this, call);
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  /**
   * Starts a command, again only when nothing of it can have run: the connection was dead before it was
   * asked, or the server refused a channel (`MaxSessions`), which ends when another command does. The
   * connection is shared: a refusal is no reason to cut it.
   */
  private async start(
    call: DeviceCall,
    command: string,
    operation: string,
    options: ExecOptions,
  ): Promise<RunningCommand> {
    const until = Date.now() + channelPatienceMs;
    for (let reconnected = false; ;) {
      const client = await this.connection.client(call);
      try {
        const starting = startCommand(client, command, this.guest, operation, options);
        return await abortable(call, this.guest, operation, starting);
      } catch (error) {
        if (!(error instanceof NotStarted)) throw error;
        if (error.why === "channelRefused") {
          if (Date.now() >= until) throw error.told;
          await abortable(call, this.guest, operation, delay(channelPauseMs));
        } else {
          if (reconnected) throw error.told;
          reconnected = true;
          await this.connection.drop(client);
        }
      }
    }
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= sessionsAtOnce) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    this.running += 1;
    try {
      return await work();
    } finally {
      this.running -= 1;
      this.waiting.shift()?.();
    }
  }
}

/** Opens a shell on a guest. Nothing is sent before the first use. */
export function openGuestShell(address: GuestAddress, options: ConnectionOptions): GuestShell {
  return new GuestSsh(address, options);
}

interface RunningCommand {
  readonly output: Promise<ExecResult>;
  readonly close: () => void;
}

/** Nothing of the command has run, for certain: it may be started again. */
class NotStarted extends Error {
  constructor(
    readonly why: "notConnected" | "channelRefused",
    /** What the caller is told when starting again does not help. */
    readonly told: GuestError,
  ) {
    super(told.message);
  }
}

/**
 * Opens a channel and listens to it before anything else can happen: a server may send the answer
 * and the exit status of a short command in one packet.
 * @throws {NotStarted} when nothing has run. A connection that is lost after the command was sent is
 * `unreachable`: then nobody knows.
 */
function startCommand(
  client: Client,
  command: string,
  guest: string,
  operation: string,
  options: ExecOptions,
): Promise<RunningCommand> {
  const failure = (error: unknown, kind: GuestErrorKind): GuestError => {
    const reason = error instanceof Error ? error.message : "the connection was lost";
    return new GuestError(guest, operation, reason, undefined, error, kind);
  };
  return new Promise((resolve, reject) => {
    const lost = (): void => {
      reject(failure(undefined, "unreachable"));
    };
    client.once("close", lost);
    try {
      client.exec(command, (error, channel) => {
        client.removeListener("close", lost);
        if (error) {
          const told = failure(error, "unreachable");
          reject(isRefusal(error) ? new NotStarted("channelRefused", told) : told);
          return;
        }
        const output = collect(channel, guest, operation, options);
        // Whoever waits hears of a failure; nobody may be waiting yet.
        output.catch(() => undefined);
        resolve({
          output,
          close: () => {
            channel.close();
          },
        });
      });
    } catch (error) {
      // ssh2 throws "Not connected" at once on a dead client, before it sends anything.
      client.removeListener("close", lost);
      reject(new NotStarted("notConnected", failure(error, "unreachable")));
    }
  });
}

/** SSH_MSG_CHANNEL_OPEN_FAILURE carries a reason code (RFC 4254, section 5.1); a loss has none. */
function isRefusal(error: Error): boolean {
  return "reason" in error && typeof error.reason === "number";
}
