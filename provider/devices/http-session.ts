import { setMaxListeners } from "node:events";
import { Agent, request } from "undici";
import { DeviceError, type DeviceErrorKind } from "../../bed/errors";
import type { Clock } from "./clock";
import { Limiter, type Limits } from "./limiter";
import type { RequestLog } from "./request-log";
import { pinMismatch, tlsConnector, type TlsSettings } from "./tls";

export interface HttpSessionOptions {
  readonly device: string;
  /** `https://host[:port]`. */
  readonly endpoint: string;
  readonly tls: TlsSettings;
  readonly limits: Limits;
  /** Time for one request, from its first byte to the last byte of the answer. */
  readonly requestTimeoutMs: number;
  /** Idle connections are closed by us after so long, before the device does it. */
  readonly keepAliveMs: number;
  readonly log: RequestLog;
  readonly clock: Clock;
  readonly baseFolder: string;
}

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Path and query, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** What it is for, in the field's words: for errors and the request log. */
  readonly operation: string;
  readonly object?: string | undefined;
  /** Changes nothing on the device although the method may say otherwise. */
  readonly readOnly?: boolean;
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/**
 * Requests to one device over kept-alive connections, within its limits. Answers every HTTP status;
 * only a missing answer is an error.
 */
export class HttpSession {
  readonly #options: HttpSessionOptions;
  readonly #agent: Agent;
  readonly #limiter: Limiter;
  #closing: Promise<void> | undefined;

  constructor(options: HttpSessionOptions) {
    this.#options = options;
    this.#limiter = new Limiter(options.limits, options.clock);
    this.#agent = new Agent({
      connections: options.limits.concurrency,
      pipelining: 1,
      keepAliveTimeout: options.keepAliveMs,
      headersTimeout: options.requestTimeoutMs,
      bodyTimeout: options.requestTimeoutMs,
      connect: tlsConnector(options.tls, {
        baseFolder: options.baseFolder,
        connectTimeoutMs: 15_000,
      }),
    });
  }

  /** @throws {DeviceError} `unreachable`, `timeout`, `aborted`, or `refused` for a wrong certificate. */
  async send(wanted: HttpRequest): Promise<HttpAnswer> {
    // Many requests of one call listen to its signal: that is no leak.
    setMaxListeners(0, wanted.signal);
    try {
      return await this.#limiter.run(wanted.signal, () => this.#exchange(wanted));
    } catch (error) {
      throw noAnswer(this.#options, wanted, error);
    }
  }

  /** Lets requests in flight end. Safe to repeat. */
  async close(): Promise<void> {
    this.#closing ??= this.#agent.close();
    await this.#closing;
  }

  async #exchange(wanted: HttpRequest): Promise<HttpAnswer> {
    const { clock, log, device, endpoint } = this.#options;
    const startedAt = clock.now();
    let outcome: string | undefined;
    try {
      const answer = await request(new URL(wanted.path, endpoint), {
        dispatcher: this.#agent,
        method: wanted.method,
        headers: wanted.headers,
        signal: wanted.signal,
        ...(wanted.body === undefined ? {} : { body: wanted.body }),
      });
      const text = await answer.body.text();
      outcome = answer.statusCode.toString();
      return { status: answer.statusCode, headers: answer.headers, text };
    } finally {
      log.add({
        device,
        operation: wanted.operation,
        startedAt: new Date(startedAt).toISOString(),
        durationMs: clock.now() - startedAt,
        outcome,
        write: wanted.method !== "GET" && wanted.readOnly !== true,
      });
    }
  }
}

const neverSentCodes = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** True when the request surely never left us, so that sending it again cannot do it twice. */
export function wasNeverSent(error: DeviceError): boolean {
  return neverSentCodes.has(codeOf(error.cause) ?? "");
}

/** Why there is no answer: the caller gave up, time ran out, the wrong device, or a lost connection. */
function noAnswer(options: HttpSessionOptions, wanted: HttpRequest, error: unknown): DeviceError {
  const fields = {
    device: options.device,
    operation: wanted.operation,
    object: wanted.object,
    cause: error,
  };
  if (error instanceof DeviceError) return error;
  if (wanted.signal.aborted) return abortedError(fields, wanted.signal);
  const code = codeOf(error);
  const text = textOf(error, "message") ?? "unknown error";
  if (code === pinMismatch) {
    return new DeviceError({
      ...fields,
      kind: "refused",
      reason: text,
      remedy:
        "Either something else answers at this address, or the certificate was renewed: then put the new SHA-256 into tls.sha256.",
    });
  }
  if (code !== undefined && /CERT|SIGNATURE|ISSUER|ALTNAME/.test(code)) {
    return new DeviceError({
      ...fields,
      kind: "refused",
      reason: `its certificate is not trusted: ${text}`,
      vendorCode: code,
      remedy: "Give tls.sha256 (the SHA-256 of its certificate) or tls.ca.",
    });
  }
  const timeout = code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT";
  return new DeviceError({
    ...fields,
    kind: timeout ? "timeout" : "unreachable",
    reason: timeout
      ? `no answer within ${(options.requestTimeoutMs / 1000).toString()} s`
      : `no answer from ${options.endpoint}: ${text}`,
    vendorCode: code,
    remedy: "Check the address, the network and that the device is up.",
  });
}

/** The error of a call whose signal was aborted: `timeout` when its deadline passed, else `aborted`. */
export function abortedError(
  fields: {
    readonly device: string;
    readonly operation: string;
    readonly object?: string | undefined;
    readonly cause?: unknown;
  },
  signal: AbortSignal,
): DeviceError {
  const timedOut = textOf(signal.reason, "name") === "TimeoutError";
  const kind: DeviceErrorKind = timedOut ? "timeout" : "aborted";
  return new DeviceError({
    ...fields,
    kind,
    reason: timedOut ? "the deadline of the operation passed" : "the operation was cancelled",
  });
}

/** The code of an error or of what caused it. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  return textOf(error, "code") ?? codeOf("cause" in error ? error.cause : undefined);
}

/** By shape, not by class: errors of the runtime may come from another realm. */
function textOf(value: unknown, key: "code" | "name" | "message"): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const text = (value as Record<string, unknown>)[key];
  return typeof text === "string" ? text : undefined;
}
