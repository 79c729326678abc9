import type { Command } from "./command";
import { argument, type Arguments, optionalVsan } from "./grammar";
import { invalidCommand } from "./errors";
import { parseWwn } from "./members";
import { lines, type Output } from "./output";
import type { Shell } from "./shell";
import { zoneStatus } from "./show-zone-status";
import { showFcAliases, showZones, showZoneSets, zonesWithMember } from "./show-zones";
import { pendingDiff, pendingZones } from "./show-pending";
import { zoneAnalysis } from "./zone-analysis";
import type { ZoneControl } from "./zone-control";

/** Commands that show zones, zone sets and their state. */
export const showZoneCommands: readonly Command[] = [
  ...both("show zone", (shell, zonings) => showZones(shell, zonings, {})),
  ...both("show zone active", (shell, zonings) => showZones(shell, zonings, { active: true })),
  ...both("show zone name <name>", (shell, zonings, args) =>
    showZones(shell, zonings, { name: argument(args, "name"), single: isSingle(args) }),
  ),
  ...both("show zone name <name> active", (shell, zonings, args) =>
    showZones(shell, zonings, {
      name: argument(args, "name"),
      active: true,
      single: isSingle(args),
    }),
  ),
  ...both("show zone status", (shell, zonings) => zoneStatus(shell, zonings)),
  ...both("show zone pending", (_shell, zonings) => lines(zonings.flatMap(pendingZones))),
  ...both("show zone pending-diff", (_shell, zonings) => lines(zonings.flatMap(pendingDiff))),
  ...both("show zone analysis", (shell, zonings) => zoneAnalysis(shell, zonings)),
  ...both("show zone analysis active", (shell, zonings) => zoneAnalysis(shell, zonings, true)),
  ...both("show zone member pwwn <pwwn>", (_shell, zonings, args) =>
    withMember(zonings, args, false),
  ),
  ...both("show zone member pwwn <pwwn> active", (_shell, zonings, args) =>
    withMember(zonings, args, true),
  ),
  ...both("show fcalias", (shell, zonings) => showFcAliases(shell, zonings, undefined)),
  ...both("show fcalias name <name>", (shell, zonings, args) =>
    showFcAliases(shell, zonings, argument(args, "name")),
  ),
  ...zoneSetCommands(),
];

type Run = (shell: Shell, zonings: readonly ZoneControl[], args: Arguments) => Output;

/** The command without a VSAN (all of the switch) and with one. */
function both(pattern: string, run: Run): Command[] {
  return [pattern, `${pattern} vsan <vsan>`].map((one) => ({
    mode: "exec",
    pattern: one,
    show: true,
    run: (shell, args) => run(shell, shell.zonings(optionalVsan(args)), args),
  }));
}

function zoneSetCommands(): Command[] {
  return [
    ...both("show zoneset", (shell, zonings) => showZoneSets(shell, zonings, {})),
    ...both("show zoneset active", (shell, zonings) =>
      showZoneSets(shell, zonings, { active: true }),
    ),
    ...both("show zoneset brief", (shell, zonings) =>
      showZoneSets(shell, zonings, { brief: true }),
    ),
    ...both("show zoneset brief active", (shell, zonings) =>
      showZoneSets(shell, zonings, { brief: true, active: true }),
    ),
    ...both("show zoneset name <name>", (shell, zonings, args) =>
      showZoneSets(shell, zonings, { name: argument(args, "name") }),
    ),
    ...both("show zoneset name <name> brief", (shell, zonings, args) =>
      showZoneSets(shell, zonings, { name: argument(args, "name"), brief: true }),
    ),
    ...both("show zoneset name <name> brief active", (shell, zonings, args) =>
      showZoneSets(shell, zonings, { name: argument(args, "name"), brief: true, active: true }),
    ),
  ];
}

function isSingle(args: Arguments): boolean {
  return args["vsan"] !== undefined;
}

function withMember(zonings: readonly ZoneControl[], args: Arguments, active: boolean): Output {
  const wwn = parseWwn(argument(args, "pwwn"));
  if (wwn === undefined) throw invalidCommand();
  const outputs = zonings.map((zoning) => zonesWithMember(zoning, wwn, active));
  return { text: outputs.map(({ text }) => text).join("") };
}
