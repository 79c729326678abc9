import { SanbedError } from "../../bed/errors";

/** An error of the lab itself, not of a device in it. */
export function labError(message: string, cause?: unknown): SanbedError {
  return new SanbedError("lab", message, { cause });
}
