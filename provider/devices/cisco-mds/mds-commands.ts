import type { ZoningChange, ZoningState } from "../fabric-switch";
import type { ZoningEdit } from "../zoning-edit";
import { expandMembers, sameMembers } from "../zoning-members";
import {
  isNxosName,
  lines,
  type AliasKind,
  type CliLine,
  type Vsan,
  type ZoneMember,
} from "./cli-line";
import type { MdsDatabase } from "./mds-database";
import { memberOf, type AliasKinds } from "./mds-members";

/** Lines that are typed one after the other inside the mode that `enter` opens. */
export interface Block {
  /** Undefined: the lines stand on their own. */
  readonly enter: CliLine | undefined;
  readonly lines: readonly CliLine[];
}

/** An edit as lines of the switch, in the parts in which it is carried out. */
export interface MdsEdit {
  /** New device aliases: nothing uses them yet, and a zone takes only those that exist. */
  readonly aliasesFirst: readonly CliLine[];
  /** Device aliases that get another WWPN: in force for every zone that has them, at once. */
  readonly aliasesAnew: readonly CliLine[];
  /** The zoning database of the VSAN: fcaliases, zones, zonesets. */
  readonly zoning: readonly Block[];
  /** Zoneset to activate; undefined where nothing in effect changes. */
  readonly activate: string | undefined;
  /** Device aliases to remove, when no zone has them any more. */
  readonly aliasesLast: readonly CliLine[];
  /** Device aliases among the change's new ones, by name. */
  readonly created: readonly string[];
  /** The zoning objects it touches, in the words of `show zone pending-diff`. */
  readonly touched: ReadonlySet<string>;
}

/** Which aliases new ones become; undefined: device aliases where they can hold the mark. */
export type AliasChoice = AliasKind | undefined;

/** The lines of an edit on this database. The names in it have been checked. Pure. */
export function mdsEdit(
  database: MdsDatabase,
  edit: ZoningEdit,
  vsan: Vsan,
  choice: AliasChoice,
): MdsEdit {
  const kinds = kindsAfter(database, edit, choice);
  const kindOf = (name: string): AliasKind => kinds.get(name) ?? "fcalias";
  const device = (map: ReadonlyMap<string, readonly string[]>): [string, string][] =>
    [...map]
      .filter(([name]) => kindOf(name) === "device-alias")
      .flatMap(([name, members]) => members.map((member): [string, string] => [name, member]));
  const created = device(edit.createAliases);
  const anew = device(edit.replaceAliases);
  const gone = edit.removeAliases.filter((name) => kindOf(name) === "device-alias");
  const zoning = zoningBlocks(database.state, edit, vsan, kinds);
  return {
    aliasesFirst: created.map(([name, wwpn]) => lines.deviceAlias(name, wwpn)),
    aliasesAnew: anew.flatMap(([name, wwpn]) => [
      lines.noDeviceAlias(name),
      lines.deviceAlias(name, wwpn),
    ]),
    zoning,
    activate: changesEffect(database.state, edit, kinds) ? edit.enable : undefined,
    aliasesLast: gone.map(lines.noDeviceAlias),
    created: created.map(([name]) => name),
    touched: touchedBy(edit, kinds),
  };
}

/**
 * True when an activation would change what is in force. NX-OS refuses one that would not, and it would
 * cost everybody an RSCN. A device alias that gets another WWPN needs none: its zones follow it.
 */
function changesEffect(state: ZoningState, edit: ZoningEdit, kinds: AliasKinds): boolean {
  const { enable } = edit;
  if (enable === undefined) return false;
  const renewed = [...edit.replaceAliases].filter(([name]) => kinds.get(name) === "fcalias");
  const aliases = new Map([...state.aliases, ...edit.createAliases, ...renewed]);
  const changed = new Map([...edit.createZones, ...edit.replaceZones]);
  const gone = new Set([...(edit.leave.get(enable) ?? []), ...edit.removeZones]);
  const defined = new Set([...(state.configs.get(enable)?.zones ?? []), ...edit.join]);
  const inForce = state.effective?.zones ?? new Map<string, readonly string[]>();
  return (
    [...gone].some((name) => inForce.has(name)) ||
    [...defined].some((name) => {
      if (gone.has(name)) return false;
      const members = changed.get(name) ?? state.zones.get(name)?.members ?? [];
      return !sameMembers(inForce.get(name) ?? [], expandMembers(members, aliases));
    })
  );
}

/** All lines of an edit, as an administrator would type them. */
export function mdsCommands(edit: MdsEdit, enhanced: boolean, vsan: Vsan): readonly string[] {
  const aliasSession = (list: readonly CliLine[]): readonly CliLine[] =>
    list.length === 0 ? [] : [lines.aliasDatabase, ...list, lines.aliasCommit];
  const zoning = edit.zoning.flatMap((block) => [
    ...(block.enter === undefined ? [] : [block.enter]),
    ...block.lines,
  ]);
  const activate = edit.activate === undefined ? [] : [lines.activate(edit.activate, vsan)];
  const commit = enhanced && zoning.length + activate.length > 0 ? [lines.commit(vsan)] : [];
  return [
    ...aliasSession(edit.aliasesFirst),
    ...aliasSession(edit.aliasesAnew),
    ...zoning,
    ...activate,
    ...commit,
    ...aliasSession(edit.aliasesLast),
  ];
}

/** Families of all aliases once the edit is done; new ones by choice, or by what the fabric allows. */
export function kindsAfter(
  database: MdsDatabase,
  edit: Pick<ZoningEdit, "createAliases">,
  choice: AliasChoice,
): AliasKinds {
  const kinds = new Map(database.kinds);
  const taken = wwpnsOfDeviceAliases(database);
  for (const [name, members] of edit.createAliases) {
    const kind =
      choice ?? (canBeDeviceAlias(database, name, members, taken) ? "device-alias" : "fcalias");
    if (kind === "device-alias") for (const member of members) taken.set(member, name);
    kinds.set(name, kind);
  }
  return kinds;
}

/** One WWPN has one device alias (Fabric Configuration Guide, Device Alias Requirements). */
export function wwpnsOfDeviceAliases(database: MdsDatabase): Map<string, string> {
  return new Map(
    [...database.state.aliases].flatMap(([name, members]) =>
      database.kinds.get(name) === "device-alias"
        ? members.map((member) => [member, name] as const)
        : [],
    ),
  );
}

/** In basic mode a zone forgets the alias and keeps its WWPN: the mark would be lost. */
function canBeDeviceAlias(
  database: MdsDatabase,
  name: string,
  members: readonly string[],
  taken: ReadonlyMap<string, string>,
): boolean {
  const [wwpn] = members;
  return (
    database.aliasStatus.enhanced &&
    members.length === 1 &&
    wwpn !== undefined &&
    !taken.has(wwpn) &&
    isNxosName("device-alias", name)
  );
}

/** Creates before it joins, leaves before it deletes: no name dangles at any line. */
function zoningBlocks(
  state: ZoningState,
  edit: ZoningEdit,
  vsan: Vsan,
  kinds: AliasKinds,
): readonly Block[] {
  const fcaliases = (map: ReadonlyMap<string, readonly string[]>): [string, readonly string[]][] =>
    [...map].filter(([name]) => kinds.get(name) === "fcalias");
  const block = (enter: CliLine, list: readonly CliLine[]): Block => ({ enter, lines: list });
  const plain = (name: string): string => name.replace(/^fcalias /, "");
  const join = edit.enable === undefined || edit.join.length === 0 ? [] : [edit.enable];
  const goneAliases = edit.removeAliases.filter((name) => kinds.get(name) === "fcalias");
  const deletions = [
    ...edit.removeZones.map((name) => lines.noZone(name, vsan)),
    ...goneAliases.map((name) => lines.noFcalias(plain(name), vsan)),
  ];
  return [
    ...[...fcaliases(edit.createAliases), ...fcaliases(edit.replaceAliases)].map(
      ([name, members]) =>
        block(
          lines.fcalias(plain(name), vsan),
          difference(state.aliases.get(name) ?? [], members, kinds),
        ),
    ),
    ...[...edit.createZones, ...edit.replaceZones].map(([name, members]) =>
      block(
        lines.zone(name, vsan),
        difference(state.zones.get(name)?.members ?? [], members, kinds),
      ),
    ),
    ...join.map((zoneset) => block(lines.zoneset(zoneset, vsan), edit.join.map(lines.memberZone))),
    ...[...edit.leave].map(([zoneset, zones]) =>
      block(lines.zoneset(zoneset, vsan), zones.map(lines.noMemberZone)),
    ),
    ...(deletions.length === 0 ? [] : [{ enter: undefined, lines: deletions }]),
  ];
}

/** Only what differs: what is there already is not sent, and members of others' making stay untouched. */
function difference(
  was: readonly string[],
  wanted: readonly string[],
  kinds: AliasKinds,
): readonly CliLine[] {
  const before = new Set(was);
  const after = new Set(wanted);
  return [
    ...[...after]
      .filter((member) => !before.has(member))
      .map((m) => lines.member(written(m, kinds))),
    ...[...before]
      .filter((member) => !after.has(member))
      .map((m) => lines.noMember(written(m, kinds))),
  ];
}

/** Members that cannot be written were refused before (`mds-limits.ts`). */
function written(member: string, kinds: AliasKinds): ZoneMember {
  return memberOf(member, kinds) ?? { kind: "fcalias", value: member };
}

function touchedBy(edit: ZoningEdit, kinds: AliasKinds): ReadonlySet<string> {
  const zones = [
    ...edit.createZones.keys(),
    ...edit.replaceZones.keys(),
    ...edit.removeZones,
    ...edit.join,
  ];
  const aliases = [
    ...edit.createAliases.keys(),
    ...edit.replaceAliases.keys(),
    ...edit.removeAliases,
  ];
  const zonesets = [...edit.leave.keys(), ...(edit.enable === undefined ? [] : [edit.enable])];
  return new Set([
    ...zones.map((name) => `zone ${name}`),
    ...[...edit.leave.values()].flat().map((name) => `zone ${name}`),
    ...zonesets.map((name) => `zoneset ${name}`),
    ...aliases
      .filter((name) => kinds.get(name) === "fcalias")
      .map((name) => `fcalias ${name.replace(/^fcalias /, "")}`),
  ]);
}

/**
 * The blocks in requests of at most so many characters; a block that is cut opens its mode again. Pure.
 */
export function requestsOf(blocks: readonly Block[], maxCharacters: number): CliLine[][] {
  const requests: CliLine[][] = [];
  let current: CliLine[] = [];
  let length = 0;
  for (const block of blocks) {
    let open = false;
    // A mode without a line in it still makes the object.
    for (const line of block.lines.length > 0 ? block.lines : [undefined]) {
      const needed = (line?.length ?? 0) + (block.enter?.length ?? 0) + 6;
      if (length > 0 && length + needed > maxCharacters) {
        requests.push(current);
        [current, length, open] = [[], 0, false];
      }
      const added = [
        ...(open || block.enter === undefined ? [] : [block.enter]),
        ...(line === undefined ? [] : [line]),
      ];
      current.push(...added);
      length += added.reduce((sum, one) => sum + one.length + 3, 0);
      open = true;
    }
  }
  return current.length > 0 ? [...requests, current] : requests;
}

/** The change that puts everything that `change` names back to what it is in `before`. Pure. */
export function inverseChange(before: ZoningState, change: ZoningChange): ZoningChange {
  const aliases = [...change.upsertAliases.keys(), ...change.removeAliases];
  const zones = [...change.upsertZones.keys(), ...change.removeZones];
  const kept = <T>(names: readonly string[], of: (name: string) => T | undefined): [string, T][] =>
    names.flatMap((name) => {
      const value = of(name);
      return value === undefined ? [] : [[name, value] as [string, T]];
    });
  return {
    upsertAliases: new Map(kept(aliases, (name) => before.aliases.get(name))),
    upsertZones: new Map(kept(zones, (name) => before.zones.get(name)?.members)),
    removeAliases: aliases.filter((name) => !before.aliases.has(name)),
    removeZones: zones.filter((name) => !before.zones.has(name)),
  };
}
