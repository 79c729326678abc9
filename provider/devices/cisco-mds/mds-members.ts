import { parseWwpn } from "../../../bed/identities";
import type { AliasKind, ZoneMember } from "./cli-line";
import { textOf } from "./tables";

/** Which family an alias is of, by the name under which the neutral database knows it. */
export type AliasKinds = ReadonlyMap<string, AliasKind>;

/**
 * Name of an fcalias in the neutral database. Device aliases and fcaliases have name spaces of their own:
 * an fcalias whose name a device alias has too is told apart by a prefix that no name can have.
 */
export function fcaliasKey(name: string, deviceAliases: ReadonlySet<string>): string {
  return deviceAliases.has(name) ? `fcalias ${name}` : name;
}

/**
 * A row of a zone's or an fcalias's members in neutral form: WWPN, alias name, or the switch's own words
 * for what no change of ours ever names. Field names as in the MDS NX-API reference (zoning) and mdssdk;
 * inside an fcalias they carry the prefix `fcalias_`.
 */
export function readMember(row: unknown, deviceAliases: ReadonlySet<string>): string {
  const field = (...keys: string[]): string | undefined =>
    textOf(row, ...keys, ...keys.map((key) => `fcalias_${key}`));
  const type = textOf(row, "type", "fcalias_member_type") ?? "";
  const wwn = parseWwpn(field("wwn") ?? "");
  switch (type) {
    case "pwwn":
      if (wwn !== undefined) return wwn;
      break;
    case "device-alias": {
      const name = field("dev_alias", "device_alias");
      if (name !== undefined) return name;
      break;
    }
    case "fcalias": {
      const name = textOf(row, "fcalias_name");
      if (name !== undefined) return fcaliasKey(name, deviceAliases);
      break;
    }
    case "fcid":
    case "fwwn": {
      const value = wwn ?? field("fcid");
      if (value !== undefined) return `${type} ${value}`;
      break;
    }
  }
  return otherMember(type, row);
}

/** Members that only the active zoneset resolves: the WWPN behind a device alias, where it is given. */
export function readActiveMember(row: unknown, deviceAliases: ReadonlySet<string>): string {
  const resolved = parseWwpn(textOf(row, "dev_alias_pwwn") ?? "");
  return resolved ?? readMember(row, deviceAliases);
}

/** The command's form of a neutral member; undefined for what we can show but not write. */
export function memberOf(member: string, kinds: AliasKinds): ZoneMember | undefined {
  const kind = kinds.get(member);
  if (kind !== undefined) return { kind, value: member.replace(/^fcalias /, "") };
  const wwpn = parseWwpn(member);
  if (wwpn !== undefined) return { kind: "pwwn", value: wwpn };
  const [, word, value] = /^(fcid|fwwn) (\S+)$/.exec(member) ?? [];
  if (word === undefined || value === undefined) return undefined;
  return { kind: word === "fcid" ? "fcid" : "fwwn", value };
}

/** `interface fc1/5 20:00:...`: every field that names the member, none that tells its present state. */
function otherMember(type: string, row: unknown): string {
  const state = /^(?:type|fcalias_member_type|online_fcid|dev_type)$/;
  const fields = Object.entries(row as Record<string, unknown>)
    .filter(([key, value]) => !state.test(key) && typeof value !== "object")
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([, value]) => String(value).trim());
  return [type === "" ? "member" : type, ...fields].join(" ");
}
