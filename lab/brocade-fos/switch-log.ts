import { type Release } from "./release";
import type { Tree } from "./media";

/** Severity words of `brocade-logging-types`. */
type Severity = "info" | "warning" | "error" | "critical";

interface LogEntry {
  readonly id: string;
  readonly severity: Severity;
  readonly text: string;
  readonly fid: number | undefined;
  readonly atMs: number;
}

const keep = 1_024;

/**
 * The switch's messages (RASlog), oldest first in `error-log`. Lost with the process, as a switch's
 * are when it is replaced. Source: brocade-logging.yang (8.2.2b and later).
 */
export class SwitchLog {
  #entries: (LogEntry & { readonly sequence: number })[] = [];
  #next = 1;

  constructor(private readonly now: () => number) {}

  add(entry: { id: string; severity?: Severity; text: string; fid?: number | undefined }): void {
    const { id, severity = "info", text, fid } = entry;
    this.#entries.push({ id, severity, text, fid, atMs: this.now(), sequence: this.#next++ });
    if (this.#entries.length > keep) this.#entries.shift();
  }

  clear(): void {
    this.#entries = [];
  }

  list(switchName: string, release: Release): Tree[] {
    return this.#entries.map((entry) => ({
      "sequence-number": entry.sequence,
      "time-stamp": new Date(entry.atMs).toISOString().replace(/\.\d+Z$/, "+00:00"),
      "message-id": entry.id,
      "fabric-id": entry.fid ?? 128,
      "slot-id": 0,
      "severity-level": entry.severity,
      ...(release.nine ? { "ffdc-generated-event": false } : {}),
      "switch-user-friendly-name": switchName,
      "message-text": entry.text,
    }));
  }
}
