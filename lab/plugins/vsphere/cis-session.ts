import { z } from "zod";
import { DeviceError, type DeviceErrorKind } from "../../../bed/errors";
import type { DeviceCall } from "../../../provider/devices/call";
import type { Clock } from "../../../provider/devices/clock";
import type { HttpAnswer } from "../../../provider/devices/http-session";
import { HttpSession } from "../../../provider/devices/http-session";
import type { RequestLog } from "../../../provider/devices/request-log";
import type { TlsSettings } from "../../../provider/devices/tls";

export interface CisOptions {
  readonly device: string;
  readonly endpoint: string;
  readonly tls: TlsSettings;
  readonly log: RequestLog;
  readonly clock: Clock;
  readonly baseFolder: string;
  readonly user: string;
  readonly password: string;
}

export interface CisRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below `/rest/com/vmware/cis/`, encoded. */
  readonly path: string;
  readonly body?: unknown;
  readonly operation: string;
  readonly object?: string | undefined;
  /** A POST that only asks. */
  readonly readOnly?: boolean;
}

const prefix = "/rest/com/vmware/cis/";
const kinds: Readonly<Record<number, DeviceErrorKind>> = {
  401: "unauthorized",
  403: "unauthorized",
  404: "notFound",
  503: "busy",
};
const valueShape = z.object({ value: z.unknown() });

/** The Automation API of a vCenter (`com.vmware.cis`): one session, made again when it has ended. */
export class CisSession {
  readonly #options: CisOptions;
  readonly #http: HttpSession;
  #token: Promise<string> | undefined;

  constructor(options: CisOptions) {
    this.#options = options;
    this.#http = new HttpSession({
      ...options,
      limits: { concurrency: 8 },
      requestTimeoutMs: 60_000,
      keepAliveMs: 10_000,
    });
  }

  /** The answer's `value`; undefined for an empty answer. */
  async send(call: DeviceCall, request: CisRequest): Promise<unknown> {
    const first = await this.#exchange(call, request);
    if (first.status !== 401) return this.#read(request, first);
    this.#token = undefined;
    return this.#read(request, await this.#exchange(call, request));
  }

  async close(): Promise<void> {
    if (this.#token !== undefined) {
      const call = { signal: AbortSignal.timeout(5000) };
      const end = { method: "DELETE", path: "session", operation: "log out" } as const;
      // The session ends by itself in time; the plugin must not fail over it.
      await this.#exchange(call, end).catch(() => undefined);
    }
    await this.#http.close();
  }

  async #exchange(call: DeviceCall, request: CisRequest): Promise<HttpAnswer> {
    this.#token ??= this.#login(call).catch((error: unknown) => {
      this.#token = undefined;
      throw error;
    });
    const token = await this.#token;
    return this.#http.send({
      method: request.method,
      path: prefix + request.path,
      headers: { "vmware-api-session-id": token, "content-type": "application/json" },
      body: request.body === undefined ? undefined : JSON.stringify(request.body),
      operation: request.operation,
      object: request.object,
      readOnly: request.readOnly ?? request.method === "GET",
      signal: call.signal,
    });
  }

  async #login(call: DeviceCall): Promise<string> {
    const { user, password } = this.#options;
    const request = { operation: "log in as", object: user };
    const answer = await this.#http.send({
      method: "POST",
      path: `${prefix}session`,
      headers: {
        authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
      },
      ...request,
      readOnly: true,
      signal: call.signal,
    });
    return z.string().parse(this.#read(request, answer));
  }

  #read(request: Pick<CisRequest, "operation" | "object">, answer: HttpAnswer): unknown {
    if (answer.status >= 200 && answer.status < 300) {
      if (answer.text.trim() === "") return undefined;
      return valueShape.parse(JSON.parse(answer.text)).value;
    }
    const exists = answer.text.includes("already_exists");
    throw new DeviceError({
      kind: exists ? "alreadyExists" : (kinds[answer.status] ?? "refused"),
      device: this.#options.device,
      operation: request.operation,
      object: request.object,
      reason: `the vCenter answered HTTP ${answer.status.toString()}: ${answer.text.slice(0, 300)}`,
      vendorCode: answer.status.toString(),
    });
  }
}
