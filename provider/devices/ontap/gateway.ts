import type { Bytes } from "../../../bed/units";
import type { ArrayEvidence } from "../array-evidence";
import type { DeviceCall } from "../call";
import type { DataReduction, Initiator } from "../block-array";
import type { DataProtocol } from "../data-protocol";
import type {
  Aggregate,
  ClusterIdentity,
  ClusterNode,
  DataService,
  DeletedVolume,
  Dependent,
  FcInterface,
  FcPort,
  FlexVol,
  Group,
  Svm,
  Unit,
  UnitMap,
} from "./objects";
import type { VolumeOnArray } from "./volume-decisions";

/**
 * One of ONTAP's two interfaces, REST or ONTAPI. Carries out single steps and decides nothing: what may
 * be created, changed or removed is decided once, above it, from what it lists.
 *
 * Lists are complete (all pages); without a filter they are those of the whole cluster. A write is one
 * request, followed to the end of its job and repeated where ONTAP asks to wait; its refusals are
 * {@link DeviceError} of the kind that ONTAP's code stands for. Whether a write whose answer was lost
 * took effect is up to the caller ({@link settle}).
 */
export interface OntapGateway {
  readonly device: string;
  /** `9.8`, `9.9.1`, as in messages. */
  readonly release: string;
  readonly svms: SvmCalls;
  readonly interfaces: InterfaceCalls;
  readonly flexVols: FlexVolCalls;
  /** LUNs, igroups, LUN maps, FCP services. */
  readonly scsi: SideCalls;
  /** Namespaces, subsystems, their maps, NVMe services; undefined where we do not speak it. */
  readonly nvme: SideCalls | undefined;
  readonly aggregates: AggregateCalls;
  readonly queue: QueueCalls;
  readonly facts: FactCalls;
  readonly evidence: ArrayEvidence;
  /** Pause, cut short where tests want it. */
  sleep(call: DeviceCall, ms: number): Promise<void>;
}

/** What SCSI and NVMe have each for itself. */
export interface SideCalls {
  readonly services: ServiceCalls;
  readonly units: UnitCalls;
  readonly groups: GroupCalls;
  readonly maps: MapCalls;
}

export interface SvmCalls {
  list(call: DeviceCall, name?: string): Promise<readonly Svm[]>;
  /** A new SVM for one protocol. Which aggregates it may use is set later where the interface wants it so. */
  create(
    call: DeviceCall,
    spec: {
      readonly name: string;
      readonly protocol: DataProtocol;
      readonly aggregates: readonly string[];
      readonly comment: string;
    },
  ): Promise<void>;
  /** Replaces the list. */
  setAggregates(call: DeviceCall, svm: Svm, aggregates: readonly string[]): Promise<void>;
  /** With its root volume. Everything else of it is gone before. */
  remove(call: DeviceCall, svm: Svm): Promise<void>;
}

export interface ServiceCalls {
  list(call: DeviceCall, svm?: string): Promise<readonly DataService[]>;
  /** Enabled. */
  create(call: DeviceCall, svm: Svm): Promise<void>;
  setEnabled(call: DeviceCall, svm: Svm, enabled: boolean): Promise<void>;
  remove(call: DeviceCall, svm: Svm): Promise<void>;
}

export interface InterfaceCalls {
  list(call: DeviceCall, svm?: string): Promise<readonly FcInterface[]>;
  create(
    call: DeviceCall,
    spec: {
      readonly svm: string;
      readonly name: string;
      readonly protocol: DataProtocol;
      readonly node: string;
      readonly port: string;
      readonly comment: string;
    },
  ): Promise<void>;
  setEnabled(call: DeviceCall, entry: FcInterface, enabled: boolean): Promise<void>;
  /** Only a disabled one can go. */
  remove(call: DeviceCall, entry: FcInterface): Promise<void>;
}

/** Objects in FlexVols of one SVM; no names: in all of its FlexVols. */
export interface VolumeFilter {
  readonly svm: string;
  readonly volumes?: readonly string[];
}

export interface FlexVolCalls {
  list(call: DeviceCall, filter?: VolumeFilter): Promise<readonly FlexVol[]>;
  /** Without snapshots. */
  create(
    call: DeviceCall,
    spec: {
      readonly svm: string;
      readonly name: string;
      readonly aggregate: string;
      readonly sizeBytes: Bytes;
      readonly thin: boolean;
      /** As far as the interface takes it here; what is in force is told by a read. */
      readonly reduction: DataReduction | undefined;
      readonly comment: string;
    },
  ): Promise<void>;
  /** Space guarantee `none` or `volume`. */
  setThin(call: DeviceCall, flexVol: FlexVol, thin: boolean): Promise<void>;
  /** Only what is named. `unsupported` for what the interface cannot tell apart. */
  setReduction(call: DeviceCall, flexVol: FlexVol, wanted: DataReduction): Promise<void>;
  resize(call: DeviceCall, flexVol: FlexVol, sizeBytes: Bytes): Promise<void>;
  bringOnline(call: DeviceCall, flexVol: FlexVol): Promise<void>;
  rename(call: DeviceCall, flexVol: FlexVol, name: string): Promise<void>;
  remove(call: DeviceCall, flexVol: FlexVol): Promise<void>;
  /**
   * What others have on the FlexVols, which must be online: snapshots, FlexClones and SnapMirror
   * relationships wherever they lead, a place in the SVM's namespace, files. A list that cannot be had is
   * an error, never "none".
   */
  dependents(call: DeviceCall, volumes: readonly VolumeOnArray[]): Promise<readonly Dependent[]>;
  /** Removal leaves nothing in the recovery queue on this release. */
  readonly removesForGood: boolean;
}

export interface UnitCalls {
  /** Why what was made cannot grow on this release; absent: it can. */
  readonly fixedSize?: string | undefined;
  list(call: DeviceCall, filter?: VolumeFilter): Promise<readonly Unit[]>;
  /** For ESXi: `vmware`; namespaces with blocks of 512 bytes. */
  create(
    call: DeviceCall,
    spec: {
      readonly svm: string;
      readonly path: string;
      readonly sizeBytes: Bytes;
      readonly thin: boolean;
      readonly comment: string;
    },
  ): Promise<void>;
  resize(call: DeviceCall, unit: Unit, sizeBytes: Bytes): Promise<void>;
  setReserved(call: DeviceCall, unit: Unit, reserved: boolean): Promise<void>;
  bringOnline(call: DeviceCall, unit: Unit): Promise<void>;
}

export interface GroupFilter {
  readonly svm: string;
  readonly group?: string;
}

export interface GroupCalls {
  list(call: DeviceCall, filter?: GroupFilter): Promise<readonly Group[]>;
  /** For ESXi. The comment is left out where such groups have none. */
  create(
    call: DeviceCall,
    spec: { readonly svm: string; readonly name: string; readonly comment: string },
  ): Promise<void>;
  /** Refused while mapped; members go with it. */
  remove(call: DeviceCall, group: Group): Promise<void>;
  addMembers(call: DeviceCall, group: Group, members: readonly Initiator[]): Promise<void>;
  /** Although the group is mapped. */
  removeMember(call: DeviceCall, group: Group, member: Initiator): Promise<void>;
}

export interface MapCalls {
  list(call: DeviceCall, filter?: GroupFilter): Promise<readonly UnitMap[]>;
  create(
    call: DeviceCall,
    spec: {
      readonly svm: string;
      readonly path: string;
      readonly group: string;
      /** LUN number; a namespace gets its number from the array. */
      readonly number: number | undefined;
    },
  ): Promise<void>;
  remove(call: DeviceCall, map: UnitMap): Promise<void>;
}

export interface AggregateCalls {
  /** Data aggregates; those with a node's root are left out. */
  list(call: DeviceCall, name?: string): Promise<readonly Aggregate[]>;
  create(
    call: DeviceCall,
    spec: {
      readonly name: string;
      readonly node: string;
      readonly disks: number;
      readonly raid: string;
    },
  ): Promise<void>;
  remove(call: DeviceCall, aggregate: Aggregate): Promise<void>;
}

export interface QueueCalls {
  list(call: DeviceCall, svm?: string): Promise<readonly DeletedVolume[]>;
  purge(call: DeviceCall, deleted: DeletedVolume): Promise<void>;
}

export interface FactCalls {
  readonly cluster: ClusterIdentity;
  /** The release in the array's own words. */
  readonly software: string;
  nodes(call: DeviceCall): Promise<readonly ClusterNode[]>;
  ports(call: DeviceCall): Promise<readonly FcPort[]>;
  /** Names of the licensed packages. */
  licences(call: DeviceCall): Promise<readonly string[]>;
}
