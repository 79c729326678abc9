import type { Body } from "./table";

/** What a command prints. */
export interface Output {
  /** Lines as the console shows them, each with its line end; empty for nothing. */
  readonly text: string;
  /** Structured form of a show command; absent where the command has none. */
  readonly body?: Body;
}

export const silent: Output = { text: "" };

export function message(text: string): Output {
  return { text: `${text}\n` };
}

export function lines(all: readonly string[], body?: Body): Output {
  const text = all.map((line) => `${line}\n`).join("");
  return body === undefined ? { text } : { text, body };
}
