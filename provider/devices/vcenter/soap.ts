import { DeviceError, isDeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../call";
import type { Clock } from "../clock";
import type { HttpAnswer } from "../http-session";
import { HttpSession } from "../http-session";
import type { RequestLog } from "../request-log";
import type { TlsSettings } from "../tls";
import type { Attempt } from "./faults";
import { maxWaitSeconds } from "./limits";

export interface SoapRequest {
  readonly attempt: Attempt;
  readonly method: string;
  /** Content of the SOAP body. */
  readonly body: string;
  readonly write: boolean;
}

/** Carries SOAP messages to one vCenter. */
export interface SoapTransport {
  readonly device: string;
  /** API version that requests name, `8.0.3.0`; undefined until the server has told its own. */
  version: string | undefined;
  /** Answers the text of a SOAP envelope, be it a result or a fault. */
  post(call: DeviceCall, request: SoapRequest): Promise<string>;
  /** Drops the session cookie. */
  forgetSession(): void;
  close(): Promise<void>;
}

export interface SoapOptions {
  readonly device: string;
  /** `https://host[:port]`. */
  readonly endpoint: string;
  readonly tls: TlsSettings;
  readonly log: RequestLog;
  readonly clock: Clock;
  readonly baseFolder: string;
}

/** A rescan answers when the host is done with it, which takes minutes on a host with many paths. */
const callTimeoutMs = 300_000;
/** Calls in flight; a vCenter takes 640 connections (vSphere configuration maximums), we stay far below. */
const callLimit = 32;
/** Requests that the server holds until something changes. They must not keep calls waiting. */
const waitLimit = 256;

/** SOAP over HTTPS. Calls and long waits have connections of their own and share the session cookie. */
export class HttpSoapTransport implements SoapTransport {
  readonly device: string;
  version: string | undefined;
  readonly #calls: HttpSession;
  readonly #waits: HttpSession;
  #cookie: string | undefined;

  constructor(options: SoapOptions) {
    this.device = options.device;
    const shared = { ...options, keepAliveMs: 10_000 };
    this.#calls = new HttpSession({
      ...shared,
      limits: { concurrency: callLimit },
      requestTimeoutMs: callTimeoutMs,
    });
    this.#waits = new HttpSession({
      ...shared,
      limits: { concurrency: waitLimit },
      requestTimeoutMs: (maxWaitSeconds + 40) * 1000,
    });
  }

  async post(call: DeviceCall, request: SoapRequest): Promise<string> {
    let answer: HttpAnswer;
    try {
      answer = await this.#send(call, request);
    } catch (error) {
      // A connection that broke: a read may simply be asked again, a write may have been done.
      if (request.write || call.signal.aborted || !isDeviceError(error, "unreachable")) throw error;
      answer = await this.#send(call, request);
    }
    this.#keepCookie(answer);
    // SOAP 1.1 over HTTP: results come with 200, faults with 500.
    if (answer.status === 200 || (answer.status === 500 && answer.text.includes("Envelope"))) {
      return answer.text;
    }
    throw new DeviceError({
      kind: answer.status === 503 ? "busy" : "protocol",
      device: this.device,
      ...request.attempt,
      reason: `${request.method} was answered with HTTP ${answer.status.toString()}${excerpt(answer.text)}`,
      expected: "a SOAP answer (200 or 500)",
      remedy:
        answer.status === 503
          ? "The vCenter's services are starting; run again when they are up."
          : "Check that the endpoint is a vCenter: https://host[:port] without a path.",
    });
  }

  forgetSession(): void {
    this.#cookie = undefined;
  }

  async close(): Promise<void> {
    await Promise.all([this.#calls.close(), this.#waits.close()]);
  }

  #send(call: DeviceCall, request: SoapRequest): Promise<HttpAnswer> {
    const session = request.method === "WaitForUpdatesEx" ? this.#waits : this.#calls;
    const version = this.version === undefined ? "urn:vim25" : `urn:vim25/${this.version}`;
    return session.send({
      method: "POST",
      path: "/sdk",
      headers: {
        "content-type": 'text/xml; charset="utf-8"',
        soapaction: `"${version}"`,
        ...(this.#cookie === undefined ? {} : { cookie: this.#cookie }),
      },
      body: envelope(request.body),
      operation: request.attempt.operation,
      object: request.attempt.object,
      readOnly: !request.write,
      signal: call.signal,
    });
  }

  #keepCookie(answer: HttpAnswer): void {
    const set = answer.headers["set-cookie"];
    for (const cookie of typeof set === "string" ? [set] : (set ?? [])) {
      const pair = cookie.split(";")[0];
      if (pair?.startsWith("vmware_soap_session=") === true) this.#cookie = pair;
    }
  }
}

/** The start of an answer that is no SOAP message, on one line. */
function excerpt(text: string): string {
  const plain = text
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return plain === "" ? "" : `: ${plain.slice(0, 120)}`;
}

function envelope(body: string): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?>' +
    '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"' +
    ' xmlns:xsd="http://www.w3.org/2001/XMLSchema"' +
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
    `<soapenv:Body>${body}</soapenv:Body></soapenv:Envelope>`
  );
}
