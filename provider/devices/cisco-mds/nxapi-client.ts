import { DeviceError, isDeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../call";
import type { Clock } from "../clock";
import type { Credentials } from "../credentials";
import type { HttpAnswer, HttpSession } from "../http-session";
import { joinLines, type CliLine } from "./cli-line";
import { readOutputs, requestBody, type CommandOutput } from "./nxapi-wire";
import { meaningOf, nxosError, soundsRefused } from "./nxos-errors";

/** What a request is for. */
export interface Purpose {
  readonly operation: string;
  readonly object?: string | undefined;
}

/** A command that was refused, and whether it was the first: then nothing was done. */
export interface Refused {
  readonly index: number;
  readonly output: CommandOutput;
}

/** NX-API takes ten show commands at a time (Programmability Guide, EXCEED_MAX_SHOW_ERR). */
const maxShows = 10;
/** The session cookie holds for ten minutes (Programmability Guide, NX-API Security); used for nine. */
const cookieMs = 540_000;

/**
 * NX-API of one switch: `POST /ins` with Basic authentication. The cookie of an answer goes with the next
 * request, so that the switch need not ask its authentication server each time. One request at a time: the
 * requests of one user and address share one command line on the switch.
 */
export class NxapiClient {
  readonly device: string;
  readonly #http: HttpSession;
  readonly #credentials: (signal: AbortSignal) => Promise<Credentials>;
  readonly #clock: Clock;
  readonly #busyMs: number;
  #cookie: { readonly text: string; readonly until: number } | undefined;

  constructor(options: {
    readonly device: string;
    readonly http: HttpSession;
    readonly credentials: (signal: AbortSignal) => Promise<Credentials>;
    readonly clock: Clock;
    /** Pause after the switch was too busy to look at a request. */
    readonly busyMs: number;
  }) {
    this.device = options.device;
    this.#http = options.http;
    this.#credentials = options.credentials;
    this.#clock = options.clock;
    this.#busyMs = options.busyMs;
  }

  /** Structured answers of show commands, one for each, refused ones among them: {@link refusalOf} tells. */
  async show(
    call: DeviceCall,
    commands: readonly CliLine[],
    purpose: Purpose,
  ): Promise<CommandOutput[]> {
    const answers: CommandOutput[] = [];
    for (let from = 0; from < commands.length; from += maxShows) {
      const part = commands.slice(from, from + maxShows);
      const outputs = await this.#read(call, "cli_show", part, purpose);
      if (outputs.length !== part.length) {
        // An error that is about the whole request, or an answer cut short.
        const refused = outputs.find((output) => output.code !== "200");
        throw refused === undefined
          ? this.#nonsense(
              purpose,
              `${outputs.length.toString()} answers to ${part.length.toString()} commands`,
            )
          : nxosError({ device: this.device, ...purpose }, refused);
      }
      answers.push(...outputs);
    }
    return answers;
  }

  /** What one exec command prints. @throws {DeviceError} when it is refused. */
  async text(call: DeviceCall, command: CliLine, purpose: Purpose): Promise<string> {
    const [output] = await this.#read(call, "cli_show_ascii", [command], purpose);
    if (output === undefined) throw this.#nonsense(purpose, "no answer to the command");
    if (output.code !== "200") throw nxosError({ device: this.device, ...purpose }, output);
    return output.text;
  }

  /**
   * Runs configuration commands in one request, in order, with the mode of one carried to the next. The
   * switch stops at the first that it refuses, which is answered; undefined when all were taken.
   * @throws {DeviceError} `unreachable` or `timeout` when the answer is lost: the commands may have run.
   */
  async configure(
    call: DeviceCall,
    commands: readonly CliLine[],
    purpose: Purpose,
  ): Promise<{ readonly refused: Refused | undefined; readonly said: string }> {
    const outputs = await this.#outlastBusy(call, "cli_conf", commands, purpose);
    const said = outputs.map((output) => output.text).join("\n");
    const index = outputs.findIndex(
      (output) => output.code !== "200" || soundsRefused(output.text),
    );
    const output = outputs[index];
    if (output !== undefined) return { refused: { index, output }, said };
    // One answer for all is the other documented form.
    if (outputs.length === commands.length || outputs.length === 1)
      return { refused: undefined, said };
    throw this.#nonsense(
      purpose,
      `${outputs.length.toString()} answers to ${commands.length.toString()} commands`,
    );
  }

  async close(): Promise<void> {
    this.#cookie = undefined;
    await this.#http.close();
  }

  /** A read whose answer was lost is asked again. */
  async #read(
    call: DeviceCall,
    type: "cli_show" | "cli_show_ascii",
    commands: readonly CliLine[],
    purpose: Purpose,
  ): Promise<readonly CommandOutput[]> {
    for (let losses = 0; ; losses++) {
      try {
        return await this.#outlastBusy(call, type, commands, purpose);
      } catch (error) {
        if (losses >= 2 || call.signal.aborted || !isDeviceError(error, "unreachable", "timeout")) {
          throw error;
        }
        await this.#clock.sleep(this.#busyMs, call.signal);
      }
    }
  }

  /** Repeats a request that the switch turned away unread. */
  async #outlastBusy(
    call: DeviceCall,
    type: "cli_show" | "cli_show_ascii" | "cli_conf",
    commands: readonly CliLine[],
    purpose: Purpose,
  ): Promise<readonly CommandOutput[]> {
    for (let tries = 1; ; tries++) {
      const answer = await this.#post(call, type, commands, purpose);
      const outputs = readOutputs(answer.text);
      const [first] = outputs ?? [];
      const unread =
        answer.status === 503 ||
        (first !== undefined &&
          first.code !== "200" &&
          meaningOf(first.code, first.text) === "serverBusy");
      if (unread && tries < 6) {
        call.status?.(`${this.device}: the switch is busy, waiting`);
        await this.#clock.sleep(this.#busyMs, call.signal);
        continue;
      }
      if (answer.status === 401) throw this.#unauthorized(purpose);
      if (outputs !== undefined && first !== undefined) return outputs;
      throw this.#noNxapi(purpose, answer);
    }
  }

  async #post(
    call: DeviceCall,
    type: "cli_show" | "cli_show_ascii" | "cli_conf",
    commands: readonly CliLine[],
    purpose: Purpose,
  ): Promise<HttpAnswer> {
    for (;;) {
      const { user, password } = await this.#credentials(call.signal);
      const basic = Buffer.from(`${user}:${password.reveal()}`, "utf8").toString("base64");
      const cookie = this.#freshCookie();
      const answer = await this.#http.send({
        method: "POST",
        path: "/ins",
        headers: {
          "content-type": "application/json",
          "user-agent": "sanbed",
          authorization: `Basic ${basic}`,
          ...(cookie === undefined ? {} : { cookie }),
        },
        body: requestBody(type, joinLines(commands)),
        operation: purpose.operation,
        object: purpose.object,
        readOnly: type !== "cli_conf",
        signal: call.signal,
      });
      this.#keepCookie(answer);
      // A cookie that the switch has forgotten: once more, by the password alone.
      if (answer.status !== 401 || cookie === undefined) return answer;
      this.#cookie = undefined;
    }
  }

  #freshCookie(): string | undefined {
    const cookie = this.#cookie;
    return cookie !== undefined && this.#clock.now() < cookie.until ? cookie.text : undefined;
  }

  #keepCookie(answer: HttpAnswer): void {
    const set = answer.headers["set-cookie"];
    const pair = [set ?? []].flat().map((one) => one.split(";", 1)[0]?.trim() ?? "");
    const text = pair.find((one) => one.startsWith("nxapi_auth="));
    if (text !== undefined) this.#cookie = { text, until: this.#clock.now() + cookieMs };
  }

  #unauthorized(purpose: Purpose): DeviceError {
    return new DeviceError({
      kind: "unauthorized",
      device: this.device,
      ...purpose,
      reason: "user or password is wrong",
      vendorCode: "HTTP 401",
      remedy: "Correct the credentials that the device's reference points to.",
    });
  }

  /** A page of the web server. From 500 on it does not tell whether the commands ran: as a lost answer. */
  #noNxapi(purpose: Purpose, answer: HttpAnswer): DeviceError {
    const fields = {
      device: this.device,
      ...purpose,
      vendorCode: `HTTP ${answer.status.toString()}`,
    };
    if (answer.status >= 500) {
      return new DeviceError({
        ...fields,
        kind: "unreachable",
        reason: "the switch's web server answers for NX-API, which does not",
        remedy: "Other NX-API clients may keep the switch busy; else restart NX-API on it.",
      });
    }
    return new DeviceError({
      ...fields,
      kind: answer.status === 404 ? "unsupported" : "protocol",
      reason: "the answer is not one of NX-API",
      remedy:
        "Enable it on the switch (feature nxapi) and check the endpoint: https://switch:8443 unless another port was configured.",
    });
  }

  #nonsense(purpose: Purpose, reason: string): DeviceError {
    return new DeviceError({ kind: "protocol", device: this.device, ...purpose, reason });
  }
}
