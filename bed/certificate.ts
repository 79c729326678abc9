/**
 * The certificate: what was on the devices before the bed and after it, and what that proves.
 * Pure; the provider takes the inventories and writes the files.
 */

/** One object of one device, as an inventory lists it. */
export interface InventoryEntry {
  readonly device: string;
  readonly class: string;
  readonly name: string;
  readonly bedId?: string | undefined;
  readonly digest: string;
}

export interface CertificateDifference {
  /** Carries the bed's mark, or is something that the bed's ledger says we made: must be empty. */
  readonly leftBehind: readonly InventoryEntry[];
  /** Was there before, is ours to restore (we touched it), and differs or is missing: must be empty. */
  readonly notRestored: readonly InventoryEntry[];
  /** Differences of objects that the bed never touched: other people's work, for the reader. */
  readonly byOthers: readonly {
    readonly change: "added" | "changed" | "removed";
    readonly entry: InventoryEntry;
  }[];
}

/**
 * Compares two inventories.
 * @param touched  what the bed changed and has to restore or remove, from its ledger; an entry of an
 *   inventory belongs to it when device and class are equal and the name is equal.
 */
export function compareInventories(
  before: readonly InventoryEntry[],
  after: readonly InventoryEntry[],
  bedId: string,
  touched: readonly { readonly device: string; readonly class: string; readonly name: string }[],
): CertificateDifference {
  const was = new Map(before.map((entry) => [entryKey(entry), entry]));
  const is = new Map(after.map((entry) => [entryKey(entry), entry]));
  const ours = new Set(touched.map(entryKey));
  const leftBehind: InventoryEntry[] = [];
  const notRestored: InventoryEntry[] = [];
  const byOthers: { change: "added" | "changed" | "removed"; entry: InventoryEntry }[] = [];
  for (const [key, entry] of is) {
    const old = was.get(key);
    if (entry.bedId === bedId) leftBehind.push(entry);
    else if (old === undefined) {
      if (ours.has(key)) leftBehind.push(entry);
      else byOthers.push({ change: "added", entry });
    } else if (old.digest !== entry.digest) {
      if (ours.has(key)) notRestored.push(entry);
      else byOthers.push({ change: "changed", entry });
    }
  }
  for (const [key, entry] of was) {
    if (is.has(key) || entry.bedId === bedId) continue;
    if (ours.has(key)) notRestored.push(entry);
    else byOthers.push({ change: "removed", entry });
  }
  return { leftBehind, notRestored, byOthers };
}

/** Objects per `<device> <class>`, for the state and for the printed certificate. */
export function countByClass(entries: readonly InventoryEntry[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const entry of entries) {
    const key = `${entry.device} ${entry.class}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

function entryKey(entry: { device: string; class: string; name: string }): string {
  return `${entry.device}\n${entry.class}\n${entry.name}`;
}
