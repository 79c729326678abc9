import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A captured run with the header that says how it was made. */
export interface Capture {
  readonly header: string;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export function readCapture(name: string): Capture {
  const text = readFileSync(join(__dirname, "captures", `${name}.txt`), "utf8");
  const [header = "", rest = ""] = text.split("# --- standard output\n");
  const [stdout = "", stderr = ""] = rest.split("# --- standard error\n");
  return { header, exitCode: Number(/exit code: (\d+)/.exec(header)?.[1]), stdout, stderr };
}
