import { fabricOf } from "../world/fabric";
import { lines, type Output } from "./output";
import type { Shell } from "./shell";
import { type Body, table } from "./table";
import { switchTime } from "./time";
import type { ZoneControl } from "./zone-control";
import { activeDatabaseBytes, fullDatabaseBytes } from "./zone-size";

/** `show zone status`. Form: fixtures of cisco.nxos nxos_zone_zoneset; keys: mdssdk zonekeys.py. */
export function zoneStatus(shell: Shell, zonings: readonly ZoneControl[]): Output {
  const all = zonings.map((zoning) => factsOf(shell, zoning));
  return lines(all.flatMap(textOf), table("zone_status", all.map(bodyOf)));
}

interface Facts {
  readonly vsan: number;
  readonly defaultZone: string;
  readonly distribute: string;
  readonly mode: string;
  readonly session: string;
  readonly smart: string;
  readonly full: {
    readonly bytes: number;
    readonly zoneSets: number;
    readonly zones: number;
    readonly aliases: number;
  };
  readonly active:
    { readonly bytes: number; readonly name: string; readonly zones: number } | undefined;
  readonly pending: { readonly full: string; readonly active: string };
  readonly maxBytes: number;
  readonly status: string;
  readonly at: string | undefined;
}

function factsOf(shell: Shell, zoning: ZoneControl): Facts {
  const { committed: state, settings, session } = zoning;
  const { status } = zoning;
  const enhanced = settings.mode === "enhanced";
  const staged = session?.staged;
  const bytes = (value: number): string => `${value.toString()} bytes`;
  return {
    vsan: zoning.fabric.id ?? 1,
    defaultZone: state.permitDefault ? "permit" : "deny",
    distribute: settings.fullDistribution ? "full" : "active only",
    mode: settings.mode,
    session: sessionText(shell, zoning),
    smart: state.smartZoning ? "enabled" : "disabled",
    full: {
      bytes: fullDatabaseBytes(state),
      zoneSets: Object.keys(state.zoneSets).length,
      zones: Object.keys(state.zones).length,
      aliases: Object.keys(state.fcAliases).length,
    },
    active:
      state.active === undefined
        ? undefined
        : {
            bytes: activeDatabaseBytes(state.active),
            name: state.active.name,
            zones: Object.keys(state.active.zones).length,
          },
    pending: {
      full: enhanced ? bytes(staged === undefined ? 0 : fullDatabaseBytes(staged)) : "n/a",
      active: enhanced
        ? bytes(staged === undefined ? 0 : activeDatabaseBytes(staged.active))
        : "n/a",
    },
    maxBytes: shell.context.release.databaseMax,
    status: status.text,
    at: status.atMs === undefined ? undefined : switchTime(status.atMs).status,
  };
}

/**
 * Who holds the session. `none` and one word are what clients read (CoprHD, cisco.nxos); the rest of
 * the form is assumed: `cli [user]` here, `remote [dom: n][ip: a]` on the other switches.
 */
function sessionText(shell: Shell, zoning: ZoneControl): string {
  const owner = zoning.session?.owner;
  if (owner === undefined) return "none";
  if (owner.device === shell.context.device) return `cli [${owner.user}]`;
  const domain = fabricOf(shell.view, owner.device)?.switches[owner.device]?.domain ?? 0;
  return `remote [dom: ${domain.toString()}][ip: 127.0.0.1]`;
}

function textOf(facts: Facts): string[] {
  const { full, active, pending, maxBytes } = facts;
  const used = usage(facts);
  const attributeGroups = facts.mode === "enhanced" ? " Attribute-groups: 1" : "";
  return [
    `VSAN: ${facts.vsan.toString()} default-zone: ${facts.defaultZone} distribute: ${facts.distribute} Interop: default`,
    `    mode: ${facts.mode} merge-control: allow`,
    `    session: ${facts.session}`,
    `    hard-zoning: enabled broadcast: unsupported`,
    `    smart-zoning: ${facts.smart}`,
    `    rscn-format: fabric-address`,
    `    activation overwrite control: disabled`,
    `Default zone:`,
    `    qos: none broadcast: unsupported ronly: unsupported`,
    `Full Zoning Database :`,
    `    DB size: ${full.bytes.toString()} bytes`,
    `    Zonesets:${full.zoneSets.toString()}  Zones:${full.zones.toString()} Aliases: ${full.aliases.toString()}${attributeGroups}`,
    `Active Zoning Database :`,
    ...(active === undefined
      ? [`    Database Not Available`]
      : [
          `    DB size: ${active.bytes.toString()} bytes`,
          `    Name: ${active.name}  Zonesets:1  Zones:${active.zones.toString()}`,
        ]),
    `Current Total Zone DB Usage: ${used.bytes} / ${maxBytes.toString()} bytes (${used.percent} % used)`,
    `Pending (Session) DB size:`,
    `    Full DB Copy size: ${pending.full}`,
    `    Active DB Copy size: ${pending.active}`,
    `SFC size: ${used.bytes} / ${maxBytes.toString()} bytes (${used.percent} % used)`,
    ...statusLines(facts),
    "",
  ];
}

/** A failed operation has its time on a line of its own (fixtures of cisco.nxos). */
function statusLines({ status, at }: Facts): string[] {
  if (at === undefined) return [`Status: ${status}`];
  if (status.startsWith("Operation failed")) return [`Status: ${status}`, `        at ${at}`];
  return [`Status: ${status} at ${at}`];
}

function usage({ full, active, maxBytes }: Facts): { bytes: string; percent: string } {
  const bytes = full.bytes + (active?.bytes ?? 0);
  return { bytes: bytes.toString(), percent: Math.floor((bytes * 100) / maxBytes).toString() };
}

function bodyOf(facts: Facts): Body {
  const { full, active, maxBytes } = facts;
  const used = usage(facts);
  return {
    vsan: facts.vsan,
    default_zone: facts.defaultZone,
    distribute: facts.distribute,
    interop: "default",
    mode: facts.mode,
    merge_control: "allow",
    session: facts.session,
    hard_zoning: "enabled",
    broadcast: "unsupported",
    smart_zoning: facts.smart,
    rscn_format: "fabric-address",
    activation_overwrite_control: "disabled",
    fulldb_dbsize: full.bytes,
    fulldb_zoneset_count: full.zoneSets,
    fulldb_zone_count: full.zones,
    fulldb_aliases: full.aliases,
    ...(active === undefined
      ? {}
      : {
          activedb_dbsize: active.bytes,
          activedb_zoneset_name: active.name,
          activedb_zoneset_count: 1,
          activedb_zone_count: active.zones,
        }),
    effectivedb_dbsize: Number(used.bytes),
    maxdb_dbsize: maxBytes,
    percent_effectivedbsize: Number(used.percent),
    sfcsize: Number(used.bytes),
    max_sfcsize: maxBytes,
    percent_sfcsize: Number(used.percent),
    status: statusLines(facts)
      .map((line) => line.replace(/^Status: /, "").trim())
      .join(" "),
  };
}
