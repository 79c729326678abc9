import type { ClientChannel } from "ssh2";
import { GuestError } from "../../../bed/errors";
import type { ExecOptions, ExecResult } from "../guest-shell";

const defaultMaxBytes = 4 * 1024 * 1024;

/**
 * Collects the output of a running command until its channel closes.
 * A close without an exit status means that the connection was lost: `unreachable`.
 */
export function collect(
  channel: ClientChannel,
  guest: string,
  operation: string,
  options: ExecOptions,
): Promise<ExecResult> {
  const limit = options.maxBytes ?? defaultMaxBytes;
  return new Promise((resolve, reject) => {
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let total = 0;
    let exitCode: number | undefined;
    const take = (into: Buffer[]) => (chunk: Buffer) => {
      total += chunk.length;
      if (total <= limit) into.push(chunk);
      else {
        channel.close();
        const reason = `it printed more than ${limit.toString()} bytes`;
        reject(new GuestError(guest, operation, reason));
      }
    };
    channel.on("data", take(stdout));
    channel.stderr.on("data", take(stderr));
    channel.on("exit", (code: number | null, signal?: string) => {
      exitCode = code ?? signalExit(signal);
    });
    channel.on("error", () => undefined); // the close that follows decides
    channel.on("close", () => {
      if (exitCode === undefined) {
        const reason = "the connection was lost before its exit status came";
        reject(new GuestError(guest, operation, reason, undefined, undefined, "unreachable"));
        return;
      }
      resolve({ exitCode, stdout: text(stdout), stderr: text(stderr) });
    });
    channel.end(options.stdin ?? "");
  });
}

/** A program that a signal ended counts as a failure, as in a shell. */
function signalExit(signal: string | undefined): number {
  const numbers: Readonly<Record<string, number>> = { HUP: 1, INT: 2, KILL: 9, TERM: 15 };
  return 128 + (numbers[signal ?? ""] ?? 0);
}

function text(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString("utf8");
}
