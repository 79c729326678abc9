import { setTimeout as sleep } from "node:timers/promises";
import { DeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../call";

interface Round {
  readonly done: Promise<void>;
  /** Callers that still wait for this round. Without any the work is aborted. */
  waiting: number;
  readonly abort: AbortController;
}

/**
 * Shares one slow piece of work per key between calls. A caller never joins work that already runs:
 * a rescan that began before a volume was mapped may have passed its adapter. It joins the next one,
 * together with everybody else who came meanwhile. A short gathering time lets calls that are made
 * at the same moment (several volume groups of one host) share the first one too.
 */
export class RescanQueue {
  readonly #device: string;
  readonly #work: (key: string, signal: AbortSignal) => Promise<void>;
  readonly #gatherMs: number;
  readonly #running = new Map<string, Promise<void>>();
  readonly #next = new Map<string, Round>();

  constructor(
    device: string,
    work: (key: string, signal: AbortSignal) => Promise<void>,
    gatherMs = 25,
  ) {
    this.#device = device;
    this.#work = work;
    this.#gatherMs = gatherMs;
  }

  async request(call: DeviceCall, key: string): Promise<void> {
    const planned = this.#next.get(key);
    const round = planned?.abort.signal.aborted === false ? planned : this.#plan(key);
    round.waiting += 1;
    let leave: (() => void) | undefined;
    const left = new Promise<never>((_resolve, reject) => {
      leave = () => {
        reject(this.#abortedError(key));
      };
      if (call.signal.aborted) leave();
      else call.signal.addEventListener("abort", leave, { once: true });
    });
    try {
      await Promise.race([round.done, left]);
    } finally {
      if (leave !== undefined) call.signal.removeEventListener("abort", leave);
      round.waiting -= 1;
      if (round.waiting === 0) round.abort.abort();
    }
  }

  #plan(key: string): Round {
    const abort = new AbortController();
    const before = this.#running.get(key) ?? Promise.resolve();
    const done = before
      .catch(() => undefined)
      .then(() => sleep(this.#gatherMs))
      .then(async () => {
        if (this.#next.get(key) === round) this.#next.delete(key);
        if (abort.signal.aborted) return;
        await this.#work(key, abort.signal);
      });
    // Callers that left do not look at the outcome any more.
    done.catch(() => undefined);
    const round: Round = { done, waiting: 0, abort };
    this.#next.set(key, round);
    this.#running.set(key, done);
    return round;
  }

  #abortedError(key: string): DeviceError {
    return new DeviceError({
      kind: "aborted",
      device: this.#device,
      operation: "rescan host",
      object: key,
      reason: "the call was aborted",
    });
  }
}
