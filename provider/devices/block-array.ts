import { DeviceError } from "../../bed/errors";
import type { BedId, DeviceName, Nqn, Wwnn, Wwpn } from "../../bed/identities";
import type { Bytes } from "../../bed/units";
import type { ArrayEvidence } from "./array-evidence";
import type { DeviceCall, InventoryObject } from "./call";
import type { DataProtocol } from "./data-protocol";
import type { ArraySweeper } from "./sweep";

/** Where objects of one bed live on an array that has tenants; `target` is the tenant's name. */
export interface Scope {
  readonly bedId: BedId;
  /** Storage tenant that owns services, ports and volumes (arrays without tenants ignore it). */
  readonly target: string;
}

export interface ArrayFacts {
  readonly vendor: string;
  readonly model: string;
  readonly name: string;
  readonly software: string;
  readonly controllers: readonly { readonly name: string; readonly state: string }[];
  /** Licensed protocols, as far as the array tells. */
  readonly licences: readonly string[];
}

export interface PoolInfo {
  readonly name: string;
  readonly controller: string | undefined;
  readonly sizeBytes: Bytes;
  readonly freeBytes: Bytes;
  readonly bedId: BedId | undefined;
}

/** A port that hosts can be zoned with. On arrays with virtual ports: the virtual one. */
export interface TargetPort {
  /** Name of the port on the array. */
  readonly name: string;
  readonly wwpn: Wwpn;
  readonly wwnn: Wwnn;
  readonly protocol: DataProtocol;
  readonly controller: string;
  /** Physical port behind it, for instance `2a`. */
  readonly physicalPort: string;
  /** Switched on by the administrator. */
  readonly enabled: boolean;
  /** Logged in to the fabric, as far as the array tells. */
  readonly online: boolean;
  /** The bed whose mark the port carries. */
  readonly bedId: BedId | undefined;
}

export interface TargetsSpec extends Scope {
  /** One tenant serves one protocol: some arrays cannot have both in it. */
  readonly protocol: DataProtocol;
  /** Ports to have, by stable key; `name` is the port's name on the array. */
  readonly ports: Readonly<
    Record<string, { readonly name: string; readonly controller: string; readonly port: string }>
  >;
  /** Pools that the tenant may use. */
  readonly pools: readonly string[];
}

export interface ArrayTargets {
  /** All ports of the tenant. Not found: `notFound`. */
  list(call: DeviceCall, scope: Scope): Promise<readonly TargetPort[]>;
  /** Creates or completes tenant, service and ports. A tenant without our mark: `refused`. */
  ensure(call: DeviceCall, spec: TargetsSpec): Promise<Readonly<Record<string, TargetPort>>>;
  /** Removes ports, service and tenant of ours; absent is done; in use is `refused`. */
  remove(call: DeviceCall, scope: Scope): Promise<void>;
}

/** What an array knows a host by: the ports of its adapters, or its NQN over NVMe. */
export type Initiator = Wwpn | Nqn;

/** A host as an array knows it. */
export interface HostInitiators {
  readonly name: string;
  readonly initiators: readonly Initiator[];
}

export interface HostGroupInfo {
  /** Name on the array; it carries the mark where the array has no comment for it. */
  readonly name: string;
  readonly id: string;
  readonly bedId: BedId | undefined;
  readonly initiators: readonly Initiator[];
  /** NVMe: the NQN under which hosts find the group (a subsystem). */
  readonly subsystemNqn?: Nqn | undefined;
}

export interface ArrayHosts {
  get(call: DeviceCall, scope: Scope, group: string): Promise<HostGroupInfo | undefined>;
  ensureGroup(call: DeviceCall, scope: Scope, group: string): Promise<HostGroupInfo>;
  /** Refused while mapped. Absent is done. */
  removeGroup(call: DeviceCall, scope: Scope, group: string): Promise<void>;
  /**
   * Adds the hosts' initiators to the group, in one request where the array takes several. Where the
   * array lets an initiator be in one group only, and that is a foreign one: `refused`.
   */
  ensureHosts(
    call: DeviceCall,
    scope: Scope,
    group: string,
    hosts: readonly HostInitiators[],
  ): Promise<void>;
  /** The group may be mapped: the hosts have let go of its devices before. */
  removeHosts(
    call: DeviceCall,
    scope: Scope,
    group: string,
    hosts: readonly HostInitiators[],
  ): Promise<void>;
}

/** When the array saves space: never, before it writes, afterwards, or both. */
export type Reduction = "off" | "inline" | "background" | "both";

/** How an array saves space in a volume. What is left out stays as the array makes it. */
export interface DataReduction {
  /** Equal blocks are stored once. */
  readonly deduplication?: Reduction | undefined;
  readonly compression?: Reduction | undefined;
  /** Several small pieces share one block. */
  readonly compaction?: "off" | "inline" | undefined;
}

export interface VolumeSpec {
  readonly name: string;
  readonly sizeBytes: Bytes;
  readonly pool: string;
  /** Thin (space taken when written) or thick (reserved). */
  readonly thin: boolean;
  /** Left out: as the array makes it. */
  readonly dataReduction?: DataReduction | undefined;
}

export interface VolumeInfo {
  readonly name: string;
  /** The device's own stable id. */
  readonly id: string;
  /** Serial number of a LUN, UUID of a namespace. */
  readonly serial: string;
  readonly sizeBytes: Bytes;
  readonly pool: string;
  /** What a host will call it. */
  readonly deviceName: DeviceName;
  readonly thin: boolean;
  /** As it is in force, as far as the array tells; undefined where it knows none. */
  readonly dataReduction?: DataReduction | undefined;
  readonly bedId: BedId | undefined;
  readonly mapped: boolean;
  /** False: somebody took it out of service; hosts see no path to it. */
  readonly online: boolean;
}

export interface ArrayVolumes {
  /** Those of `names` that exist in the tenant, ours or not. */
  list(call: DeviceCall, scope: Scope, names: readonly string[]): Promise<readonly VolumeInfo[]>;
  /**
   * Creates what is missing, grows what is smaller, brings online what is not, sets what was set
   * otherwise (reservation, data reduction), adopts what carries our mark and matches.
   * Larger than asked, or without our mark: `refused`. Runs in parallel within the array's limits.
   */
  ensure(
    call: DeviceCall,
    scope: Scope,
    specs: readonly VolumeSpec[],
  ): Promise<readonly VolumeInfo[]>;
  /** Throws what {@link ensure} would throw before its first write (`refused`); only reads. */
  examine(call: DeviceCall, scope: Scope, specs: readonly VolumeSpec[]): Promise<void>;
  /** Removes for good (no recovery bin left). Refused while mapped; absent is done. */
  remove(call: DeviceCall, scope: Scope, names: readonly string[]): Promise<void>;
}

export interface VolumeMapping {
  readonly volume: string;
  readonly group: string;
  /** LUN number as the hosts see it. */
  readonly lun: number;
}

export interface ArrayMaps {
  /** All mappings of the group, by LUN number. */
  list(call: DeviceCall, scope: Scope, group: string): Promise<readonly VolumeMapping[]>;
  /** Foreign group, or a LUN number that is taken: `refused`. */
  ensure(call: DeviceCall, scope: Scope, maps: readonly VolumeMapping[]): Promise<void>;
  remove(call: DeviceCall, scope: Scope, maps: readonly VolumeMapping[]): Promise<void>;
}

/** A namespace in a subsystem; the array gives it its number there. */
interface NamespaceMapping {
  readonly volume: string;
  readonly group: string;
}

export interface ArrayNamespaceMaps {
  /** All of the group, with their numbers (NSID), in their order. */
  list(
    call: DeviceCall,
    scope: Scope,
    group: string,
  ): Promise<readonly (NamespaceMapping & { readonly nsid: number })[]>;
  /** Foreign group, or a namespace that is in another: `refused`. */
  ensure(call: DeviceCall, scope: Scope, maps: readonly NamespaceMapping[]): Promise<void>;
  remove(call: DeviceCall, scope: Scope, maps: readonly NamespaceMapping[]): Promise<void>;
}

/** The NVMe side of an array that has one; contracts as on its SCSI side. */
export interface NvmeArray {
  /** Namespaces with blocks of 512 bytes, the only ones that ESXi takes. */
  readonly volumes: ArrayVolumes;
  /** Subsystems; a host is its NQN. */
  readonly hosts: ArrayHosts;
  readonly maps: ArrayNamespaceMaps;
}

/**
 * A block array. Everything is idempotent; `remove` of the absent succeeds; nothing that lacks the
 * mark of `scope.bedId` is ever changed or removed (`refused`, naming the object).
 */
export interface BlockArray extends ArraySweeper {
  readonly device: string;
  readonly targets: ArrayTargets;
  readonly hosts: ArrayHosts;
  readonly volumes: ArrayVolumes;
  readonly maps: ArrayMaps;
  readonly nvme?: NvmeArray | undefined;
  readonly evidence?: ArrayEvidence | undefined;
  facts(call: DeviceCall): Promise<ArrayFacts>;
  pools(call: DeviceCall): Promise<readonly PoolInfo[]>;
  /** Volumes, host groups with members, maps, tenants, services, ports, pools. No usage counters. */
  inventory(call: DeviceCall): Promise<readonly InventoryObject[]>;
  close(): Promise<void>;
}

/** @throws {DeviceError} `unsupported` for an array without NVMe. */
export function nvmeSide(array: BlockArray): NvmeArray {
  if (array.nvme !== undefined) return array.nvme;
  throw new DeviceError({
    kind: "unsupported",
    device: array.device,
    operation: "use NVMe",
    reason: "the array has none, or its driver does not speak it",
    remedy: "Use protocol fcp.",
  });
}

/** Arrays that let a client build pools. */
export interface PoolBuilder {
  ensurePool(
    call: DeviceCall,
    scope: Scope,
    spec: {
      readonly name: string;
      readonly controller: string;
      readonly driveCount: number;
      readonly raid: string;
    },
  ): Promise<PoolInfo>;
  removePool(call: DeviceCall, scope: Scope, name: string): Promise<void>;
}

export function isPoolBuilder(array: BlockArray): array is BlockArray & PoolBuilder {
  return "ensurePool" in array && "removePool" in array;
}

/** A physical port of the array: target ports lie on it, or it is one itself. */
export interface PhysicalPort {
  readonly controller: string;
  /** Name on the controller, `2a`. */
  readonly name: string;
  readonly wwpn: Wwpn;
  readonly online: boolean;
  /** Port of the switch that it is plugged into, as far as the array tells. */
  readonly switchPort: { readonly switch: string; readonly port: string } | undefined;
}

/** Arrays that tell their physical Fibre Channel ports, cabled or not. */
export interface PortLister {
  physicalPorts(call: DeviceCall): Promise<readonly PhysicalPort[]>;
}

export function isPortLister(array: BlockArray): array is BlockArray & PortLister {
  return "physicalPorts" in array;
}
