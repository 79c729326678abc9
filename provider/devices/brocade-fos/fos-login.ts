import { DeviceError, isDeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../call";
import type { Clock } from "../clock";
import type { Credentials } from "../credentials";
import type { HttpAnswer } from "../http-session";
import type { SessionRecords } from "../session-records";
import { sleepOrTell } from "../wait";
import { fosError, meaningOf } from "./fos-errors";
import type { FosHttp, FosRequest } from "./fos-http";
import type { FosPatience } from "./fos-patience";
import { readFault } from "./wire";

/** A session on the switch. */
export interface OpenSession {
  readonly token: string;
  /** Takes it out of the records, when it is ended. */
  readonly forget: () => void;
}

export const loginOperation = "log in";
const lostAnswers = 2;
/** An unused REST session ends by itself (pyfos, pyfos_auth). */
const idleHours = 2;

/** Opens sessions: waits for a free one, and first ends those that killed processes of ours left open. */
export class FosLogin {
  readonly #device: string;
  readonly #http: FosHttp;
  readonly #credentials: (signal: AbortSignal) => Promise<Credentials>;
  readonly #clock: Clock;
  readonly #patience: FosPatience;
  readonly #records: ((user: string) => SessionRecords) | undefined;

  constructor(options: {
    readonly device: string;
    readonly http: FosHttp;
    readonly credentials: (signal: AbortSignal) => Promise<Credentials>;
    readonly clock: Clock;
    readonly patience: FosPatience;
    readonly records: ((user: string) => SessionRecords) | undefined;
  }) {
    this.#device = options.device;
    this.#http = options.http;
    this.#credentials = options.credentials;
    this.#clock = options.clock;
    this.#patience = options.patience;
    this.#records = options.records;
  }

  async open(call: DeviceCall): Promise<OpenSession> {
    const began = this.#clock.now();
    let pauseMs = this.#patience.pollMs;
    for (;;) {
      const credentials = await this.#credentials(call.signal);
      const records = this.#records?.(credentials.user);
      records?.prepare(credentials.password);
      await this.#endAbandoned(records, credentials);
      const waitedMs = this.#clock.now() - began;
      const token = await this.#tryLogin(call, credentials, waitedMs);
      if (token !== undefined) return { token, forget: await note(records, token, credentials) };
      call.status?.(`${this.#device}: all sessions of the switch are taken, waiting`);
      const leftMs = this.#patience.sessionWaitMs - waitedMs;
      await sleepOrTell(this.#clock, Math.min(pauseMs, Math.max(leftMs, 1)), call.signal, () =>
        sessionsTaken(this.#device, this.#clock.now() - began),
      );
      pauseMs = Math.min(pauseMs * 1.5, this.#patience.pollMs * 8);
    }
  }

  async #endAbandoned(
    records: SessionRecords | undefined,
    { password }: Credentials,
  ): Promise<void> {
    for (const session of (await records?.abandoned(password)) ?? []) {
      if (await this.#http.logout(session.token)) session.forget();
    }
  }

  /** Undefined: no session was free, and there is time left to wait for one. */
  async #tryLogin(
    call: DeviceCall,
    { user, password }: Credentials,
    waitedMs: number,
  ): Promise<string | undefined> {
    const basic = Buffer.from(`${user}:${password.reveal()}`, "utf8").toString("base64");
    const request: FosRequest = {
      method: "POST",
      path: "/rest/login",
      operation: loginOperation,
      object: `as ${user}`,
      readOnly: true,
    };
    const answer = await this.#outlastLosses(call, request, `Basic ${basic}`);
    const token = answer.headers["authorization"];
    if (answer.status < 300 && typeof token === "string") return token;
    if (meaningOf(readFault(answer.status, answer.text)) !== "sessionLimit") {
      throw loginError(this.#device, request, answer);
    }
    if (waitedMs < this.#patience.sessionWaitMs) return undefined;
    throw sessionsTaken(this.#device, waitedMs);
  }

  /**
   * A lost answer to a login changes nothing on the fabric: it is asked again. The session that the lost
   * answer may have opened has no user and ends by its own idle time.
   */
  async #outlastLosses(call: DeviceCall, request: FosRequest, auth: string): Promise<HttpAnswer> {
    for (let losses = 0; ; losses++) {
      try {
        return await this.#http.exchange(call, request, auth);
      } catch (error) {
        const lost = isDeviceError(error, "unreachable", "timeout");
        if (!lost || losses >= lostAnswers || call.signal.aborted) throw error;
        await this.#clock.sleep(this.#patience.pollMs, call.signal);
      }
    }
  }
}

/** A record that cannot be written (a full disk) must not keep the bed from being built. */
async function note(
  records: SessionRecords | undefined,
  token: string,
  { password }: Credentials,
): Promise<() => void> {
  try {
    return (await records?.keep(token, password)) ?? (() => undefined);
  } catch {
    return () => undefined;
  }
}

function sessionsTaken(device: string, waitedMs: number): DeviceError {
  return new DeviceError({
    kind: "busy",
    device,
    operation: loginOperation,
    reason: `all REST sessions of the switch are taken, since ${Math.round(waitedMs / 1000).toString()} s`,
    vendorCode: "FOS 403 rest 14",
    remedy:
      `A session that nobody uses ends ${idleHours.toString()} hours after its last request. On the switch, ` +
      "`mgmtapp --showsessions` lists them (ours as application sanbed), `mgmtapp --terminate <id>` ends one, " +
      "and `mgmtapp --config -maxrestsession <1-10>` allows more; a longer sessionWaitSeconds waits longer.",
  });
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
