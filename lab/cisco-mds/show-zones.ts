import { type Login, logins } from "../world/fabric";
import { CliError, zoneNotPresent, zoneSetNotPresent } from "./errors";
import { type Member, memberOf } from "./members";
import { lines, message, type Output } from "./output";
import type { Shell } from "./shell";
import { type Body, table } from "./table";
import type { ActiveSet, ZoneState } from "./vsan-state";
import type { ZoneControl } from "./zone-control";

/** Which zones or zone sets a show command asks for. */
export interface Selection {
  readonly name?: string | undefined;
  readonly active?: boolean;
  /** Zone sets only: without members. */
  readonly brief?: boolean;
  /** The command names a VSAN: then a single zone is answered without table (seen on 9.x). */
  readonly single?: boolean;
}

interface Entry {
  readonly name: string;
  readonly vsan: number;
  readonly members: readonly string[];
}

/** Text of `show zone` and its JSON form. */
export function showZones(
  shell: Shell,
  zonings: readonly ZoneControl[],
  select: Selection,
): Output {
  const entries = zonings.flatMap((zoning) => zonesOf(zoning, select));
  if (entries.length === 0) return missing(shell, zoneNotPresent());
  const facts = memberFacts(shell, zonings);
  const rows = entries.map((entry) => ({
    name: entry.name,
    vsan: entry.vsan,
    ...table(
      "zone_member",
      entry.members.map((text) => memberBody(facts, memberOf(text), select.active === true)),
    ),
  }));
  const [only] = rows;
  const body =
    select.single === true && only !== undefined
      ? only
      : table(select.active === true ? "zone_active" : "zone", rows);
  return lines(
    entries.flatMap((entry) => zoneText(facts, entry, "", select.active === true)),
    body,
  );
}

/** Text of `show zoneset` and its JSON form. */
export function showZoneSets(
  shell: Shell,
  zonings: readonly ZoneControl[],
  select: Selection,
): Output {
  const facts = memberFacts(shell, zonings);
  const found = zonings.flatMap((zoning) => {
    const vsan = zoning.fabric.id ?? 1;
    return setsOf(zoning.committed, select).map((set) => ({ set, vsan }));
  });
  if (found.length === 0) return missing(shell, zoneSetNotPresent());
  const rows = found.map(({ set, vsan }): Body => ({
    name: set.name,
    vsan,
    ...table(
      "zone",
      Object.entries(set.zones).map(([name, members]) => ({
        name,
        vsan,
        ...(select.brief === true
          ? {}
          : table(
              "member",
              members.map((text) => memberBody(facts, memberOf(text), true)),
            )),
      })),
    ),
  }));
  const text = found.flatMap(({ set, vsan }) => setText(facts, set, vsan, select));
  return lines(text, table("zoneset", rows));
}

/** `show zone member pwwn W [active] vsan N`: zones that name the port. */
export function zonesWithMember(zoning: ZoneControl, wwn: string, active: boolean): Output {
  const entries = zonesOf(zoning, { active });
  const hits = entries.filter(({ members }) =>
    members.some((text) => memberOf(text).type === "pwwn" && memberOf(text).value === wwn),
  );
  if (hits.length === 0) throw zoneNotPresent();
  const vsan = (zoning.fabric.id ?? 1).toString();
  return lines([`pwwn ${wwn} vsan ${vsan}`, ...hits.map(({ name }) => `  zone ${name}`)]);
}

function zonesOf(zoning: ZoneControl, { name, active }: Selection): Entry[] {
  const vsan = zoning.fabric.id ?? 1;
  const { zones, active: set } = zoning.committed;
  const all = Object.entries(active === true ? (set?.zones ?? {}) : zones);
  return all
    .filter(([zone]) => name === undefined || zone === name)
    .map(([zone, members]) => ({ name: zone, vsan, members }));
}

function setsOf(state: ZoneState, { name, active }: Selection): ActiveSet[] {
  const sets =
    active === true
      ? [state.active].filter((set) => set !== undefined)
      : Object.entries(state.zoneSets).map(([set, zones]) => ({
          name: set,
          zones: Object.fromEntries(zones.map((zone) => [zone, state.zones[zone] ?? []])),
        }));
  return sets.filter((set) => name === undefined || set.name === name);
}

/** Nothing there: an error, or since 8.4(2b) a line of text and no structured output. */
function missing(shell: Shell, error: CliError): Output {
  if (shell.context.release.missingIsError) throw error;
  return { ...message(error.message), body: {} };
}

interface MemberFacts {
  readonly aliasOf: ReadonlyMap<string, string>;
  readonly wwnOf: Readonly<Record<string, string>>;
  readonly logins: readonly Login[];
  /** Members of an fcalias; of the first of the VSANs that has it. */
  readonly fcAlias: (name: string) => {
    readonly members: readonly string[];
    readonly vsan: number;
  };
}

function memberFacts(shell: Shell, zonings: readonly ZoneControl[]): MemberFacts {
  const states = zonings.map((zoning) => ({
    aliases: zoning.committed.fcAliases,
    vsan: zoning.fabric.id ?? 1,
  }));
  const wwnOf = shell.context.controls.aliases.committed;
  const names = new Set(shell.fabrics.map((fabric) => fabric.name));
  return {
    wwnOf,
    aliasOf: new Map(Object.entries(wwnOf).map(([name, wwn]) => [wwn, name])),
    logins: logins(shell.view).filter((login) => names.has(login.fabric)),
    fcAlias: (name) => {
      const found = states.find(({ aliases }) => Object.hasOwn(aliases, name));
      return { members: found?.aliases[name] ?? [], vsan: found?.vsan ?? 1 };
    },
  };
}

function onlineFcId(facts: MemberFacts, member: Member): string {
  const found = facts.logins.find((login) => {
    switch (member.type) {
      case "pwwn":
        return login.wwpn === member.value;
      case "device-alias":
        return login.wwpn === facts.wwnOf[member.value];
      case "fcid":
        return `0x${login.fcId}` === member.value;
      case "fwwn":
        return login.switchPort.wwn === member.value;
      case "interface":
        return login.switchPort.name === member.value;
      case "ip-address":
      case "symbolic-nodename":
      case "fcalias":
        return false;
    }
  });
  return found === undefined ? "" : `0x${found.fcId}`;
}

/** Key names: mdssdk zone.py and zonekeys.py, seen on 9.x. */
function memberBody(facts: MemberFacts, member: Member, online: boolean): Body {
  const { aliasOf, wwnOf } = facts;
  const channel = /^port-channel(\d+)$/.exec(member.value)?.[1];
  const value: Record<Member["type"], Body> = {
    pwwn: { wwn: member.value, dev_alias: aliasOf.get(member.value) },
    "device-alias": { dev_alias: member.value, dev_alias_pwwn: wwnOf[member.value] },
    fwwn: { wwn: member.value },
    fcid: { fcid: member.value },
    interface: {
      ...(channel === undefined ? { intf_fc: member.value } : { intf_port_ch: Number(channel) }),
      wwn: member.swwn,
    },
    "ip-address": { ipaddr: member.value },
    "symbolic-nodename": { symnodename: member.value },
    fcalias: fcAliasBody(facts, member.value),
  };
  return {
    type: member.type,
    ...value[member.type],
    ...(member.deviceType === undefined ? {} : { dev_type: member.deviceType }),
    ...(online ? { online_fcid: onlineFcId(facts, member) } : {}),
  };
}

/** `show fcalias`. */
export function showFcAliases(
  shell: Shell,
  zonings: readonly ZoneControl[],
  name: string | undefined,
): Output {
  const facts = memberFacts(shell, zonings);
  const all = zonings.flatMap((zoning) =>
    Object.keys(zoning.committed.fcAliases).filter((one) => name === undefined || one === name),
  );
  if (all.length === 0) return missing(shell, new CliError("Alias not present"));
  return lines(
    all
      .flatMap((one) => memberLines(facts, memberOf(`fcalias ${one}`), false))
      .map((line) => line.replace(/^ {2}/, "")),
    table(
      "fcalias",
      all.map((one) => fcAliasBody(facts, one)),
    ),
  );
}

function fcAliasBody(facts: MemberFacts, name: string): Body {
  const { members, vsan } = facts.fcAlias(name);
  const rows = members.map((text) => memberBody(facts, memberOf(text), false));
  return { fcalias_name: name, fcalias_vsan_id: vsan, ...table("fcalias_member", rows) };
}

/** Lines of a member; an fcalias shows what it stands for. */
function memberLines(facts: MemberFacts, member: Member, active: boolean): string[] {
  if (member.type !== "fcalias") return [memberLine(facts, member, active)];
  const { members, vsan } = facts.fcAlias(member.value);
  return [
    `  fcalias name ${member.value} vsan ${vsan.toString()}`,
    ...members.map((text) => `  ${memberLine(facts, memberOf(text), false)}`),
    "",
  ];
}

function memberLine(facts: MemberFacts, member: Member, active: boolean): string {
  const fcId = active ? onlineFcId(facts, member) : "";
  const swwn = member.swwn === undefined ? "" : ` swwn ${member.swwn}`;
  const what = `${member.type} ${member.value}${swwn}`;
  const alias = member.type === "pwwn" ? facts.aliasOf.get(member.value) : undefined;
  const tail =
    (alias === undefined ? "" : ` [${alias}]`) +
    (member.deviceType === undefined ? "" : `  ${member.deviceType}`);
  return fcId === "" ? `  ${what}${tail}` : `* fcid ${fcId} [${what}]${tail}`;
}

function zoneText(facts: MemberFacts, entry: Entry, indent: string, active: boolean): string[] {
  return [
    `${indent}zone name ${entry.name} vsan ${entry.vsan.toString()}`,
    ...entry.members
      .flatMap((text) => memberLines(facts, memberOf(text), active))
      .map((line) => (line === "" ? line : `${indent}${line}`)),
    "",
  ];
}

function setText(facts: MemberFacts, set: ActiveSet, vsan: number, select: Selection): string[] {
  const head = `zoneset name ${set.name} vsan ${vsan.toString()}`;
  const zones = Object.entries(set.zones);
  if (select.brief === true) return [head, ...zones.map(([zone]) => `  zone ${zone}`), ""];
  return [
    head,
    ...zones.flatMap(([name, members]) =>
      zoneText(facts, { name, vsan, members }, "  ", select.active === true),
    ),
  ];
}
