import { spawn } from "node:child_process";
import { SanbedError } from "../../bed/errors";

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Called with each line of output. */
  readonly onLine?: (line: string) => void;
  readonly timeoutMs?: number;
}

/** Runs a program by argument vector and answers its standard output. @throws {SanbedError} `command` */
export function run(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: options.timeoutMs,
    });
    let stdout = "";
    let tail = "";
    const collect = (text: string): void => {
      tail = (tail + text).slice(-4000);
      if (options.onLine)
        for (const line of text.split("\n")) if (line !== "") options.onLine(line);
    };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      collect(text);
    });
    child.stderr.setEncoding("utf8").on("data", collect);
    child.on("error", (cause) => {
      reject(
        new SanbedError("command", `${program} cannot be started: ${cause.message}`, { cause }),
      );
    });
    child.on("close", (code, signal) => {
      if (code === 0) resolve(stdout);
      else {
        const how = signal ?? `exit ${String(code)}`;
        reject(
          new SanbedError(
            "command",
            `${program} ${args.join(" ")} failed (${how}):\n${tail.trimEnd()}`,
          ),
        );
      }
    });
  });
}
