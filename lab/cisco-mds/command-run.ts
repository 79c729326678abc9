import { CliError } from "./errors";
import type { Output } from "./output";
import { isShowWord, type Shell } from "./shell";
import type { Body } from "./table";

/** What became of one command line. */
export interface CommandResult {
  readonly line: string;
  readonly text: string;
  readonly body: Body | undefined;
  readonly error: CliError | undefined;
  /** No command of the switch fits the line. */
  readonly unknown: boolean;
}

/** Command lines of one input: separated by semicolons. */
export function splitCommands(input: string): string[] {
  return input
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

export function runCommand(shell: Shell, line: string): CommandResult {
  shell.unknownCommand = false;
  try {
    const output: Output = shell.run(line);
    return { line, text: output.text, body: output.body, error: undefined, unknown: false };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { line, text: "", body: undefined, error, unknown: shell.unknownCommand };
  }
}

/**
 * Runs several lines as the shell does with `a ; b`: the first that fails ends it. The text is that of
 * all together.
 */
export function runLines(shell: Shell, lines: readonly string[]): CommandResult {
  const line = lines.join(" ; ");
  let text = "";
  let body: Body | undefined;
  for (const one of lines) {
    const result = runCommand(shell, one);
    if (result.error !== undefined) return { ...result, line };
    text += result.text;
    body = result.body ?? body;
  }
  return { line, text, body, error: undefined, unknown: false };
}

/** Whether a line reads only: `show`, and what concerns the terminal alone. */
export function readsOnly(line: string): boolean {
  const [first = "", second = ""] = line.trim().split(/\s+/);
  const word = (first === "no" ? second : first).toLowerCase();
  return isShowWord(word) || ["terminal", "end", "exit"].includes(word) || word.startsWith("conf");
}
