import { DeviceError, type DeviceErrorKind } from "../../../bed/errors";

/** What a refusal of NX-OS means. */
export type Meaning =
  | "locked"
  | "unstable"
  | "serverBusy"
  | "denied"
  | "noVsan"
  | "absent"
  | "nothingPending"
  | "unchanged"
  | "duplicate"
  | "limit"
  | "invalidCommand"
  | "unstructured"
  | "aliasInUse"
  | "other";

interface Rule {
  readonly code?: string;
  readonly text?: RegExp;
  readonly meaning: Meaning;
}

/**
 * NX-OS gives most refusals of the command line the one code 400, so its words decide. The words are
 * those that Cisco's own clients test for (Cisco-SAN/mdssdk, cisco.nxos), those of CoprHD's MDS dialog,
 * and those of the Fabric and Troubleshooting guides. First match wins.
 */
const rules: readonly Rule[] = [
  { code: "401", meaning: "denied" },
  { text: /permission denied|not authori[sz]ed|authorization failed/i, meaning: "denied" },
  { text: /vsan \d+ is not configured|vsan not present/i, meaning: "noVsan" },
  {
    text: /lock is currently busy|already locked|is locked|locked by|pending session/i,
    meaning: "locked",
  },
  { code: "429", meaning: "serverBusy" },
  { text: /server is busy|max sessions reached/i, meaning: "serverBusy" },
  {
    text: /fabric (?:is )?(?:currently )?(?:unstable|changing)|in progress|is busy/i,
    meaning: "unstable",
  },
  { text: /no pending info|no pending changes|database not locked/i, meaning: "nothingPending" },
  { text: /already active and unchanged|no change/i, meaning: "unchanged" },
  { text: /enhanced zone member present/i, meaning: "aliasInUse" },
  { text: /exceed|maximum|limit reached|no space/i, meaning: "limit" },
  { text: /already present|already in use|duplicate|already exists/i, meaning: "duplicate" },
  { text: /not present|non existing|not found|no entries|does not exist/i, meaning: "absent" },
  { code: "501", meaning: "unstructured" },
  {
    text: /invalid command|incomplete command|ambiguous command|invalid input/i,
    meaning: "invalidCommand",
  },
];

export function meaningOf(code: string, text: string): Meaning {
  const rule = rules.find(
    (one) =>
      (one.code === undefined || one.code === code) &&
      (one.text === undefined || one.text.test(text)),
  );
  return rule?.meaning ?? "other";
}

/** Words of a command that was taken (code 200) and yet not done: found by these signs. */
const refusalInWords =
  /^\s*%|\berror\b|invalid|illegal|denied|failed|failure|not (?:present|found|allowed|permitted|configured)|locked|busy|exceed|cannot|unable/i;

/** What Cisco's tools take for good news although it sounds like a refusal. */
const goodNews = /session has been created|initiated|already active and unchanged|no pending/i;

export function soundsRefused(text: string): boolean {
  // A commit lists the changes that it makes, with names that may hold any word.
  const said = text.replace(/^\s*[+-].*$/gm, "");
  return refusalInWords.test(said) && !goodNews.test(said);
}

const outcomes: Record<Meaning, { readonly kind: DeviceErrorKind; readonly remedy?: string }> = {
  locked: {
    kind: "locked",
    remedy:
      "Let the other administrator commit or discard, then run again. If nobody is editing, it was left behind: show zone status and show cfs lock name the holder, and he drops it with no zone commit or device-alias abort.",
  },
  unstable: { kind: "busy", remedy: "Wait until the fabric has settled." },
  serverBusy: { kind: "busy", remedy: "Other NX-API clients keep the switch busy." },
  denied: {
    kind: "unauthorized",
    remedy:
      "The account's role needs to read and to configure zones and device aliases of this VSAN.",
  },
  noVsan: { kind: "notFound", remedy: "Correct the setting vsan of this device." },
  absent: { kind: "notFound" },
  nothingPending: { kind: "notFound" },
  unchanged: { kind: "alreadyExists" },
  duplicate: { kind: "alreadyExists" },
  limit: { kind: "refused", remedy: "Remove zones and aliases that nobody uses." },
  invalidCommand: {
    kind: "unsupported",
    remedy: "The switch must be an MDS 9000 in switch mode (not NPV), NX-OS 8.1 or later.",
  },
  unstructured: { kind: "unsupported", remedy: "NX-OS 8.4(2) or later answers it in JSON." },
  aliasInUse: { kind: "refused", remedy: "A zone still uses the device alias." },
  other: { kind: "protocol" },
};

/** The error of a refused command, with the switch's own words. */
export function nxosError(
  place: {
    readonly device: string;
    readonly operation: string;
    readonly object?: string | undefined;
  },
  refusal: { readonly code: string; readonly text: string; readonly input: string },
): DeviceError {
  const outcome = outcomes[meaningOf(refusal.code, refusal.text)];
  const said = refusal.text === "" ? `the switch answers ${refusal.code}` : refusal.text;
  return new DeviceError({
    ...place,
    kind: outcome.kind,
    reason: refusal.input === "" ? said : `${said} (in answer to "${refusal.input}")`,
    vendorCode: `NX-API ${refusal.code}`,
    remedy: outcome.remedy,
  });
}
