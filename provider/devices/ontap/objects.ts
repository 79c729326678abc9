import type { Bytes } from "../../../bed/units";

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

/** The FCP service of an SVM. */
export interface FcpService {
  readonly svm: string;
  readonly enabled: boolean;
  /** WWNN of the SVM's FC interfaces. */
  readonly wwnn: string | undefined;
}

/** FC interface (LIF): a virtual port with a WWPN of its own. */
export interface FcInterface {
  readonly uuid: string;
  readonly name: string;
  readonly svm: string;
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
  readonly isRoot: boolean;
}

export interface Lun {
  readonly uuid: string;
  /** `/vol/<volume>/<lun>`. */
  readonly path: string;
  readonly svm: string;
  /** Twelve printable characters; case matters. */
  readonly serial: string;
  readonly osType: string | undefined;
  readonly comment: string | undefined;
  readonly sizeBytes: Bytes;
  /** `online`, `offline`, or ONTAP's own word; undefined: not told. */
  readonly state: string | undefined;
  readonly mapped: boolean;
}

export interface Igroup {
  readonly uuid: string;
  readonly name: string;
  readonly svm: string;
  readonly osType: string | undefined;
  readonly protocol: string | undefined;
  readonly comment: string | undefined;
  /** WWPNs as the array spells them. */
  readonly initiators: readonly string[];
}

export interface LunMap {
  readonly svm: string;
  readonly path: string;
  readonly lunUuid: string;
  readonly igroup: string;
  readonly igroupUuid: string;
  readonly lun: number;
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
