import { execFileSync } from "node:child_process";
import path from "node:path";
import { buildSync } from "esbuild";

/**
 * What this machine lacks for guests of a level; empty: nothing. Tests are defined before anything asynchronous can
 * run, so that the probe runs in a process of its own.
 */
export function missingForLevel(level: "A" | "B" | "C"): string[] {
  const { outputFiles } = buildSync({
    stdin: {
      contents:
        'import * as probes from "./lab/guests/probe";' +
        `void Promise.resolve(probes.probeLevel${level}()).then((probe) => process.stdout.write(JSON.stringify(probe.missing)));`,
      resolveDir: path.resolve(__dirname, "../../.."),
    },
    bundle: true,
    platform: "node",
    write: false,
  });
  const program = outputFiles[0]?.text ?? "";
  return JSON.parse(
    execFileSync(process.execPath, ["-e", program], { encoding: "utf8" }),
  ) as string[];
}

export function missingForLevelA(): string[] {
  return missingForLevel("A");
}
