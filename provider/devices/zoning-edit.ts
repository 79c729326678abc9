import type { ZoningChange, ZoningState } from "./fabric-switch";
import { expandMembers, sameMembers } from "./zoning-members";

/** A change in the words of the switch: what to create, replace, join, leave and delete. */
export interface ZoningEdit {
  readonly createAliases: ReadonlyMap<string, readonly string[]>;
  readonly createZones: ReadonlyMap<string, readonly string[]>;
  readonly replaceAliases: ReadonlyMap<string, readonly string[]>;
  readonly replaceZones: ReadonlyMap<string, readonly string[]>;
  /** Zones that join the effective configuration. */
  readonly join: readonly string[];
  /** Zones that leave a configuration, by its name. */
  readonly leave: ReadonlyMap<string, readonly string[]>;
  readonly removeZones: readonly string[];
  readonly removeAliases: readonly string[];
  /** Without an effective configuration a removal is only saved. */
  readonly enable: string | undefined;
}

/** Why a change may not be made on this database. */
export interface Refusal {
  readonly object: string;
  readonly reason: string;
  readonly remedy: string;
}

/**
 * Turns a change into the fewest edits on this database. Undefined: everything is already so,
 * defined and effective. Pure.
 */
export function planEdit(
  state: ZoningState,
  change: ZoningChange,
): ZoningEdit | { readonly refusal: Refusal } | undefined {
  const edit = minimalEdit(state, change);
  const refusal = refuseEdit(state, change, edit);
  if (refusal !== undefined) return { refusal };
  return isEmpty(edit) && isInEffect(state, change) ? undefined : edit;
}

/** True when a fresh read shows everything that the change asks for, defined and effective. */
export function isCarriedOut(state: ZoningState, change: ZoningChange): boolean {
  return isDefined(state, change) && isInEffect(state, change);
}

/** True when the defined form has everything that the change asks for, in effect or not. Pure. */
export function isDefined(state: ZoningState, change: ZoningChange): boolean {
  return isEmpty(minimalEdit(state, change));
}

/** Zones that were in effect, are none of ours to remove, and are not any more. */
export function lostZones(
  before: ZoningState,
  after: ZoningState,
  change: ZoningChange,
): readonly string[] {
  const removed = new Set(change.removeZones);
  return [...(before.effective?.zones.keys() ?? [])].filter(
    (name) => !removed.has(name) && after.effective?.zones.has(name) !== true,
  );
}

function minimalEdit(state: ZoningState, change: ZoningChange): ZoningEdit {
  const effective = state.effective?.name;
  const members = new Set(effective === undefined ? [] : state.configs.get(effective)?.zones);
  const removed = new Set(change.removeZones);
  const aliasOf = (name: string): readonly string[] | undefined => state.aliases.get(name);
  const zoneOf = (name: string): readonly string[] | undefined => state.zones.get(name)?.members;
  return {
    createAliases: pick(change.upsertAliases, (name) => aliasOf(name) === undefined),
    createZones: pick(change.upsertZones, (name) => zoneOf(name) === undefined),
    replaceAliases: pick(change.upsertAliases, (name, list) => differs(aliasOf(name), list)),
    replaceZones: pick(change.upsertZones, (name, list) => differs(zoneOf(name), list)),
    join: [...change.upsertZones.keys()].filter((name) => !members.has(name)),
    leave: new Map(
      [...state.configs.values()]
        .map((config) => [config.name, config.zones.filter((zone) => removed.has(zone))] as const)
        .filter(([, zones]) => zones.length > 0),
    ),
    removeZones: change.removeZones.filter((name) => state.zones.has(name)),
    removeAliases: change.removeAliases.filter((name) => state.aliases.has(name)),
    enable: effective,
  };
}

function refuseEdit(
  state: ZoningState,
  change: ZoningChange,
  edit: ZoningEdit,
): Refusal | undefined {
  if (state.effective === undefined && change.upsertZones.size > 0) {
    return {
      object: "zone configuration",
      reason: `no zone configuration is in effect (default access: ${state.defaultAccess})`,
      remedy: "Enable the fabric's configuration first: a bed joins it and never enables another.",
    };
  }
  for (const [config, leaving] of edit.leave) {
    const left = (state.configs.get(config)?.zones ?? []).filter((zone) => !leaving.includes(zone));
    const joining = config === edit.enable ? edit.join.length : 0;
    if (left.length + joining > 0) continue;
    return {
      object: `zone configuration ${config}`,
      reason: `its last zone ${leaving.join(", ")} cannot be removed`,
      remedy: `Add a zone of your own to ${config} first: an empty configuration would have to be disabled, and then default access (${state.defaultAccess}) decides who sees whom.`,
    };
  }
  return peerRefusal(state, change);
}

function peerRefusal(state: ZoningState, change: ZoningChange): Refusal | undefined {
  for (const name of [...change.upsertZones.keys(), ...change.removeZones]) {
    const zone = state.zones.get(name);
    if (zone === undefined || zone.type === "standard") continue;
    return {
      object: `zone ${name}`,
      reason: `it is a ${zone.type}, such zones are never ours`,
      remedy: "Rename or remove that zone, or give the bed another zone prefix.",
    };
  }
  return undefined;
}

function isInEffect(state: ZoningState, change: ZoningChange): boolean {
  const zones = state.effective?.zones;
  const gone = change.removeZones.every((name) => zones?.has(name) !== true);
  const there = [...change.upsertZones].every(([name, members]) => {
    const inForce = zones?.get(name);
    const aliases = new Map([...state.aliases, ...change.upsertAliases]);
    return inForce !== undefined && sameMembers(inForce, expandMembers(members, aliases));
  });
  return gone && there;
}

function isEmpty(edit: ZoningEdit): boolean {
  return (
    [
      edit.createAliases,
      edit.createZones,
      edit.replaceAliases,
      edit.replaceZones,
      edit.leave,
    ].every((map) => map.size === 0) &&
    [edit.join, edit.removeZones, edit.removeAliases].every((list) => list.length === 0)
  );
}

function differs(is: readonly string[] | undefined, wanted: readonly string[]): boolean {
  return is !== undefined && !sameMembers(is, wanted);
}

function pick(
  map: ReadonlyMap<string, readonly string[]>,
  keep: (name: string, list: readonly string[]) => boolean,
): ReadonlyMap<string, readonly string[]> {
  return new Map([...map].filter(([name, list]) => keep(name, list)));
}
