import { DeviceError, isDeviceError } from "../../bed/errors";
import type { Clock } from "./clock";

export interface BreakerOptions {
  readonly device: string;
  readonly clock: Clock;
  /** A device that has not answered anything for so long counts as gone. */
  readonly patienceMs: number;
  /** Then one request in so long finds out whether it is back; all others fail at once. */
  readonly probeMs: number;
}

/**
 * Keeps many calls from waiting out the same silence one after the other: when a device has answered
 * nothing (or nothing but 503) for long, the next calls fail at once, with an error that says so, until
 * one request gets through.
 */
export class Breaker {
  readonly #options: BreakerOptions;
  /** Begin of the first request that went unanswered since the last answer. */
  #silentSince: number | undefined;
  #nextProbe = 0;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /** True when waiting for the device has no point now. */
  get open(): boolean {
    const { clock, patienceMs } = this.#options;
    return this.#silentSince !== undefined && clock.now() - this.#silentSince >= patienceMs;
  }

  /** Runs one request. `operation` is what it is for. */
  async run<T>(operation: string, request: () => Promise<T>): Promise<T> {
    const startedAt = this.#options.clock.now();
    if (this.open) this.#admit(operation, startedAt);
    try {
      const answer = await request();
      this.#silentSince = undefined;
      return answer;
    } catch (error) {
      if (isDeviceError(error, "unreachable", "timeout")) this.#silentSince ??= startedAt;
      // Cancelled by us: the device had no chance to answer.
      else if (!isDeviceError(error, "aborted")) this.#silentSince = undefined;
      throw error;
    }
  }

  #admit(operation: string, now: number): void {
    const { device, probeMs } = this.#options;
    if (now >= this.#nextProbe) {
      this.#nextProbe = now + probeMs;
      return;
    }
    const seconds = Math.round((now - (this.#silentSince ?? now)) / 1000);
    throw new DeviceError({
      kind: "unreachable",
      device,
      operation,
      reason: `it has not answered any request for ${seconds.toString()} s; this one was not sent`,
      remedy: `Bring ${device} back, then run again. It is asked again every ${(probeMs / 1000).toString()} s.`,
    });
  }
}
