import { EventEmitter } from "node:events";
import type { Bytes } from "../../bed/units";
import { type IoMeter, silentMeter } from "./io";
import type { JsonObject, WorldState } from "./state";

/** Read-only view, all the way down, up to the families' own JSON. */
export type DeepReadonly<T> = T extends bigint | string | number | boolean | null | undefined
  ? T
  : JsonObject extends T
    ? Readonly<T>
    : { readonly [K in keyof T]: DeepReadonly<T[K]> };

export type WorldView = DeepReadonly<WorldState>;

/**
 * The one emulated SAN. Pure state with a revision: emulators read `view` and change it only through
 * {@link World.change}; nothing else holds state of devices, apart from sessions.
 */
export class World {
  #state: WorldState;
  #revision = 1;
  readonly #preset: () => WorldState;
  readonly #events = new EventEmitter();
  #measureUsed: ((volumeId: string) => Bytes) | undefined;
  #io = silentMeter;

  constructor(preset: () => WorldState, start?: WorldState) {
    this.#preset = preset;
    this.#state = start ?? preset();
    this.#events.setMaxListeners(0);
  }

  get view(): WorldView {
    return this.#state;
  }

  /** Grows by one with every change. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * Runs a synchronous change. Check everything before the first assignment: an exception out of
   * `mutate` leaves what was assigned until then, and still counts as a change.
   */
  change<T>(mutate: (state: WorldState) => T): T {
    try {
      return mutate(this.#state);
    } finally {
      this.#bump();
    }
  }

  /** Back to the preset. Emulators drop their sessions and transactions on `reset`. */
  reset(): void {
    this.#state = this.#preset();
    this.#events.emit("reset");
    this.#bump();
  }

  onChange(listener: () => void): () => void {
    this.#events.on("change", listener);
    return () => this.#events.off("change", listener);
  }

  onReset(listener: () => void): () => void {
    this.#events.on("reset", listener);
    return () => this.#events.off("reset", listener);
  }

  /** Answers the revision as soon as it is above `since`, or after the time-out. */
  waitForRevision(since: number, timeoutMs: number): Promise<number> {
    if (this.#revision > since) return Promise.resolve(this.#revision);
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#events.off("change", done);
        resolve(this.#revision);
      };
      const timer = setTimeout(done, timeoutMs);
      timer.unref();
      this.#events.on("change", done);
    });
  }

  /**
   * Bytes written to a volume so far, where the lab carries real I/O; undefined where it does not
   * (emulators only), which is not the same as zero.
   */
  usedBytes(volumeId: string): Bytes | undefined {
    return this.#measureUsed?.(volumeId);
  }

  measureUsedWith(measure: (volumeId: string) => Bytes): void {
    this.#measureUsed = measure;
  }

  /** Counters of the I/O that arrays have served. */
  get io(): IoMeter {
    return this.#io;
  }

  measureIoWith(meter: IoMeter): void {
    this.#io = meter;
  }

  #bump(): void {
    this.#revision += 1;
    this.#events.emit("change");
  }
}
