import { SanbedError } from "../../../bed/errors";
import { parseWwpn, type Wwpn } from "../../../bed/identities";

declare const brand: unique symbol;

/**
 * One line of the NX-OS command line. Lines are made in this file and nowhere else: NX-API takes several
 * commands in one string, parted by ` ; `, so a name that is put into it unchecked could be a command.
 */
export type CliLine = string & { readonly [brand]: "CliLine" };

/** Named objects that a line may carry. */
type NamedKind = "zone" | "zoneset" | "fcalias" | "device-alias";

/** Both families of aliases: of the whole physical fabric, or of one VSAN's zoning database. */
export type AliasKind = "device-alias" | "fcalias";

/**
 * Zones, zonesets and fcaliases: up to 64 letters, digits and `$ - ^ _`, a letter or a digit first
 * (Fabric Configuration Guide, Configuring and Managing Zones). Device aliases begin with a letter
 * (same guide, Device Alias Requirements).
 */
const names: Readonly<Record<NamedKind, RegExp>> = {
  zone: /^[A-Za-z0-9][A-Za-z0-9$^_-]{0,63}$/,
  zoneset: /^[A-Za-z0-9][A-Za-z0-9$^_-]{0,63}$/,
  fcalias: /^[A-Za-z0-9][A-Za-z0-9$^_-]{0,63}$/,
  "device-alias": /^[A-Za-z][A-Za-z0-9$^_-]{0,63}$/,
};

/** True when NX-OS takes the name for an object of this kind. */
export function isNxosName(kind: NamedKind, name: string): boolean {
  return names[kind].test(name);
}

/** The VSAN of a fabric: 1 to 4093 (4094 is the isolated VSAN). */
export interface Vsan {
  readonly id: number;
}

/** What one zone member line names. */
export type ZoneMember =
  | { readonly kind: "pwwn"; readonly value: Wwpn }
  | { readonly kind: AliasKind; readonly value: string }
  | { readonly kind: "fwwn"; readonly value: string }
  | { readonly kind: "fcid"; readonly value: string };

/** Lines of the exec and configuration modes for one VSAN. */
export const lines = {
  dontAsk: line("terminal dont-ask"),
  ask: line("no terminal dont-ask"),
  saveRunningConfig: line("copy running-config startup-config"),
  showVersion: line("show version"),
  showSwitchWwn: line("show wwn switch"),
  showInterfaceBrief: line("show interface brief"),
  showInterfaceCounters: line("show interface counters"),
  showLogins: line("show flogi database"),
  showClock: line("show clock"),
  showLog: line("show logging last 1000"),
  showAliasDatabase: line("show device-alias database"),
  showAliasStatus: line("show device-alias status"),
  showAliasPending: line("show device-alias pending-diff"),
  aliasDatabase: line("device-alias database"),
  aliasCommit: line("device-alias commit"),
  aliasAbort: line("device-alias abort"),

  showVsan: (vsan: Vsan): CliLine => line(`show vsan ${id(vsan)}`),
  showZoneStatus: (vsan: Vsan): CliLine => line(`show zone status vsan ${id(vsan)}`),
  showZones: (vsan: Vsan): CliLine => line(`show zone vsan ${id(vsan)}`),
  showZonesets: (vsan: Vsan): CliLine => line(`show zoneset vsan ${id(vsan)}`),
  showActive: (vsan: Vsan): CliLine => line(`show zoneset active vsan ${id(vsan)}`),
  showFcaliases: (vsan: Vsan): CliLine => line(`show fcalias vsan ${id(vsan)}`),
  showPending: (vsan: Vsan): CliLine => line(`show zone pending-diff vsan ${id(vsan)}`),
  showNameServer: (vsan: Vsan): CliLine => line(`show fcns database detail vsan ${id(vsan)}`),

  commit: (vsan: Vsan): CliLine => line(`zone commit vsan ${id(vsan)}`),
  discard: (vsan: Vsan): CliLine => line(`no zone commit vsan ${id(vsan)}`),
  activate: (zoneset: string, vsan: Vsan): CliLine =>
    line(`zoneset activate name ${named("zoneset", zoneset)} vsan ${id(vsan)}`),

  zone: (name: string, vsan: Vsan): CliLine =>
    line(`zone name ${named("zone", name)} vsan ${id(vsan)}`),
  noZone: (name: string, vsan: Vsan): CliLine =>
    line(`no zone name ${named("zone", name)} vsan ${id(vsan)}`),
  zoneset: (name: string, vsan: Vsan): CliLine =>
    line(`zoneset name ${named("zoneset", name)} vsan ${id(vsan)}`),
  fcalias: (name: string, vsan: Vsan): CliLine =>
    line(`fcalias name ${named("fcalias", name)} vsan ${id(vsan)}`),
  noFcalias: (name: string, vsan: Vsan): CliLine =>
    line(`no fcalias name ${named("fcalias", name)} vsan ${id(vsan)}`),
  deviceAlias: (name: string, wwpn: string): CliLine =>
    line(`device-alias name ${named("device-alias", name)} pwwn ${wwn(wwpn)}`),
  noDeviceAlias: (name: string): CliLine =>
    line(`no device-alias name ${named("device-alias", name)}`),

  /** Inside a zone or an fcalias. */
  member: (member: ZoneMember): CliLine => line(`member ${memberText(member)}`),
  noMember: (member: ZoneMember): CliLine => line(`no member ${memberText(member)}`),
  /** Inside a zoneset. */
  memberZone: (zone: string): CliLine => line(`member ${named("zone", zone)}`),
  noMemberZone: (zone: string): CliLine => line(`no member ${named("zone", zone)}`),
};

/** Several lines as the one string that NX-API takes: a semicolon with a blank on both sides parts them. */
export function joinLines(list: readonly CliLine[]): string {
  return list.join(" ; ");
}

function memberText(member: ZoneMember): string {
  switch (member.kind) {
    case "pwwn":
    case "fwwn":
      return `${member.kind} ${wwn(member.value)}`;
    case "device-alias":
      return `device-alias ${named("device-alias", member.value)}`;
    case "fcalias":
      return `fcalias ${named("fcalias", member.value)}`;
    case "fcid":
      if (!/^0x[0-9a-f]{6}$/.test(member.value)) throw unsafe("FC ID", member.value);
      return `fcid ${member.value}`;
  }
}

function named(kind: NamedKind, name: string): string {
  if (!isNxosName(kind, name)) throw unsafe(`${kind} name`, name);
  return name;
}

function wwn(text: string): string {
  const canonical = parseWwpn(text);
  if (canonical === undefined) throw unsafe("WWN", text);
  return canonical;
}

function id(vsan: Vsan): string {
  if (!Number.isInteger(vsan.id) || vsan.id < 1 || vsan.id > 4093) {
    throw unsafe("VSAN", String(vsan.id));
  }
  return vsan.id.toString();
}

/** The plan has refused such names before (see `mds-limits.ts`): that it comes here is a bug. */
function unsafe(what: string, text: string): SanbedError {
  return new SanbedError("cli", `${JSON.stringify(text)} may not be put into a command as ${what}`);
}

function line(text: string): CliLine {
  return text as CliLine;
}
