import type { Wwpn } from "../../../bed/identities";
import type { Bytes } from "../../../bed/units";
import type { DeviceCall } from "../call";
import type {
  Aggregate,
  ClusterIdentity,
  ClusterNode,
  DeletedVolume,
  FcInterface,
  FcPort,
  FcpService,
  FlexVol,
  Igroup,
  Lun,
  LunMap,
  Svm,
} from "./objects";

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
  readonly services: ServiceCalls;
  readonly interfaces: InterfaceCalls;
  readonly flexVols: FlexVolCalls;
  readonly luns: LunCalls;
  readonly igroups: IgroupCalls;
  readonly maps: MapCalls;
  readonly aggregates: AggregateCalls;
  readonly queue: QueueCalls;
  readonly facts: FactCalls;
  /** Pause, cut short where tests want it. */
  sleep(call: DeviceCall, ms: number): Promise<void>;
}

export interface SvmCalls {
  list(call: DeviceCall, name?: string): Promise<readonly Svm[]>;
  /** A new SVM for FCP. Which aggregates it may use is set later where the interface wants it so. */
  create(
    call: DeviceCall,
    spec: {
      readonly name: string;
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
  list(call: DeviceCall, svm?: string): Promise<readonly FcpService[]>;
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
      readonly comment: string;
    },
  ): Promise<void>;
  resize(call: DeviceCall, flexVol: FlexVol, sizeBytes: Bytes): Promise<void>;
  bringOnline(call: DeviceCall, flexVol: FlexVol): Promise<void>;
  rename(call: DeviceCall, flexVol: FlexVol, name: string): Promise<void>;
  remove(call: DeviceCall, flexVol: FlexVol): Promise<void>;
  /** Removal leaves nothing in the recovery queue on this release. */
  readonly removesForGood: boolean;
}

export interface LunCalls {
  list(call: DeviceCall, filter?: VolumeFilter): Promise<readonly Lun[]>;
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
  resize(call: DeviceCall, lun: Lun, sizeBytes: Bytes): Promise<void>;
  bringOnline(call: DeviceCall, lun: Lun): Promise<void>;
}

export interface GroupFilter {
  readonly svm: string;
  readonly igroup?: string;
}

export interface IgroupCalls {
  list(call: DeviceCall, filter?: GroupFilter): Promise<readonly Igroup[]>;
  /** For ESXi over FCP. The comment is left out where igroups have none. */
  create(
    call: DeviceCall,
    spec: { readonly svm: string; readonly name: string; readonly comment: string },
  ): Promise<void>;
  remove(call: DeviceCall, igroup: Igroup): Promise<void>;
  addInitiators(call: DeviceCall, igroup: Igroup, initiators: readonly Wwpn[]): Promise<void>;
  /** Although the group is mapped. */
  removeInitiator(call: DeviceCall, igroup: Igroup, initiator: Wwpn): Promise<void>;
}

export interface MapCalls {
  list(call: DeviceCall, filter?: GroupFilter): Promise<readonly LunMap[]>;
  create(
    call: DeviceCall,
    spec: {
      readonly svm: string;
      readonly path: string;
      readonly igroup: string;
      readonly lun: number;
    },
  ): Promise<void>;
  remove(call: DeviceCall, map: LunMap): Promise<void>;
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
