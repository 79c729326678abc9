import { SanbedError } from "../../bed/errors";

/** What differs between the releases of Fabric OS that the emulator can be. */
export interface Release {
  readonly version: string;
  /** Roots before the models were renamed: `zoning`, `switch`, `fabric`, `logical-switch`. */
  readonly oldRoots: boolean;
  /** `brocade-zone`, `brocade-fibrechannel-switch`, `brocade-fabric`, module version: 8.2.1b. */
  readonly newRoots: boolean;
  /** Name server and logical switches: 8.2.0a. */
  readonly nameServer: boolean;
  /** Chassis: 8.2.1. */
  readonly chassis: boolean;
  /** The switch's messages (`error-log`): 8.2.2b. */
  readonly errorLog: boolean;
  /**
   * FOS 9: `zone-type-string`, `fabric-lock` with its timer, expunge, four times the database, name
   * server queries.
   */
  readonly nine: boolean;
  /** FOS 9.1: rename, reads by Basic authorization without a login, REST settings of the chassis. */
  readonly nineOne: boolean;
  /** FOS 9.2: `cfg-action-v2` in paths. */
  readonly nineTwo: boolean;
  /** Version of the REST interface in the Content-Type of a login. */
  readonly api: string;
  /** Size limit of the zone database on a fixed-port switch, bytes. */
  readonly databaseMax: number;
}

/**
 * Reads a version such as `8.2.3c` or `v9.1.1b`.
 * Sources: which models each release has, github.com/brocade/yang (8.2.0 to 9.1.0b); reports 101 and
 * 108 of github.com/brocade/ansible for the names that 9.1 refuses.
 * @throws {SanbedError} `lab` for a version that the emulator does not know.
 */
export function fosRelease(text: string): Release {
  const match = /^v?(8\.2|9\.\d|10\.\d)\.(\d)([a-z]\d*)?$/.exec(text);
  const line = match?.[1];
  if (line === undefined) throw unknownRelease(text);
  const [major = 0, minor = 0] = line.split(".").map(Number);
  const nine = major >= 9;
  // A release without a letter sorts before one with it: 8.2.1 before 8.2.1a.
  const patch = `${match?.[2] ?? ""}${match?.[3] ?? ""}`;
  const since = (first: string): boolean => nine || patch >= first;
  const nineOne = major > 9 || (nine && minor >= 1);
  return {
    version: `v${text.replace(/^v/, "")}`,
    oldRoots: !nineOne,
    newRoots: since("1b"),
    nameServer: since("0a"),
    chassis: since("1"),
    errorLog: since("2b"),
    nine,
    nineOne,
    nineTwo: major > 9 || (nine && minor >= 2),
    ...(nine ? nineSizes : since("1b") ? { ...oldSizes, api: "1.30.0" } : oldSizes),
  };
}

const nineSizes = { api: "1.40.0", databaseMax: 4_194_304 };
const oldSizes = { api: "1.1.0", databaseMax: 1_048_576 };

function unknownRelease(text: string): SanbedError {
  return new SanbedError(
    "lab",
    `the FOS emulator does not know release "${text}": it knows 8.2.x, 9.x and 10.x, such as 9.1.1b`,
  );
}

/** Points that the documentation leaves open: the emulator can behave either way. */
export interface Readings {
  /** A PATCH that changes nothing: accepted, or refused with `No Change in Configuration`. */
  noChange: "accepted" | "refused";
  /** What the owner of a transaction reads of the defined configuration meanwhile. */
  pendingReads: "staged" | "committed";
  /** A list with one entry in JSON: an array, or the bare entry. */
  singleEntry: "array" | "object";
  /** Whether a PATCH of `default-zone-access` waits for a save. */
  defaultAccess: "staged" | "committed";
  /** With no configuration in force and no default access: no `cfg-name`, or the hidden one. */
  hiddenConfig: "absent" | "shown";
  /** What the fabric lock's timer ends (9.x): the transaction with the lock, or the lock alone. */
  lockExpiry: "transaction" | "lock";
  /** 64-bit counters in JSON: numbers, as clients of real switches read them, or strings (RFC 7951). */
  counters: "number" | "string";
}

export const usualReadings: Readings = {
  noChange: "accepted",
  pendingReads: "staged",
  singleEntry: "array",
  defaultAccess: "staged",
  hiddenConfig: "absent",
  lockExpiry: "transaction",
  counters: "number",
};
