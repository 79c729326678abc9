import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { onFile } from "../../bed/system-error";
import type { Unusable } from "./certificate-file";

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
  // Begins with a line break: what a full disk cut off before must not swallow the next entry.
  const file = path.join(folder, "ledger.jsonl");
  onFile(file, () => {
    appendFileSync(file, `\n${lines.join("\n")}\n`);
  });
}

/** Begins the ledger of a bed. Without this first line nothing that it says is believed. */
export function beginLedger(folder: string, certificate: string): void {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, "ledger.jsonl");
  onFile(file, () => {
    writeFileSync(file, `${JSON.stringify({ certificate })}\n`);
  });
}

/**
 * All entries; a line cut off by a crash is skipped (its device was not touched yet). `changed` when it is not the ledger
 * of this certificate, or a damaged one: then nobody knows what was touched.
 */
export function readLedger(folder: string, certificate: string): TouchedObject[] | Unusable {
  const file = path.join(folder, "ledger.jsonl");
  let text: string;
  try {
    text = onFile(file, () => readFileSync(file, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "missing";
    throw error;
  }
  if (!text.startsWith(`${JSON.stringify({ certificate })}\n`)) return "changed";
  return entries(text.slice(text.indexOf("\n") + 1)).known ?? "changed";
}

/** Class under which the names of the bed's machines stand in the ledger before they are made. */
export const plannedMachineClass = "plannedMachine";

/** Names that the bed gave, or was about to give, to machines. */
export function plannedMachines(folder: string): string[] {
  return readAnyLedger(folder)
    .filter((entry) => entry.class === plannedMachineClass)
    .map((entry) => entry.name);
}

/** Entries of whatever ledger is there: for a sweep without a state. */
export function readAnyLedger(folder: string): TouchedObject[] {
  try {
    const text = readFileSync(path.join(folder, "ledger.jsonl"), "utf8");
    return entries(text).known ?? entries(text).readable;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/**
 * `known` is undefined when a line is damaged in a way that no interrupted write explains: then nobody
 * knows what stood there. The beginning of a line that was cut off is no such damage: its device was
 * not touched yet.
 */
function entries(text: string): { known: TouchedObject[] | undefined; readable: TouchedObject[] } {
  const readable: TouchedObject[] = [];
  let damaged = false;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const entry = parseLine(line);
    if (entry !== undefined) readable.push(entry);
    else if (line.endsWith("}") && !line.startsWith('{"certificate":')) damaged = true;
    else if (!line.startsWith("{")) damaged = true;
  }
  return { known: damaged ? undefined : readable, readable };
}

const touchedObject = z.object({ device: z.string(), class: z.string(), name: z.string() });

function parseLine(line: string): TouchedObject | undefined {
  try {
    return touchedObject.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
