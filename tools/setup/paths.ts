import { existsSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { SanbedError } from "../../bed/errors";

/**
 * The folder with package.json above this file: the checkout, or the package in node_modules. The
 * same from the compiled tools and from the sources.
 */
export function projectRoot(): string {
  let folder = __dirname;
  while (!existsSync(path.join(folder, "package.json"))) {
    const parent = path.dirname(folder);
    if (parent === folder) throw new SanbedError("setup", "the package of sanbed cannot be found");
    folder = parent;
  }
  return folder;
}

/**
 * Below `${XDG_CACHE_HOME:-~/.cache}/sanbed`: what is costly to make and the same for every checkout of
 * one version, engine, guest tree.
 */
export function cacheFolder(...parts: string[]): string {
  const base = process.env["XDG_CACHE_HOME"];
  // The XDG base directory specification: a relative path is to be ignored.
  const usable = base !== undefined && path.isAbsolute(base) ? base : undefined;
  return path.join(usable ?? path.join(homedir(), ".cache"), "sanbed", ...parts);
}

/** What belongs to this checkout alone. Ignored by git. */
export function workFolder(...parts: string[]): string {
  return path.join(projectRoot(), ".sanbed", ...parts);
}

/**
 * PATH with the folders of system tools at its end (losetup, pivot_root): the shells of many
 * distributions leave them out even for root, unless it logged in as root.
 */
export function withSystemFolders(searchPath: string | undefined): string {
  const folders = (searchPath ?? "").split(path.delimiter).filter((folder) => folder !== "");
  const system = ["/usr/local/sbin", "/usr/sbin", "/sbin"];
  return [...folders, ...system.filter((one) => !folders.includes(one))].join(path.delimiter);
}
