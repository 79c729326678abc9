import { SanbedError } from "../bed/errors";

/** What a person reads: the message of an error meant for people, else message and a hint to the stack. */
export function printable(error: unknown): string {
  if (error instanceof SanbedError) return error.message;
  if (!(error instanceof Error)) return String(error);
  return process.env["SANBED_DEBUG"] === "1"
    ? (error.stack ?? error.message)
    : `${error.message} (SANBED_DEBUG=1 shows where)`;
}
