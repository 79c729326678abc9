import type { Client, ClientChannel } from "ssh2";
import { SanbedError } from "../../../bed/errors";
import type { ResourceCall } from "../../../provider/kit/handler";
import type { Connection } from "./connection-schema";
import { dial } from "./dial";

type Logging = "stdout" | "stderr" | "stdoutAndStderr" | "none";

export interface RemoteRun {
  readonly connection: Connection;
  readonly command: string;
  readonly stdin: string | undefined;
  /** Must be accepted by the server (`AcceptEnv`), else the run fails. */
  readonly environment: Readonly<Record<string, string>>;
  /** Sent as well; a server that does not accept them is no failure. */
  readonly optionalEnvironment: Readonly<Record<string, string>>;
  readonly logging: Logging | undefined;
}

export interface RemoteOutput {
  /** Without the last line break, as the official plugin gives it. */
  readonly stdout: string;
  readonly stderr: string;
}

type Call = Pick<ResourceCall<unknown>, "signal" | "status">;

/** Runs a command on a remote host over a connection of its own, which is closed afterwards. */
export async function runRemote(call: Call, run: RemoteRun): Promise<RemoteOutput> {
  const client = await dial(call, run.connection);
  const abort = (): void => {
    client.destroy();
  };
  call.signal.addEventListener("abort", abort, { once: true });
  try {
    await requireEnvironment(client, run.environment);
    const result = await exec(client, run.command, {
      environment: { ...run.optionalEnvironment, ...run.environment },
      stdin: run.stdin,
      onStdout: logged(run.logging, "stdout") ? lineLogger(call.status) : undefined,
      onStderr: logged(run.logging, "stderr") ? lineLogger(call.status) : undefined,
    });
    if (result.how !== "exited with status 0") {
      throw new SanbedError(
        "command",
        `Process ${result.how}: running ${JSON.stringify(run.command)}:\n${result.both}`,
      );
    }
    return { stdout: withoutLastBreak(result.stdout), stderr: withoutLastBreak(result.stderr) };
  } catch (error) {
    call.signal.throwIfAborted();
    throw error;
  } finally {
    call.signal.removeEventListener("abort", abort);
    client.end();
  }
}

/**
 * ssh2 asks for no answer to its environment requests, so a refused one would go unnoticed: the remote
 * environment is looked at first.
 */
async function requireEnvironment(
  client: Client,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const names = Object.keys(environment);
  if (names.length === 0) return;
  const { stdout } = await exec(client, "env", { environment });
  const there = new Set(stdout.split("\n").map((line) => line.split("=", 1)[0]));
  const refused = names.find((name) => !there.has(name));
  if (refused === undefined) return;
  throw new SanbedError(
    "command",
    `could not set environment variable ${JSON.stringify(refused)}: the SSH server does not accept it (AcceptEnv). ` +
      "Let it accept the variable, or prefix the command with VAR=value.",
  );
}

interface ExecOptions {
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin?: string | undefined;
  readonly onStdout?: ((text: string) => void) | undefined;
  readonly onStderr?: ((text: string) => void) | undefined;
}

interface Execution {
  /** `exited with status 7`, `was ended by signal KILL`, or that the connection broke. */
  readonly how: string;
  readonly stdout: string;
  readonly stderr: string;
  /** Both streams as they came. */
  readonly both: string;
}

function exec(client: Client, command: string, options: ExecOptions): Promise<Execution> {
  return new Promise((resolve, reject) => {
    const broke = (): void => {
      reject(new SanbedError("command", "the connection broke before the command started"));
    };
    client.once("close", broke);
    client.exec(command, { env: { ...options.environment } }, (error, channel) => {
      client.removeListener("close", broke);
      // Listened to at once: output, status and close of a quick command may follow in this very turn.
      if (error === undefined) collect(channel, options, resolve);
      else reject(error);
    });
  });
}

function collect(
  channel: ClientChannel,
  options: ExecOptions,
  done: (execution: Execution) => void,
): void {
  const texts = { stdout: "", stderr: "", both: "" };
  const gather = (stream: "stdout" | "stderr", log: ExecOptions["onStdout"]) => (text: string) => {
    texts[stream] += text;
    texts.both += text;
    log?.(text);
  };
  let how = "ended without a status: the connection broke";
  channel.setEncoding("utf8").on("data", gather("stdout", options.onStdout));
  channel.stderr.setEncoding("utf8").on("data", gather("stderr", options.onStderr));
  channel.on("exit", (code: number | null, signal?: string) => {
    how =
      code === null
        ? `was ended by signal ${signal ?? "unknown"}`
        : `exited with status ${code.toString()}`;
  });
  channel.on("close", () => {
    done({ how, ...texts });
  });
  channel.end(options.stdin ?? "");
}

function logged(logging: Logging | undefined, stream: "stdout" | "stderr"): boolean {
  return logging === undefined || logging === "stdoutAndStderr" || logging === stream;
}

/** Whole lines go to the live status of the resource; the rest waits for its line break. */
function lineLogger(status: (message: string) => void): (text: string) => void {
  let rest = "";
  return (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) status(line);
  };
}

function withoutLastBreak(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}
