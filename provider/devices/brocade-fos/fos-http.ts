import { isDeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../call";
import type { Clock } from "../clock";
import type { HttpAnswer, HttpSession } from "../http-session";
import { fosError, meaningOf } from "./fos-errors";
import type { FosPatience } from "./fos-patience";
import { readFault } from "./wire";

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
const mediaType = "application/yang-data+json";
const headers = { accept: mediaType, "content-type": mediaType, "user-agent": clientName };

/** Requests to one switch, in the form that FOS wants them, with its back-off. Knows no session. */
export class FosHttp {
  readonly #device: string;
  readonly #http: HttpSession;
  readonly #clock: Clock;
  readonly #patience: FosPatience;
  readonly #vfId: number | undefined;

  constructor(options: {
    readonly device: string;
    readonly http: HttpSession;
    readonly clock: Clock;
    readonly patience: FosPatience;
    readonly vfId: number | undefined;
  }) {
    this.#device = options.device;
    this.#http = options.http;
    this.#clock = options.clock;
    this.#patience = options.patience;
    this.#vfId = options.vfId;
  }

  /**
   * Answers whatever the switch says, but repeats a request that it turned away unread (503, fabric busy)
   * within limits.
   * @throws {DeviceError} only where there is no answer.
   */
  async exchange(call: DeviceCall, request: FosRequest, auth: string): Promise<HttpAnswer> {
    const { throttledMs, busyMs } = this.#patience;
    for (let throttled = 0, busy = 0; ;) {
      const answer = await this.#send(call.signal, request, auth);
      if (answer.status < 300) return answer;
      const fault = readFault(answer.status, answer.text);
      const meaning = meaningOf(fault);
      if (meaning === "gateway") {
        const { operation, object } = request;
        throw fosError({ device: this.#device, operation, object }, fault);
      }
      // Ten pauses outlast the switch's sampling period of thirty seconds.
      if (meaning === "throttled" && throttled++ < 10) {
        call.status?.(`${this.#device}: the switch limits requests, waiting`);
        await this.#clock.sleep(throttledMs, call.signal);
      } else if (meaning === "fabricBusy" && busy++ < 5) {
        call.status?.(`${this.#device}: the fabric is busy, waiting`);
        await this.#clock.sleep(busyMs, call.signal);
      } else {
        return answer;
      }
    }
  }

  /**
   * Ends a session; what is staged in it is dropped by the switch. True when it is surely ended: the switch
   * said so, or does not know it (any more).
   */
  async logout(token: string): Promise<boolean> {
    const request = {
      ...({ method: "POST", path: "/rest/logout", operation: "log out", readOnly: true } as const),
    };
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        const { status } = await this.#send(AbortSignal.timeout(10_000), request, token);
        if (status < 500) return true;
        await this.#clock.sleep(this.#patience.throttledMs);
      } catch (error) {
        // A lost answer: the session may still be open, so it is tried again. There is nobody to tell.
        if (!isDeviceError(error, "unreachable", "timeout")) return false;
      }
    }
    return false;
  }

  async #send(signal: AbortSignal, request: FosRequest, auth: string): Promise<HttpAnswer> {
    return await this.#http.send({
      method: request.method,
      path: this.#withFabric(request.path),
      headers: { ...headers, authorization: auth },
      body: request.body === undefined ? undefined : JSON.stringify(request.body),
      operation: request.operation,
      object: request.object,
      readOnly: request.readOnly ?? false,
      signal,
    });
  }

  #withFabric(path: string): string {
    // As a query parameter: a vf-id header is ignored without a word (FOS REST API Reference, vf-id).
    if (this.#vfId === undefined || !path.startsWith("/rest/running/")) return path;
    return `${path}?vf-id=${this.#vfId.toString()}`;
  }
}
