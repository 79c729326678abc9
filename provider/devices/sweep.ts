import type { BedId, DeviceName } from "../../bed/identities";
import type { DeviceCall } from "./call";
import type { DataProtocol } from "./data-protocol";

/**
 * Removing whatever still carries a bed's mark, for what never reached the state (a killed engine or
 * plugin). Each answers the names of what it removed, `<class> <name>`; nothing marked: no write.
 * Never touches an object without the mark; refuses (`refused`) what foreign objects still use.
 */
export interface FabricSweeper {
  /**
   * Zones and aliases of the bed, in one transaction. A zone has no mark of its own, and anybody may put
   * our alias into one of theirs: only those of `zones`, which the bed noted when it made them, go.
   */
  sweep(call: DeviceCall, bedId: BedId, zones: readonly string[]): Promise<readonly string[]>;
}

/** A volume of the bed in a host group of the bed. */
export interface RemainingMap {
  readonly protocol: DataProtocol;
  readonly target: string;
  readonly volume: string;
  readonly group: string;
  /** What hosts call the volume. */
  readonly device: DeviceName;
}

interface Remaining {
  readonly protocol: DataProtocol;
  readonly target: string;
  readonly name: string;
}

/** What carries the bed's mark on an array, recorded or not; `target` is the tenant it is in. */
export interface ArrayRemains {
  readonly maps: readonly RemainingMap[];
  readonly volumes: readonly Remaining[];
  readonly groups: readonly Remaining[];
}

export interface ArraySweeper {
  remains(call: DeviceCall, bedId: BedId): Promise<ArrayRemains>;
  /** Host device names of the bed's volumes, so that hosts can let go of them first. */
  markedDevices(call: DeviceCall, bedId: BedId): Promise<readonly DeviceName[]>;
  /** Maps, volumes, host groups, ports, services and tenants of the bed, in this order. */
  sweep(call: DeviceCall, bedId: BedId): Promise<readonly string[]>;
}

export interface HostSweeper {
  /**
   * Machines of the bed (they lie in a folder that carries the mark, and carry it themselves or were
   * never started and have one of the names in `planned`), datastores that lie on `devices` alone, then the marked folders, groups and rules;
   * then detaches `devices` on every host.
   */
  sweep(
    call: DeviceCall,
    bedId: BedId,
    devices: readonly DeviceName[],
    planned: readonly string[],
  ): Promise<readonly string[]>;
  readonly remains: HostRemains;
}

/**
 * What a bed may have left in a hypervisor's inventory without knowing of it, part by part. For the
 * moment in which everything that the bed knows of is gone there: the rest is in the way.
 */
export interface HostRemains {
  /**
   * Machines of the bed in one marked folder; `planned` are the names that the bed gives its machines.
   * Those of others in it: `refused`, by name.
   */
  machines(
    call: DeviceCall,
    bedId: BedId,
    folder: string,
    planned: readonly string[],
  ): Promise<readonly string[]>;
  /** Datastores that lie on `devices` alone; with machines on them, or reaching further: `refused`. */
  datastores(call: DeviceCall, devices: readonly DeviceName[]): Promise<readonly string[]>;
}
