import { isDeviceError } from "../../../bed/errors";
import { Breaker } from "../breaker";
import type { DeviceCall } from "../call";
import type { Clock } from "../clock";
import type { Credentials } from "../credentials";
import type { HttpAnswer, HttpRequest, HttpSession } from "../http-session";
import { markWaitedFor } from "./settle";

/** ONTAP says: not now. Ask again after so long, for at most so long. */
export interface Retry {
  readonly pauseMs: number;
  readonly forMs: number;
}

export interface LineOptions {
  readonly device: string;
  readonly http: Pick<HttpSession, "send">;
  readonly credentials: (signal: AbortSignal) => Promise<Credentials>;
  readonly clock: Clock;
  /** Shortens every pause; tests only. */
  readonly pace: number;
}

/** What is asked and how it is asked again, whatever is said: shared by REST and ONTAPI. */
export class OntapLine {
  readonly device: string;
  readonly #options: LineOptions;
  readonly #breaker: Breaker;
  #writes = 0;

  constructor(options: LineOptions) {
    const { device, clock, pace } = options;
    this.device = device;
    this.#options = options;
    // Overload shows as refused or cut connections and 503; NetApp's own clients wait about a minute.
    this.#breaker = new Breaker({
      device,
      clock,
      patienceMs: 60_000 * pace,
      probeMs: 15_000 * pace,
    });
  }

  /** Writes that were begun so far. */
  get writes(): number {
    return this.#writes;
  }

  get clock(): Clock {
    return this.#options.clock;
  }

  /** One request with the account's name and password (HTTP Basic; there are no sessions). */
  async send(
    call: DeviceCall,
    request: Omit<HttpRequest, "headers" | "signal">,
    headers: Readonly<Record<string, string>>,
  ): Promise<HttpAnswer> {
    const { user, password } = await this.#options.credentials(call.signal);
    const basic = Buffer.from(`${user}:${password.reveal()}`, "utf8").toString("base64");
    return await this.#options.http.send({
      ...request,
      headers: { ...headers, authorization: `Basic ${basic}` },
      signal: call.signal,
    });
  }

  /** A read: asked again with growing pauses while no answer comes. */
  async read<T>(call: DeviceCall, operation: string, ask: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#breaker.run(operation, ask);
      } catch (error) {
        const again = isDeviceError(error, "unreachable") && attempt < 7 && !this.#breaker.open;
        if (!again || call.signal.aborted) throw error;
        const jitter = 0.75 + Math.random() / 2;
        await this.sleep(call, Math.min(500 * 2 ** attempt, 30_000) * jitter);
      }
    }
  }

  /** A write: sent again only when the array itself asks to wait. */
  async write<T>(
    call: DeviceCall,
    operation: string,
    send: () => Promise<T>,
    retryOf: (error: unknown) => Retry | undefined,
  ): Promise<T> {
    const startedAt = this.clock.now();
    for (;;) {
      try {
        return await this.#breaker.run(operation, () => {
          call.onWrite?.();
          this.#writes++;
          return send();
        });
      } catch (error) {
        const retry = retryOf(error);
        if (retry === undefined) throw error;
        if (this.clock.now() - startedAt >= retry.forMs * this.#options.pace) {
          markWaitedFor(error as Error);
          throw error;
        }
        call.status?.(`${this.device}: ${operation}: the array asks to wait`);
        await this.sleep(call, retry.pauseMs);
      }
    }
  }

  async sleep(call: DeviceCall, ms: number): Promise<void> {
    await this.clock.sleep(ms * this.#options.pace, call.signal);
  }
}
