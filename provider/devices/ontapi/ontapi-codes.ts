import type { DeviceErrorKind } from "../../../bed/errors";
import type { Retry } from "../ontap/line";

export interface ErrnoMeaning {
  readonly kind: DeviceErrorKind;
  readonly meaning: string;
  readonly remedy?: string;
  readonly retry?: Retry;
}

const absent = (object: string): ErrnoMeaning => ({
  kind: "notFound",
  meaning: `${object} does not exist`,
});
const exists = (object: string): ErrnoMeaning => ({
  kind: "alreadyExists",
  meaning: `${object} exists already`,
});
const inUse = (meaning: string, remedy: string): ErrnoMeaning => ({
  kind: "refused",
  meaning,
  remedy,
});
const later = (meaning: string, pauseMs: number, forMs: number): ErrnoMeaning => ({
  kind: "busy",
  meaning,
  retry: { pauseMs, forMs },
});

/**
 * Numbers of ONTAPI failures, with what NetApp's own clients take them for (Trident `azgo/errors.go`,
 * Ansible collection netapp.ontap, OpenStack Cinder). 9013 and 9017 are read from their neighbours
 * (assumption, see docs/devices/ontapi.md).
 */
const table: Readonly<Record<string, ErrnoMeaning>> = {
  "2": absent("the object"),
  "17": exists("the object"),
  "160": { kind: "refused", meaning: "the volume does not take this operation" },
  "9003": absent("the igroup"),
  "9004": exists("an igroup of this name"),
  "9007": absent("the initiator in this igroup"),
  "9008": exists("the initiator in this igroup"),
  "9012": exists("a LUN of this path"),
  "9013": exists("a map of this LUN, or of this LUN number,"),
  "9014": exists("the LUN in this state (offline)"),
  "9015": exists("the LUN in this state (online)"),
  "9016": absent("the map"),
  "9017": absent("the LUN"),
  "9023": inUse("LUNs are mapped to the igroup", "Unmap them first."),
  "9024": inUse("LUNs are mapped to the igroup", "Unmap them first."),
  "9029": inUse("the igroup is mapped", "Unmap its volumes first."),
  "9036": absent("the volume"),
  "9041": inUse("the size is too small", "Ask for a larger volume."),
  "9042": exists("a LUN of exactly this size"),
  "9158": inUse("the volume holds as many LUNs as it can", "Use another volume."),
  "13001": { kind: "refused", meaning: "the array refuses" },
  "13003": {
    kind: "unauthorized",
    meaning: "the account may not do this",
    remedy: "Give the account a role with this command (security login role), or use another.",
  },
  "13005": { kind: "unsupported", meaning: "this release has no such call" },
  "13013": exists("the service in this state (started)"),
  "13023": later("a snapshot is busy", 2_000, 60_000),
  "13024": later("a snapshot is busy", 2_000, 60_000),
  "13040": absent("the volume"),
  "13042": { kind: "refused", meaning: "the volume is offline", remedy: "Bring it online." },
  "13114": { kind: "refused", meaning: "the array failed within itself" },
  "13115": { kind: "unsupported", meaning: "the array does not take a value of the request" },
  "13130": exists("the object"),
  "14420": absent("the aggregate"),
  "14719": { kind: "refused", meaning: "the SVM does not allow this operation" },
  "15661": absent("the object"),
  "15698": absent("the SVM"),
  "40043": exists("the efficiency setting"),
};

/**
 * Words of ONTAP for "not now" under the numbers that say nothing (13001, 13114): only these are waited
 * for, as long as for the same refusals over REST.
 */
const laterWords = /try again|in progress|is busy|locked|currently being/i;
const spaceWords = /space/i;

/** Undefined for a number that no table names. Pure. */
export function meaningOfErrno(
  errno: string | undefined,
  reason: string,
): ErrnoMeaning | undefined {
  const meaning = errno === undefined ? undefined : table[errno];
  if (errno !== "13001" && errno !== "13114") return meaning;
  if (laterWords.test(reason)) return later("the array asks to wait", 5_000, 90_000);
  if (spaceWords.test(reason)) {
    return inUse("there is no space", "Use a larger pool, smaller or thin volumes.");
  }
  return meaning;
}
