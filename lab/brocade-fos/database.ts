import { createHash } from "node:crypto";
import type { Fabric, ZoneBody, ZoningDatabase } from "../world/state";
import type { DeepReadonly } from "../world/world";
import { zoneError, zoneNotFound } from "./errors";
import { portMember, unique } from "./members";

type Database = DeepReadonly<ZoningDatabase>;

export function emptyDatabase(): ZoningDatabase {
  return { aliases: {}, zones: {}, configs: {} };
}

/** MD5 of the configuration database, 32 hex digits: what a commit is gated by. */
export function checksum({ zoning, attributes }: DeepReadonly<Fabric>): string {
  const hidden = attributes?.["tiZones"];
  const all = hidden === undefined ? zoning : { ...zoning, tiZones: hidden };
  return createHash("md5").update(dump(all)).digest("hex");
}

/** Size of a database as the switch accounts for it: an approximation, each name and member once. */
export function databaseBytes(database: Database): number {
  return Buffer.byteLength(JSON.stringify([database.aliases, database.zones, database.configs]));
}

function dump(zoning: object): string {
  const ordered = (_key: string, value: unknown): unknown =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return JSON.stringify(zoning, ordered);
}

/**
 * The zones of a configuration with aliases expanded, as they come into force.
 * @throws {FosError} `"x" not found` for the first zone or alias that does not resolve.
 */
export function expandConfig(database: Database, config: string): Record<string, ZoneBody> {
  const zones: Record<string, ZoneBody> = {};
  if (!Object.hasOwn(database.configs, config)) {
    throw zoneNotFound(config, "/effective-configuration/");
  }
  for (const name of database.configs[config] ?? []) {
    const zone = Object.hasOwn(database.zones, name) ? database.zones[name] : undefined;
    if (zone === undefined) throw zoneNotFound(name, "/effective-configuration/");
    zones[name] = {
      type: zone.type,
      members: unique(zone.members.flatMap((member) => expandMember(database, member))),
      principals: unique(zone.principals.flatMap((member) => expandMember(database, member))),
    };
  }
  return zones;
}

function expandMember(database: Database, member: string): readonly string[] {
  if (portMember(member) !== undefined) return [member];
  const alias = Object.hasOwn(database.aliases, member) ? database.aliases[member] : undefined;
  if (alias === undefined) throw zoneNotFound(member, "/effective-configuration/");
  return alias;
}

/** A peer zone whose members resolve to the same port twice is refused (brocade/ansible report 103). */
export function checkPeerDuplicates(database: Database, zoneName: string): void {
  const zone = Object.hasOwn(database.zones, zoneName) ? database.zones[zoneName] : undefined;
  if (zone === undefined || zone.type === 0) return;
  const resolved = [...zone.members, ...zone.principals].flatMap((member) =>
    portMember(member) === undefined ? (database.aliases[member] ?? [member]) : [member],
  );
  if (unique(resolved).length < resolved.length) {
    throw zoneError(
      `Error: Duplicate members exist in the member list of "${zoneName}". ` +
        "To avoid unexpected behavior please create peer zones without duplicate members.",
    );
  }
}

/** Removes an object from every member list; parents that become empty go too (expunge). */
export function expunge(database: ZoningDatabase, name: string): boolean {
  const objects = [database.aliases, database.zones, database.configs].find((all) =>
    Object.hasOwn(all, name),
  );
  if (objects === undefined) return false;
  Reflect.deleteProperty(objects, name);
  for (const [zoneName, zone] of Object.entries(database.zones)) {
    const had = zone.members.length + zone.principals.length;
    zone.members = zone.members.filter((member) => member !== name);
    zone.principals = zone.principals.filter((member) => member !== name);
    const left = zone.members.length + zone.principals.length;
    if (left === 0 && had > 0) expunge(database, zoneName);
  }
  for (const [config, zones] of Object.entries(database.configs)) {
    const left = zones.filter((zone) => zone !== name);
    if (left.length === 0) Reflect.deleteProperty(database.configs, config);
    else database.configs[config] = left;
  }
  return true;
}

/** Renames an object and every mention of it. */
export function rename(database: ZoningDatabase, from: string, to: string): boolean {
  const { aliases, zones, configs } = database;
  const swap = (member: string): string => (member === from ? to : member);
  const moved = [move(aliases, from, to), move(zones, from, to), move(configs, from, to)];
  if (!moved.includes(true)) return false;
  for (const zone of Object.values(zones)) {
    zone.members = zone.members.map(swap);
    zone.principals = zone.principals.map(swap);
  }
  for (const [config, members] of Object.entries(configs)) configs[config] = members.map(swap);
  return true;
}

function move<T>(objects: Record<string, T>, from: string, to: string): boolean {
  const value = Object.hasOwn(objects, from) ? objects[from] : undefined;
  if (value === undefined) return false;
  Reflect.deleteProperty(objects, from);
  objects[to] = value;
  return true;
}
