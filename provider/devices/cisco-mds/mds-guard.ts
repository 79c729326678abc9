import type { ZoningChange, ZoningState } from "../fabric-switch";
import { digestOf, type MdsDatabase } from "./mds-database";

/** Device aliases go after the zones: until then the change counts as done without it. */
export function withoutLast(change: ZoningChange, base: MdsDatabase): ZoningChange {
  const removeAliases = change.removeAliases.filter(
    (name) => base.kinds.get(name) !== "device-alias",
  );
  return { ...change, removeAliases };
}

/** Digest of everything that the change does not name: equal as long as nobody else changes anything. */
export function foreignDigest(state: ZoningState, change: ZoningChange): string {
  const zone = new Set([...change.upsertZones.keys(), ...change.removeZones]);
  const alias = new Set([...change.upsertAliases.keys(), ...change.removeAliases]);
  const without = <T>(
    map: ReadonlyMap<string, T>,
    names: ReadonlySet<string>,
  ): ReadonlyMap<string, T> => new Map([...map].filter(([name]) => !names.has(name)));
  const configs = new Map(
    [...state.configs].map(([name, config]) => [
      name,
      { name, zones: config.zones.filter((member) => !zone.has(member)) },
    ]),
  );
  const { effective } = state;
  return digestOf({
    ...state,
    aliases: without(state.aliases, alias),
    zones: without(state.zones, zone),
    configs,
    effective: effective && { name: effective.name, zones: without(effective.zones, zone) },
  });
}

/** True when an object that a session would change differs because the database did, not the session. */
export function movedSince(object: string, base: ZoningState, now: ZoningState): boolean {
  const [kind, name = ""] = object.split(" ");
  const of = (state: ZoningState): readonly string[] | undefined => {
    if (kind === "zone") return state.zones.get(name)?.members;
    return kind === "zoneset" ? state.configs.get(name)?.zones : state.aliases.get(name);
  };
  return JSON.stringify(of(base)) !== JSON.stringify(of(now));
}
