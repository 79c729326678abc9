import { execFile } from "node:child_process";

/** A program ended with an error. */
export class CommandError extends Error {
  /** What it had printed until then. */
  readonly stdout: string;

  constructor(program: string, said: string, stdout: string, cause: unknown) {
    super(`${program}: ${said}`, { cause });
    this.name = "CommandError";
    this.stdout = stdout;
  }
}

/** Runs a program by its argument vector. @throws CommandError with what it printed, when it fails */
export function run(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { maxBuffer: 1 << 24 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else {
        const said = stderr.trim() === "" ? error.message : stderr.trim();
        reject(new CommandError(program, said, stdout, error));
      }
    });
  });
}
