import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { ConfigError, type Problem } from "../bed/errors";
import { parseSite, type Site } from "../bed/site";
import { parseYaml } from "./yaml-input";

/** A site of 128 hosts has a tenth of it; a parser given much more would take minutes. */
const sizeLimit = 1024 * 1024;

/**
 * Reads a YAML or JSON file and hands its content to `parse`.
 * @throws {ConfigError} with every problem at once: of the file, of its YAML, of its content.
 */
export function readInputFile<T>(
  file: string,
  what: string,
  parse: (value: unknown) => T,
  /** What to do when there is no such file. */
  missing?: string,
): T {
  const text = readText(file, what, missing);
  const { value, problems, whole } = parseYaml(text, file);
  const title = `${what} ${file} has problems`;
  if (!whole) throw new ConfigError(problems, title);
  if (value === null || value === undefined) {
    const message = "says nothing: it is empty, or holds no more than null";
    throw new ConfigError([...problems, { path: file, message }], title);
  }
  try {
    const parsed = parse(value);
    if (problems.length === 0) return parsed;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // What is wrong with all of it has no place inside: the file is the place.
    const placed = error.problems.map((one) => (one.path === "" ? { ...one, path: file } : one));
    throw new ConfigError([...problems, ...placed], title);
  }
  throw new ConfigError(problems, title);
}

/** @throws {ConfigError} as {@link readInputFile}. */
export function readSite(file: string): Site {
  return readInputFile(
    file,
    "the site inventory",
    parseSite,
    "for the embedded lab run `npx sanbed lab up` first; for a real lab set `site` in the stack's configuration",
  );
}

const remedies: Readonly<Record<string, string>> = {
  EACCES: "it must be readable by the user who runs this",
  "a pipe": "write what it gives to a file and name that",
  EISDIR: "name the file in it",
  ELOOP: "its symbolic links lead back to themselves",
};

function readText(file: string, what: string, missing: string | undefined): string {
  let bytes: Buffer;
  try {
    bytes = readAtMost(file, sizeLimit + 1);
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    const remedy = code === "ENOENT" ? missing : remedies[code];
    throw fileProblem(file, what, `cannot be read (${code})`, remedy);
  }
  if (bytes.length > sizeLimit) {
    throw fileProblem(
      file,
      what,
      `is larger than ${sizeLimit.toString()} bytes`,
      "is it the right file? No inventory needs as much",
    );
  }
  const text = decode(bytes);
  if (text === undefined) throw fileProblem(file, what, "is no text in UTF-8");
  return text;
}

/** Reads so much and no more, whatever the file is: a device has no size to look at. */
function readAtMost(file: string, limit: number): Buffer {
  // Without O_NONBLOCK opening a pipe that nobody writes to would wait for ever.
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (fstatSync(descriptor).isFIFO()) throw Object.assign(new Error(), { code: "a pipe" });
    const buffer = Buffer.alloc(limit);
    let filled = 0;
    while (filled < limit) {
      const count = readSync(descriptor, buffer, filled, limit - filled, null);
      if (count === 0) break;
      filled += count;
    }
    return buffer.subarray(0, filled);
  } finally {
    closeSync(descriptor);
  }
}

function decode(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\u0000") ? undefined : text;
  } catch {
    return undefined;
  }
}

function fileProblem(file: string, what: string, message: string, remedy?: string): ConfigError {
  const problem: Problem = { path: file, message, ...(remedy === undefined ? {} : { remedy }) };
  return new ConfigError([problem], `${what} cannot be used`);
}
