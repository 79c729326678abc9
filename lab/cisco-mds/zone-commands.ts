import type { Command } from "./command";
import { argument, type Arguments, vsanArgument } from "./grammar";
import { CliError } from "./errors";
import { parseMember } from "./members";
import { addToFcAlias, createFcAlias, deleteFcAlias, removeFromFcAlias } from "./fcalias-edit";
import type { Output } from "./output";
import type { Shell } from "./shell";
import {
  addMember,
  addZoneToSet,
  cloneZoneSet,
  createZone,
  createZoneSet,
  deleteZone,
  deleteZoneSet,
  removeMember,
  removeZoneFromSet,
  renameZone,
} from "./zone-edit";

/** Commands that configure zones and zone sets of a VSAN. */
export const zoneCommands: readonly Command[] = [
  ...objectCommands(),
  ...memberCommands(),
  ...activationCommands(),
  ...policyCommands(),
];

function config(
  pattern: string,
  run: (shell: Shell, args: Arguments, vsan: number) => Output,
): Command {
  return { mode: "config", pattern, run: (shell, args) => run(shell, args, vsanArgument(args)) };
}

function objectCommands(): Command[] {
  return [
    config("zone name <name> vsan <vsan>", (shell, args, vsan) => {
      const name = argument(args, "name");
      const output = shell.zoning(vsan).edit(shell.owner, createZone(name));
      shell.place = { mode: "zone", name, vsan };
      return output;
    }),
    config("no zone name <name> vsan <vsan>", (shell, args, vsan) =>
      shell.zoning(vsan).edit(shell.owner, deleteZone(argument(args, "name"))),
    ),
    config("zone rename <name> <to> vsan <vsan>", (shell, args, vsan) =>
      shell
        .zoning(vsan)
        .edit(shell.owner, renameZone(argument(args, "name"), argument(args, "to"))),
    ),
    config("zoneset name <name> vsan <vsan>", (shell, args, vsan) => {
      const name = argument(args, "name");
      const output = shell.zoning(vsan).edit(shell.owner, createZoneSet(name));
      shell.place = { mode: "zoneset", name, vsan };
      return output;
    }),
    config("no zoneset name <name> vsan <vsan>", (shell, args, vsan) =>
      shell.zoning(vsan).edit(shell.owner, deleteZoneSet(argument(args, "name"))),
    ),
    config("fcalias name <name> vsan <vsan>", (shell, args, vsan) => {
      const name = argument(args, "name");
      const output = shell.zoning(vsan).edit(shell.owner, createFcAlias(name));
      shell.place = { mode: "fcalias", name, vsan };
      return output;
    }),
    config("no fcalias name <name> vsan <vsan>", (shell, args, vsan) =>
      shell.zoning(vsan).edit(shell.owner, deleteFcAlias(argument(args, "name"))),
    ),
    config("zoneset clone <name> <to> vsan <vsan>", (shell, args, vsan) =>
      shell
        .zoning(vsan)
        .edit(shell.owner, cloneZoneSet(argument(args, "name"), argument(args, "to"))),
    ),
  ];
}

function memberCommands(): Command[] {
  const inZone = (pattern: string, change: typeof addMember): Command => ({
    mode: "zone",
    pattern,
    run: (shell, args) => {
      const { name = "", vsan = 0 } = shell.place;
      const zoning = shell.zoning(vsan);
      const member = parseMember(argument(args, "member").split(" "), shell.device.wwn);
      return zoning.edit(shell.owner, change(name, namedOrPlain(shell, member)));
    },
  });
  const inAlias = (pattern: string, change: typeof addToFcAlias): Command => ({
    mode: "fcalias",
    pattern,
    run: (shell, args) => {
      const { name = "", vsan = 0 } = shell.place;
      const member = parseMember(argument(args, "member").split(" "), shell.device.wwn);
      return shell.zoning(vsan).edit(shell.owner, change(name, namedOrPlain(shell, member)));
    },
  });
  const inSet = (pattern: string, change: typeof addZoneToSet): Command => ({
    mode: "zoneset",
    pattern,
    run: (shell, args) => {
      const { name = "", vsan = 0 } = shell.place;
      return shell.zoning(vsan).edit(shell.owner, change(name, argument(args, "zone")));
    },
  });
  return [
    inZone("member <member...>", addMember),
    inZone("no member <member...>", removeMember),
    inAlias("member <member...>", addToFcAlias),
    inAlias("no member <member...>", removeFromFcAlias),
    inSet("member <zone>", addZoneToSet),
    inSet("no member <zone>", removeZoneFromSet),
  ];
}

/**
 * In basic device alias mode a member by alias is stored as its WWN; in enhanced mode it stays the
 * alias, which need not exist yet.
 */
function namedOrPlain(
  shell: Shell,
  member: ReturnType<typeof parseMember>,
): ReturnType<typeof parseMember> {
  const { aliases } = shell.context.controls;
  if (member.type !== "device-alias" || aliases.settings.aliasMode === "enhanced") return member;
  const all = aliases.committed;
  const wwn = Object.hasOwn(all, member.value) ? all[member.value] : undefined;
  if (wwn === undefined) throw new CliError("Device Alias not present");
  return { type: "pwwn", value: wwn, deviceType: member.deviceType };
}

function activationCommands(): Command[] {
  return [
    config("zoneset activate name <name> vsan <vsan>", (shell, args, vsan) => {
      const zoning = shell.zoning(vsan);
      const name = argument(args, "name");
      confirmEmptyZones(shell, vsan, name);
      return zoning.activate(shell.owner, name);
    }),
    config("no zoneset activate name <name> vsan <vsan>", (shell, args, vsan) =>
      shell.zoning(vsan).deactivate(shell.owner, argument(args, "name")),
    ),
    config("no zoneset activate vsan <vsan>", (shell, _args, vsan) =>
      shell.zoning(vsan).deactivate(shell.owner, undefined),
    ),
    config("zone commit vsan <vsan>", (shell, _args, vsan) =>
      shell.zoning(vsan).commit(shell.owner),
    ),
    config("no zone commit vsan <vsan>", (shell, _args, vsan) =>
      shell.zoning(vsan).discard(shell.owner),
    ),
    {
      mode: "exec",
      pattern: "clear zone lock vsan <vsan>",
      run: (shell, args) => {
        const zoning = shell.zoning(vsanArgument(args));
        if (zoning.session !== undefined) {
          shell.confirm("Command will clear lock from the entire fabric. Do you want to continue?");
        }
        return zoning.clearLock();
      },
    },
    {
      mode: "exec",
      pattern: "clear zone database vsan <vsan>",
      run: (shell, args) => {
        const zoning = shell.zoning(vsanArgument(args));
        shell.confirm("This command will clear the full zone database. Do you want to continue?");
        return zoning.edit(shell.owner, (state) => {
          for (const zone of Object.keys(state.zones)) Reflect.deleteProperty(state.zones, zone);
          for (const set of Object.keys(state.zoneSets))
            Reflect.deleteProperty(state.zoneSets, set);
          return true;
        });
      },
    },
  ];
}

/** Zones without members are asked about (CoprHD: `do not have members`). */
function confirmEmptyZones(shell: Shell, vsan: number, name: string): void {
  const zoning = shell.zoning(vsan);
  const state = zoning.session?.staged ?? zoning.committed;
  const zones = Object.hasOwn(state.zoneSets, name) ? (state.zoneSets[name] ?? []) : [];
  const empty = zones.filter((zone) => (state.zones[zone] ?? []).length === 0);
  if (empty.length === 0) return;
  shell.confirm(`zones ${empty.join(", ")} do not have members. Do you want to continue?`);
}

/** mdssdk zone.py and its documentation of `status`. */
const smartZoningTexts = {
  done: "Set Smart Zoning Policy complete",
  initiated: "Smart Zoning distribution initiated. check zone status",
};

function policyCommands(): Command[] {
  const set = (pattern: string, key: "permitDefault" | "smartZoning", on: boolean): Command =>
    config(pattern, (shell, _args, vsan) => {
      const zoning = shell.zoning(vsan);
      const state = zoning.session?.staged ?? zoning.committed;
      if (key === "smartZoning" && state.smartZoning === on) {
        throw new CliError(`Smart-zoning is already ${on ? "enabled" : "disabled"}`);
      }
      return zoning.policy(
        shell.owner,
        (staged) => {
          const changed = staged[key] !== on;
          staged[key] = on;
          return changed;
        },
        key === "smartZoning" ? smartZoningTexts : undefined,
      );
    });
  return [
    set("zone default-zone permit vsan <vsan>", "permitDefault", true),
    set("no zone default-zone permit vsan <vsan>", "permitDefault", false),
    set("zone smart-zoning enable vsan <vsan>", "smartZoning", true),
    set("no zone smart-zoning enable vsan <vsan>", "smartZoning", false),
    config("zone mode enhanced vsan <vsan>", (shell, _args, vsan) =>
      changeMode(shell, vsan, "enhanced"),
    ),
    config("no zone mode enhanced vsan <vsan>", (shell, _args, vsan) =>
      changeMode(shell, vsan, "basic"),
    ),
  ];
}

function changeMode(shell: Shell, vsan: number, mode: "basic" | "enhanced"): Output {
  const zoning = shell.zoning(vsan);
  if (zoning.settings.mode !== mode) {
    shell.confirm(
      "WARNING: This command would distribute the zoning database of this switch throughout the " +
        "fabric. Do you want to continue?",
    );
  }
  return zoning.setMode(shell.owner, mode);
}
