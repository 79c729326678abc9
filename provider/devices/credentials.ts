import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { inspect } from "node:util";
import { z } from "zod";
import { ConfigError } from "../../bed/errors";

/** A value that prints as `[secret]` everywhere. {@link Secret.reveal} is the only way to it. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** Call it where the value is handed to the device, and nowhere else. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return "[secret]";
  }

  toJSON(): string {
    return "[secret]";
  }

  [inspect.custom](): string {
    return "[secret]";
  }
}

export interface Credentials {
  readonly user: string;
  readonly password: Secret;
}

/** zod type of a reference to a secret: `env:NAME`, `file:/path` or `exec:program argument ...`. */
export const secretReferenceSchema = z.string().regex(/^(?:env|file|exec):.+/s, {
  error: "expected a reference to a secret: env:NAME, file:/path or exec:program argument ...",
});

/** Set for programs of `exec:`: one that resolves references by us again would do so for ever. */
const resolving = "SANBED_RESOLVING";

const credentialsShape = z.object({ user: z.string().min(1), password: z.string() });

/**
 * Resolves a reference at the moment of use, so that rotation changes nothing in the stack. A
 * relative `file:` path is taken from `baseFolder`; `exec:` runs one program without a shell.
 * @throws {ConfigError} naming the reference and what is wrong with it, never its content.
 */
export async function resolveSecret(
  reference: string,
  baseFolder: string = process.cwd(),
  signal?: AbortSignal,
): Promise<Secret> {
  const [, scheme, rest] = /^(env|file|exec):(.+)$/s.exec(reference) ?? [];
  if (scheme === undefined || rest === undefined) {
    // The text may be the secret itself, put there by mistake: it is not repeated.
    throw unresolved("the reference", "it is neither env:, file: nor exec:");
  }
  if (scheme === "env") {
    const value = process.env[rest];
    if (value === undefined) throw unresolved(reference, "the variable is not set");
    return new Secret(value);
  }
  if (scheme === "file") {
    const path = resolve(baseFolder, rest);
    return await readFile(path, "utf8").then(
      (text) => new Secret(text.replace(/\r?\n$/, "")),
      (error: unknown) => {
        throw unresolved(reference, `${path} cannot be read (${errorCode(error)})`);
      },
    );
  }
  return new Secret(await runProgram(reference, rest, baseFolder, signal));
}

/**
 * Resolves a reference to JSON text `{"user": "...", "password": "..."}`.
 * @throws {ConfigError} as {@link resolveSecret}, and when the text has another form.
 */
export async function resolveCredentials(
  reference: string,
  baseFolder?: string,
  signal?: AbortSignal,
): Promise<Credentials> {
  const secret = await resolveSecret(reference, baseFolder, signal);
  const parsed = credentialsShape.safeParse(parseJson(secret.reveal()));
  if (!parsed.success && secretReferenceSchema.safeParse(secret.reveal()).success) {
    throw unresolved(reference, "it leads to another reference, and references are not followed");
  }
  if (!parsed.success) {
    throw unresolved(reference, 'expected JSON text such as {"user": "...", "password": "..."}');
  }
  return { user: parsed.data.user, password: new Secret(parsed.data.password) };
}

async function runProgram(
  reference: string,
  commandLine: string,
  cwd: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (process.env[resolving] !== undefined) {
    throw unresolved(reference, "it is asked for by a program that resolves a reference itself");
  }
  const [program, ...args] = commandLine.trim().split(/\s+/);
  try {
    const { stdout } = await promisify(execFile)(program ?? "", args, {
      cwd,
      env: { ...process.env, [resolving]: "1" },
      timeout: 60_000,
      ...(signal === undefined ? {} : { signal }),
    });
    return stdout.replace(/\r?\n$/, "");
  } catch (error) {
    // Its message holds the program's output: only the code is told.
    throw unresolved(reference, `the program failed (${errorCode(error)})`);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function errorCode(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" || typeof code === "number" ? String(code) : "unknown error";
}

function unresolved(reference: string, reason: string): ConfigError {
  return new ConfigError(
    [{ path: "credentials", message: `${reference} gives no secret: ${reason}` }],
    "a secret cannot be resolved",
  );
}
