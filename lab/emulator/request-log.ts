import { appendFile } from "node:fs/promises";

/** One request to an emulator. No header and no body: those hold secrets. */
export interface RequestRecord {
  /** Grows by one per request of the whole lab. */
  readonly seq: number;
  readonly device: string;
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** Undefined when the connection was dropped instead of answered. */
  readonly status: number | undefined;
  /** Milliseconds since the epoch. */
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly write: boolean;
  readonly unknownRoute: boolean;
}

const keep = 50_000;

/** The last requests of all emulators in memory, all of them in a file if one is named. */
export class RequestLog {
  #records: RequestRecord[] = [];
  #seq = 0;
  readonly #unknown = new Map<string, number>();
  #written: Promise<void> = Promise.resolve();

  constructor(private readonly file?: string) {}

  add(record: Omit<RequestRecord, "seq">): void {
    const full = { seq: ++this.#seq, ...record };
    this.#records.push(full);
    if (this.#records.length > keep * 1.1) this.#records = this.#records.slice(-keep);
    if (record.unknownRoute) {
      this.#unknown.set(record.device, (this.#unknown.get(record.device) ?? 0) + 1);
    }
    const { file } = this;
    if (file === undefined) return;
    // Losing a line when the disk is full must not stop the emulated device.
    this.#written = this.#written.then(() =>
      appendFile(file, `${JSON.stringify(full)}\n`).catch(() => undefined),
    );
  }

  /** Resolves when everything so far is in the file. */
  flush(): Promise<void> {
    return this.#written;
  }

  /** Records of one device (or all) with a sequence number above `since`. */
  list(device: string | undefined, since = 0): readonly RequestRecord[] {
    return this.#records.filter(
      (record) => record.seq > since && (device === undefined || record.device === device),
    );
  }

  /** How many requests met no route of the device. Anything but 0 fails a test. */
  unknownRoutes(device: string): number {
    return this.#unknown.get(device) ?? 0;
  }

  /** Number of the newest record. */
  get last(): number {
    return this.#seq;
  }
}
