import type { EmulatorReply, EmulatorRequest } from "../emulator/emulator";
import { type Session, Sessions } from "../emulator/sessions";
import { FosError, methodNotAllowed } from "./errors";
import { reply, wantsJson } from "./media";
import type { Release } from "./release";

/** `max-rest-sessions` as it comes (brocade-chassis.yang). */
const sessionCap = 3;
const idleMs = 2 * 3_600_000;

/** What a request is allowed to do. */
export type Access =
  | { readonly type: "session"; readonly session: Session }
  /** Basic authorization on a GET without a login, FOS 9.1 and later. */
  | { readonly type: "read" };

export interface LoginOptions {
  readonly credentials: { readonly user: string; readonly password: string };
  readonly release: Release;
  readonly now: () => number;
  readonly onEnd: (session: Session) => void;
}

/**
 * Logins of the switch's REST interface.
 * Sources: pyfos_auth.py of github.com/brocade/pyfos; FOS REST API Reference, Sessions.
 */
export class FosLogin {
  readonly sessions: Sessions;

  constructor(private readonly options: LoginOptions) {
    const { now, onEnd } = options;
    this.sessions = new Sessions({ cap: sessionCap, idleMs, now, onEnd });
  }

  /** `POST /rest/login`: the token comes in the Authorization header of the answer. */
  login(request: EmulatorRequest): EmulatorReply {
    if (request.method !== "POST") throw methodNotAllowed();
    const { scheme, value } = authorization(request);
    if (scheme !== "Basic" && scheme !== "Custom_Basic") throw invalidAuthType();
    const user = this.#checked(value);
    const application = request.headers["user-agent"] ?? "";
    const session = this.sessions.open(user, request.remoteAddress, application);
    if (session === undefined) {
      throw new FosError(403, "Max limit for REST sessions reached", { code: 14, module: "rest" });
    }
    const media = wantsJson(request) ? "application/yang-data+json" : "application/yang-data+xml";
    return {
      status: 200,
      headers: {
        authorization: `Custom_Basic ${session.token}`,
        "content-type": `${media}; version=${this.options.release.api}`,
      },
    };
  }

  logout(request: EmulatorRequest): EmulatorReply {
    if (request.method !== "POST") throw methodNotAllowed();
    const access = this.access(request);
    if (access.type === "session") this.sessions.end(access.session);
    return reply(request, 204);
  }

  /** @throws {FosError} 401 without a live session. */
  access(request: EmulatorRequest): Access {
    const { scheme, value } = authorization(request);
    if (scheme === "Custom_Basic") {
      const session = this.sessions.find(value);
      if (session === undefined) throw unauthorized("Invalid or expired session");
      return { type: "session", session };
    }
    if (scheme !== "Basic") throw invalidAuthType();
    this.#checked(value);
    if (!this.options.release.nineOne || request.method !== "GET") {
      throw unauthorized("A session is required");
    }
    return { type: "read" };
  }

  #checked(encoded: string): string {
    const text = Buffer.from(encoded, "base64").toString("utf8");
    const { user, password } = this.options.credentials;
    if (text !== `${user}:${password}`) throw unauthorized("Invalid user name or password");
    return user;
  }
}

function authorization(request: EmulatorRequest): { scheme: string; value: string } {
  const header = request.headers["authorization"];
  if (header === undefined) throw unauthorized("No authorization");
  const [scheme = "", value, ...rest] = header.trim().split(/\s+/);
  if (value === undefined || rest.length > 0) throw invalidAuthType();
  return { scheme, value };
}

function invalidAuthType(): FosError {
  return new FosError(401, "Invalid auth-type", { code: 20, module: "rest" });
}

/** Status and text of a refused login are not published: 401 is what clients take it for. */
function unauthorized(message: string): FosError {
  return new FosError(401, message, { type: "protocol", tag: "access-denied" });
}
