import { DeviceError, isDeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../call";
import type { Clock } from "../clock";
import type { Credentials } from "../credentials";
import type { HttpAnswer, HttpSession } from "../http-session";
import { Semaphore } from "../limiter";
import { fosError, meaningOf } from "./fos-errors";
import { readFault, responsePart } from "./wire";

/** How patient the driver is. Times in milliseconds. */
export interface FosPatience {
  /** For a free session, when all sessions of the switch are taken. */
  readonly sessionWaitMs: number;
  /** For another administrator's transaction to end. */
  readonly lockWaitMs: number;
  /** For a commit to show in fresh reads. */
  readonly verifyMs: number;
  /** Between two looks while one of the above lasts. */
  readonly pollMs: number;
  /** After 503: four seconds is what the vendor's own clients wait (pyfos, brocade/ansible). */
  readonly throttledMs: number;
  /** After "The Fabric is busy" (brcdapi waits ten seconds, five times). */
  readonly busyMs: number;
  /** An unused session is given back after so long. */
  readonly lingerMs: number;
}

export interface FosRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly operation: string;
  readonly object?: string | undefined;
  /** POST without effect on the configuration (login, logout). */
  readonly readOnly?: boolean;
}

/** What the switch calls us in its audit log and as holder of its lock. */
export const clientName = "sanbed";
const loginOperation = "log in";
const mediaType = "application/yang-data+json";

/**
 * One REST session on a switch, shared by all calls of the process: a switch allows three by default,
 * for all its clients together. Logged in when needed, logged out soon after the last use.
 */
export class FosSession {
  readonly #device: string;
  readonly #http: HttpSession;
  readonly #credentials: (signal: AbortSignal) => Promise<Credentials>;
  readonly #clock: Clock;
  readonly #patience: FosPatience;
  readonly #vfId: number | undefined;
  readonly #changing = new Semaphore(1);
  #token: string | undefined;
  #users = 0;
  #linger: NodeJS.Timeout | undefined;

  constructor(options: {
    readonly device: string;
    readonly http: HttpSession;
    readonly credentials: (signal: AbortSignal) => Promise<Credentials>;
    readonly clock: Clock;
    readonly patience: FosPatience;
    readonly vfId: number | undefined;
  }) {
    this.#device = options.device;
    this.#http = options.http;
    this.#credentials = options.credentials;
    this.#clock = options.clock;
    this.#patience = options.patience;
    this.#vfId = options.vfId;
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
    return this.#token;
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
        const token = await this.#login(call);
        try {
          return await this.#patiently(call, request, token);
        } catch (error) {
          if (isSessionLost(error)) await this.#forget(token);
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
      const token = this.#token;
      if (token === undefined) return;
      this.#token = undefined;
      await this.#sendLogout(token);
    } finally {
      release();
    }
  }

  async #sendLogout(token: string): Promise<void> {
    for (let attempt = 0; attempt < 2; attempt++) {
      try {
        await this.#http.send({
          method: "POST",
          path: "/rest/logout",
          headers: { ...headers, authorization: token },
          operation: "log out",
          readOnly: true,
          signal: AbortSignal.timeout(10_000),
        });
        return;
      } catch (error) {
        // A lost answer: the session may still be open, so it is tried again. There is nobody to tell.
        if (!isDeviceError(error, "unreachable", "timeout")) return;
      }
    }
  }

  #logoutSoon(): void {
    clearTimeout(this.#linger);
    if (this.#token === undefined) return;
    this.#linger = setTimeout(() => {
      if (this.#users === 0) void this.logout();
    }, this.#patience.lingerMs);
  }

  async #forget(token: string): Promise<void> {
    const release = await this.#changing.acquire(AbortSignal.timeout(30_000));
    if (this.#token === token) this.#token = undefined;
    release();
  }

  async #login(call: DeviceCall): Promise<string> {
    const release = await this.#changing.acquire(call.signal);
    try {
      if (this.#token !== undefined) return this.#token;
      const until = this.#clock.now() + this.#patience.sessionWaitMs;
      for (;;) {
        const token = await this.#tryLogin(call, this.#clock.now() >= until);
        if (token !== undefined) {
          this.#token = token;
          return token;
        }
        call.status?.(`${this.#device}: all sessions of the switch are taken, waiting`);
        await this.#clock.sleep(this.#patience.pollMs, call.signal);
      }
    } finally {
      release();
    }
  }

  /** Undefined: no session was free. The last try reports that as an error. */
  async #tryLogin(call: DeviceCall, last: boolean): Promise<string | undefined> {
    const { user, password } = await this.#credentials(call.signal);
    const basic = Buffer.from(`${user}:${password.reveal()}`, "utf8").toString("base64");
    const request: FosRequest = {
      method: "POST",
      path: "/rest/login",
      operation: loginOperation,
      object: `as ${user}`,
      readOnly: true,
    };
    const answer = await this.#outlastBusy(call, request, `Basic ${basic}`);
    const token = answer.headers["authorization"];
    if (answer.status < 300 && typeof token === "string") return token;
    const fault = readFault(answer.status, answer.text);
    if (meaningOf(fault) === "sessionLimit" && !last) return undefined;
    throw loginError(this.#device, request, answer);
  }

  async #patiently(call: DeviceCall, request: FosRequest, token: string): Promise<HttpAnswer> {
    const answer = await this.#outlastBusy(call, request, token);
    if (answer.status < 300) return answer;
    throw fosError(
      { device: this.#device, operation: request.operation, object: request.object },
      readFault(answer.status, answer.text),
    );
  }

  /** Repeats a request that the switch turned away unread (503, fabric busy) within limits. */
  async #outlastBusy(call: DeviceCall, request: FosRequest, auth: string): Promise<HttpAnswer> {
    const { throttledMs, busyMs } = this.#patience;
    for (let throttled = 0, busy = 0; ;) {
      const answer = await this.#http.send({
        method: request.method,
        path: this.#withFabric(request.path),
        headers: { ...headers, authorization: auth },
        body: request.body === undefined ? undefined : JSON.stringify(request.body),
        operation: request.operation,
        object: request.object,
        readOnly: request.readOnly ?? false,
        signal: call.signal,
      });
      if (answer.status < 300) return answer;
      const meaning = meaningOf(readFault(answer.status, answer.text));
      // Ten pauses outlast the switch's sampling period of thirty seconds.
      if (meaning === "throttled" && throttled++ < 10) {
        await this.#clock.sleep(throttledMs, call.signal);
      } else if (meaning === "fabricBusy" && busy++ < 5) {
        call.status?.(`${this.#device}: the fabric is busy, waiting`);
        await this.#clock.sleep(busyMs, call.signal);
      } else {
        return answer;
      }
    }
  }

  #withFabric(path: string): string {
    // As a query parameter: a vf-id header is ignored without a word (FOS REST API Reference, vf-id).
    if (this.#vfId === undefined || !path.startsWith("/rest/running/")) return path;
    return `${path}?vf-id=${this.#vfId.toString()}`;
  }
}

const headers = { accept: mediaType, "content-type": mediaType, "user-agent": clientName };

/** True for the error of a request whose session had ended (expired, or ended by an operator). */
export function isSessionLost(error: unknown): boolean {
  return (
    error instanceof DeviceError &&
    error.kind === "unauthorized" &&
    error.vendorCode?.startsWith("FOS 401") === true &&
    !error.message.includes(`cannot ${loginOperation} `)
  );
}

function loginError(device: string, request: FosRequest, answer: HttpAnswer): DeviceError {
  const place = { device, operation: request.operation, object: request.object };
  const fault = readFault(answer.status, answer.text);
  if (meaningOf(fault) === "sessionLost") {
    return new DeviceError({
      ...place,
      kind: "unauthorized",
      reason: "user or password is wrong",
      vendorCode: `FOS ${answer.status.toString()}`,
      remedy: "Correct the credentials that the device's reference points to.",
    });
  }
  if (answer.status < 300 || answer.status === 404) {
    return new DeviceError({
      ...place,
      kind: "unsupported",
      reason:
        answer.status === 404
          ? "the address answers, but not as a switch with REST"
          : "the switch gave no session token",
      vendorCode: `FOS ${answer.status.toString()}`,
      remedy: "Enable REST on the switch (mgmtapp --enable rest) and check the endpoint.",
    });
  }
  return fosError(place, fault);
}
