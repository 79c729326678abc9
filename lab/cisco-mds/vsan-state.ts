import type { Fabric, Json, JsonObject, ZoneBody, Zoning } from "../world/state";
import type { DeepReadonly } from "../world/world";

/** Members by zone, as the world holds them (`memberText`). */
type ZoneMembers = Readonly<Record<string, readonly string[]>>;

/** A zone set in force, as it was activated: aliases not yet resolved. */
export interface ActiveSet {
  readonly name: string;
  readonly zones: ZoneMembers;
}

/** Everything that zoning commands of one VSAN change. */
export interface ZoneState {
  readonly zones: Record<string, string[]>;
  readonly zoneSets: Record<string, string[]>;
  /** `fcalias` objects of the VSAN with their members. */
  readonly fcAliases: Record<string, string[]>;
  active: ActiveSet | undefined;
  permitDefault: boolean;
  smartZoning: boolean;
}

/** Settings of a VSAN that no session holds. */
export interface VsanSettings {
  readonly name: string;
  readonly mode: "basic" | "enhanced";
  readonly fullDistribution: boolean;
  readonly suspended: boolean;
  readonly aliasMode: "basic" | "enhanced";
  readonly aliasDistribution: boolean;
  /** Result of the last zoning operation, and when it came (ms); undefined: none yet. */
  readonly lastResult: { readonly text: string; readonly atMs: number } | undefined;
}

export function vsanSettings(fabric: DeepReadonly<Fabric>): VsanSettings {
  const all = attributesOf(fabric);
  const last = all["lastResult"] as { text: string; atMs: number } | undefined;
  return {
    name: typeof all["vsanName"] === "string" ? all["vsanName"] : usualVsanName(fabric.id ?? 1),
    mode: all["zoneMode"] === "enhanced" ? "enhanced" : "basic",
    fullDistribution: all["fullDistribution"] === true || all["zoneMode"] === "enhanced",
    suspended: all["suspended"] === true,
    aliasMode: all["aliasMode"] === "enhanced" ? "enhanced" : "basic",
    aliasDistribution: all["aliasDistribution"] !== false,
    lastResult: last,
  };
}

export function usualVsanName(vsan: number): string {
  return `VSAN${vsan.toString().padStart(4, "0")}`;
}

/** Zoning of a VSAN as it is committed, on a copy. */
export function zoneState(fabric: DeepReadonly<Fabric>): ZoneState {
  const { defined, effective, defaultAccess } = fabric.zoning;
  const active = attributesOf(fabric)["active"] as Record<string, string[]> | undefined;
  return {
    zones: mapValues(defined.zones, (zone) => [...zone.members]),
    zoneSets: mapValues(defined.configs, (zones) => [...zones]),
    fcAliases: structuredClone(
      (attributesOf(fabric)["fcAliases"] ?? {}) as Record<string, string[]>,
    ),
    active:
      effective === undefined
        ? undefined
        : { name: effective.name, zones: structuredClone(active ?? {}) },
    permitDefault: defaultAccess === "all",
    smartZoning: attributesOf(fabric)["smartZoning"] === true,
  };
}

/** Puts a state into the world. `effective` resolves the zone set in force for the world's hosts. */
export function writeZoneState(
  fabric: Fabric,
  state: ZoneState,
  effective: Zoning["effective"],
): void {
  const { zoning } = fabric;
  zoning.defined.zones = mapValues(state.zones, (members): ZoneBody => ({
    type: 0,
    members: [...members],
    principals: [],
  }));
  zoning.defined.configs = mapValues(state.zoneSets, (zones) => [...zones]);
  zoning.effective = effective;
  zoning.defaultAccess = state.permitDefault ? "all" : "none";
  setAttributes(fabric, {
    // Defaults are absent: a VSAN that is as it was looks as it was.
    smartZoning: state.smartZoning ? true : undefined,
    fcAliases: Object.keys(state.fcAliases).length === 0 ? undefined : state.fcAliases,
    active: state.active === undefined ? undefined : mutable(state.active.zones),
  });
}

/** Sets attributes; undefined removes. */
export function setAttributes(
  fabric: Fabric,
  values: Readonly<Record<string, Json | undefined>>,
): void {
  const all = { ...fabric.attributes };
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) Reflect.deleteProperty(all, name);
    else all[name] = value;
  }
  fabric.attributes = all;
}

function attributesOf(fabric: DeepReadonly<Fabric>): Readonly<JsonObject> {
  return fabric.attributes ?? {};
}

function mutable(zones: ZoneMembers): Record<string, string[]> {
  return mapValues(zones, (members) => [...members]);
}

function mapValues<T, R>(
  record: Readonly<Record<string, T>>,
  map: (value: T) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
