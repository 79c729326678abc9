import type { DeviceName, Nqn, Wwnn, Wwpn } from "../../bed/identities";
import type { Bytes } from "../../bed/units";
import type { DeviceCall, InventoryObject } from "./call";
import type { HostSweeper } from "./sweep";

export interface HostAdapter {
  /** Name on the host, `vmhba2`. */
  readonly name: string;
  readonly wwpn: Wwpn;
  readonly wwnn: Wwnn;
  readonly protocol: "scsi" | "nvme";
  readonly online: boolean;
  readonly speedGbps: number | undefined;
}

export interface DevicePath {
  readonly adapter: string;
  /** Undefined for a dead path whose target the host has forgotten. */
  readonly targetWwpn: Wwpn | undefined;
  readonly lun: number | undefined;
  readonly state: "active" | "standby" | "disabled" | "dead" | "unknown";
}

/** A block device as one host sees it. */
export interface HostDevice {
  readonly name: DeviceName;
  /** `ok`, `off` (detached), `lostCommunication`, or the host's own word. */
  readonly state: string;
  readonly capacityBytes: Bytes;
  readonly vendor: string;
  readonly model: string;
  readonly paths: readonly DevicePath[];
  /** Path selection, `VMW_PSP_RR` for SCSI, `LB-RR` for NVMe. */
  readonly policy: string | undefined;
  /** Outstanding requests that the host allows on it (per device, with several guests on it). */
  readonly queueDepth: number | undefined;
  /** Outstanding requests that the driver of the adapter takes for it, whatever is set; undefined: not told. */
  readonly maxQueueDepth?: number | undefined;
  /** Name of the VMFS datastore on it, if one is mounted or known on this host. */
  readonly datastore: string | undefined;
}

/** Settings of a block device on one host; what is undefined stays as it is. */
export interface DeviceSettings {
  readonly device: DeviceName;
  /** Path selection, `VMW_PSP_RR` for SCSI, `LB-RR` for NVMe. */
  readonly policy?: string | undefined;
  /** Outstanding requests per device with several guests on it (DSNRO on ESXi). */
  readonly queueDepth?: number | undefined;
  /** What {@link HostStorage.devices} has just told of it: then it is not read again. */
  readonly seen?: HostDevice | undefined;
}

export interface HostInfo {
  readonly name: string;
  /** Managed object id, `host-21`. */
  readonly id: string;
  readonly cluster: string | undefined;
  readonly connected: boolean;
  readonly version: string;
  /** Name of the host over NVMe, as far as the hypervisor tells; some tell it only since late releases. */
  readonly nqn?: Nqn | undefined;
}

/** A connection of a host to an NVMe subsystem through one adapter and one target port. */
export interface NvmeController {
  readonly adapter: string;
  readonly subsystem: Nqn;
  readonly namespaces: readonly {
    readonly nsid: number | undefined;
    /** Undefined while the host has no path to it. */
    readonly device: DeviceName | undefined;
  }[];
}

/** A target port that serves NVMe. */
export interface NvmeTarget {
  readonly wwpn: Wwpn;
  readonly wwnn: Wwnn;
}

/** Connections over NVMe. Hosts connect by themselves when they rescan; this is for what they did not find. */
export interface HostNvme {
  controllers(call: DeviceCall, host: string): Promise<readonly NvmeController[]>;
  /** Looks through every NVMe adapter of the host for controllers at the targets, and connects. */
  connect(call: DeviceCall, host: string, targets: readonly NvmeTarget[]): Promise<void>;
  /** Ends the host's connections to the subsystem that hold no namespace. */
  disconnect(call: DeviceCall, host: string, subsystem: Nqn): Promise<void>;
}

/**
 * The storage side of the hypervisor hosts of one vCenter. Everything is idempotent.
 * Hosts and devices that are not there: `notFound`.
 */
export interface HostStorage extends HostSweeper {
  readonly device: string;
  readonly nvme: HostNvme;
  hosts(call: DeviceCall): Promise<readonly HostInfo[]>;
  adapters(call: DeviceCall, host: string): Promise<readonly HostAdapter[]>;
  /**
   * Fibre Channel devices only, or just those named. Queue depths are a request of their own on some
   * hypervisors: `queueDepths: false` leaves them out.
   */
  devices(
    call: DeviceCall,
    host: string,
    only?: readonly DeviceName[],
    options?: { readonly queueDepths?: boolean },
  ): Promise<readonly HostDevice[]>;
  /** All adapters, then VMFS, on each host in parallel. Concurrent calls for a host share one rescan. */
  rescan(call: DeviceCall, hosts: readonly string[]): Promise<void>;
  /** Those of `devices` that carry a VMFS signature which the host does not resolve (stale copies). */
  staleSignatures(
    call: DeviceCall,
    host: string,
    devices: readonly DeviceName[],
  ): Promise<readonly DeviceName[]>;
  /** Sets what is given and differs. A device that the host does not see: `notFound`. */
  configure(call: DeviceCall, host: string, settings: readonly DeviceSettings[]): Promise<void>;
  /** Unmounts the datastore on the devices (where one is left) and detaches them on this host. */
  detach(call: DeviceCall, host: string, devices: readonly DeviceName[]): Promise<void>;
  /** Takes the devices back in service, if they were detached. */
  attach(call: DeviceCall, host: string, devices: readonly DeviceName[]): Promise<void>;
  /** Forgets the state that the host keeps of detached devices which are gone. */
  purge(call: DeviceCall, host: string, devices: readonly DeviceName[]): Promise<void>;
  /**
   * Datastores, machines, folders, pools, rules, and per host the Fibre Channel devices with their
   * states and settings.
   */
  inventory(call: DeviceCall): Promise<readonly InventoryObject[]>;
  close(): Promise<void>;
}
