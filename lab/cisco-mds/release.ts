import { SanbedError } from "../../bed/errors";

/** What differs between the releases of MDS NX-OS that the emulator can be. */
export interface Release {
  /** `9.3(2)`. */
  readonly version: string;
  /** Longest device alias: 63 from 9.2(2) on, 64 before. */
  readonly aliasNameMax: number;
  /**
   * Up to 8.4(2a) `show zone name` of a zone that is not there is an error; from 8.4(2b) on structured
   * output is merely empty (Cisco bug CSCvv59174, as the vendor's mdssdk notes it).
   */
  readonly missingIsError: boolean;
  /** Limit of the zone database of a VSAN, bytes. */
  readonly databaseMax: number;
}

/** Zone and zone set limits of a switch: MDS 9000 Configuration Limits. */
export const limits = {
  zones: 16_000,
  members: 32_000,
  zoneSets: 1_000,
  deviceAliases: 20_000,
} as const;

/**
 * Reads a version such as `8.4(2c)` or `9.3(2)`.
 * @throws {SanbedError} `lab` for a version that the emulator does not know.
 */
export function mdsRelease(text: string): Release {
  const match = /^(8|9)\.(\d)\((\d+)([a-z]?)\)$/.exec(text);
  const [major, minor, patch] = [match?.[1], match?.[2], match?.[3]].map(Number);
  const order = ((major ?? 0) * 10 + (minor ?? 0)) * 100 + (patch ?? 0);
  if (match === null || order < 8401) {
    throw new SanbedError(
      "lab",
      `the MDS emulator does not know release "${text}": it knows 8.4(1) and later, such as 9.3(2)`,
    );
  }
  const eightFourTwo = order === 8402;
  return {
    version: text,
    aliasNameMax: order >= 9202 ? 63 : 64,
    missingIsError: order < 8402 || (eightFourTwo && (match[4] ?? "") < "b"),
    databaseMax: order >= 8402 ? 4_000_000 : 2_097_152,
  };
}

/** Points that the documentation leaves open, or that sites set: the emulator can behave either way. */
export interface Readings {
  /** Outputs of `cli_conf` in the ins_api form: one per command, or one for all. */
  confOutputs: "each" | "single";
  /**
   * What a JSON-RPC batch does after a command that failed. Cisco's SDK reads an answer for every call
   * of a batch that fails from its first call on, so it goes on.
   */
  rpcBatch: "continue-on-error" | "stop-on-error";
  /** HTTP status of an answer in which a command failed (ins_api form). */
  commandErrorStatus: "ok" | "bad-request";
  /** Milliseconds that an activation or a commit of zones takes. */
  activationMs: number;
  /** Milliseconds that a device alias commit takes. */
  aliasCommitMs: number;
  /** Rows of tables with one entry: the bare object as switches answer, or a list. */
  singleRow: "object" | "list";
}

export const usualReadings: Readings = {
  confOutputs: "each",
  rpcBatch: "continue-on-error",
  commandErrorStatus: "ok",
  activationMs: 150,
  aliasCommitMs: 0,
  singleRow: "object",
};
