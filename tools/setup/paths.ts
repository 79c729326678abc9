import { homedir } from "node:os";
import path from "node:path";

/** The project folder (the one with package.json), from the compiled tools as well as from sources. */
export function projectRoot(): string {
  const here = __dirname.split(path.sep);
  const index =
    here.lastIndexOf("dist") >= 0 ? here.lastIndexOf("dist") : here.lastIndexOf("tools");
  return here.slice(0, index).join(path.sep) || path.sep;
}

/** What is costly to make and the same for every checkout of one version: engine, guest tree. */
export function cacheFolder(...parts: string[]): string {
  const base = process.env["XDG_CACHE_HOME"] ?? path.join(homedir(), ".cache");
  return path.join(base, "sanbed", ...parts);
}

/** What belongs to this checkout alone. Ignored by git. */
export function workFolder(...parts: string[]): string {
  return path.join(projectRoot(), ".sanbed", ...parts);
}
