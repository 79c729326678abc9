import { randomBytes } from "node:crypto";

export interface Session {
  readonly id: number;
  readonly token: string;
  readonly user: string;
  readonly address: string;
  /** What the client called itself, `user-agent`. */
  readonly application: string;
  readonly openedAtMs: number;
  lastUsedMs: number;
}

export interface SessionOptions {
  /** Most sessions at once; further logins are refused. */
  readonly cap: number;
  readonly idleMs: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Called for every session that ends, for whatever reason. */
  readonly onEnd?: (session: Session) => void;
}

/** Login sessions of a device with a cap and an idle time-out. */
export class Sessions {
  readonly #byToken = new Map<string, Session>();
  readonly #now: () => number;
  #next = 1;
  #cap: number;

  constructor(private readonly options: SessionOptions) {
    this.#now = options.now ?? Date.now;
    this.#cap = options.cap;
  }

  /** Undefined when the cap is reached. */
  open(user: string, address: string, application: string): Session | undefined {
    this.#expire();
    if (this.#byToken.size >= this.#cap) return undefined;
    const now = this.#now();
    const session: Session = {
      id: this.#next++,
      token: randomBytes(32).toString("hex"),
      user,
      address,
      application,
      openedAtMs: now,
      lastUsedMs: now,
    };
    this.#byToken.set(session.token, session);
    return session;
  }

  /** The live session of a token; counts as use. */
  find(token: string): Session | undefined {
    this.#expire();
    const session = this.#byToken.get(token);
    if (session !== undefined) session.lastUsedMs = this.#now();
    return session;
  }

  end(session: Session): void {
    if (this.#byToken.delete(session.token)) this.options.onEnd?.(session);
  }

  endAll(): void {
    for (const session of [...this.#byToken.values()]) this.end(session);
  }

  list(): readonly Session[] {
    this.#expire();
    return [...this.#byToken.values()];
  }

  get cap(): number {
    return this.#cap;
  }

  setCap(cap: number): void {
    this.#cap = cap;
  }

  #expire(): void {
    const limit = this.#now() - this.options.idleMs;
    for (const session of [...this.#byToken.values()]) {
      if (session.lastUsedMs < limit) this.end(session);
    }
  }
}
