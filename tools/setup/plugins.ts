import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { run } from "./command";
import type { Engine } from "./engine";
import { projectRoot } from "./paths";

/** Plugins of others that the beds use, in the versions of the SDKs in package.json. */
export const foreignPlugins = [
  { name: "vsphere", version: "4.16.2" },
  { name: "command", version: "1.2.1" },
] as const;

/** Lies in the folder of a plugin that came from its maker. */
const officialMark = ".official";

export interface InstalledPlugin {
  readonly name: string;
  readonly version: string;
  readonly source: "official" | "stand-in";
}

/**
 * Puts the plugins into the project's own Pulumi home: the official ones where they can be
 * downloaded, else our stand-ins (same names, tokens and properties, only what the beds use).
 */
export async function installPlugins(
  engine: Engine,
  env: NodeJS.ProcessEnv,
  progress: (line: string) => void,
): Promise<InstalledPlugin[]> {
  const installed: InstalledPlugin[] = [];
  const online = await mayDownload(engine);
  for (const plugin of foreignPlugins) {
    const folder = path.join(
      env["PULUMI_HOME"] ?? "",
      "plugins",
      `resource-${plugin.name}-v${plugin.version}`,
    );
    const isOfficial =
      existsSync(path.join(folder, officialMark)) ||
      (online && (await official(engine, plugin, folder, env, progress)));
    if (!isOfficial) await standIn(plugin, folder);
    installed.push({ ...plugin, source: isOfficial ? "official" : "stand-in" });
  }
  return installed;
}

/** Where the engine itself had to be built, its plugins cannot be downloaded either. */
async function mayDownload(engine: Engine): Promise<boolean> {
  if (process.env["SANBED_OFFLINE"] === "1") return false;
  const source = await readFile(path.join(engine.bin, "source"), "utf8").catch(() => engine.source);
  return source === "PATH" || source === "download";
}

async function official(
  engine: Engine,
  plugin: { name: string; version: string },
  folder: string,
  env: NodeJS.ProcessEnv,
  progress: (line: string) => void,
): Promise<boolean> {
  try {
    // The engine takes whatever lies there for the plugin itself: an earlier stand-in as well.
    await rm(folder, { recursive: true, force: true });
    await run(
      path.join(engine.bin, "pulumi"),
      ["plugin", "install", "resource", plugin.name, plugin.version, "--exact"],
      { env, timeoutMs: 120_000 },
    );
    await writeFile(path.join(folder, officialMark), "");
    return true;
  } catch {
    progress(
      `plugins: the official ${plugin.name} ${plugin.version} is not reachable, using the stand-in`,
    );
    return false;
  }
}

async function standIn(plugin: { name: string; version: string }, folder: string): Promise<void> {
  const file = `pulumi-resource-${plugin.name}`;
  const source = path.join(
    projectRoot(),
    "lab",
    "plugins",
    "bin",
    `resource-${plugin.name}-v${plugin.version}`,
    file,
  );
  await mkdir(folder, { recursive: true });
  // Renamed into place: a stack that runs meanwhile finds the old one or the new one, whole.
  const copy = path.join(folder, `.new-${process.pid.toString()}`);
  await copyFile(source, copy);
  await chmod(copy, 0o755);
  await rename(copy, path.join(folder, file));
}
