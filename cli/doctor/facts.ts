import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { probeLevel, type LevelProbe } from "../../lab/levels";
import { locateEngine, type Engine } from "../../tools/setup/engine";
import { workFolder } from "../../tools/setup/paths";
import { foreignPlugins } from "../../tools/setup/plugins";

/** How a plugin of another maker is there. */
export interface PluginFact {
  readonly name: string;
  readonly version: string;
  readonly source: "official" | "stand-in" | "absent";
  readonly folder: string;
}

/** What this machine has for sanbed. Found out without installing, building or downloading anything. */
export interface MachineFacts {
  readonly node: string;
  readonly platform: string;
  readonly engine: Engine | undefined;
  readonly plugins: readonly PluginFact[];
  readonly lab: LevelProbe;
}

/** @param dir where a lab would lie: its file system must carry the guests */
export async function gatherFacts(dir: string): Promise<MachineFacts> {
  const home = pulumiHome();
  return {
    node: process.versions.node,
    platform: process.platform,
    engine: await locateEngine(),
    plugins: foreignPlugins.map((plugin) => pluginIn(home, plugin)),
    lab: await probeLevel(dir),
  };
}

/** The set-up of a checkout has one of its own. */
function pulumiHome(): string {
  const own = workFolder("pulumi-home");
  return process.env["PULUMI_HOME"] ?? (existsSync(own) ? own : path.join(homedir(), ".pulumi"));
}

function pluginIn(home: string, plugin: { name: string; version: string }): PluginFact {
  const folder = path.join(home, "plugins", `resource-${plugin.name}-v${plugin.version}`);
  const file = path.join(folder, `pulumi-resource-${plugin.name}`);
  if (!existsSync(file)) return { ...plugin, source: "absent", folder };
  return { ...plugin, source: isScript(file) ? "stand-in" : "official", folder };
}

/** Ours are scripts; the official ones are compiled programs. */
function isScript(file: string): boolean {
  const start = Buffer.alloc(2);
  const opened = openSync(file, "r");
  try {
    readSync(opened, start, 0, 2, 0);
  } finally {
    closeSync(opened);
  }
  return start.toString("latin1") === "#!";
}
