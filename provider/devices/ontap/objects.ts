import type { Bytes } from "../../../bed/units";
import type { DataReduction } from "../block-array";

/**
 * ONTAP's objects, as far as a bed needs them, whichever interface they were read through. What a
 * release or an interface does not tell is undefined. Names as in the ONTAP manuals.
 */

/** Storage virtual machine: the tenant. */
export interface Svm {
  readonly uuid: string;
  readonly name: string;
  readonly state: string | undefined;
  readonly comment: string | undefined;
  /** Names of the aggregates that it may use. */
  readonly aggregates: readonly string[];
}

/** The service of one protocol in an SVM. */
export interface DataService {
  readonly svm: string;
  readonly enabled: boolean;
  /** What hosts see it as: the WWNN of the SVM's FC interfaces (FCP). */
  readonly target: string | undefined;
}

/** FC interface (LIF): a virtual port with a WWPN of its own. */
export interface FcInterface {
  readonly uuid: string;
  readonly name: string;
  readonly svm: string;
  /** `fcp`, `fc_nvme`. */
  readonly protocol: string | undefined;
  readonly enabled: boolean;
  readonly up: boolean;
  readonly wwpn: string;
  readonly wwnn: string;
  readonly comment: string | undefined;
  readonly homeNode: string | undefined;
  readonly homePort: string | undefined;
}

export interface FlexVol {
  readonly uuid: string;
  readonly name: string;
  readonly svm: string;
  readonly state: string | undefined;
  readonly sizeBytes: Bytes | undefined;
  readonly comment: string | undefined;
  readonly aggregate: string | undefined;
  /** `none` (thin), `volume` (thick). */
  readonly guarantee: string | undefined;
  /** Only where volumes were asked for by name: it costs the array more than the rest. */
  readonly reduction: DataReduction | undefined;
  readonly isRoot: boolean;
}

/** What would be lost with a FlexVol, or keeps it from going. */
export interface Dependent {
  /** Name of the FlexVol that it hangs on. */
  readonly volume: string;
  /** `snapshot nightly`, `clone svm/copy`, `file notes.txt`. */
  readonly what: string;
}

/** What a FlexVol holds for hosts: a LUN, or an NVMe namespace. */
export interface Unit {
  readonly uuid: string;
  /** `/vol/<volume>/<name>`. */
  readonly path: string;
  readonly svm: string;
  /** Serial number of a LUN: twelve printable characters, case matters. UUID of a namespace. */
  readonly serial: string;
  readonly osType: string | undefined;
  readonly comment: string | undefined;
  readonly sizeBytes: Bytes;
  /** Undefined where it cannot be chosen (LUN). */
  readonly blockBytes: number | undefined;
  /** `online`, `offline`, or ONTAP's own word; undefined: not told. */
  readonly state: string | undefined;
  /** Its space is held in the FlexVol (LUN); undefined where that is not told. */
  readonly reserved: boolean | undefined;
  readonly mapped: boolean;
}

/** What units are mapped to: an igroup with WWPNs, or an NVMe subsystem with host NQNs. */
export interface Group {
  readonly uuid: string;
  readonly name: string;
  readonly svm: string;
  readonly osType: string | undefined;
  /** `fcp`, `mixed`, `iscsi`; undefined for a subsystem. */
  readonly protocol: string | undefined;
  readonly comment: string | undefined;
  /** Members as the array spells them. */
  readonly members: readonly string[];
  /** NQN of a subsystem. */
  readonly nqn: string | undefined;
}

export interface UnitMap {
  readonly svm: string;
  readonly path: string;
  readonly unitUuid: string;
  readonly group: string;
  readonly groupUuid: string;
  /** LUN number, or NSID. */
  readonly number: number;
}

export interface Aggregate {
  readonly uuid: string;
  readonly name: string;
  readonly node: string | undefined;
  readonly sizeBytes: Bytes | undefined;
  readonly freeBytes: Bytes | undefined;
  readonly disks: number | undefined;
  readonly raid: string | undefined;
}

/** A deleted FlexVol in the recovery queue, under `<name>_<number>`. */
export interface DeletedVolume {
  readonly svm: string;
  readonly entry: string;
}

/** FC port of a node: FC interfaces lie on it. */
export interface FcPort {
  readonly name: string;
  readonly node: string;
  readonly wwpn: string;
  readonly online: boolean;
  /** `<switch>:<port>`; undefined while the port is in no fabric. */
  readonly switchPort: string | undefined;
}

export interface ClusterIdentity {
  readonly name: string;
  readonly uuid: string;
}

export interface ClusterNode {
  readonly name: string;
  readonly model: string | undefined;
  readonly state: string;
}
