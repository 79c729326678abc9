import type { BedId, Naa } from "../../bed/identities";
import type { DeviceCall } from "./call";

/**
 * Removing whatever still carries a bed's mark, for what never reached the state (a killed engine or
 * plugin). Each answers the names of what it removed, `<class> <name>`; nothing marked: no write.
 * Never touches an object without the mark; refuses (`refused`) what foreign objects still use.
 */
export interface FabricSweeper {
  /** Zones and aliases of the bed, in one transaction. */
  sweep(call: DeviceCall, bedId: BedId): Promise<readonly string[]>;
}

export interface ArraySweeper {
  /** Host device names of the bed's volumes, so that hosts can let go of them first. */
  markedDevices(call: DeviceCall, bedId: BedId): Promise<readonly Naa[]>;
  /** Maps, volumes, host groups, ports, services and tenants of the bed, in this order. */
  sweep(call: DeviceCall, bedId: BedId): Promise<readonly string[]>;
}

export interface HostSweeper {
  /**
   * Machines of the bed (annotation or folder carries the mark), then datastores in the bed's folders
   * or on `devices`, then the folders, groups and rules; then detaches `devices` on every host.
   */
  sweep(call: DeviceCall, bedId: BedId, devices: readonly Naa[]): Promise<readonly string[]>;
}
