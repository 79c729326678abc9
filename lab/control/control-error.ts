import { SanbedError } from "../../bed/errors";

/** An answer other than 200, for a reader of `{ "error" }`. */
export class ControlError extends SanbedError {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super("lab", message);
  }
}
