import { DeviceError, isDeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../call";
import type { Clock } from "../clock";
import type { HttpAnswer } from "../http-session";
import { Semaphore } from "../limiter";
import { fosError } from "./fos-errors";
import type { FosHttp, FosRequest } from "./fos-http";
import { loginOperation, type FosLogin, type OpenSession } from "./fos-login";
import type { FosPatience } from "./fos-patience";
import { readFault, responsePart } from "./wire";

/**
 * One REST session on a switch, shared by all calls of the process: a switch allows three by default,
 * for all its clients together. Logged in when needed, logged out soon after the last use.
 */
export class FosSession {
  readonly #device: string;
  readonly #http: FosHttp;
  readonly #login: FosLogin;
  readonly #clock: Clock;
  readonly #patience: FosPatience;
  readonly #changing = new Semaphore(1);
  #open: OpenSession | undefined;
  #users = 0;
  #linger: NodeJS.Timeout | undefined;

  constructor(options: {
    readonly device: string;
    readonly http: FosHttp;
    readonly login: FosLogin;
    readonly clock: Clock;
    readonly patience: FosPatience;
  }) {
    this.#device = options.device;
    this.#http = options.http;
    this.#login = options.login;
    this.#clock = options.clock;
    this.#patience = options.patience;
  }

  /** Keeps the session for the caller until the answered function is called. */
  hold(): () => void {
    clearTimeout(this.#linger);
    this.#users++;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#users--;
      if (this.#users === 0) this.#logoutSoon();
    };
  }

  /** The session token: another one than before means that staged changes are gone. */
  get token(): string | undefined {
    return this.#open?.token;
  }

  /**
   * Sends one request. Throttling and a busy fabric are waited out; a lost answer of a GET is asked
   * for again; any other refusal is a {@link DeviceError}. An ended session is opened anew for a GET,
   * and reported (see {@link isSessionLost}) for a write, whose transaction went with it.
   */
  async send(call: DeviceCall, request: FosRequest): Promise<HttpAnswer> {
    const release = this.hold();
    try {
      for (let losses = 0; ; losses++) {
        const session = await this.#ensure(call);
        try {
          return await this.#accepted(call, request, session.token);
        } catch (error) {
          if (isSessionLost(error)) await this.#drop(session);
          const again =
            request.method === "GET" &&
            losses < 2 &&
            (isSessionLost(error) || isDeviceError(error, "unreachable", "timeout"));
          if (!again || call.signal.aborted) throw error;
          if (!isSessionLost(error)) await this.#clock.sleep(this.#patience.pollMs, call.signal);
        }
      }
    } finally {
      release();
    }
  }

  /**
   * GET of one container or list; undefined where the switch says that it is empty. A container is always
   * in a success; an empty list may be left out.
   */
  async read(
    call: DeviceCall,
    path: string,
    request: { readonly operation: string; readonly object?: string },
    kind: "list" | "container" = "list",
  ): Promise<unknown> {
    const name = path.slice(path.lastIndexOf("/") + 1);
    let text: string;
    try {
      ({ text } = await this.send(call, { method: "GET", path, ...request }));
    } catch (error) {
      if (isDeviceError(error, "notFound")) return undefined;
      throw error;
    }
    const found = responsePart(text, name);
    if (found !== undefined && (kind === "list" || found.part !== undefined)) return found.part;
    throw new DeviceError({
      ...request,
      kind: "protocol",
      device: this.#device,
      reason: `the answer to ${path} has no ${found === undefined ? "Response" : name}`,
      remedy: "Check that the endpoint is the switch itself, and that nothing stands in between.",
    });
  }

  /** Gives the session back at once; what is staged in it is dropped by the switch. */
  async logout(): Promise<void> {
    clearTimeout(this.#linger);
    const release = await this.#changing.acquire(AbortSignal.timeout(30_000));
    try {
      const session = this.#open;
      if (session === undefined) return;
      this.#open = undefined;
      // One that may still be open stays in the records: the next process ends it.
      if (await this.#http.logout(session.token)) session.forget();
    } finally {
      release();
    }
  }

  #logoutSoon(): void {
    clearTimeout(this.#linger);
    if (this.#open === undefined) return;
    this.#linger = setTimeout(() => {
      if (this.#users === 0) void this.logout();
    }, this.#patience.lingerMs);
  }

  async #drop(session: OpenSession): Promise<void> {
    const release = await this.#changing.acquire(AbortSignal.timeout(30_000));
    session.forget();
    if (this.#open === session) this.#open = undefined;
    release();
  }

  async #ensure(call: DeviceCall): Promise<OpenSession> {
    const release = await this.#changing.acquire(call.signal);
    try {
      this.#open ??= await this.#login.open(call);
      return this.#open;
    } finally {
      release();
    }
  }

  async #accepted(call: DeviceCall, request: FosRequest, token: string): Promise<HttpAnswer> {
    const answer = await this.#http.exchange(call, request, token);
    if (answer.status < 300) return answer;
    throw fosError(
      { device: this.#device, operation: request.operation, object: request.object },
      readFault(answer.status, answer.text),
    );
  }
}

/** True for the error of a request whose session had ended (expired, or ended by an operator). */
export function isSessionLost(error: unknown): boolean {
  return (
    error instanceof DeviceError &&
    error.kind === "unauthorized" &&
    error.vendorCode?.startsWith("FOS 401") === true &&
    error.operation !== loginOperation
  );
}
