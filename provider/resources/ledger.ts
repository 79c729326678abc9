import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Something on a device that the bed makes or changes and has to remove or restore. */
export interface TouchedObject {
  readonly device: string;
  /** Class as the device's inventory names it. */
  readonly class: string;
  readonly name: string;
}

/**
 * The bed's ledger: what was touched, written before the device is. Objects that cannot carry a mark
 * (a device on a host, a setting) are told from other people's by it. One JSON line each, append only.
 */
export function noteTouched(folder: string, objects: readonly TouchedObject[]): void {
  if (objects.length === 0) return;
  mkdirSync(folder, { recursive: true });
  const lines = objects.map((o) =>
    JSON.stringify({ device: o.device, class: o.class, name: o.name }),
  );
  appendFileSync(path.join(folder, "ledger.jsonl"), `${lines.join("\n")}\n`);
}

/** All entries; a line cut off by a crash is skipped (its device was not touched yet). */
export function readLedger(folder: string): TouchedObject[] {
  let text: string;
  try {
    text = readFileSync(path.join(folder, "ledger.jsonl"), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  return text.split("\n").flatMap((line) => {
    try {
      return line === "" ? [] : [JSON.parse(line) as TouchedObject];
    } catch {
      return [];
    }
  });
}
