import { parseWwpn, type BedId, type Wwpn } from "../../bed/identities";
import { bedOfName } from "../../bed/mark";
import type { ZoningState } from "../devices/fabric-switch";
import { zoneNames } from "../../bed/zone-names";
import { canonical, isOurZone, type FabricSideInput } from "./fabric-zone-plan";

/**
 * One side of a host as the switch really has it. A port whose alias or zone is missing, foreign, or
 * not in force is left out; where zones differ in their targets, the list that differs from the
 * recorded one is shown. So every drift is a difference from the program's inputs. Pure.
 */
export function observeSide(
  state: ZoningState,
  bedId: BedId,
  host: string,
  recorded: FabricSideInput,
  hbas: readonly string[],
): FabricSideInput {
  const initiators: Record<string, string> = {};
  const targetLists: Wwpn[][] = [];
  for (const hba of hbas) {
    const { alias, zone } = zoneNames(bedId, host, hba, recorded.zonePrefix);
    const seen = observeZone(state, bedId, alias, zone);
    if (seen === undefined) continue;
    initiators[hba] = seen.initiator;
    targetLists.push(seen.targets);
  }
  const expected = canonical(recorded.targets);
  const drifted = targetLists.find((list) => !equal(list, expected));
  return {
    initiators,
    targets: drifted ?? (targetLists.length === 0 ? [] : inRecordedOrder(recorded.targets)),
    zonePrefix: recorded.zonePrefix,
  };
}

/** Zones of a bed's host on one fabric, found by their marked aliases alone (import). Pure. */
export function discoverSide(
  state: ZoningState,
  bedId: BedId,
  host: string,
): { readonly side: FabricSideInput; readonly hbas: readonly string[] } | undefined {
  const marker = zoneNames(bedId, host, "", "x").alias;
  const hbas = [...state.aliases.keys()]
    .filter((name) => bedOfName(name) === bedId && name.startsWith(marker))
    .map((name) => name.slice(marker.length))
    // Another host whose name begins like this one: an adapter's name has no such part.
    .filter((hba) => !hba.includes("_"));
  for (const hba of hbas) {
    const { alias, zone: named } = zoneNames(bedId, host, hba, "x");
    const suffix = named.slice(1);
    const zone = [...state.zones.values()].find(
      (candidate) => candidate.members.includes(alias) && candidate.name.endsWith(suffix),
    );
    if (zone === undefined) continue;
    const zonePrefix = zone.name.slice(0, zone.name.length - suffix.length);
    const targets = zone.members.filter((member) => parseWwpn(member) !== undefined);
    return { side: { initiators: {}, targets, zonePrefix }, hbas };
  }
  return undefined;
}

function observeZone(
  state: ZoningState,
  bedId: BedId,
  alias: string,
  zone: string,
): { readonly initiator: Wwpn; readonly targets: Wwpn[] } | undefined {
  const [member, ...more] = state.aliases.get(alias) ?? [];
  const initiator = parseWwpn(member ?? "");
  if (initiator === undefined || more.length > 0 || !isOurZone(state, zone, bedId))
    return undefined;
  const inForce = state.effective?.zones.get(zone);
  const members = state.zones.get(zone)?.members ?? [];
  if (inForce === undefined || !members.includes(alias)) return undefined;
  const targets = canonical(members.filter((name) => name !== alias));
  // What is defined but not in force, or the other way round, is as bad as no zone.
  return equal(canonical(inForce), canonical([initiator, ...targets]))
    ? { initiator, targets }
    : undefined;
}

function inRecordedOrder(targets: readonly string[]): string[] {
  return targets.flatMap((text) => parseWwpn(text) ?? []);
}

function equal(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((value, index) => value === right[index]);
}
