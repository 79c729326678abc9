import { SanbedError } from "../../bed/errors";

/** Why a call was stopped before its end. */
export class StoppedError extends SanbedError {
  constructor(cause: "cancelled" | "deadline" | "engineLost", message: string) {
    super(`stopped.${cause}`, message);
  }
}

/** What one call is told about its time. */
export interface CallTime {
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch; undefined without a deadline. */
  readonly deadline: number | undefined;
}

export interface CallOptions {
  /** For messages: `create of sanbed:array:VolumeSet log`. */
  readonly label: string;
  /** The engine's custom timeout; 0 is none. */
  readonly timeoutSeconds: number;
  /** Aborted when the engine gives up this one call. */
  readonly abandoned?: AbortSignal;
}

const longestTimer = 2 ** 31 - 1;

/**
 * The calls in flight: gives each a signal and a deadline, stops all of them on Cancel, and answers
 * for a handler that does not react within the grace time after it was told to stop.
 */
export class CallRegistry {
  private readonly running = new Map<AbortController, Promise<unknown>>();
  private readonly graceMs: number;
  private stopped: StoppedError | undefined;

  constructor(graceMs: number) {
    this.graceMs = graceMs;
  }

  /** @throws {StoppedError} when the call was stopped and did not end by itself; else what `work` throws. */
  async run<T>(options: CallOptions, work: (time: CallTime) => Promise<T>): Promise<T> {
    if (this.stopped !== undefined) throw this.stopped;
    const controller = new AbortController();
    const { timeoutSeconds, label } = options;
    const timeoutMs = Math.min(timeoutSeconds * 1000, longestTimer);
    const deadline = timeoutSeconds > 0 ? Date.now() + timeoutMs : undefined;
    const timer =
      deadline === undefined
        ? undefined
        : setTimeout(() => {
            const allowed = `${timeoutSeconds.toString()} s`;
            controller.abort(
              new StoppedError(
                "deadline",
                `${label}: not done within its deadline of ${allowed} (custom timeout)`,
              ),
            );
          }, timeoutMs);
    const giveUp = (): void => {
      controller.abort(new StoppedError("cancelled", `${label}: the engine gave up the call`));
    };
    options.abandoned?.addEventListener("abort", giveUp, { once: true });
    const call = this.withGrace(controller.signal, work({ signal: controller.signal, deadline }));
    this.running.set(controller, call);
    try {
      return await call;
    } finally {
      clearTimeout(timer);
      options.abandoned?.removeEventListener("abort", giveUp);
      this.running.delete(controller);
    }
  }

  /** Stops every call in flight and refuses new ones until {@link reopen}. */
  stop(reason: StoppedError): void {
    this.stopped = reason;
    for (const controller of this.running.keys()) controller.abort(reason);
  }

  /** A new engine session may follow on the same process when the engine only attached to it. */
  reopen(): void {
    this.stopped = undefined;
  }

  /** Resolves when nothing is in flight any more. Never rejects. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.running.values());
  }

  private withGrace<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let grace: NodeJS.Timeout | undefined;
      const onAbort = (): void => {
        grace = setTimeout(() => {
          reject(signal.reason as Error);
        }, this.graceMs);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      void work.then(resolve, reject).finally(() => {
        clearTimeout(grace);
        signal.removeEventListener("abort", onAbort);
      });
    });
  }
}
