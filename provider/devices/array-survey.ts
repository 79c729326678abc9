import type { BedId, DeviceName } from "../../bed/identities";
import type { BlockArray, Initiator } from "./block-array";
import type { DeviceCall } from "./call";

interface OnArray {
  /** Storage tenant that it lies in; empty on arrays without tenants. */
  readonly tenant: string;
  readonly name: string;
  /** The bed whose mark it carries. */
  readonly bedId: BedId | undefined;
}

export interface SurveyedVolume extends OnArray {
  /** What is presented to hosts of it; a volume of ours has one. Empty: nothing can be mapped. */
  readonly units: readonly {
    /** The array's own name of it, with what is around it. */
    readonly path: string;
    /** What hosts call it. */
    readonly device: DeviceName;
  }[];
}

export interface SurveyedGroup extends OnArray {
  readonly initiators: readonly Initiator[];
}

export interface SurveyedMap {
  readonly tenant: string;
  /** Name of the volume and of the group, as in the survey. */
  readonly volume: string;
  readonly group: string;
  readonly device: DeviceName;
  readonly lun: number;
  /** The bed of both, volume and group; undefined where they differ: then somebody else made it. */
  readonly bedId: BedId | undefined;
}

/** Who is presented with what, whoever it belongs to. */
export interface ArraySurvey {
  readonly tenants: readonly { readonly name: string; readonly bedId: BedId | undefined }[];
  /** Without those that a tenant needs for itself. */
  readonly volumes: readonly SurveyedVolume[];
  readonly groups: readonly SurveyedGroup[];
  readonly maps: readonly SurveyedMap[];
  /** Deleted volumes that still take room in their tenant until they are purged. */
  readonly deleted: readonly OnArray[];
}

/** What would be lost with a volume, or keeps it from being removed. */
export interface SurveyedCopy {
  readonly tenant: string;
  readonly volume: string;
  /** `snapshot nightly`, `clone svm/copy`. */
  readonly what: string;
}

/** Arrays that tell all of it at once. Reads only. */
interface ArraySurveyor {
  survey(call: DeviceCall): Promise<ArraySurvey>;
  /** Snapshots and clones that hang on volumes. */
  copies(
    call: DeviceCall,
    volumes: readonly { readonly tenant: string; readonly name: string }[],
  ): Promise<readonly SurveyedCopy[]>;
}

export function isArraySurveyor(array: BlockArray): array is BlockArray & ArraySurveyor {
  return "survey" in array;
}
