/**
 * The only error classes of the project. Test them by `code` and `kind`, never by text.
 */

/** One thing that is wrong in an input, with the place and the way out. */
export interface Problem {
  /** Path in the input, for instance `hosts[2].hbas[0].wwpn`. Empty for the input as a whole. */
  readonly path: string;
  readonly message: string;
  /** What the reader can do about it. */
  readonly remedy?: string;
}

/** Base of all errors that are meant for a person: they print without a stack. */
export class SanbedError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** Wrong input. Carries every problem at once. */
export class ConfigError extends SanbedError {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[], title = "the input has problems") {
    super("config", [title, ...problems.map(formatProblem)].join("\n  "));
    this.problems = problems;
  }
}

/** One line for a problem: path, message, remedy. */
export function formatProblem(problem: Problem): string {
  const place = problem.path === "" ? "" : `${problem.path}: `;
  return `${place}${problem.message}${problem.remedy ? ` (${problem.remedy})` : ""}`;
}

/**
 * What kind of refusal a device gave.
 * `refused`: the request is understood and may not be done (foreign object, in use, limit).
 * `protocol`: the device answered something that its documentation does not name.
 */
export type DeviceErrorKind =
  | "notFound"
  | "alreadyExists"
  | "busy"
  | "locked"
  | "unauthorized"
  | "unsupported"
  | "refused"
  | "unreachable"
  | "timeout"
  | "aborted"
  | "protocol";

export interface DeviceErrorFields {
  readonly kind: DeviceErrorKind;
  /** Name of the device in the bed, for instance `fabricA`. */
  readonly device: string;
  /** What was tried, in the field's words, for instance `map volume`. */
  readonly operation: string;
  /** The object it was tried on, by its name on the device. */
  readonly object?: string | undefined;
  /** What went wrong. One sentence without the fields above. */
  readonly reason: string;
  /** What was expected instead, where that is not plain. */
  readonly expected?: string | undefined;
  /** What the reader can do. */
  readonly remedy?: string | undefined;
  /** The device's own code, as it sent it. */
  readonly vendorCode?: string | undefined;
  /** The same call may succeed later without anybody changing anything. */
  readonly retryable?: boolean | undefined;
  readonly cause?: unknown;
}

/** A device refused, could not be reached, or answered nonsense. */
export class DeviceError extends SanbedError {
  readonly kind: DeviceErrorKind;
  readonly device: string;
  readonly operation: string;
  readonly object: string | undefined;
  readonly vendorCode: string | undefined;
  readonly remedy: string | undefined;
  readonly retryable: boolean;

  constructor(fields: DeviceErrorFields) {
    super(`device.${fields.kind}`, deviceMessage(fields), { cause: fields.cause });
    this.kind = fields.kind;
    this.device = fields.device;
    this.operation = fields.operation;
    this.object = fields.object;
    this.vendorCode = fields.vendorCode;
    this.remedy = fields.remedy;
    this.retryable = fields.retryable ?? (fields.kind === "busy" || fields.kind === "unreachable");
  }
}

function deviceMessage(f: DeviceErrorFields): string {
  const object = f.object === undefined ? "" : ` ${f.object}`;
  const code = f.vendorCode === undefined ? "" : ` [${f.vendorCode}]`;
  const expected = f.expected === undefined ? "" : ` Expected ${f.expected}.`;
  const remedy = f.remedy === undefined ? "" : ` ${f.remedy}`;
  return `${f.device}: cannot ${f.operation}${object}: ${f.reason}${code}.${expected}${remedy}`;
}

/** True for a {@link DeviceError} of one of the kinds. Works across bundled copies of this class. */
export function isDeviceError(error: unknown, ...kinds: DeviceErrorKind[]): error is DeviceError {
  if (!(error instanceof Error) || !("kind" in error) || !("device" in error)) return false;
  return kinds.length === 0 || kinds.includes((error as DeviceError).kind);
}

/** Why a guest did not do as told. `failed`: it was reached and refused or the program failed. */
export type GuestErrorKind =
  "unreachable" | "hostKey" | "unauthorized" | "timeout" | "aborted" | "failed";

/** A guest (virtual machine) that cannot be reached or does not do as told. */
export class GuestError extends SanbedError {
  readonly guest: string;
  readonly kind: GuestErrorKind;

  constructor(
    guest: string,
    operation: string,
    reason: string,
    remedy?: string,
    cause?: unknown,
    kind: GuestErrorKind = "failed",
  ) {
    super("guest", `guest ${guest}: cannot ${operation}: ${reason}.${remedy ? ` ${remedy}` : ""}`, {
      cause,
    });
    this.guest = guest;
    this.kind = kind;
  }
}

/** True for a {@link GuestError} of one of the kinds. Works across bundled copies of this class. */
export function isGuestError(error: unknown, ...kinds: GuestErrorKind[]): error is GuestError {
  if (!(error instanceof Error) || !("guest" in error) || !("kind" in error)) return false;
  return kinds.length === 0 || kinds.includes((error as GuestError).kind);
}

/**
 * True when there is no guest of ours to talk to: nothing answers, or another machine does (its host
 * key or its users are others). Deleting what lay on the guest is then done.
 */
export function isGuestAway(error: unknown): error is GuestError {
  return isGuestError(error, "unreachable", "hostKey", "unauthorized");
}
