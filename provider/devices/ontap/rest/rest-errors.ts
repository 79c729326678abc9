import { DeviceError, type DeviceErrorKind } from "../../../../bed/errors";
import { meaningOfCode, wrapperCodes } from "./rest-codes";
import { errorShape } from "./wire";

export interface OntapPlace {
  readonly device: string;
  readonly operation: string;
  readonly object?: string | undefined;
}

export interface OntapFault {
  readonly code: string | undefined;
  readonly message: string;
  readonly target?: string | undefined;
}

/** Only used when the body has no code: the code decides, whatever the status (a 500 may be a plain refusal). */
const kindOfStatus: Readonly<Record<number, DeviceErrorKind>> = {
  401: "unauthorized",
  403: "unauthorized",
  405: "unsupported",
  409: "refused",
  502: "unreachable",
  503: "unreachable",
  504: "unreachable",
};

export function readFault(text: string): OntapFault | undefined {
  const parsed = errorShape.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  const { code, message, target } = parsed.data.error;
  return innerFault({ code, message: message ?? "no message", target });
}

/** A job's code often only says "failed", with the code that matters inside the text. */
export function innerFault(fault: OntapFault): OntapFault {
  if (fault.code !== undefined && !wrapperCodes.has(fault.code)) return fault;
  for (const [number] of fault.message.matchAll(/\b\d{5,8}\b/g)) {
    if (meaningOfCode(number) !== undefined) return { ...fault, code: number };
  }
  return fault;
}

export function ontapError(
  place: OntapPlace,
  fault: OntapFault | undefined,
  status?: number,
): DeviceError {
  const meaning = meaningOfCode(fault?.code);
  const kind = meaning?.kind ?? kindWithoutMeaning(fault?.code, status);
  const unauthorized = kind === "unauthorized" && meaning === undefined;
  return new DeviceError({
    ...place,
    kind,
    reason: reasonOf(meaning?.meaning, fault, status),
    vendorCode: vendorCode(fault, status),
    remedy: unauthorized
      ? "Check user, password, and that the account has the http application and a fitting role."
      : meaning?.remedy,
  });
}

/** The status decides, but only ONTAP's own code says "gone": a proxy or a bare web server has 404 too. */
function kindWithoutMeaning(code: string | undefined, status: number | undefined): DeviceErrorKind {
  if (status === 404 && code !== undefined) return "notFound";
  const byStatus = status === undefined ? undefined : kindOfStatus[status];
  return byStatus ?? (code !== undefined && wrapperCodes.has(code) ? "refused" : "protocol");
}

/** The code of ONTAP in an error that {@link ontapError} made. */
export function ontapCode(error: unknown): string | undefined {
  return error instanceof DeviceError
    ? /^ONTAP (\d+)/.exec(error.vendorCode ?? "")?.[1]
    : undefined;
}

function reasonOf(
  meaning: string | undefined,
  fault: OntapFault | undefined,
  status: number | undefined,
): string {
  const target = fault?.target === undefined ? "" : ` (field ${fault.target})`;
  const said = fault === undefined ? undefined : `"${fault.message}"${target}`;
  if (meaning !== undefined) return said === undefined ? meaning : `${meaning}: ${said}`;
  if (said !== undefined) return `the array says ${said}`;
  return status === 401
    ? "user or password is wrong"
    : `the array answers HTTP ${status?.toString() ?? "nothing"} without a reason`;
}

function vendorCode(fault: OntapFault | undefined, status: number | undefined): string | undefined {
  if (fault?.code !== undefined) return `ONTAP ${fault.code}`;
  return status === undefined ? undefined : `HTTP ${status.toString()}`;
}

/**
 * JSON as the array sent it: a whole number that a JavaScript number cannot hold exactly becomes a bigint.
 * Undefined when it is none.
 */
export function parseJson(text: string): unknown {
  try {
    // The third argument (source text) is newer than the compiler's library; every Node from 22 on has it.
    const revive = (
      _key: string,
      value: unknown,
      context?: { readonly source?: string },
    ): unknown =>
      typeof value === "number" &&
      !Number.isSafeInteger(value) &&
      /^-?\d+$/.test(context?.source ?? "")
        ? BigInt(context?.source ?? "0")
        : value;
    return JSON.parse(text, revive) as unknown;
  } catch {
    return undefined;
  }
}
