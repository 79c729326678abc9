import { randomUUID } from "node:crypto";
import path from "node:path";
import { z } from "zod";
import {
  compareInventories,
  countByClass,
  type CertificateDifference,
  type InventoryEntry,
} from "../../bed/certificate";
import { SanbedError } from "../../bed/errors";
import { identityClass, type DeviceCall } from "../devices/call";
import { resource } from "../kit/handler";
import {
  loadInventory,
  saveCertificate,
  saveInventory,
  type CertificateContent,
} from "./certificate-file";
import type { BedContext } from "./context";
import { beginLedger, readLedger, type TouchedObject } from "./ledger";
import { sweepBed } from "./sweep-bed";

const inputs = z.object({
  devices: z
    .array(z.string())
    .describe("Devices whose inventory is taken, by their names in the bed."),
  signingKey: z
    .string()
    .optional()
    .describe(
      "Reference (`env:`, `file:`, `exec:`) to an Ed25519 private key in PEM that signs the certificate. Default: a hash chain.",
    ),
});

const state = inputs.extend({
  digest: z
    .string()
    .describe("SHA-256 of the inventory before the bed, which lies in the bed folder."),
  objects: z
    .record(z.string(), z.number())
    .describe("Number of objects before the bed, by device and class."),
  takenAt: z.string().describe("When the inventory was taken (ISO 8601)."),
  folder: z.string().describe("Folder with the inventories and, after destroy, certificate.json."),
});

/**
 * Created before everything else of a bed, deleted after everything else. Delete sweeps what still
 * carries the mark, compares, and fails while anything of ours is left or not restored.
 */
export const certificate = resource<BedContext, typeof inputs, typeof state>({
  token: "sanbed:bench:Certificate",
  description:
    "Inventory of every device before the bed; on delete the proof that nothing of the bed is left.",
  inputs,
  state,
  replaceOn: [],
  deleteBeforeReplace: false,
  async create(call, args) {
    const { context } = call;
    for (const warning of context.warnings) call.log("warning", warning);
    call.status("taking the inventory of all devices");
    const before = await takeInventory(context, args.devices, call);
    const marked = before.filter((entry) => entry.bedId === context.bedId);
    if (marked.length > 0) throw alreadyThere(context.bedId, marked);
    const digest = saveInventory(context.folder, "before", before);
    const id = randomUUID();
    beginLedger(context.folder, id);
    const takenAt = new Date().toISOString();
    const objects = countByClass(before);
    return { id, state: { ...args, digest, objects, takenAt, folder: context.folder } };
  },
  // Devices that join are compared too; none that was part of the bed is ever left out of the proof.
  update: (_call, _id, olds, news) => {
    const devices = [...new Set([...olds.devices, ...news.devices])];
    return Promise.resolve({ ...olds, ...news, devices });
  },
  // Nothing on a device: but what destroy will need is missed while it can still be brought back.
  read(call, id, recorded, recordedInputs) {
    if (recorded === undefined) {
      throw new SanbedError(
        "import",
        "a certificate cannot be imported: it is no object on a device",
      );
    }
    const { unusable } = evidence(recorded.folder, id, recorded.digest);
    if (unusable.length > 0) {
      call.log(
        "warning",
        `${unusable.join("; ")}: destroy will prove nothing. ${wayOut(call.context, call.urn)}`,
      );
    }
    const given = inputs.safeParse(recordedInputs).data ?? recorded;
    return Promise.resolve({ id, inputs: given, state: recorded });
  },
  async delete(call, id, olds) {
    const { context } = call;
    refuseWhileDeclared(context, call.urn);
    const { before, touched, unusable } = evidence(context.folder, id, olds.digest);
    if (unusable.length > 0) {
      throw new SanbedError(
        "certificate",
        `${unusable.join("; ")}: nothing can be proven, and nothing was changed. ${wayOut(context, call.urn)}`,
      );
    }
    refuseOtherDevices(before, await takeInventory(context, olds.devices, call));
    call.status("sweeping what still carries the mark");
    const swept = await sweepBed(context, call);
    call.status("comparing the inventory of all devices with the one before");
    const after = await takeInventory(context, olds.devices, call);
    refuseUnread(after, touched);
    const difference = compareInventories(before, after, context.bedId, touched);
    const content: Omit<CertificateContent, "previous"> = {
      format: "sanbed-certificate-1",
      bedId: context.bedId,
      takenBefore: olds.takenAt,
      takenAfter: new Date().toISOString(),
      before: olds.digest,
      after: saveInventory(context.folder, "after", after),
      objectsBefore: countByClass(before),
      objectsAfter: countByClass(after),
      swept,
      difference,
    };
    const key = olds.signingKey === undefined ? undefined : await context.secret(olds.signingKey);
    const file = saveCertificate(context.folder, content, key);
    refuseDifference(context.bedId, difference, file);
    call.log("info", `certificate: ${summary(content)} (${file})`);
  },
});

interface Evidence {
  readonly before: readonly InventoryEntry[];
  readonly touched: readonly TouchedObject[];
  /** What of it is missing or damaged, in words. */
  readonly unusable: readonly string[];
}

/** What the bed folder holds for the comparison. */
function evidence(folder: string, id: string, digest: string): Evidence {
  const before = loadInventory(folder, "before", digest);
  const touched = readLedger(folder, id);
  const words = {
    missing: "is missing",
    changed: "is not as this certificate wrote it (changed, or damaged)",
  };
  const unusable = [
    ...(typeof before === "string"
      ? [`${path.join(folder, "inventory-before.jsonl")} ${words[before]}`]
      : []),
    ...(typeof touched === "string"
      ? [`${path.join(folder, "ledger.jsonl")} ${words[touched]}`]
      : []),
  ];
  return {
    before: typeof before === "string" ? [] : before,
    touched: typeof touched === "string" ? [] : touched,
    unusable,
  };
}

function wayOut({ bedId }: BedContext, urn: string): string {
  return (
    "Restore the file from a copy; or, with the rest of the bed destroyed, look for the mark with " +
    `\`npx sanbed sweep --site FILE --bed ${bedId}\` and give the certificate up with ` +
    `\`pulumi state delete '${urn}'\`.`
  );
}

function alreadyThere(bedId: string, marked: readonly InventoryEntry[]): SanbedError {
  return new SanbedError(
    "certificate",
    `objects of bed ${bedId} are already there: ${listed(marked)}. ` +
      "Either another stack uses this bed id (copied with its configuration): then make one of your own with " +
      "`npx sanbed id`. Or they are left from a stack of yours whose state is lost: then, and only then, list and " +
      "remove them with `npx sanbed sweep`.",
  );
}

/** A certificate that is taken out of the program alone would sweep a bed that is in use. */
function refuseWhileDeclared(context: BedContext, own: string): void {
  const others = [...context.declared].filter((urn) => urn !== own);
  if (others.length === 0) return;
  throw new SanbedError(
    "certificate",
    `the program still declares ${others.length.toString()} resources of bed ${context.bedId} ` +
      `(${others.slice(0, 3).map(nameOfUrn).join(", ")}${others.length > 3 ? ", ..." : ""}): the certificate is the ` +
      "last to go, since its delete removes whatever is left of the bed. Put it back into the program.",
  );
}

function nameOfUrn(urn: string): string {
  return urn.slice(urn.lastIndexOf("::") + 2);
}

/** An address that leads to another device by now proves nothing about the one that the bed was on. */
function refuseOtherDevices(
  before: readonly InventoryEntry[],
  now: readonly InventoryEntry[],
): void {
  const identities = (entries: readonly InventoryEntry[]): Map<string, string> =>
    new Map(entries.filter((e) => e.class === identityClass).map((e) => [e.device, e.name]));
  const [was, is] = [identities(before), identities(now)];
  const others = [...was].filter(([device, id]) => is.get(device) !== id);
  if (others.length === 0) return;
  const named = others.map(
    ([device, id]) => `${device} was ${id} and is ${is.get(device) ?? "not part of the bed"} now`,
  );
  throw new SanbedError(
    "certificate",
    `another device answers than the one that the certificate was taken on: ${named.join("; ")}. Nothing was ` +
      "swept. Put the endpoint right and run destroy again.",
  );
}

/** What a host holds that nobody can read is not proven gone. */
function refuseUnread(after: readonly InventoryEntry[], touched: readonly TouchedObject[]): void {
  const unread = after.filter(
    (entry) =>
      entry.class === "unreadHost" &&
      touched.some((o) => o.device === entry.device && o.name.startsWith(`${entry.name}/`)),
  );
  if (unread.length === 0) return;
  throw new SanbedError(
    "certificate",
    `${unread.map((e) => `host ${e.name}`).join(", ")} had devices of the bed and cannot be read now ` +
      "(disconnected): nothing is proven. Connect it, or remove it from the vCenter, and run destroy again.",
  );
}

function refuseDifference(bedId: string, difference: CertificateDifference, file: string): void {
  if (difference.leftBehind.length + difference.notRestored.length === 0) return;
  throw new SanbedError(
    "certificate",
    [
      `bed ${bedId} is not gone:`,
      ...difference.leftBehind.map((e) => `left behind: ${e.device} ${e.class} ${e.name}`),
      ...difference.notRestored.map((e) => `not as before: ${e.device} ${e.class} ${e.name}`),
      `See ${file}. Remove or restore what is named and run destroy again.`,
    ].join("\n  "),
  );
}

function summary({
  objectsBefore,
  swept,
  difference,
}: Omit<CertificateContent, "previous">): string {
  const objects = Object.values(objectsBefore).reduce((sum, count) => sum + count, 0);
  const others = difference.byOthers.length;
  return (
    `${objects.toString()} objects as before, nothing left behind` +
    (swept.length > 0 ? `, ${swept.length.toString()} swept` : "") +
    (others > 0 ? `, ${others.toString()} changes by others` : "")
  );
}

/** Inventories of the devices, all at once. */
export async function takeInventory(
  context: BedContext,
  devices: readonly string[],
  call: DeviceCall,
): Promise<InventoryEntry[]> {
  const sources = [...context.fabrics, ...context.arrays, ...context.hypervisors];
  const wanted = sources.filter(([name]) => devices.includes(name));
  const missing = devices.filter((name) => !sources.some(([known]) => known === name));
  if (missing.length > 0) {
    throw new SanbedError(
      "config",
      `the provider has no device ${missing.map((m) => `"${m}"`).join(", ")}`,
    );
  }
  const lists = await Promise.all(
    wanted.map(async ([device, source]) =>
      (await source.inventory(call)).map((object) => ({ device, ...object })),
    ),
  );
  return lists.flat();
}

function listed(entries: readonly InventoryEntry[]): string {
  const shown = entries.slice(0, 10).map((e) => `${e.device} ${e.class} ${e.name}`);
  return `${shown.join(", ")}${entries.length > shown.length ? `, and ${(entries.length - shown.length).toString()} more` : ""}`;
}
