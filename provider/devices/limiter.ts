import { setMaxListeners } from "node:events";
import type { Clock } from "./clock";

export interface Limits {
  /** Requests in flight at the same time. */
  readonly concurrency: number;
  /** At most so many requests begin within any span of so many milliseconds. */
  readonly rate?: { readonly requests: number; readonly perMs: number } | undefined;
}

/** A number of places, given away first come first served. With one place: a lock. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(places: number) {
    this.#free = places;
  }

  /** Answers the function that gives the place back; calling it twice is harmless. */
  async acquire(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#queue(signal);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      const next = this.#waiting.shift();
      // The place goes to the next in line directly, so nobody can slip in between.
      if (next === undefined) this.#free++;
      else next();
    };
  }

  async #queue(signal: AbortSignal): Promise<void> {
    // Many waiting on one signal are no leak.
    setMaxListeners(0, signal);
    await new Promise<void>((resolve, reject) => {
      const admit = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(admit), 1);
        // Whatever the caller gave as the reason, unchanged: it knows its own.
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.push(admit);
    });
  }
}

/** Holds back calls to one device: so many at a time, so many within a span of time. */
export class Limiter {
  readonly #limits: Limits;
  readonly #clock: Clock;
  readonly #places: Semaphore;
  readonly #begun: number[] = [];

  constructor(limits: Limits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#places = new Semaphore(limits.concurrency);
  }

  /** Runs `work` when its turn has come. An aborted signal takes the call out of the queue. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const release = await this.#places.acquire(signal);
    try {
      await this.#keepRate(signal);
      return await work();
    } finally {
      release();
    }
  }

  async #keepRate(signal: AbortSignal): Promise<void> {
    const rate = this.#limits.rate;
    if (rate === undefined) return;
    for (;;) {
      const now = this.#clock.now();
      while ((this.#begun[0] ?? now) <= now - rate.perMs) this.#begun.shift();
      if (this.#begun.length < rate.requests) {
        this.#begun.push(now);
        return;
      }
      await this.#clock.sleep((this.#begun[0] ?? now) + rate.perMs - now + 1, signal);
    }
  }
}
