import { mkdirSync, rmdirSync } from "node:fs";
import path from "node:path";
import { gatherFacts } from "./facts";
import { doctorReport } from "./report";

/** `sanbed doctor`: what this machine has, and what is missing. Exit code 1 when no bed can be built. */
export async function doctorCommand(args: readonly string[]): Promise<number> {
  if (args.length > 0) {
    process.stderr.write("sanbed doctor: takes no argument\n");
    return 2;
  }
  // The probe tries mounts on the very file system that guests would lie on, and leaves nothing.
  const dir = path.resolve(".sanbed");
  const made = mkdirSync(dir, { recursive: true }) !== undefined;
  try {
    const { lines, ok } = doctorReport(await gatherFacts(dir));
    process.stdout.write(lines.map((line) => `${line}\n`).join(""));
    return ok ? 0 : 1;
  } finally {
    if (made) rmdirSync(dir);
  }
}
