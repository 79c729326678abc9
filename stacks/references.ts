import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { SanbedError } from "../bed/errors";

/**
 * Resolves `env:NAME`, `file:/path` or `exec:program argument ...` (no shell) to its text, for providers
 * that know no references.
 */
export function readReference(reference: string): string {
  const [kind, ...rest] = reference.split(":");
  const value = rest.join(":");
  try {
    if (kind === "env" && process.env[value] !== undefined) return process.env[value];
    if (kind === "file") return readFileSync(value, "utf8");
    // As in the plugin: a program that resolves a reference must not ask us to run it again.
    if (kind === "exec" && process.env["SANBED_RESOLVING"] === undefined) {
      const [program = "", ...args] = value.split(/\s+/).filter((word) => word !== "");
      return execFileSync(program, args, {
        encoding: "utf8",
        env: { ...process.env, SANBED_RESOLVING: "1" },
        timeout: 60_000,
        stdio: ["ignore", "pipe", "ignore"],
      }).trim();
    }
  } catch (error) {
    throw unresolved(reference, (error as NodeJS.ErrnoException).code);
  }
  throw unresolved(reference, undefined);
}

/** Name of the variable, path of the file, or program: never its arguments or the cause, which could quote the secret. */
function unresolved(reference: string, code: string | undefined): SanbedError {
  const [kind = "", ...rest] = reference.split(":");
  const value = rest.join(":");
  const why = code === undefined ? "" : ` (${code})`;
  const words: Readonly<Record<string, string>> = {
    env: `the environment variable ${value} is not set`,
    file: `the file ${value} cannot be read${why}`,
    exec: `the program ${value.trim().split(/\s+/)[0] ?? ""} failed${why}`,
  };
  const what = words[kind] ?? "it begins with none of env:, file:, exec:";
  return new SanbedError(
    "config",
    `a reference of the site cannot be resolved: ${what}. In the embedded lab \`npx sanbed lab up\` makes its files; ` +
      "else correct the reference in the site file.",
  );
}

/** @throws {SanbedError} when the reference does not hold JSON with user and password. */
export function readCredentials(reference: string): { user: string; password: string } {
  const text = readReference(reference);
  try {
    const { user, password } = JSON.parse(text) as Record<string, unknown>;
    if (typeof user === "string" && typeof password === "string") return { user, password };
  } catch {
    // Falls through: never show the text.
  }
  throw new SanbedError(
    "config",
    `${described(reference)} holds no JSON object with user and password`,
  );
}

/** A program's arguments may be secret, a path or a variable's name is not. */
function described(reference: string): string {
  return reference.startsWith("exec:")
    ? `exec:${reference.slice(5).trim().split(/\s+/)[0] ?? ""} ...`
    : reference;
}
