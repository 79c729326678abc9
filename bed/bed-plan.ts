import type { PlannedGuest, PlannedPlacement } from "./guest-plan";
import type { BedAssumption, HostSettings, ReviewBed } from "./review-bed";
import type { Settings } from "./settings";
import type { Site, SiteHost } from "./site";
import type { Bytes, Milliseconds } from "./units";
import type { PlannedPool } from "./pool-plan";
import type { PlannedVolumeGroup } from "./volume-plan";
import type { WorkloadSettings } from "./workload-settings";
import type { HostZoning, UnusedTargetPort } from "./zoning-plan";

/** Hosts that see the same volumes. */
export interface PlannedHostGroup {
  /** `all`, or `cluster1`, `cluster2`... where volume groups belong to single clusters. */
  readonly key: string;
  /** Name on the array; it carries the mark. */
  readonly name: string;
  readonly hosts: readonly string[];
}

/** A VMFS datastore on a volume of the same key. */
export interface PlannedDatastore {
  /** `<group>/<key>` of the volume. */
  readonly key: string;
  readonly name: string;
  /** What VMFS leaves of the volume. */
  readonly roomBytes: Bytes;
  /** Sum of the disks on it, thin ones at their full size. */
  readonly disksBytes: Bytes;
  /** What they will take: thick and eager disks all of it, thin ones what is written to them. */
  readonly neededBytes: Bytes;
  /** Keys of the guests with a disk on it. */
  readonly guests: readonly string[];
}

/** One workload at one scale. */
export interface PlannedCase {
  readonly name: string;
  /** Guests that carry the workload. */
  readonly guests: readonly string[];
  /** Guests that drive it from outside. */
  readonly drivers: readonly string[];
  /** Profile, where the workload has several. */
  readonly profile: string | undefined;
}

/** What happens when, from the start of the first case. */
export interface ScheduleStep {
  readonly name: string;
  readonly kind: "fill" | "load" | "precondition" | "measure" | "curve";
  readonly startMs: Milliseconds;
  /** Undefined: nothing tells how long it takes; the steps after it start later by as much. */
  readonly durationMs: Milliseconds | undefined;
}

export interface PoolEstimate {
  readonly pool: string;
  /** Undefined: neither bed nor site tells. */
  readonly capacityBytes: Bytes | undefined;
  readonly volumes: number;
  /** What volumes on it can grow to, with the family's overhead. */
  readonly provisionedBytes: Bytes;
  /** Of that, what is reserved when they are made. */
  readonly reservedBytes: Bytes;
  /** What guests will have written to them, after data reduction. */
  readonly expectedBytes: Bytes;
  /** Capacity less the larger of reserved and expected. Negative: it does not fit. */
  readonly freeBytes: Bytes | undefined;
}

/** What a bed puts on the site's own datastore. */
export interface SiteDatastoreEstimate {
  readonly name: string;
  /** Disks at their full size, as vSphere makes them. */
  readonly disksBytes: Bytes;
  /** Swap files of the machines: memory less what is reserved, which is nothing. */
  readonly swapBytes: Bytes;
  /** Undefined: the site does not say. */
  readonly freeBytes: Bytes | undefined;
}

export interface HostEstimate {
  readonly host: string;
  readonly guests: number;
  readonly guestMemoryBytes: Bytes;
  readonly guestVcpus: number;
}

/** A queue between guest and array, with what the plan puts into it. */
export interface QueueEstimate {
  readonly where:
    | "guest disk"
    | "guest adapter"
    | "volume on a host"
    | "host adapter, one volume"
    | "host port"
    | "target port";
  /** The fullest one of its kind. */
  readonly name: string;
  readonly plannedRequests: number;
  readonly depth: number;
  readonly source: string;
}

export interface BedEstimates {
  readonly pools: readonly PoolEstimate[];
  readonly siteDatastore: SiteDatastoreEstimate;
  readonly hosts: readonly HostEstimate[];
  readonly queues: readonly QueueEstimate[];
  /** Sum of the steps whose length is known. */
  readonly durationMs: Milliseconds;
  readonly written: {
    /** Filling and loading. */
    readonly preparationBytes: Bytes;
    /** The cases, by the published rates. Undefined: no rate is known. */
    readonly casesBytes: Bytes | undefined;
    /** Preparation and cases over the raw capacity of the drives. Undefined: that is not known. */
    readonly driveFills: number | undefined;
  };
}

/** Worth knowing, and no reason to stop. */
export interface PlanRemark {
  readonly path: string;
  readonly message: string;
}

/** Everything that a bed becomes on a site: the input of the components. Pure data. */
export interface BedPlan {
  readonly settings: Settings;
  readonly bed: ReviewBed;
  readonly site: Site;
  /** Begins every readable name: `<bed>_<stack>`. */
  readonly prefix: string;
  readonly hosts: readonly SiteHost[];
  readonly hostSettings: HostSettings;
  readonly hostGroups: readonly PlannedHostGroup[];
  readonly zoning: readonly HostZoning[];
  /** Ports of the site that stay out, so that every initiator sees as many of each controller. */
  readonly unusedTargetPorts: readonly UnusedTargetPort[];
  readonly target: { readonly name: string; readonly mode: "create" | "use" };
  readonly pools: readonly PlannedPool[];
  readonly volumeGroups: readonly PlannedVolumeGroup[];
  readonly datastores: readonly PlannedDatastore[];
  /** Folders for machines and datastores; their name carries the mark. */
  readonly folder: string;
  readonly guests: readonly PlannedGuest[];
  /** Which guests stay on which host. */
  readonly placement: readonly PlannedPlacement[];
  readonly workload: WorkloadSettings;
  readonly cases: readonly PlannedCase[];
  readonly schedule: readonly ScheduleStep[];
  readonly estimates: BedEstimates;
  readonly assumptions: readonly BedAssumption[];
  readonly remarks: readonly PlanRemark[];
  /** Limits that are not known here, or of which others' share is not known: not checked. */
  readonly unchecked: readonly PlanRemark[];
}
