import { SanbedError } from "../bed/errors";
import { systemErrorText } from "../bed/system-error";

/** What a person reads: the message of an error meant for people, else message and a hint to the stack. */
export function printable(error: unknown): string {
  if (error instanceof SanbedError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const ofMachine = systemErrorText(error);
  if (ofMachine !== undefined) return ofMachine;
  return process.env["SANBED_DEBUG"] === "1"
    ? (error.stack ?? error.message)
    : `${error.message} (SANBED_DEBUG=1 shows where)`;
}
