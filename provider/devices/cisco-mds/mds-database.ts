import { createHash } from "node:crypto";
import { parseWwpn } from "../../../bed/identities";
import type { Zone, ZoneConfig, ZoningState } from "../fabric-switch";
import type { AliasKind } from "./cli-line";
import { fcaliasKey, readActiveMember, readMember, type AliasKinds } from "./mds-members";
import { rowsOf, textOf, wholeOf } from "./tables";

/** The structured answers that the database is read from; undefined where the switch says "not present". */
export interface DatabaseAnswers {
  readonly status: unknown;
  readonly zones: unknown;
  readonly zonesets: unknown;
  readonly active: unknown;
  /** `"unknown"` where the switch does not know the command. */
  readonly fcaliases: unknown;
  readonly aliases: unknown;
  readonly aliasStatus: unknown;
}

/** The zone server of the VSAN. */
export interface ZoneStatus {
  /** Enhanced: edits are staged in a session. Basic: they change the full database at once. */
  readonly enhanced: boolean;
  /** Who holds the session, in the switch's words; undefined when nobody does. */
  readonly session: string | undefined;
  /** Last operation of the zone server, `Activation completed at ...`. */
  readonly operation: string;
  /** It has not ended yet: what is read may be of before it or of after. */
  readonly working: boolean;
  readonly defaultAccess: "none" | "all";
  readonly usedBytes: bigint | undefined;
  readonly maxBytes: bigint | undefined;
}

/** The device alias service of the physical fabric. */
interface AliasStatus {
  /** Enhanced: zones keep the alias as their member. Basic: they keep the WWPN behind it. */
  readonly enhanced: boolean;
  /** Edits are staged and committed to the whole fabric. Off: they change this switch at once. */
  readonly distributed: boolean;
  /** Who holds the lock, in the switch's words. */
  readonly holder: string | undefined;
}

export interface MdsDatabase {
  readonly state: ZoningState;
  readonly kinds: AliasKinds;
  readonly status: ZoneStatus;
  readonly aliasStatus: AliasStatus;
  /** False where the switch does not know fcaliases at all. */
  readonly hasFcaliases: boolean;
}

/** Undefined: the answers are not of the documented form; `what` says which. */
export function readDatabase(
  answers: DatabaseAnswers,
  vsan: number,
): MdsDatabase | { readonly malformed: string } {
  const status = readZoneStatus(answers.status, vsan);
  if (status === undefined) return { malformed: "show zone status" };
  const aliasStatus = readAliasStatus(answers.aliasStatus);
  if (aliasStatus === undefined) return { malformed: "show device-alias status" };
  const deviceAliases = readDeviceAliases(answers.aliases);
  const names = new Set(deviceAliases.keys());
  const fcaliases = readFcaliases(answers.fcaliases, vsan, deviceAliases);
  const content = {
    aliases: new Map([...deviceAliases, ...fcaliases]),
    zones: readZones(answers.zones, vsan, names),
    configs: readZonesets(answers.zonesets, vsan),
    effective: readEffective(answers.active, vsan, names, deviceAliases),
    defaultAccess: status.defaultAccess,
  };
  const kinds = new Map<string, AliasKind>([
    ...[...deviceAliases.keys()].map((name) => [name, "device-alias"] as const),
    ...[...fcaliases.keys()].map((name) => [name, "fcalias"] as const),
  ]);
  const hasFcaliases = answers.fcaliases !== "unknown";
  return {
    state: { ...content, version: digestOf(content) },
    kinds,
    status,
    aliasStatus,
    hasFcaliases,
  };
}

/** Stands in for the checksum that NX-OS does not have: equal if and only if nothing has changed. */
export function digestOf(content: Omit<ZoningState, "version">): string {
  const sorted = (map: ReadonlyMap<string, readonly string[]>): unknown =>
    [...map].map(([name, members]) => [name, [...members].sort()] as const).sort(byName);
  const zones = new Map([...content.zones].map(([name, zone]) => [name, zone.members]));
  const configs = new Map([...content.configs].map(([name, config]) => [name, config.zones]));
  const effective = content.effective;
  const text = JSON.stringify([
    sorted(content.aliases),
    sorted(zones),
    sorted(configs),
    effective === undefined ? null : [effective.name, sorted(effective.zones)],
    content.defaultAccess,
  ]);
  return createHash("sha256").update(text).digest("hex");
}

export function readZoneStatus(body: unknown, vsan: number): ZoneStatus | undefined {
  const row = rowsOf(body, "zone_status").find((one) => isOf(one, vsan));
  const mode = textOf(row, "mode");
  const session = textOf(row, "session");
  if (mode === undefined || session === undefined) return undefined;
  const operation = textOf(row, "status") ?? "";
  return {
    enhanced: /enhanced/i.test(mode),
    // Anything else than none is a holder, in whatever words (cisco.nxos issue 90).
    session: session.toLowerCase() === "none" ? undefined : session,
    operation,
    working: /in progress|initiated/i.test(operation),
    defaultAccess: textOf(row, "default_zone") === "permit" ? "all" : "none",
    usedBytes: wholeOf(row, "effectivedb_dbsize"),
    maxBytes: wholeOf(row, "maxdb_dbsize"),
  };
}

function readAliasStatus(body: unknown): AliasStatus | undefined {
  const distribution = textOf(body, "fabric_distribution");
  const mode = textOf(body, "database_mode");
  if (distribution === undefined || mode === undefined) return undefined;
  const user = textOf(body, "Locked_by_user");
  const by = textOf(body, "Locked_by_SWWN");
  return {
    enhanced: /enhanced/i.test(mode),
    distributed: /enabled/i.test(distribution),
    holder: user === undefined ? by : `${user}${by === undefined ? "" : ` on switch ${by}`}`,
  };
}

function readDeviceAliases(body: unknown): ReadonlyMap<string, readonly string[]> {
  return new Map(
    rowsOf(body, "device_alias_database").flatMap((row) => {
      const name = textOf(row, "dev_alias_name");
      const wwpn = parseWwpn(textOf(row, "pwwn") ?? "");
      return name === undefined || wwpn === undefined ? [] : [[name, [wwpn]] as const];
    }),
  );
}

function readFcaliases(
  body: unknown,
  vsan: number,
  deviceAliases: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, readonly string[]> {
  const names = new Set(deviceAliases.keys());
  return new Map(
    rowsOf(body, "fcalias")
      .filter((row) => isOf(row, vsan))
      .flatMap((row) => {
        const name = textOf(row, "fcalias_name", "name");
        if (name === undefined) return [];
        const members = rowsOf(row, "fcalias_member").map((member) => readMember(member, names));
        // A device alias inside an fcalias stands for its WWPN.
        const resolved = members.flatMap((member) => deviceAliases.get(member) ?? [member]);
        return [[fcaliasKey(name, names), resolved] as const];
      }),
  );
}

function readZones(
  body: unknown,
  vsan: number,
  names: ReadonlySet<string>,
): ReadonlyMap<string, Zone> {
  return new Map(
    rowsOf(body, "zone")
      .filter((row) => isOf(row, vsan))
      .flatMap((row) => {
        const name = textOf(row, "name", "zone_name");
        if (name === undefined) return [];
        const members = memberRows(row).map((member) => readMember(member, names));
        return [[name, { name, members, type: "standard" }] as const];
      }),
  );
}

function readZonesets(body: unknown, vsan: number): ReadonlyMap<string, ZoneConfig> {
  return new Map(
    rowsOf(body, "zoneset")
      .filter((row) => isOf(row, vsan))
      .flatMap((row) => {
        const name = textOf(row, "name", "zoneset_name");
        if (name === undefined) return [];
        const zones = [...rowsOf(row, "zone"), ...rowsOf(row, "zoneset_member")];
        const list = zones.flatMap((zone) => textOf(zone, "name", "zone_name") ?? []);
        return [[name, { name, zones: list }] as const];
      }),
  );
}

function readEffective(
  body: unknown,
  vsan: number,
  names: ReadonlySet<string>,
  deviceAliases: ReadonlyMap<string, readonly string[]>,
): ZoningState["effective"] {
  const row = rowsOf(body, "zoneset").find((one) => isOf(one, vsan));
  const name = textOf(row, "name", "zoneset_name");
  if (name === undefined) return undefined;
  const zones = rowsOf(row, "zone").flatMap((zone) => {
    const zoneName = textOf(zone, "name", "zone_name");
    // Inter-VSAN routing puts zones of its own into the active zoneset, and again after each activation.
    if (zoneName === undefined || zoneName.startsWith("IVRZ_")) return [];
    const members = memberRows(zone)
      .map((member) => readActiveMember(member, names))
      .flatMap((member) => deviceAliases.get(member) ?? [member]);
    return [[zoneName, members] as const];
  });
  return { name, zones: new Map(zones) };
}

/** `show zone` and `show zoneset` name the same table differently. */
function memberRows(zone: unknown): readonly Readonly<Record<string, unknown>>[] {
  return [...rowsOf(zone, "zone_member"), ...rowsOf(zone, "member")];
}

/** Rows without a VSAN come from a question about one VSAN. */
function isOf(row: unknown, vsan: number): boolean {
  const of = textOf(row, "vsan", "vsan_id", "fcalias_vsan_id");
  return of === undefined || of === vsan.toString();
}

function byName(a: readonly [string, ...unknown[]], b: readonly [string, ...unknown[]]): number {
  return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;
}
