import type { BedId } from "../../bed/identities";
import type { DeviceCall } from "./call";
import type { HostStorage } from "./host-storage";

interface DatastoreMount {
  readonly host: string;
  readonly mounted: boolean;
  /** False: the host has it mounted and does not reach it. */
  readonly accessible: boolean;
}

/** What the hypervisor or one of its hosts itself keeps on an object, and what lets go of it. */
export interface Hold {
  /** What it is, as its owner calls it. */
  readonly what: string;
  /** The host that does it; undefined: the hypervisor's management. */
  readonly host: string | undefined;
  /** What a person does about it, as a sentence. */
  readonly remedy: string;
}

/** Holds on some devices and on the datastores on them. */
export interface StorageHolds {
  /** By the datastore's id. */
  readonly datastores: ReadonlyMap<string, readonly Hold[]>;
  /** By the device's name. */
  readonly devices: ReadonlyMap<string, readonly Hold[]>;
}

export interface DatastoreUse {
  /** The hypervisor's own id; names are unique in one datacenter only. */
  readonly id: string;
  readonly name: string;
  /** Place in the inventory, the name included. */
  readonly path: string;
  /** Devices that it lies on, as hosts call them; empty for what is no block storage. */
  readonly devices: readonly string[];
  readonly mounts: readonly DatastoreMount[];
  /** Ids of machines that use something on it, images in their drives included. */
  readonly machines: readonly string[];
}

export interface MachineUse {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly template: boolean;
  readonly running: boolean;
  readonly host: string | undefined;
  /** The bed that it belongs to: it lies in a folder with the mark and carries the mark itself. */
  readonly bedId: BedId | undefined;
  /** Snapshots of it, which go with it. */
  readonly snapshots: number;
  /** The hypervisor keeps this machine for itself: nobody else may remove it. */
  readonly agent: Hold | undefined;
}

export interface StorageUse {
  readonly datastores: readonly DatastoreUse[];
  readonly machines: readonly MachineUse[];
  /** Hosts in maintenance: they answer, and nothing can be started or moved there. */
  readonly inMaintenance: readonly string[];
}

/** Hypervisors that tell who uses a datastore. Reads only. */
export interface StorageUseTeller {
  storageUse(call: DeviceCall): Promise<StorageUse>;
  /**
   * Files on a datastore (by its id) that belong to no machine which the hypervisor knows, `[name]
   * folder/file`. What the file system and the hypervisor keep there for themselves is left out.
   */
  strayFiles(call: DeviceCall, datastore: string): Promise<readonly string[]>;
  /** What beside machines and files keeps the devices, or the datastores on them, from being taken away. */
  holds(call: DeviceCall, devices: readonly string[]): Promise<StorageHolds>;
}

export function tellsStorageUse(hosts: HostStorage): hosts is HostStorage & StorageUseTeller {
  return "storageUse" in hosts;
}
