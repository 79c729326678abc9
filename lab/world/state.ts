import type { Naa, Wwnn, Wwpn } from "../../bed/identities";
import type { Bytes } from "../../bed/units";

/** A value that JSON can carry; what emulators keep beside the words that all families share. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = Record<string, Json>;

/** The whole emulated SAN as plain data. Records are keyed by the object's id or name as noted. */
export interface WorldState {
  /** By fabric name (`A`, `B`). */
  fabrics: Record<string, Fabric>;
  /** By array name (its device name in the site). */
  arrays: Record<string, StorageArray>;
  /** By host name (fully qualified). */
  hosts: Record<string, Host>;
  /** Ports of other people that are logged in and nothing more, by WWPN. */
  others: Record<string, OtherPort>;
  vcenter: VcenterNames;
}

/** Names that the hypervisor manager starts with. */
interface VcenterNames {
  datacenter: string;
  clusters: string[];
  /** Datastore of the site for boot disks, on every host. */
  datastore: string;
  network: string;
  templates: string[];
  /** vSphere release, `7.0`; kept over restarts. */
  release?: VsphereRelease;
}

/** Releases that the lab's vCenter runs as. */
export const vsphereReleases = ["6.5", "7.0", "8.0"] as const;

export type VsphereRelease = (typeof vsphereReleases)[number];

export interface OtherPort {
  wwpn: Wwpn;
  wwnn: Wwnn;
  role: "initiator" | "target";
  label: string;
  cable: Cable;
}

/**
 * A fabric of one or more switches. Zoning is one database per fabric. A switch that carries several
 * fabrics (VSANs, virtual fabrics) stands in each with its domain and ports of that fabric; a port is
 * in one of them.
 */
export interface Fabric {
  name: string;
  /** Number of the VSAN or virtual fabric; absent where the switch knows only one. */
  id?: number;
  /** By device name in the site, `fabricA`. */
  switches: Record<string, Switch>;
  zoning: Zoning;
  /** What only the switch's family knows; absent: its defaults. */
  attributes?: JsonObject;
}

type SwitchFamily = "brocade-fos" | "cisco-mds";

export interface Switch {
  /** Device name in the site. */
  device: string;
  /** Absent: Brocade. */
  family?: SwitchFamily;
  /** Name that the switch shows. */
  name: string;
  wwn: Wwnn;
  /** 1 to 239; first byte of every fabric address behind this switch. */
  domain: number;
  enabled: boolean;
  /** By `slot/port`. */
  ports: Record<string, SwitchPort>;
}

export interface SwitchPort {
  /** `0/5`. */
  name: string;
  /** Index within the switch; second byte of a fabric address, and the `I` of a `D,I` zone member. */
  index: number;
  wwn: Wwpn;
  enabled: boolean;
  /** True once the optics or the cable are pulled: nobody behind it is logged in. */
  failed: boolean;
  speedGbps: number;
  /** Absent: nothing counted yet. */
  counters?: PortCounters;
}

/** What a switch port counts; an absent one stands at zero. */
type PortCounters = Partial<Record<PortCounter, bigint>>;

export const portCounters = [
  "crcErrorCount",
  "encodingErrorCount",
  "linkFailureCount",
  "lossOfSyncCount",
  "lossOfSignalCount",
  "class3DiscardCount",
  "timeoutDiscardCount",
  "creditZeroCount",
  "creditLossCount",
  "invalidWordCount",
  "fecUncorrectedCount",
  "framesInCount",
  "framesOutCount",
  "octetsInCount",
  "octetsOutCount",
] as const;
export type PortCounter = (typeof portCounters)[number];

/** Zone types as the field numbers them: standard, user-made peer zone, target-made peer zone. */
export type ZoneType = 0 | 1 | 2;

export interface ZoneBody {
  type: ZoneType;
  /** Alias names (defined side only), WWNs or `domain,index`. */
  members: string[];
  /** Peer zones only: those that talk to every other member. */
  principals: string[];
}

/** Defined database, as edited; committed by a save or an enable. */
export interface ZoningDatabase {
  aliases: Record<string, string[]>;
  zones: Record<string, ZoneBody>;
  configs: Record<string, string[]>;
}

export interface Zoning {
  defined: ZoningDatabase;
  /** Zones in force with aliases expanded; undefined when no configuration is enabled. */
  effective: { name: string; zones: Record<string, ZoneBody> } | undefined;
  /** What may talk while no configuration is in force. */
  defaultAccess: "none" | "all";
  /**
   * True where the default access also covers, while a configuration is in force, the ports that no
   * zone of it names (among themselves).
   */
  defaultCoversUnzoned?: boolean;
}

/** A cable's far end: a switch (by device name) and its port. */
export interface Cable {
  switch: string;
  port: string;
}

export interface Host {
  name: string;
  cluster: string;
  /** NVMe qualified name; absent on a host that speaks no NVMe. Case matters. */
  nqn?: string;
  /** NVMe controllers that the host is connected to, as its side reports them. No part of an inventory. */
  nvmeConnections?: NvmeConnection[];
  /** By adapter name, `vmhba2`. */
  hbas: Record<string, Hba>;
}

/** One association of a host with a subsystem, from one of its ports to one of the array's. */
export interface NvmeConnection {
  adapterWwpn: Wwpn;
  targetWwpn: Wwpn;
  subsystemNqn: string;
}

interface Hba {
  /** Name on the host, `vmhba2`. */
  device: string;
  /** Name of the NVMe adapter on the same port, `vmhba65`; absent where the driver has none. */
  nvmeDevice?: string;
  wwpn: Wwpn;
  wwnn: Wwnn;
  model: string;
  speedGbps: number;
  online: boolean;
  cable: Cable | undefined;
}

/**
 * One array. Ids are opaque, unique within the array, made by the emulator that owns it; `attributes`
 * hold what only that family knows (comments, uuids, settings). Objects that only one family has
 * (jobs, recovery queues, efficiency policies) live in `records`.
 */
export interface StorageArray {
  /** Device name in the site. */
  name: string;
  family: string;
  attributes: JsonObject;
  /** By controller name. */
  controllers: Record<string, Controller>;
  /** Physical target ports, by id. */
  ports: Record<string, ArrayPort>;
  /** Storage tenants, by id. Arrays without tenants have exactly one. */
  tenants: Record<string, Tenant>;
  /** Virtual target ports (NPIV logins behind a physical port), by id. */
  targetPorts: Record<string, TargetPort>;
  /** Pools of drives, by id. */
  pools: Record<string, Pool>;
  /** Carved parts of a pool that volumes lie in, by id. Empty for families without them. */
  containers: Record<string, Container>;
  /** What hosts see as a LUN, by id. */
  volumes: Record<string, Volume>;
  /** Host groups, by id. */
  groups: Record<string, HostGroup>;
  maps: LunMap[];
  /** NVMe subsystems, by id, and the namespaces mapped to them; absent before the first. */
  subsystems?: Record<string, NvmeSubsystem>;
  namespaceMaps?: NamespaceMap[];
  /** Vendor-only objects: class, then id. Part of snapshot, reset and inventory. */
  records: Record<string, Record<string, JsonObject>>;
}

interface Controller {
  name: string;
  /** A controller that is not up takes its ports off the fabric. */
  up: boolean;
  attributes: JsonObject;
}

export interface ArrayPort {
  id: string;
  controller: string;
  /** Name on the controller, `2a`. */
  name: string;
  wwpn: Wwpn;
  wwnn: Wwnn;
  enabled: boolean;
  speedGbps: number;
  cable: Cable | undefined;
  /**
   * Whether the port's own WWPN serves LUNs. False where only virtual ports do (then zoning the
   * physical WWPN shows nothing).
   */
  servesVolumes: boolean;
  attributes: JsonObject;
}

export interface Tenant {
  id: string;
  name: string;
  attributes: JsonObject;
}

export interface TargetPort {
  id: string;
  name: string;
  tenantId: string;
  /** Physical port that it lives on. */
  portId: string;
  wwpn: Wwpn;
  wwnn: Wwnn;
  enabled: boolean;
  /** What it serves: SCSI unless said otherwise. One port never serves both. */
  protocol?: "nvme";
  /** Third byte of its fabric address, 1 to 255, unique on the physical port. */
  npivIndex: number;
  attributes: JsonObject;
}

interface Pool {
  id: string;
  name: string;
  controller: string;
  sizeBytes: Bytes;
  attributes: JsonObject;
}

export interface Container {
  id: string;
  name: string;
  tenantId: string;
  poolId: string;
  sizeBytes: Bytes;
  /** Space taken from the pool at once (thick) or when written (thin). */
  reserved: boolean;
  online: boolean;
  attributes: JsonObject;
}

export interface Volume {
  id: string;
  /** Name on the array; a path where the family uses paths. */
  name: string;
  tenantId: string;
  poolId: string;
  containerId: string | undefined;
  serial: string;
  /** What a host calls it: the SCSI name, or `uuid.` with the UUID of an NVMe namespace. */
  deviceName: Naa | NamespaceName;
  /** Set for an NVMe namespace; a LUN otherwise. */
  namespace?: { blockBytes: 512 | 4096 };
  /** Inquiry data. */
  vendor: string;
  model: string;
  revision: string;
  sizeBytes: Bytes;
  thin: boolean;
  online: boolean;
  /** VMFS signature on it; undefined when none. Written by the hypervisor, kept with the content. */
  vmfs: VmfsSignature | undefined;
  attributes: JsonObject;
}

/** `uuid.` and 32 lower-case hex digits. */
export type NamespaceName = `uuid.${string}`;

export interface VmfsSignature {
  uuid: string;
  label: string;
}

export interface HostGroup {
  id: string;
  name: string;
  tenantId: string;
  /** In the order they were added. */
  initiators: Wwpn[];
  attributes: JsonObject;
}

export interface LunMap {
  volumeId: string;
  groupId: string;
  lun: number;
  attributes: JsonObject;
}

/** What hosts connect to over NVMe, and which hosts may. */
export interface NvmeSubsystem {
  id: string;
  name: string;
  tenantId: string;
  nqn: string;
  serial: string;
  /** What its controllers say of themselves. */
  model: string;
  firmware: string;
  /** NQNs of hosts, in the order they were added. */
  hosts: string[];
  attributes: JsonObject;
}

export interface NamespaceMap {
  volumeId: string;
  subsystemId: string;
  nsid: number;
  /** Number of the group of namespaces that share their access states. */
  anaGroup: number;
}
