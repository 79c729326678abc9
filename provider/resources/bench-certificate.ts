import { randomUUID } from "node:crypto";
import { z } from "zod";
import { compareInventories, countByClass, type InventoryEntry } from "../../bed/certificate";
import { SanbedError } from "../../bed/errors";
import type { DeviceCall } from "../devices/call";
import { resource } from "../kit/handler";
import { loadInventory, saveCertificate, saveInventory } from "./certificate-file";
import type { BedContext } from "./context";
import { readLedger } from "./ledger";
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
    call.status("taking the inventory of all devices");
    const before = await takeInventory(call.context, args.devices, call);
    const marked = before.filter((entry) => entry.bedId === call.context.bedId);
    if (marked.length > 0) {
      throw new SanbedError(
        "certificate",
        `objects of bed ${call.context.bedId} are already there: ${listed(marked)}. ` +
          "They are left from an earlier try that lost its state: remove them with `npx sanbed sweep`, then run up again.",
      );
    }
    const digest = saveInventory(call.context.folder, "before", before);
    return {
      id: randomUUID(),
      state: {
        ...args,
        digest,
        objects: countByClass(before),
        takenAt: new Date().toISOString(),
        folder: call.context.folder,
      },
    };
  },
  // A device that joins later is not in the inventory of the start: its own marks still are swept.
  update: (_call, _id, olds, news) => Promise.resolve({ ...olds, ...news }),
  async delete(call, _id, olds) {
    const { context } = call;
    call.status("sweeping what still carries the mark");
    const swept = await sweepBed(context, call);
    call.status("comparing the inventory of all devices with the one before");
    const before = loadInventory(context.folder, "before");
    if (before?.digest !== olds.digest) {
      throw new SanbedError(
        "certificate",
        `the inventory taken before bed ${context.bedId} (${context.folder}/inventory-before.jsonl) is ${before === undefined ? "missing" : "not the one of the state"}: ` +
          "nothing can be proven. Restore the file, or give the certificate up with `pulumi state delete`.",
      );
    }
    const after = await takeInventory(context, olds.devices, call);
    const difference = compareInventories(
      before.entries,
      after,
      context.bedId,
      readLedger(context.folder),
    );
    const file = saveCertificate(
      context.folder,
      {
        format: "sanbed-certificate-1",
        bedId: context.bedId,
        takenBefore: olds.takenAt,
        takenAfter: new Date().toISOString(),
        before: before.digest,
        after: saveInventory(context.folder, "after", after),
        objectsBefore: countByClass(before.entries),
        objectsAfter: countByClass(after),
        swept,
        difference,
      },
      olds.signingKey === undefined ? undefined : await context.secret(olds.signingKey),
    );
    if (difference.leftBehind.length > 0 || difference.notRestored.length > 0) {
      throw new SanbedError(
        "certificate",
        [
          `bed ${context.bedId} is not gone:`,
          ...difference.leftBehind.map((e) => `left behind: ${e.device} ${e.class} ${e.name}`),
          ...difference.notRestored.map((e) => `not as before: ${e.device} ${e.class} ${e.name}`),
          `See ${file}. Remove or restore what is named and run destroy again.`,
        ].join("\n  "),
      );
    }
    const others = difference.byOthers.length;
    call.log(
      "info",
      `certificate: ${before.entries.length.toString()} objects as before, nothing left behind` +
        `${swept.length > 0 ? `, ${swept.length.toString()} swept` : ""}${others > 0 ? `, ${others.toString()} changes by others` : ""} (${file})`,
    );
  },
});

/** Inventories of the devices, all at once. */
async function takeInventory(
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
