import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
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

/** Begins the ledger of a bed. Without this first line nothing that it says is believed. */
export function beginLedger(folder: string, certificate: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "ledger.jsonl"), `${JSON.stringify({ certificate })}\n`);
}

/**
 * All entries; a line cut off by a crash is skipped (its device was not touched yet). Undefined when
 * there is no ledger of this certificate: then nobody knows what was touched.
 */
export function readLedger(folder: string, certificate: string): TouchedObject[] | undefined {
  let text: string;
  try {
    text = readFileSync(path.join(folder, "ledger.jsonl"), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  if (!text.startsWith(`${JSON.stringify({ certificate })}\n`)) return undefined;
  return entries(text.slice(text.indexOf("\n") + 1));
}

/** Entries of whatever ledger is there: for a sweep without a state. */
export function readAnyLedger(folder: string): TouchedObject[] {
  try {
    const text = readFileSync(path.join(folder, "ledger.jsonl"), "utf8");
    return entries(text).filter((entry) => "class" in entry);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function entries(text: string): TouchedObject[] {
  return text.split("\n").flatMap((line) => {
    try {
      return line === "" ? [] : [JSON.parse(line) as TouchedObject];
    } catch {
      return [];
    }
  });
}
