import type { ZoneBody, ZoneType, ZoningDatabase } from "../world/state";
import { duplicateObject, zoneError, zoneNotFound } from "./errors";
import { asBody, asList, asNumber, asText, asTexts, type Body, onlyKnown } from "./fields";
import { aliasMember, checkName, unique, zoneMember } from "./members";

export type Kind = "alias" | "zone" | "cfg";
export type Verb = "POST" | "PATCH" | "DELETE";

/** One object as a request body names it. */
export interface ObjectEdit {
  readonly kind: Kind;
  readonly name: string;
  readonly members: readonly string[];
  readonly principals: readonly string[];
  /** Undefined when the request does not say. */
  readonly type: ZoneType | undefined;
}

const typeWords: readonly string[] = ["zone", "user-created-peer-zone", "target-created-peer-zone"];

/** Reads the entry of one object; `name` is given where the path has it. */
export function objectEdit(kind: Kind, body: Body, name?: string): ObjectEdit {
  const key = `${kind}-name`;
  const container = kind === "cfg" ? "member-zone" : "member-entry";
  const typeLeaves = kind === "zone" ? ["zone-type", "zone-type-string"] : [];
  onlyKnown(body, [key, container, ...typeLeaves]);
  const members = asBody(body[container], container);
  const leaf = { alias: "alias-entry-name", zone: "entry-name", cfg: "zone-name" }[kind];
  onlyKnown(members, kind === "zone" ? [leaf, "principal-entry-name"] : [leaf]);
  const parse = { alias: aliasMember, zone: zoneMember, cfg: checkName }[kind];
  return {
    kind,
    name: checkName(name ?? asText(body[key], key)),
    members: unique(asTexts(members[leaf], leaf).map(parse)),
    principals: unique(
      asTexts(members["principal-entry-name"], "principal-entry-name").map(zoneMember),
    ),
    type: zoneTypeOf(body),
  };
}

export function listEdits(kind: Kind, value: unknown): ObjectEdit[] {
  return asList(value).map((entry) => objectEdit(kind, asBody(entry, kind)));
}

function zoneTypeOf(body: Body): ZoneType | undefined {
  const number = body["zone-type"];
  const word = body["zone-type-string"];
  const fromNumber = number === undefined ? undefined : asNumber(number, "zone-type");
  const fromWord =
    word === undefined ? undefined : typeWords.indexOf(asText(word, "zone-type-string"));
  if (fromNumber !== undefined && fromWord !== undefined && fromNumber !== fromWord) {
    throw zoneError("zone-type and zone-type-string do not agree");
  }
  const type = fromNumber ?? fromWord;
  if (type === undefined) return undefined;
  if (type < 0 || type > 2) throw zoneError("unknown zone type");
  return type as ZoneType;
}

/** The word that `zone-type-string` has for a type. */
export function zoneTypeWord(type: ZoneType): string {
  return typeWords[type] ?? "zone";
}

/**
 * Applies one edit to a database. POST creates, or adds members to what exists; PATCH replaces the
 * members; DELETE takes members away, or the object when none are named
 * (doc strings of github.com/brocade/pyfos, pyfos_brocade_zone.py).
 * @returns whether anything changed.
 */
export function applyEdit(database: ZoningDatabase, verb: Verb, edit: ObjectEdit): boolean {
  if (verb !== "DELETE") checkNameIsFree(database, edit);
  switch (edit.kind) {
    case "alias":
      return editList(database.aliases, verb, edit);
    case "cfg":
      return editList(database.configs, verb, edit);
    case "zone":
      return editZone(database.zones, verb, edit);
  }
}

/** Aliases, zones and configurations share one name space. */
function checkNameIsFree(database: ZoningDatabase, edit: ObjectEdit): void {
  const others: Record<Kind, readonly object[]> = {
    alias: [database.zones, database.configs],
    zone: [database.aliases, database.configs],
    cfg: [database.aliases, database.zones],
  };
  if (others[edit.kind].some((objects) => Object.hasOwn(objects, edit.name))) {
    throw zoneError(`"${edit.name}" is the name of another zone object`);
  }
}

function editList(objects: Record<string, string[]>, verb: Verb, edit: ObjectEdit): boolean {
  const current = own(objects, edit.name);
  const next = nextMembers(verb, edit, current, edit.members);
  if (next === undefined) {
    Reflect.deleteProperty(objects, edit.name);
    return true;
  }
  objects[edit.name] = next;
  return current === undefined || !sameSet(current, next);
}

function editZone(zones: Record<string, ZoneBody>, verb: Verb, edit: ObjectEdit): boolean {
  const current = own(zones, edit.name);
  checkZoneType(verb, edit, current);
  const before = current && [...current.members, ...current.principals];
  const next = nextMembers(verb, edit, before, [...edit.members, ...edit.principals]);
  if (next === undefined) {
    Reflect.deleteProperty(zones, edit.name);
    return true;
  }
  const zone = mergeZone(verb, edit, current);
  zones[edit.name] = zone;
  return current === undefined || JSON.stringify(sorted(current)) !== JSON.stringify(sorted(zone));
}

function mergeZone(verb: Verb, edit: ObjectEdit, current: ZoneBody | undefined): ZoneBody {
  const merge = (old: readonly string[] = [], named: readonly string[]): string[] => {
    if (verb === "PATCH") return [...named];
    if (verb === "POST") return unique([...old, ...named]);
    return old.filter((member) => !named.includes(member));
  };
  return {
    type: edit.type ?? current?.type ?? 0,
    members: merge(current?.members, edit.members),
    principals: merge(current?.principals, edit.principals),
  };
}

function checkZoneType(verb: Verb, edit: ObjectEdit, current: ZoneBody | undefined): void {
  const type = edit.type ?? current?.type ?? 0;
  if (type === 2 && verb !== "DELETE") {
    throw zoneError(`"${edit.name}": a target-created peer zone can only be deleted`);
  }
  if (current !== undefined && current.type !== 0 && edit.type === undefined) {
    throw zoneError(`"${edit.name}" is a peer zone: the zone type is required`);
  }
  if (type === 0 && edit.principals.length > 0) {
    throw zoneError(`"${edit.name}": principal members are for peer zones only`);
  }
}

/** Members after the edit; undefined: the object goes. */
function nextMembers(
  verb: Verb,
  edit: ObjectEdit,
  current: readonly string[] | undefined,
  members: readonly string[],
): string[] | undefined {
  const path = `/${edit.kind}/${edit.kind}-name/${edit.name}/`;
  if (verb !== "DELETE" && members.length === 0) {
    throw zoneError(`"${edit.name}" needs at least one member`, -1, path);
  }
  if (verb === "POST") {
    if (current !== undefined && sameSet(current, members))
      throw duplicateObject(edit.kind, edit.name);
    return unique([...(current ?? []), ...members]);
  }
  if (current === undefined) throw zoneNotFound(edit.name, path);
  if (verb === "PATCH") return [...members];
  const rest = members.length === 0 ? [] : without(edit, current, members);
  return rest.length === 0 ? undefined : rest;
}

function without(edit: ObjectEdit, current: readonly string[], gone: readonly string[]): string[] {
  const missing = gone.find((member) => !current.includes(member));
  if (missing !== undefined) {
    throw zoneNotFound(missing, `/${edit.kind}/${edit.kind}-name/${edit.name}/`);
  }
  return current.filter((member) => !gone.includes(member));
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((member) => b.includes(member));
}

function sorted(zone: ZoneBody): ZoneBody {
  return {
    type: zone.type,
    members: [...zone.members].sort(),
    principals: [...zone.principals].sort(),
  };
}

/** Names such as `constructor` are good names for a zone. */
function own<T>(objects: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(objects, name) ? objects[name] : undefined;
}
