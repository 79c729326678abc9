import type { ZoningState } from "../fabric-switch";
import type { ZoningEdit } from "../zoning-edit";

/**
 * An edit as the commands that an administrator would type on the switch (Fabric OS Command Reference:
 * aliCreate, zoneCreate, cfgAdd ... cfgEnable), in the order in which it is staged. Pure.
 */
export function fosCommands(state: ZoningState, edit: ZoningEdit): readonly string[] {
  const { enable } = edit;
  return [
    ...[...edit.createAliases].map(([name, members]) => command("alicreate", name, members)),
    ...[...edit.createZones].map(([name, members]) => command("zonecreate", name, members)),
    ...[...edit.replaceAliases].flatMap(([name, members]) =>
      difference("ali", name, state.aliases.get(name) ?? [], members),
    ),
    ...[...edit.replaceZones].flatMap(([name, members]) =>
      difference("zone", name, state.zones.get(name)?.members ?? [], members),
    ),
    ...(enable !== undefined && edit.join.length > 0 ? [command("cfgadd", enable, edit.join)] : []),
    ...[...edit.leave].map(([config, zones]) => command("cfgremove", config, zones)),
    ...edit.removeZones.map((name) => command("zonedelete", name)),
    ...edit.removeAliases.map((name) => command("alidelete", name)),
    enable === undefined ? "cfgsave" : command("cfgenable", enable),
  ];
}

/** Adds before it removes: an object without members is not allowed. */
function difference(
  kind: "ali" | "zone",
  name: string,
  was: readonly string[],
  wanted: readonly string[],
): string[] {
  const added = wanted.filter((member) => !was.includes(member));
  const gone = was.filter((member) => !wanted.includes(member));
  return [
    ...(added.length > 0 ? [command(`${kind}add`, name, added)] : []),
    ...(gone.length > 0 ? [command(`${kind}remove`, name, gone)] : []),
  ];
}

function command(verb: string, name: string, members?: readonly string[]): string {
  return members === undefined ? `${verb} "${name}"` : `${verb} "${name}","${members.join(";")}"`;
}
