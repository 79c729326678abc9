import type { Wwnn, Wwpn } from "../../bed/identities";
import type { DeviceCall, InventoryObject } from "./call";
import type { PortSnapshot, SwitchEvent } from "./fabric-evidence";
import type { FabricSweeper } from "./sweep";

/** A device that is logged in to the fabric, from its name server. */
export interface FabricLogin {
  readonly wwpn: Wwpn;
  readonly wwnn: Wwnn;
  /** Fabric address (FC ID) as six hex digits. */
  readonly portId: string;
  /** Role the device registered, where it registered one. */
  readonly role: "initiator" | "target" | "both" | undefined;
  /** Name of the physical port behind a virtual (NPIV) login, or the port's own. */
  readonly physicalWwpn: Wwpn | undefined;
  readonly symbolicName: string;
}

/** Members are WWPNs in canonical form, alias names, or `domain,index` as the switch shows them. */
export interface Zone {
  readonly name: string;
  readonly members: readonly string[];
  /** `standard`, or the switch's own word for a kind that we never touch (peer, target-created). */
  readonly type: string;
}

export interface ZoneConfig {
  readonly name: string;
  readonly zones: readonly string[];
}

/** The zoning database of one fabric as one switch shows it. */
export interface ZoningState {
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  readonly zones: ReadonlyMap<string, Zone>;
  readonly configs: ReadonlyMap<string, ZoneConfig>;
  readonly effective:
    { readonly name: string; readonly zones: ReadonlyMap<string, readonly string[]> } | undefined;
  /** What may talk where no effective configuration decides. */
  readonly defaultAccess: "none" | "all";
  /** Value that changes with every commit; the commit is refused if it moved. */
  readonly version: string;
}

/** A change of the database. Lists are whole: members of an upserted object replace the old ones. */
export interface ZoningChange {
  readonly upsertAliases: ReadonlyMap<string, readonly string[]>;
  readonly upsertZones: ReadonlyMap<string, readonly string[]>;
  readonly removeAliases: readonly string[];
  readonly removeZones: readonly string[];
}

/** A staged change that is not in force yet. Exactly one of the two methods is called, once. */
export interface ZoningTransaction {
  /** The database that the change was planned on; another one when `commit` had to plan anew. */
  readonly before: ZoningState;
  /** What the plan wanted on that base. */
  readonly change: ZoningChange;
  /** Commits and makes it effective, then proves it by a fresh read; answers what was read. */
  commit(call: DeviceCall): Promise<ZoningState>;
  /** Drops our own staged change. Never anybody else's. Safe to repeat. */
  abort(call: DeviceCall): Promise<void>;
}

export interface FabricFacts {
  readonly model: string;
  readonly firmware: string;
  readonly switchName: string;
  readonly switchWwn: string;
  readonly fabricName: string | undefined;
  /** Since the switch was started; undefined where it does not say. */
  readonly uptimeSeconds: number | undefined;
}

/**
 * One fabric, through one of its switches. Every method is idempotent and may be called again.
 * @throws {DeviceError} of every documented kind; `locked` names the holder of the lock.
 */
export interface FabricSwitch extends FabricSweeper {
  readonly device: string;
  facts(call: DeviceCall): Promise<FabricFacts>;
  /** Complete list of the name server; empty when nobody is logged in. */
  logins(call: DeviceCall): Promise<readonly FabricLogin[]>;
  zoning(call: DeviceCall): Promise<ZoningState>;
  /**
   * Reads the database, asks `plan` what to change on that base, and stages it in one transaction,
   * with the effective configuration joined (zones added to and removed from it; never another
   * enabled). `plan` is pure and may be asked again on a new base when the database moved.
   * Answers undefined when nothing is to be changed: then nothing was written, and nobody's
   * transaction was waited for.
   */
  stage(
    call: DeviceCall,
    plan: (state: ZoningState) => ZoningChange,
  ): Promise<ZoningTransaction | undefined>;
  /**
   * The commands of the switch's own command line that would do what `stage` and `commit` would with
   * this change on this database; none when everything is so already. Touches nothing.
   * @throws {DeviceError} `refused` for what `stage` would refuse on this database.
   */
  commands(state: ZoningState, change: ZoningChange): readonly string[];
  /** State, speed, attached ports and counters of every port of this switch. */
  ports(call: DeviceCall): Promise<PortSnapshot>;
  /** Event log of this switch since that moment (milliseconds since the epoch), oldest first. */
  events(call: DeviceCall, sinceMs: number): Promise<readonly SwitchEvent[]>;
  /** Aliases, zones, configurations, the effective set. Logins of devices are not part of it. */
  inventory(call: DeviceCall): Promise<readonly InventoryObject[]>;
  /** Ends the session on the switch. Called when the plugin stops. */
  close(): Promise<void>;
}
