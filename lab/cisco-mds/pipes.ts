import { CliError, invalidCommand } from "./errors";

export interface Piped {
  readonly command: string;
  readonly filters: readonly string[];
}

/** Splits `show x | grep y | no-more`. */
export function splitPipes(line: string): Piped {
  const [command = "", ...filters] = line.split("|").map((part) => part.trim());
  return { command, filters };
}

/** Output after `| grep`, `| include`, `| exclude`, `| count`, `| no-more`. */
export function applyFilters(text: string, filters: readonly string[]): string {
  return filters.reduce(applyFilter, text);
}

function applyFilter(text: string, filter: string): string {
  const [word = "", ...rest] = filter.split(/\s+/);
  const pattern = rest.join(" ").replace(/^(["'])(.*)\1$/, "$2");
  const all = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  if (is(word, "no-more")) return text;
  if (is(word, "count")) return `${all.length.toString()}\n`;
  const keep = is(word, "grep") || is(word, "egrep") || is(word, "include");
  if (!keep && !is(word, "exclude")) throw invalidCommand();
  const expression = regularExpression(pattern);
  return all
    .filter((line) => expression.test(line) === keep)
    .map((line) => `${line}\n`)
    .join("");
}

function is(word: string, keyword: string): boolean {
  return word !== "" && keyword.startsWith(word);
}

function regularExpression(pattern: string): RegExp {
  try {
    return new RegExp(pattern);
  } catch {
    throw new CliError("% Invalid regular expression");
  }
}
