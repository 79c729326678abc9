interface FosErrorFields {
  readonly type?: "application" | "protocol";
  readonly tag?: string;
  readonly path?: string;
  readonly code?: number;
  readonly module?: "rest" | "zone";
  readonly unknownRoute?: boolean;
}

/** An error as the switch answers it. Texts and codes: see the functions below for their sources. */
export class FosError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly fields: FosErrorFields = {},
  ) {
    super(message);
  }
}

/** github.com/brocade/ansible reports 101 and 108. */
export function invalidUri(): FosError {
  return new FosError(400, "Invalid REST URI", {
    tag: "unknown-element",
    code: 5,
    module: "rest",
    unknownRoute: true,
  });
}

/** An object that a zoning request names is not there (brocade/ansible reports 21 and 100). */
export function zoneNotFound(name: string, path: string): FosError {
  return zoneError(`"${name}" not found`, -1, path);
}

/** brocade/ansible report 11. */
export function duplicateObject(kind: string, name: string): FosError {
  const text = `Error: "${name}" create failed due to duplicate name and content.`;
  return zoneError(text, -8, `/${kind}/${kind}-name/${name}/`);
}

/** FOS REST API Reference 10.0, Zoning: transactions. */
export function notOwner(): FosError {
  return zoneError(
    "There is an outstanding admin transaction, and you are not the owner of the transaction.",
    -3,
    "/defined-configuration/",
  );
}

/** Any other refusal of the zoning module. The code of most is not published: -1, as for not found. */
export function zoneError(message: string, code = -1, path = "/defined-configuration/"): FosError {
  return new FosError(400, message, {
    type: "protocol",
    tag: "Operation-failed",
    path,
    code,
    module: "zone",
  });
}

/** Answered for lists without entries (brocade/ansible and brcdapi take it as an empty result). */
export function noEntries(message = "No entries found"): FosError {
  return new FosError(404, message, { tag: "data-missing" });
}

export function methodNotAllowed(): FosError {
  return new FosError(405, "Method Not Allowed", { tag: "operation-not-supported" });
}
