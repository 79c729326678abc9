import { parseWwnn, parseWwpn } from "../../../bed/identities";
import type { FabricLogin, Zone, ZoneConfig, ZoningState } from "../fabric-switch";
import type { WireDefined, WireEffective, WireLogin, WireZone } from "./wire";

/** FOS keeps "no access by default" as a configuration of this name; it is not one of anybody's. */
const hiddenConfig = "d__efault__Cfg";

/** What one read of the database gives beyond the neutral state. */
export interface FosDatabase {
  readonly state: ZoningState;
  /** Not 0 while a transaction is open on this switch. */
  readonly transactionToken: number;
  /** Room that is left in the database, in bytes; undefined where the switch does not say. */
  readonly availableBytes: number | undefined;
}

export function toDatabase(defined: WireDefined, effective: WireEffective): FosDatabase {
  const configs = defined.cfg.filter((cfg) => cfg["cfg-name"] !== hiddenConfig).map(toConfig);
  const name = effective["cfg-name"];
  return {
    state: {
      aliases: new Map(
        defined.alias.map((entry) => [
          entry["alias-name"],
          (entry["member-entry"]?.["alias-entry-name"] ?? []).map(canonicalMember),
        ]),
      ),
      zones: new Map(defined.zone.map((entry) => [entry["zone-name"], toZone(entry)])),
      configs: new Map(configs.map((config) => [config.name, config])),
      effective:
        name === undefined || name === "" || name === hiddenConfig
          ? undefined
          : {
              name,
              zones: new Map(
                effective["enabled-zone"].map((entry) => [
                  entry["zone-name"],
                  toZone(entry).members,
                ]),
              ),
            },
      defaultAccess: effective["default-zone-access"] === 1 ? "all" : "none",
      version: effective.checksum,
    },
    transactionToken: effective["transaction-token"] ?? 0,
    availableBytes: effective["db-avail"],
  };
}

/** WWNs in canonical form; alias names and `domain,index` as they are. */
function canonicalMember(member: string): string {
  return parseWwpn(member) ?? member;
}

export function toLogin(entry: WireLogin): FabricLogin | undefined {
  const wwpn = parseWwpn(entry["port-name"]);
  const wwnn = parseWwnn(entry["node-name"]);
  if (wwpn === undefined || wwnn === undefined) return undefined;
  return {
    wwpn,
    wwnn,
    portId: entry["port-id"].replace(/^0x/i, "").toLowerCase(),
    role: roleOf(entry),
    physicalWwpn: parseWwpn(entry["permanent-port-name"] ?? ""),
    // The switch prints the length before the text: `[30] "text"`.
    symbolicName: (entry["port-symbolic-name"] ?? "").replace(/^\[\d+\] "(.*)"$/s, "$1"),
  };
}

function roleOf(entry: WireLogin): FabricLogin["role"] {
  const registered = `${entry["fc4-features"] ?? ""} ${entry["name-server-device-type"] ?? ""}`;
  const initiator = /initiator/i.test(registered);
  const target = /target/i.test(registered);
  if (initiator && target) return "both";
  return initiator ? "initiator" : target ? "target" : undefined;
}

function toConfig(cfg: WireDefined["cfg"][number]): ZoneConfig {
  return { name: cfg["cfg-name"], zones: cfg["member-zone"]?.["zone-name"] ?? [] };
}

function toZone(entry: WireZone): Zone {
  const members = entry["member-entry"];
  return {
    name: entry["zone-name"],
    members: [...(members?.["entry-name"] ?? []), ...(members?.["principal-entry-name"] ?? [])].map(
      canonicalMember,
    ),
    type: zoneType(entry),
  };
}

function zoneType(entry: WireZone): string {
  const word = entry["zone-type-string"];
  if (word !== undefined) return word === "zone" ? "standard" : word;
  const numbered = ["standard", "user-created-peer-zone", "target-created-peer-zone"];
  const type = entry["zone-type"] ?? 0;
  return numbered[type] ?? `type ${type.toString()}`;
}
