import type { PlannedGuest } from "./guest-plan";
import type { ReviewBed, SysbenchSettings } from "./review-bed";
import type { Settings } from "./settings";
import type { Site, SiteHost } from "./site";
import type { PlannedVolumeGroup } from "./volume-plan";
import type { HostZoning } from "./zoning-plan";

/** Everything that a bed becomes on a site: the input of the components. Pure data. */
export interface BedPlan {
  readonly settings: Settings;
  readonly bed: ReviewBed;
  readonly site: Site;
  /** Begins every readable name: `<bed>_<stack>`. */
  readonly prefix: string;
  readonly hosts: readonly SiteHost[];
  readonly zoning: readonly HostZoning[];
  readonly target: { readonly name: string; readonly mode: "create" | "use" };
  /** Host group on the array; its name carries the mark. */
  readonly hostGroup: string;
  readonly volumeGroups: readonly PlannedVolumeGroup[];
  /** Folders for machines and datastores; their name carries the mark. */
  readonly folder: string;
  readonly guests: readonly PlannedGuest[];
  readonly sysbench: SysbenchSettings;
  readonly cases: readonly { readonly name: string; readonly guests: readonly string[] }[];
}
