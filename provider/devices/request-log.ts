import type { DeviceRequestRecord } from "./call";

/**
 * What was asked of the devices and how long it took. Keeps the newest records in memory and hands
 * each one to the sink (a file of the run, the engine's log).
 */
export class RequestLog {
  readonly #records: DeviceRequestRecord[] = [];
  readonly #capacity: number;
  readonly #sink: ((record: DeviceRequestRecord) => void) | undefined;

  constructor(
    options: {
      readonly capacity?: number;
      readonly sink?: (record: DeviceRequestRecord) => void;
    } = {},
  ) {
    this.#capacity = options.capacity ?? 20_000;
    this.#sink = options.sink;
  }

  add(record: DeviceRequestRecord): void {
    this.#records.push(record);
    if (this.#records.length > this.#capacity) this.#records.shift();
    this.#sink?.(record);
  }

  /** Oldest first; those of one device when it is named. */
  records(device?: string): readonly DeviceRequestRecord[] {
    return this.#records.filter((record) => device === undefined || record.device === device);
  }
}
