import type { Client } from "ssh2";
import { GuestError, isGuestError } from "../../../bed/errors";
import { quoteArgv } from "../../../bed/shell-words";
import type { DeviceCall } from "../call";
import type { ExecOptions, ExecResult, GuestAddress, GuestShell } from "../guest-shell";
import { abortable, GuestConnection, type ConnectionOptions } from "./connection";
import { measureClock } from "./clock";
import { collect } from "./exec-output";
import { fetchBySftp } from "./transfer";

/** Below OpenSSH's default `MaxSessions 10`. */
const sessionsAtOnce = 8;

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

  /** Starts a command; a connection that died unnoticed is replaced once, as nothing has run yet. */
  private async start(
    call: DeviceCall,
    command: string,
    operation: string,
    options: ExecOptions,
  ): Promise<RunningCommand> {
    for (let attempt = 1; ; attempt += 1) {
      const client = await this.connection.client(call);
      try {
        const starting = startCommand(client, command, this.guest, operation, options);
        return await abortable(call, this.guest, operation, starting);
      } catch (error) {
        if (attempt > 1 || !isGuestError(error, "unreachable")) throw error;
        await this.connection.drop(client);
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

/**
 * Opens a channel and listens to it before anything else can happen: a server may send the answer
 * and the exit status of a short command in one packet.
 */
function startCommand(
  client: Client,
  command: string,
  guest: string,
  operation: string,
  options: ExecOptions,
): Promise<RunningCommand> {
  return new Promise((resolve, reject) => {
    const lost = (error?: unknown): void => {
      client.removeListener("close", lost);
      const reason = error instanceof Error ? error.message : "the connection was lost";
      reject(new GuestError(guest, operation, reason, undefined, error, "unreachable"));
    };
    client.once("close", lost);
    try {
      client.exec(command, (error, channel) => {
        client.removeListener("close", lost);
        if (error) {
          lost(error);
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
      lost(error); // ssh2 throws "Not connected" at once on a dead client
    }
  });
}
