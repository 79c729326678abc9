import { memberOf } from "./members";
import type { ActiveSet, ZoneState } from "./vsan-state";

/**
 * Bytes of a zone database. How the switch counts is not published; each name with a fixed head and
 * each member with the size of its form comes near the figures of the vendor's samples.
 */
export function zoneDatabaseBytes(state: ZoneState): number {
  return fullDatabaseBytes(state) + activeDatabaseBytes(state.active);
}

export function fullDatabaseBytes(
  state: Pick<ZoneState, "zones" | "zoneSets" | "fcAliases">,
): number {
  const zones = Object.entries(state.zones).map(([name, members]) => zoneBytes(name, members));
  const sets = Object.entries(state.zoneSets).map(
    ([name, members]) =>
      head + name.length + members.reduce((sum, zone) => sum + 8 + zone.length, 0),
  );
  const aliases = Object.entries(state.fcAliases).map(([name, members]) =>
    zoneBytes(name, members),
  );
  return sum([empty, ...zones, ...sets, ...aliases]);
}

export function activeDatabaseBytes(active: ActiveSet | undefined): number {
  if (active === undefined) return 0;
  const zones = Object.entries(active.zones).map(([name, members]) => zoneBytes(name, members));
  return head + active.name.length + sum(zones);
}

/** Size of a database without anything in it. */
const empty = 4;
const head = 20;

function zoneBytes(name: string, members: readonly string[]): number {
  return head + name.length + sum(members.map(memberBytes));
}

function memberBytes(text: string): number {
  const member = memberOf(text);
  return member.type === "pwwn" || member.type === "fwwn" ? 16 : 8 + member.value.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
