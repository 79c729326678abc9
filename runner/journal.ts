import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** One thing that happened to a run. `at` is our clock, ISO 8601. */
export interface JournalEntry {
  readonly at: string;
  readonly event: string;
  readonly [detail: string]: unknown;
}

/**
 * What happened to a run, one JSON object a line, synced to disk before the next step is taken, so
 * that whoever continues after a crash knows how far it came. Never holds a secret.
 */
export class Journal {
  constructor(private readonly path: string) {
    mkdirSync(dirname(path), { recursive: true });
  }

  add(event: string, details: Readonly<Record<string, unknown>> = {}): void {
    const line = `${JSON.stringify({ at: new Date().toISOString(), event, ...details })}\n`;
    const file = openSync(this.path, "a", 0o600);
    try {
      writeSync(file, line);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }

  /** All whole entries; a line that a crash cut off does not count. */
  entries(): JournalEntry[] {
    let text: string;
    try {
      text = readFileSync(this.path, "utf8");
    } catch {
      return [];
    }
    return text.split("\n").flatMap((line) => {
      try {
        const value: unknown = JSON.parse(line);
        return isEntry(value) ? [value] : [];
      } catch {
        return [];
      }
    });
  }
}

function isEntry(value: unknown): value is JournalEntry {
  return typeof value === "object" && value !== null && "at" in value && "event" in value;
}
