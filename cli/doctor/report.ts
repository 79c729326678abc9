import type { Level } from "../../lab/levels";
import type { MachineFacts, PluginFact } from "./facts";

const levelMeaning: Readonly<Record<Level, string>> = {
  A: "real guests with systemd, block devices through the emulated SAN",
  B: "real guests in user namespaces, plain files for disks",
  C: "guest services as plain processes on loopback addresses",
  D: "emulators only: beds are built, nothing is measured",
};

/**
 * Lines for a person: what is there, and for what is missing the way to have it.
 * `ok` is false when a bed cannot be built with what is there. Pure.
 */
export function doctorReport(facts: MachineFacts): { lines: readonly string[]; ok: boolean } {
  const row = (name: string, text: string): string => `  ${name.padEnd(18)} ${text}`;
  const { engine, lab, plugins } = facts;
  const nodeOk = Number(facts.node.split(".")[0]) >= 22;
  const lines = [
    row("Node.js", nodeOk ? facts.node : `${facts.node}: too old, 22 or later is needed`),
    row(
      "Pulumi engine",
      engine === undefined
        ? "none on PATH with its Node.js language host, none in the cache: install Pulumi, or run `npm run setup` in a checkout"
        : `${engine.version}, ${engine.source === "PATH" ? "on PATH" : "in the cache"} (${engine.bin})`,
    ),
    ...plugins.map((plugin) => row(`plugin ${plugin.name}`, pluginWords(plugin))),
    row("lab level", `${lab.level}: ${levelMeaning[lab.level]}`),
    ...betterLevels(facts).flatMap(([level, reasons]) =>
      reasons.map((reason, index) => row(index === 0 ? `  for level ${level}` : "", reason)),
    ),
  ];
  return { lines, ok: nodeOk && engine !== undefined };
}

/** The next better level first: that is the one to mend. */
function betterLevels({ lab }: MachineFacts): [Level, readonly string[]][] {
  const better = (["C", "B", "A"] as const).filter((level) => level < lab.level);
  return better.flatMap((level): [Level, readonly string[]][] => {
    const reasons = lab.missing[level] ?? [];
    return reasons.length === 0 ? [] : [[level, reasons]];
  });
}

function pluginWords({ version, source, folder }: PluginFact): string {
  switch (source) {
    case "official":
      return `${version}, the official one`;
    case "stand-in":
      return `${version}, our stand-in: only what the beds use, meant for the lab. For a real lab: \`pulumi plugin install\` (${folder})`;
    case "absent":
      return `${version} is not installed: the engine fetches it, or \`npm run setup\` in a checkout puts it there`;
  }
}
