import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** What the compiler makes of one source, in place of its ending `.ts`. */
const outputs = [".d.ts.map", ".d.ts", ".js.map", ".js"];

/**
 * Removes from `dist` what was compiled from a source that is no longer there. The compiler never
 * does, and a renamed module would live on beside its successor, in the package as well.
 */
export function removeStaleOutput(root: string): string[] {
  const removed: string[] = [];
  for (const entry of readdirSync(join(root, "dist"), { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const source = join(root, file.slice(join(root, "dist").length));
    if (isCurrent(root, source)) continue;
    rmSync(file);
    removed.push(file);
  }
  return removed;
}

function isCurrent(root: string, output: string): boolean {
  // A package.json in dist would make it a package of its own; nothing compiles to it.
  if (output.endsWith(".json")) return output !== join(root, "package.json") && existsSync(output);
  const ending = outputs.find((one) => output.endsWith(one));
  return ending !== undefined && existsSync(`${output.slice(0, -ending.length)}.ts`);
}
