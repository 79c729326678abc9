import { aliasLine, noAliases } from "./alias-control";
import { aliasError } from "./errors";
import type { Command } from "./command";
import { argument } from "./grammar";
import { parseWwn } from "./members";
import { lines, message, type Output, silent } from "./output";
import type { Shell } from "./shell";
import { table } from "./table";

/** Commands about device aliases: the sub-mode, the session, the shows. */
export const aliasCommands: readonly Command[] = [
  {
    mode: "config",
    pattern: "device-alias database",
    run: (shell) => {
      shell.place = { mode: "device-alias-db" };
      return silent;
    },
  },
  ...editCommands(),
  ...sessionCommands(),
  ...showCommands(),
];

function editCommands(): Command[] {
  const inDatabase = (pattern: string, run: Command["run"]): Command => ({
    mode: "device-alias-db",
    pattern,
    run,
  });
  return [
    inDatabase("device-alias name <name> pwwn <pwwn>", (shell, args) => {
      const { aliases } = shell.context.controls;
      const [name, pwwn] = [argument(args, "name"), argument(args, "pwwn")];
      return aliases.add(shell.owner, name, pwwn, shell.context.release);
    }),
    inDatabase("no device-alias name <name>", (shell, args) =>
      shell.context.controls.aliases.remove(shell.owner, argument(args, "name")),
    ),
    inDatabase("device-alias rename <from> <to>", (shell, args) => {
      const { aliases } = shell.context.controls;
      const [from, to] = [argument(args, "from"), argument(args, "to")];
      return aliases.rename(shell.owner, from, to, shell.context.release);
    }),
  ];
}

function sessionCommands(): Command[] {
  const config = (pattern: string, run: (shell: Shell) => Output): Command => ({
    mode: "config",
    pattern,
    run,
  });
  return [
    config("device-alias commit", (shell) => shell.context.controls.aliases.commit(shell.owner)),
    config("device-alias abort", (shell) => shell.context.controls.aliases.abort(shell.owner)),
    config("device-alias mode enhanced", (shell) =>
      shell.context.controls.aliases.setMode(shell.owner, "enhanced"),
    ),
    config("no device-alias mode enhanced", (shell) =>
      shell.context.controls.aliases.setMode(shell.owner, "basic"),
    ),
    config("device-alias distribute", (shell) =>
      shell.context.controls.aliases.setDistribution(shell.owner, true),
    ),
    config("no device-alias distribute", (shell) =>
      shell.context.controls.aliases.setDistribution(shell.owner, false),
    ),
    {
      mode: "exec",
      pattern: "clear device-alias session",
      run: (shell) => shell.context.controls.aliases.clearSession(),
    },
    {
      mode: "exec",
      pattern: "clear device-alias database",
      run: (shell) => {
        shell.confirm("Do you want to clear the device-alias database?");
        return shell.context.controls.aliases.clearDatabase(shell.owner);
      },
    },
  ];
}

function showCommands(): Command[] {
  const show = (pattern: string, run: Command["run"]): Command => ({
    mode: "exec",
    pattern,
    show: true,
    run,
  });
  return [
    show("show device-alias database", (shell) =>
      databaseOutput(shell.context.controls.aliases.committed),
    ),
    show("show device-alias pending", (shell) => {
      const { session } = shell.context.controls.aliases;
      if (session === undefined) return message("There are no pending changes");
      return databaseOutput(session.staged);
    }),
    show("show device-alias pending-diff", (shell) => lines(pendingDiff(shell))),
    show("show device-alias status", statusOutput),
    show("show device-alias name <name>", (shell, args) => {
      const name = argument(args, "name");
      const all = shell.context.controls.aliases.committed;
      if (!Object.hasOwn(all, name)) throw aliasError("Device Alias not present");
      return entryOutput(name, all[name] ?? "");
    }),
    show("show device-alias pwwn <pwwn>", (shell, args) => {
      const wwn = parseWwn(argument(args, "pwwn"));
      const all = Object.entries(shell.context.controls.aliases.committed);
      const found = all.find(([, one]) => one === wwn);
      if (found === undefined) throw aliasError("Device Alias not present");
      return entryOutput(...found);
    }),
  ];
}

function entryOutput(name: string, wwn: string): Output {
  return lines([aliasLine(name, wwn)], { dev_alias_name: name, pwwn: wwn });
}

function databaseOutput(aliases: Readonly<Record<string, string>>): Output {
  const all = Object.entries(aliases);
  if (all.length === 0) return noAliases();
  return lines(
    [
      ...all.map(([name, wwn]) => aliasLine(name, wwn)),
      "",
      `Total number of entries = ${all.length.toString()}`,
    ],
    {
      ...table(
        "device_alias_database",
        all.map(([name, wwn]) => ({ dev_alias_name: name, pwwn: wwn })),
      ),
      number_of_entries: all.length,
    },
  );
}

function pendingDiff(shell: Shell): string[] {
  const { session, committed } = shell.context.controls.aliases;
  if (session === undefined) return ["There are no pending changes"];
  const changed = (from: Record<string, string>, to: Record<string, string>): string[] =>
    Object.entries(to)
      .filter(([name, wwn]) => from[name] !== wwn)
      .map(([name, wwn]) => aliasLine(name, wwn));
  return [
    ...changed(session.staged, committed).map((line) => `- ${line}`),
    ...changed(committed, session.staged).map((line) => `+ ${line}`),
  ];
}

/** Form and key names: fixtures of cisco.nxos nxos_devicealias, mdssdk devicealiaskeys.py. */
function statusOutput(shell: Shell): Output {
  const { aliases } = shell.context.controls;
  const { aliasMode, aliasDistribution } = aliases.settings;
  const { session } = aliases;
  const count = Object.keys(aliases.committed).length;
  const words = { basic: "Basic", enhanced: "Enhanced" };
  const user = `CLI/SNMPv3:${session?.owner.user ?? ""}`;
  const swwn = session === undefined ? "" : holderWwn(shell, session.owner.device);
  const pending = Object.keys(session?.staged ?? {}).length;
  const text = [
    `Fabric Distribution : ${aliasDistribution ? "Enabled" : "Disabled"}`,
    `Database:- Device Aliases ${count.toString()}  Mode: ${words[aliasMode]}`,
    `           Checksum: ${aliases.checksum()}`,
    ...(session === undefined
      ? []
      : [
          `Locked By:- User "${user}" SWWN ${swwn}`,
          `Pending Database:- Device Aliases ${pending.toString()}  Mode: ${words[session.mode]}`,
        ]),
  ];
  return lines(text, {
    fabric_distribution: aliasDistribution ? "Enabled" : "Disabled",
    database_device_aliases: count,
    database_mode: words[aliasMode],
    database_checksum: aliases.checksum(),
    ...(session === undefined
      ? {}
      : {
          Locked_by_user: user,
          Locked_by_SWWN: swwn,
          pending_database_device_aliases: pending,
          pending_database_mode: words[session.mode],
        }),
  });
}

function holderWwn(shell: Shell, device: string): string {
  return shell.fabrics[0]?.switches[device]?.wwn ?? shell.device.wwn;
}
