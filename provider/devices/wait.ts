import { DeviceError } from "../../bed/errors";
import type { DeviceCall } from "./call";
import type { Clock } from "./clock";
import { abortedError } from "./http-session";

export interface WaitOptions {
  readonly device: string;
  readonly call: DeviceCall;
  readonly clock: Clock;
  /** Gives up after so long; the call's own signal may end it sooner. */
  readonly timeoutMs: number;
  /** Pause after the first look; grows by half up to {@link WaitOptions.slowestMs}. */
  readonly firstMs: number;
  readonly slowestMs: number;
}

/**
 * Looks until `probe` answers something, with growing pauses.
 * @throws {DeviceError} `timeout` naming `what`, when the time is up.
 */
export async function waitFor<T>(
  what: string,
  probe: () => Promise<T | undefined>,
  options: WaitOptions,
): Promise<T> {
  const { call, clock } = options;
  const until = clock.now() + options.timeoutMs;
  let pauseMs = options.firstMs;
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
    const leftMs = until - clock.now();
    if (leftMs <= 0) {
      throw new DeviceError({
        kind: "timeout",
        device: options.device,
        operation: "wait for",
        object: what,
        reason: `not so after ${(options.timeoutMs / 1000).toString()} s`,
      });
    }
    await clock.sleep(Math.min(pauseMs, leftMs), call.signal);
    pauseMs = Math.min(pauseMs * 1.5, options.slowestMs);
  }
}

/**
 * Sleeps between two looks at what somebody else holds. When the operation's own time is up meanwhile, what
 * was waited for is what the reader needs to know: then that is thrown.
 */
export async function sleepOrTell(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
  waitedFor: () => DeviceError,
): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    const { device, operation, object } = waitedFor();
    const stopped = abortedError({ device, operation, object, cause: error }, signal);
    throw stopped.kind === "timeout" ? waitedFor() : stopped;
  }
}
