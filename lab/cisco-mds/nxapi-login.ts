import { randomBytes } from "node:crypto";
import type { EmulatorRequest } from "../emulator/emulator";

/** Seconds that a cookie is good for, whatever use is made of it (Nexus troubleshooting guide: 600). */
const cookieSeconds = 600;

interface Cookie {
  readonly user: string;
  readonly untilMs: number;
}

export interface Access {
  readonly user: string;
  /** Cookie to hand out; undefined when the request brought a good one. */
  readonly setCookie: string | undefined;
}

/** Who a request comes from: Basic authorization, or the cookie `nxapi_auth` of an earlier answer. */
export class NxapiLogin {
  readonly #cookies = new Map<string, Cookie>();

  constructor(
    private readonly credentials: { readonly user: string; readonly password: string },
    private readonly now: () => number,
  ) {}

  /** Undefined: 401. */
  access(request: EmulatorRequest): Access | undefined {
    this.#expire();
    const known = this.#cookies.get(cookieOf(request) ?? "");
    if (known !== undefined) return { user: known.user, setCookie: undefined };
    const { user, password } = this.credentials;
    const header = request.headers["authorization"] ?? "";
    const encoded = /^Basic\s+(\S+)$/i.exec(header)?.[1];
    if (encoded === undefined) return undefined;
    if (Buffer.from(encoded, "base64").toString("utf8") !== `${user}:${password}`) return undefined;
    return { user, setCookie: this.#hand(user) };
  }

  get count(): number {
    this.#expire();
    return this.#cookies.size;
  }

  endAll(): void {
    this.#cookies.clear();
  }

  #hand(user: string): string {
    const value = `${user}:${randomBytes(20).toString("base64url")}`;
    this.#cookies.set(value, { user, untilMs: this.now() + cookieSeconds * 1000 });
    return `nxapi_auth=${value}; Secure; HttpOnly; Path=/; Max-Age=${cookieSeconds.toString()}`;
  }

  #expire(): void {
    for (const [value, { untilMs }] of this.#cookies) {
      if (this.now() >= untilMs) this.#cookies.delete(value);
    }
  }
}

function cookieOf(request: EmulatorRequest): string | undefined {
  const all = (request.headers["cookie"] ?? "").split(";").map((part) => part.trim());
  return all.find((part) => part.startsWith("nxapi_auth="))?.slice("nxapi_auth=".length);
}
