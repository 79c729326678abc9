import type { Bytes } from "../../bed/units";
import type { DeviceCall } from "./call";

/** A virtual disk, from the machine down to the block devices that it lies on. */
export interface MachineDisk {
  /** Number of the SCSI controller, and the disk's unit on it (7 is the controller's own). */
  readonly controller: number;
  readonly unit: number;
  /** As the guest sees it where the machine shows it (`disk.EnableUUID`); small letters, with dashes. */
  readonly uuid: string;
  /** `[datastore] folder/name.vmdk`. */
  readonly file: string;
  readonly capacityBytes: Bytes;
  readonly datastore: string;
  /** Canonical names of the datastore's extents; empty for one that is no VMFS. */
  readonly blockDevices: readonly string[];
}

/** A virtual machine as it stands now. */
export interface MachineFacts {
  readonly uuid: string;
  readonly name: string;
  /** Host that it runs on. */
  readonly host: string;
  readonly poweredOn: boolean;
  /** The guest sees the UUIDs of its disks. */
  readonly showsDiskUuids: boolean;
  readonly disks: readonly MachineDisk[];
}

/** Where machines are and what their disks lie on. */
export interface MachineView {
  /** Machines by their BIOS UUID. One that is not there is missing in the answer. */
  machines(call: DeviceCall, uuids: readonly string[]): Promise<readonly MachineFacts[]>;
}
