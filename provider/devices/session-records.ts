import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { Secret } from "./credentials";
import { isSurelyDead, processIdentitySchema, thisProcess } from "./process-identity";

const recordShape = z.object({
  owner: processIdentitySchema,
  /** What the token belongs to; it is authenticated with it, so no other device is ever sent it. */
  session: z.string(),
  salt: z.base64(),
  iv: z.base64(),
  tag: z.base64(),
  token: z.base64(),
});

const tagLength = { authTagLength: 16 } as const;

export interface AbandonedSession {
  readonly token: string;
  /** Call it when the session is ended, or known to be gone. */
  forget(): void;
}

/**
 * Sessions that this machine's processes hold on devices that give away only a few. A killed process cannot
 * log out; the next one does it with what stands here. The token is encrypted under a key that only the
 * device's password gives (scrypt, AES-256-GCM): who can read it could have logged in as well.
 */
export class SessionRecords {
  readonly #folder: string;
  readonly #device: string;
  readonly #session: string;
  /** One key a process: the derivation is slow on purpose. */
  readonly #salt = randomBytes(16);
  #key: { readonly password: string; readonly key: Promise<Buffer> } | undefined;

  /** `session` tells sessions of the same device apart: its address and the account. */
  constructor(options: {
    readonly folder: string;
    readonly device: string;
    readonly session: string;
  }) {
    this.#folder = options.folder;
    this.#device = options.device;
    this.#session = options.session;
  }

  /** Begins the slow part of {@link keep} early, beside the login. */
  prepare(password: Secret): void {
    void this.#keyOf(password);
  }

  /** Notes a session that was just opened; answers what forgets it again. */
  async keep(token: string, password: Secret): Promise<() => void> {
    const key = await this.#keyOf(password);
    const iv = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", key, iv, tagLength).setAAD(
      Buffer.from(this.#session),
    );
    const sealed = Buffer.concat([cipher.update(token, "utf8"), cipher.final()]);
    const record: z.infer<typeof recordShape> = {
      owner: thisProcess(),
      session: this.#session,
      salt: this.#salt.toString("base64"),
      iv: iv.toString("base64"),
      tag: cipher.getAuthTag().toString("base64"),
      token: sealed.toString("base64"),
    };
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const name = `${this.#prefix()}${process.pid.toString()}-${randomBytes(4).toString("hex")}.json`;
    const file = path.join(this.#folder, name);
    writeFileSync(file, JSON.stringify(record), { mode: 0o600 });
    return () => {
      rmSync(file, { force: true });
    };
  }

  /** Sessions of processes that are surely dead. Those of living ones, or of other machines, are let be. */
  async abandoned(password: Secret): Promise<readonly AbandonedSession[]> {
    const found: AbandonedSession[] = [];
    for (const file of this.#files()) {
      const record = readRecord(file);
      if (record?.session !== this.#session) continue;
      if (!isSurelyDead(record.owner)) continue;
      const forget = (): void => {
        rmSync(file, { force: true });
      };
      const token = await unseal(record, password);
      // The password has changed since: the session ends by its own idle time.
      if (token === undefined) forget();
      else found.push({ token, forget });
    }
    return found;
  }

  #files(): readonly string[] {
    try {
      return readdirSync(this.#folder)
        .filter((name) => name.startsWith(this.#prefix()) && name.endsWith(".json"))
        .map((name) => path.join(this.#folder, name));
    } catch {
      return [];
    }
  }

  #prefix(): string {
    return `${encodeURIComponent(this.#device)}.`;
  }

  async #keyOf(password: Secret): Promise<Buffer> {
    const text = password.reveal();
    if (this.#key?.password !== text) {
      this.#key = { password: text, key: deriveKey(text, this.#salt) };
      // Whoever needs it sees the failure; until then nobody may be told.
      this.#key.key.catch(() => undefined);
    }
    return await this.#key.key;
  }
}

function readRecord(file: string): z.infer<typeof recordShape> | undefined {
  try {
    return recordShape.safeParse(JSON.parse(readFileSync(file, "utf8"))).data;
  } catch {
    // Cut off by the kill itself, or removed just now.
    return undefined;
  }
}

async function unseal(
  record: z.infer<typeof recordShape>,
  password: Secret,
): Promise<string | undefined> {
  const bytes = (text: string): Buffer => Buffer.from(text, "base64");
  const key = await deriveKey(password.reveal(), bytes(record.salt));
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, bytes(record.iv), tagLength)
      .setAAD(Buffer.from(record.session))
      .setAuthTag(bytes(record.tag));
    return Buffer.concat([decipher.update(bytes(record.token)), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

/** 16 MiB and some 50 ms a guess: the file must not be a quick way to try passwords. */
async function deriveKey(password: string, salt: Buffer): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    scrypt(password, salt, 32, { N: 16_384, r: 8, p: 1 }, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
