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

/** Numbers of ONTAPI failures by their names in NetApp's own library (netapp-lib, `api/zapi/errors.py`). */
const table: Readonly<Record<string, ErrnoMeaning>> = {
  "2": absent("the object"),
  "16": later("the object is busy", 2_000, 60_000),
  "17": exists("the object"),
  "28": inUse("there is no space", "Use a larger pool, smaller or thin volumes."),
  "160": { kind: "refused", meaning: "the volume does not take this operation" },
  // LUNs, igroups, maps (EVDISK_ERROR_...)
  "9003": absent("the igroup"),
  "9004": exists("an igroup of this name"),
  "9005": inUse("the WWPN is none", "Correct the host's initiators."),
  "9007": absent("the initiator in this igroup"),
  "9008": exists("the initiator in this igroup"),
  "9009": inUse(
    "an initiator sees this LUN number already through another igroup",
    "Choose another first LUN number.",
  ),
  "9012": exists("a LUN of this path"),
  "9013": inUse("the LUN is mapped", "Unmap it first."),
  "9014": exists("the LUN in this state (offline)"),
  "9015": exists("the LUN in this state (online)"),
  "9016": absent("the map"),
  "9017": absent("the LUN"),
  "9023": exists("a map of this LUN to this igroup"),
  "9024": inUse("the LUN number is taken in this igroup", "Choose another first LUN number."),
  "9029": inUse("the igroup is mapped", "Unmap its volumes first."),
  "9033": inUse("a LUN cannot be made smaller", "Volumes never shrink: keep the size."),
  "9036": absent("the volume"),
  "9039": inUse(
    "an initiator is in two igroups that see this LUN",
    "Take it out of the other igroup.",
  ),
  "9041": inUse("the size is too small", "Ask for a larger volume."),
  "9042": exists("a LUN of exactly this size"),
  "9062": later("the LUN is busy", 2_000, 60_000),
  "9134": later("volumes are coming online", 5_000, 120_000),
  "9158": inUse("the volume holds as many LUNs as it can", "Use another volume."),
  // The interface itself (EAPI...)
  "13001": { kind: "refused", meaning: "the array refuses" },
  "13002": {
    kind: "unauthorized",
    meaning: "user or password is wrong",
    remedy: "Correct the credentials that the device's reference points to.",
  },
  "13003": {
    kind: "unauthorized",
    meaning: "the account may not do this",
    remedy: "Give the account a role with this command (security login role), or use another.",
  },
  "13005": { kind: "unsupported", meaning: "this release has no such call" },
  "13007": { kind: "unsupported", meaning: "this release has no such call" },
  "13008": {
    kind: "refused",
    meaning: "the licence of this protocol is missing",
    remedy: "Install it (system license add).",
  },
  "13010": { kind: "unsupported", meaning: "this release speaks an older ONTAPI" },
  "13013": exists("the service in this state (started)"),
  "13014": exists("the service in this state (stopped)"),
  "13015": inUse("the service is still enabled", "Disable it first."),
  "13024": later("a snapshot is busy", 2_000, 60_000),
  // Volumes, aggregates, SVMs
  "13040": absent("the volume"),
  "13041": later("the volume is being mounted", 2_000, 60_000),
  "13042": { kind: "refused", meaning: "the volume is offline", remedy: "Bring it online." },
  "13058": inUse("it is not offline", "Take it offline first."),
  "13060": exists("the volume in this state (online)"),
  "13062": inUse("there is no space", "Use a larger pool, smaller or thin volumes."),
  "13114": { kind: "refused", meaning: "the array failed within itself" },
  "13115": { kind: "unsupported", meaning: "the array does not take a value of the request" },
  "13130": exists("the object"),
  "13156": inUse("the volume is in use", "Unmap what it holds first."),
  "13158": later("the volume is busy", 2_000, 60_000),
  "13160": { kind: "busy", meaning: "the volume is being created right now" },
  "14420": absent("the aggregate"),
  "14719": { kind: "refused", meaning: "the SVM does not allow this operation" },
  "14922": exists("an SVM of this name"),
  "14923": exists("the SVM in this state (started)"),
  "14924": exists("the SVM in this state (stopped)"),
  "15661": absent("the object"),
  "15698": absent("the SVM"),
  "40043": exists("data reduction in this state (on)"),
  "40044": exists("data reduction in this state (off)"),
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
