import { DeviceError, type DeviceErrorKind } from "../../../bed/errors";
import type { FosFault } from "./wire";

/**
 * What FOS refusals mean. Status, module and code decide; text decides only where FOS gives several
 * meanings one code (sources: FOS REST API Reference error tables; brocade/ansible and brcdapi, which
 * treat the same texts so).
 */
interface Rule {
  readonly status?: number;
  readonly module?: string;
  readonly code?: number;
  readonly text?: RegExp;
  /** Only in the switch's own error document. */
  readonly documented?: true;
  readonly meaning: Meaning;
}

export type Meaning =
  | "lockedByOther"
  | "sessionLimit"
  | "sessionLost"
  | "throttled"
  | "gateway"
  | "booting"
  | "fabricBusy"
  | "empty"
  | "unreadable"
  | "unknownUri"
  | "unchanged"
  | "duplicate"
  | "danglingMember"
  | "other";

const rules: readonly Rule[] = [
  { status: 401, meaning: "sessionLost" },
  { status: 403, module: "rest", code: 14, meaning: "sessionLimit" },
  { status: 503, text: /not ready for management/i, meaning: "booting" },
  { status: 503, meaning: "throttled" },
  // What stood in between got no answer from the switch: whether it did the work is not known.
  { status: 502, meaning: "gateway" },
  { status: 504, meaning: "gateway" },
  // Other clients take it for empty (brocade/ansible). A database that cannot be read is not empty.
  { status: 405, meaning: "unreadable" },
  {
    status: 404,
    text: /No entries|No device was found|not found/i,
    documented: true,
    meaning: "empty",
  },
  { status: 400, module: "rest", code: 5, meaning: "unknownUri" },
  { module: "zone", code: -3, meaning: "lockedByOther" },
  { text: /outstanding .*transaction, and you are not the owner/i, meaning: "lockedByOther" },
  { text: /The Fabric is busy/i, meaning: "fabricBusy" },
  { text: /No Change in Configuration|Same configuration/i, meaning: "unchanged" },
  { module: "zone", code: -8, meaning: "duplicate" },
  { module: "zone", code: -1, meaning: "danglingMember" },
];

export function meaningOf(fault: FosFault): Meaning {
  const rule = rules.find(
    (r) =>
      (r.status === undefined || r.status === fault.status) &&
      (r.documented === undefined || fault.documented) &&
      (r.module === undefined || r.module === fault.module) &&
      (r.code === undefined || r.code === fault.code) &&
      (r.text === undefined || r.text.test(fault.message)),
  );
  return rule?.meaning ?? "other";
}

const outcomes: Record<Meaning, { kind: DeviceErrorKind; remedy?: string }> = {
  lockedByOther: {
    kind: "locked",
    remedy:
      "Let the other administrator finish, then run again. If nobody is editing, it was left behind: cfgtransshow shows it, cfgtransabort drops it.",
  },
  sessionLimit: {
    kind: "busy",
    remedy:
      "All REST sessions of the switch are taken: end one (mgmtapp --showsessions, mgmtapp --terminate) or allow more (mgmtapp --config -maxrestsession).",
  },
  sessionLost: { kind: "unauthorized", remedy: "Check user and password of this switch." },
  throttled: {
    kind: "busy",
    remedy: "The switch limits requests (mgmtapp --config -samplerequest).",
  },
  gateway: { kind: "unreachable", remedy: "Check what stands between here and the switch." },
  booting: { kind: "unreachable", remedy: "The switch is starting: wait until it is up." },
  fabricBusy: { kind: "busy", remedy: "Wait until the fabric has settled." },
  empty: { kind: "notFound" },
  unreadable: {
    kind: "unsupported",
    remedy: "This account or this switch does not let it be read: check the account's role.",
  },
  unknownUri: { kind: "unsupported", remedy: "This needs FOS 8.2.1b or later." },
  unchanged: { kind: "alreadyExists" },
  duplicate: { kind: "alreadyExists" },
  danglingMember: {
    kind: "refused",
    remedy:
      "A zone names something that does not exist; correct the configuration on the switch first.",
  },
  other: { kind: "protocol" },
};

/** The error of a refused request, with the switch's own words. */
export function fosError(
  place: {
    readonly device: string;
    readonly operation: string;
    readonly object?: string | undefined;
  },
  fault: FosFault,
): DeviceError {
  const meaning = meaningOf(fault);
  const outcome = outcomes[meaning];
  const forbidden = meaning === "other" && fault.status === 403;
  return new DeviceError({
    ...place,
    kind: forbidden ? "unauthorized" : outcome.kind,
    reason: fault.message === "" ? `the switch answers ${fault.status.toString()}` : fault.message,
    vendorCode: vendorCode(fault),
    remedy: forbidden
      ? "The account needs the Zoning class with change rights in this virtual fabric."
      : outcome.remedy,
  });
}

function vendorCode(fault: FosFault): string {
  const code = fault.code === undefined ? "" : ` ${fault.module ?? ""} ${fault.code.toString()}`;
  return `FOS ${fault.status.toString()}${code}`;
}
