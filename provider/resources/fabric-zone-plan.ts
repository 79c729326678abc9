import { zoneNames } from "../../bed/zone-names";
import { bedOfName } from "../../bed/mark";
import { parseWwpn, type BedId, type Wwpn } from "../../bed/identities";
import type { ZoningChange, ZoningState } from "../devices/fabric-switch";

/** One initiator's zone as it should be on one fabric. */
export interface WantedZone {
  readonly hba: string;
  readonly initiator: Wwpn;
  readonly targets: readonly Wwpn[];
  /** Name of the alias; it carries the mark, since zones have no comment. */
  readonly alias: string;
  readonly zone: string;
}

/** Names of ours on one fabric that were made earlier. */
export interface OwnedNames {
  readonly aliases: readonly string[];
  readonly zones: readonly string[];
}

export interface FabricSideInput {
  readonly initiators: Readonly<Record<string, string>>;
  readonly targets: readonly string[];
  readonly zonePrefix: string;
}

/** Why a change may not be made, and what to do. */
export interface PlanRefusal {
  readonly reason: string;
  readonly remedy: string;
}

export type ZonePlan = ZoningChange | { readonly refusal: PlanRefusal };

/** A host's zones on one fabric: one for each of its ports, with all targets. Pure. */
export function wantedZones(bedId: BedId, host: string, side: FabricSideInput): WantedZone[] {
  const targets = canonical(side.targets);
  return Object.entries(side.initiators).flatMap(([hba, text]) => {
    const initiator = parseWwpn(text);
    if (initiator === undefined) return [];
    return [{ hba, initiator, targets, ...zoneNames(bedId, host, hba, side.zonePrefix) }];
  });
}

/** WWPNs in canonical form, sorted, once each. */
export function canonical(wwpns: readonly string[]): Wwpn[] {
  return [...new Set(wwpns.flatMap((text) => parseWwpn(text) ?? []))].sort();
}

/** A zone is ours when it has the planned name and a member alias with our bed's mark. */
export function isOurZone(state: ZoningState, zone: string, bedId: BedId): boolean {
  return state.zones.get(zone)?.members.some((member) => bedOfName(member) === bedId) === true;
}

/**
 * The change that brings one host's zones on one fabric to what is wanted, and takes away what was made
 * earlier and is wanted no more. Pure.
 */
export function planHostZones(
  state: ZoningState,
  wanted: readonly WantedZone[],
  earlier: OwnedNames,
  bedId: BedId,
): ZonePlan {
  for (const { zone } of wanted) {
    if (!state.zones.has(zone) || isOurZone(state, zone, bedId)) continue;
    return refused(
      `a zone ${zone} exists and has no alias with the mark of bed ${bedId}: it belongs to somebody else`,
      "Choose another zone prefix, or remove that zone if nobody needs it.",
    );
  }
  for (const { alias, initiator } of wanted) {
    const held = state.aliases.get(alias);
    if (held === undefined || earlier.aliases.includes(alias)) continue;
    if (held.length === 1 && held[0] === initiator) continue;
    return refused(
      `alias ${alias} carries the mark of this bed but holds ${held.join(", ")}, not ${initiator}, and no record says that it was made for this host`,
      "Two stacks may share the bed id, or the record was lost: see whose it is, then remove it (`npx sanbed sweep` removes all that is left of a bed).",
    );
  }
  const aliases = new Set(wanted.map((entry) => entry.alias));
  const zones = new Set(wanted.map((entry) => entry.zone));
  const removal = planRemoval(
    state,
    {
      aliases: earlier.aliases.filter((name) => !aliases.has(name)),
      zones: earlier.zones.filter((name) => !zones.has(name)),
    },
    bedId,
  );
  if ("refusal" in removal) return removal;
  return {
    ...removal,
    upsertAliases: new Map(wanted.map((entry) => [entry.alias, [entry.initiator]])),
    upsertZones: new Map(wanted.map((entry) => [entry.zone, [entry.alias, ...entry.targets]])),
  };
}

/**
 * The change that removes what we made, and nothing else: a zone of that name without our alias is
 * somebody else's by now and stays. Refused where our alias is in use by others. Pure.
 */
export function planRemoval(state: ZoningState, owned: OwnedNames, bedId: BedId): ZonePlan {
  const removeZones = owned.zones.filter((zone) => isOurZone(state, zone, bedId));
  const removeAliases = owned.aliases.filter((alias) => bedOfName(alias) === bedId);
  for (const [name, zone] of state.zones) {
    if (removeZones.includes(name)) continue;
    const used = zone.members.find((member) => removeAliases.includes(member));
    if (used === undefined) continue;
    // A zone of ours that is not part of this change never shares an alias: this one is foreign.
    return refused(
      `zone ${name}, which is not the bed's, uses alias ${used}`,
      "Take our alias out of that zone first.",
    );
  }
  return { upsertAliases: new Map(), upsertZones: new Map(), removeAliases, removeZones };
}

/** The zones of a wanted zone that nobody may have removed may still be in force: forget none. Pure. */
export function mergeChanges(changes: readonly ZoningChange[]): ZoningChange {
  return {
    upsertAliases: new Map(changes.flatMap((change) => [...change.upsertAliases])),
    upsertZones: new Map(changes.flatMap((change) => [...change.upsertZones])),
    removeAliases: changes.flatMap((change) => change.removeAliases),
    removeZones: changes.flatMap((change) => change.removeZones),
  };
}

/** The change that puts everything that `change` touches back to what it was before. Pure. */
export function reverseChange(before: ZoningState, change: ZoningChange): ZoningChange {
  const aliases = [...change.upsertAliases.keys(), ...change.removeAliases];
  const zones = [...change.upsertZones.keys(), ...change.removeZones];
  const oldAliases = aliases.flatMap((name) => entry(name, before.aliases.get(name)));
  const oldZones = zones.flatMap((name) => entry(name, before.zones.get(name)?.members));
  return {
    upsertAliases: new Map(oldAliases),
    upsertZones: new Map(oldZones),
    removeAliases: aliases.filter((name) => !before.aliases.has(name)),
    removeZones: zones.filter((name) => !before.zones.has(name)),
  };
}

/**
 * True when a change takes a member away from a zone or an alias, or a zone as a whole: then one fabric
 * is done before the other. Pure.
 */
export function takesAway(before: ZoningState, change: ZoningChange): boolean {
  const loses = (was: readonly string[] | undefined, members: readonly string[]): boolean =>
    was?.some((member) => !members.includes(member)) === true;
  return (
    change.removeZones.some((name) => before.zones.has(name)) ||
    [...change.upsertZones].some(([name, list]) => loses(before.zones.get(name)?.members, list)) ||
    [...change.upsertAliases].some(([name, list]) => loses(before.aliases.get(name), list))
  );
}

function refused(reason: string, remedy: string): ZonePlan {
  return { refusal: { reason, remedy } };
}

function entry(
  name: string,
  members: readonly string[] | undefined,
): [string, readonly string[]][] {
  return members === undefined ? [] : [[name, members]];
}
