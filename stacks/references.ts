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
  } catch {
    // The message below says all that may be said: the cause could quote the secret.
  }
  throw new SanbedError("config", `the reference ${kind ?? ""}:... of the site cannot be resolved`);
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
    `${reference.slice(0, reference.indexOf(":"))}:... holds no JSON object with user and password`,
  );
}
