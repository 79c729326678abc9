import { setTimeout as delay } from "node:timers/promises";

/** Time as drivers see it. Tests inject one that does not wait. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    signal?.throwIfAborted();
    try {
      await delay(ms, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      // The timer rejects with a bare AbortError: the signal knows why.
      signal?.throwIfAborted();
      throw error;
    }
  },
};
