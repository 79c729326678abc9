import { limits } from "./release";
import { lines, type Output } from "./output";
import type { Shell } from "./shell";
import { switchTime } from "./time";
import type { ZoneState } from "./vsan-state";
import { isActive, type ZoneControl } from "./zone-control";
import { activeDatabaseBytes, fullDatabaseBytes } from "./zone-size";

/**
 * `show zone analysis [active]`: sizes, counts, what no zone set uses, whether the active zone set
 * still equals its full one. Form: Fabric Configuration Guide, Zone and Zone Set Analysis.
 */
export function zoneAnalysis(
  shell: Shell,
  zonings: readonly ZoneControl[],
  activeOnly = false,
): Output {
  return lines(
    zonings.flatMap((zoning) => (activeOnly ? activeText(shell, zoning) : fullText(shell, zoning))),
  );
}

function fullText(shell: Shell, zoning: ZoneControl): string[] {
  const state = zoning.committed;
  const bytes = fullDatabaseBytes(state);
  const used = new Set(Object.values(state.zoneSets).flat());
  const unused = Object.keys(state.zones).filter((zone) => !used.has(zone));
  const unassigned = Object.keys(state.zoneSets).filter(
    (set) => (state.zoneSets[set] ?? []).length === 0,
  );
  return [
    `Zoning database analysis vsan ${vsanOf(zoning)}`,
    `  Full zoning database`,
    `    Last updated at: ${lastUpdated(zoning)}`,
    `    Num zonesets: ${Object.keys(state.zoneSets).length.toString()}`,
    `    Num unassigned zonesets: ${unassigned.length.toString()}`,
    `    Num zones: ${Object.keys(state.zones).length.toString()}`,
    `    Num unused zones: ${unused.length.toString()}`,
    `    Num aliases: ${Object.keys(state.fcAliases).length.toString()}`,
    `    Num members: ${memberCount(state.zones).toString()} / ${limits.members.toString()}`,
    `    Num attribute groups: 1`,
    `    Formattted size: ${sizeText(shell, bytes)}`,
    ...(unused.length === 0 ? [] : [`    Unused zones: ${unused.join(" ")}`]),
    "",
  ];
}

function activeText(shell: Shell, zoning: ZoneControl): string[] {
  const { active } = zoning.committed;
  if (active === undefined) {
    return [`Zoning database analysis vsan ${vsanOf(zoning)}`, `  Active zoneset: not present`, ""];
  }
  const bytes = activeDatabaseBytes(active);
  return [
    `Zoning database analysis vsan ${vsanOf(zoning)}`,
    `  Active zoneset: ${active.name}${isSame(zoning.committed) ? " [*]" : ""}`,
    `    Activated at: ${lastUpdated(zoning)}`,
    `    Default zone policy: ${zoning.committed.permitDefault ? "Permit" : "Deny"}`,
    `    Number of devices zoned in vsan: ${memberCount(active.zones).toString()}`,
    `    Number of zone members resolved: ${memberCount(active.zones).toString()}`,
    `    Num zones: ${Object.keys(active.zones).length.toString()}`,
    `    Formattted size: ${sizeText(shell, bytes)}`,
    "",
  ];
}

/** `[*]`: the active zone set is the full one of its name, member for member. */
function isSame(state: ZoneState): boolean {
  const { active } = state;
  const zones = active === undefined ? undefined : state.zoneSets[active.name];
  if (active === undefined || zones === undefined) return false;
  return isActive(state, active.name);
}

function memberCount(zones: Readonly<Record<string, readonly string[]>>): number {
  return Object.values(zones).reduce((sum, members) => sum + members.length, 0);
}

function lastUpdated(zoning: ZoneControl): string {
  const at = zoning.settings.lastResult?.atMs;
  return at === undefined ? "n/a" : switchTime(at).status;
}

function sizeText(shell: Shell, bytes: number): string {
  const max = shell.context.release.databaseMax;
  const percent = Math.floor((bytes * 100) / max).toString();
  return `${bytes.toString()} bytes / ${Math.floor(max / 1024).toString()} Kb (${percent} % used)`;
}

function vsanOf(zoning: ZoneControl): string {
  return (zoning.fabric.id ?? 1).toString();
}
