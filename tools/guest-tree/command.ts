import { spawn } from "node:child_process";
import { SanbedError } from "../../bed/errors";

export interface CommandOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Sent to standard input. */
  readonly input?: string | AsyncIterable<Uint8Array>;
}

export interface CommandResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program by its argument vector, without a shell, and answers whatever it ended with. */
export async function tryCommand(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const child = spawn(program, args, { env: options.env ?? process.env, cwd: options.cwd });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  // The program may end before it has read everything; its exit status tells.
  child.stdin.on("error", () => undefined);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  const [status] = await Promise.all([ended, feed(child.stdin, options.input)]).catch(
    (error: unknown) => {
      child.kill("SIGKILL");
      throw new SanbedError("guest-tree", `cannot run ${program}: ${String(error)}`, {
        cause: error,
      });
    },
  );
  return {
    status,
    stdout: Buffer.concat(stdout).toString(),
    stderr: Buffer.concat(stderr).toString(),
  };
}

/** As {@link tryCommand}. @throws SanbedError with what the program printed, when it fails. */
export async function runCommand(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  const result = await tryCommand(program, args, options);
  if (result.status === 0) return result.stdout;
  const said = lastLines(result.stderr === "" ? result.stdout : result.stderr);
  throw new SanbedError(
    "guest-tree",
    `${program} ${args[0] ?? ""} failed (${result.status ?? "killed"}): ${said}`,
  );
}

function lastLines(text: string): string {
  return text.trim().split("\n").slice(-5).join("\n  ");
}

async function feed(
  stdin: NodeJS.WritableStream,
  input: string | AsyncIterable<Uint8Array> | undefined,
): Promise<void> {
  if (typeof input === "string") stdin.write(input);
  else if (input !== undefined) {
    for await (const chunk of input) {
      if (!stdin.writable) break;
      if (!stdin.write(chunk)) await drained(stdin);
    }
  }
  stdin.end();
}

/** Resolves when more can be written, or when nobody reads any more. */
function drained(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      stream.off("drain", go).off("close", go).off("error", go);
      resolve();
    };
    stream.on("drain", go).on("close", go).on("error", go);
  });
}
