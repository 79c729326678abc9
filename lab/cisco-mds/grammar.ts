import { CliError, invalidCommand } from "./errors";
import type { Output } from "./output";

/** Arguments by name; the words of a `<...>` rest in one list. */
export type Arguments = Readonly<Record<string, string | undefined>>;

/** Where a command is known. `exec` and `config` commands are known in every sub-mode as well. */
export type Mode =
  "exec" | "config" | "device-alias-db" | "zone" | "fcalias" | "zoneset" | "vsan-db" | "interface";

/** A command of a shell of type `S`. */
export interface CommandOf<S> {
  readonly mode: Mode;
  /**
   * Keywords, `<argument>`s, and at the end perhaps `<argument...>` for all further words. Keywords may
   * be shortened as long as they name one command.
   */
  readonly pattern: string;
  /** True for commands that only read. */
  readonly show?: boolean;
  run(shell: S, args: Arguments): Output;
}

export interface Matched<S> {
  readonly command: CommandOf<S>;
  readonly args: Arguments;
}

interface Candidate<S> extends Matched<S> {
  readonly exact: number;
  readonly keywords: number;
}

/**
 * Finds the command of a line: in the sub-mode first, then in global configuration, then in exec.
 * Undefined when nothing fits.
 * @throws {CliError} `% Ambiguous command` when a shortened word fits several.
 */
export function findCommand<S>(
  commands: readonly CommandOf<S>[],
  mode: Mode,
  words: readonly string[],
): Matched<S> | undefined {
  const order: readonly Mode[] = [...new Set<Mode>([mode, "config", "exec"])];
  for (const level of order) {
    const found = best(
      commands.filter((command) => command.mode === level),
      words,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

function best<S>(
  commands: readonly CommandOf<S>[],
  words: readonly string[],
): Matched<S> | undefined {
  const fits = commands
    .flatMap((command) => match(command, words) ?? [])
    .sort((a, b) => b.exact - a.exact || b.keywords - a.keywords);
  const [first, second] = fits;
  if (first === undefined) return undefined;
  const tie = second?.exact === first.exact && second.keywords === first.keywords;
  if (tie) throw new CliError("% Ambiguous command");
  return first;
}

function match<S>(command: CommandOf<S>, words: readonly string[]): Candidate<S> | undefined {
  const elements = command.pattern.split(" ");
  const args: Record<string, string> = {};
  let exact = 0;
  let keywords = 0;
  for (const [index, element] of elements.entries()) {
    const rest = /^<(\w+)\.\.\.>$/.exec(element)?.[1];
    if (rest !== undefined) {
      if (words.length <= index) return undefined;
      args[rest] = words.slice(index).join(" ");
      return { command, args, exact, keywords };
    }
    const word = words[index];
    if (word === undefined) return undefined;
    const name = /^<(\w+)>$/.exec(element)?.[1];
    if (name !== undefined) args[name] = word;
    else if (!element.startsWith(word.toLowerCase())) return undefined;
    else {
      keywords += 1;
      if (element === word.toLowerCase()) exact += 1;
    }
  }
  return words.length === elements.length ? { command, args, exact, keywords } : undefined;
}

/** An argument that the pattern has. */
export function argument(args: Arguments, name: string): string {
  const value = args[name];
  if (value === undefined) throw invalidCommand();
  return value;
}

/** A VSAN number, 1 to 4094. */
export function vsanArgument(args: Arguments): number {
  const text = argument(args, "vsan");
  const vsan = Number(text);
  if (!/^\d+$/.test(text) || vsan < 1 || vsan > 4094) {
    throw invalidCommand();
  }
  return vsan;
}

/** A VSAN number where the command may also be given without one. */
export function optionalVsan(args: Arguments): number | undefined {
  return args["vsan"] === undefined ? undefined : vsanArgument(args);
}
