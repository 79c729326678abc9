import type { NameRules } from "../physical-names";
import type { Bytes } from "../units";

/** A figure that a family of arrays holds to, with where it is written. */
export interface Limit {
  readonly max: number;
  readonly source: string;
}

/** What a family of arrays allows, as far as a plan can run into it. Absent: not known, not checked. */
export interface FamilyLimits {
  /** Objects of ours carry the mark in a comment or tag, or only in their name. */
  readonly volumeMark: "comment" | "name";
  readonly volumeName: NameRules;
  readonly hostGroupName: NameRules;
  readonly names: string;
  readonly lun: {
    readonly min: number;
    readonly max: number;
    /** Numbers that the array or the host keeps to itself. */
    readonly reserved: readonly number[];
    readonly source: string;
  };
  /** Thin volumes in the pools that beds use. */
  readonly thin: boolean;
  readonly largestVolumeBytes?: { readonly max: Bytes; readonly source: string };
  readonly volumesPerPool?: Limit;
  readonly hostsPerGroup?: Limit;
  readonly initiatorsPerGroup?: Limit;
  /** Host groups that a volume can be mapped to, and that a host can be in. */
  readonly groupsPerHost?: Limit;
  readonly pathsPerController?: Limit;
  /** Target ports that one tenant has on a controller. */
  readonly nvmePortsPerController?: Limit;
  /** First release that serves NVMe/FC to vSphere, as numbers: 9.10 is later than 9.9. */
  readonly nvmeSince?: { readonly release: readonly [number, number]; readonly source: string };
  /** Requests that one target port takes from all hosts. */
  readonly targetPortQueue?: Limit;
  /** Space that a volume takes from its pool. */
  readonly spaceInPool: (volumeBytes: Bytes) => Bytes;
  /** Said where space is short. */
  readonly spaceNote: string;
}
