import type { PlannedHostGroup } from "./bed-plan";
import type { FamilyLimits } from "./families/limits";
import type { BedId } from "./identities";
import { markName, markShort } from "./mark";
import { physicalName } from "./physical-names";
import type { Phase, VolumeGroup } from "./review-bed";
import type { SiteHost } from "./site";

const allHosts = "all";

/** Key of the host group that sees a group's volumes. */
export function hostGroupOf(group: VolumeGroup): string {
  return group.cluster === undefined ? allHosts : `c${group.cluster.toString().padStart(2, "0")}`;
}

export interface HostGroupContext {
  readonly bedId: BedId;
  readonly prefix: string;
  readonly limits: FamilyLimits;
  /** Clusters of the site that are the bed's number 1, 2... */
  readonly clusters: readonly string[];
  readonly hosts: readonly SiteHost[];
}

/** One group with all hosts, or one for each cluster that volume groups are declared for. */
export function planHostGroups(phase: Phase, context: HostGroupContext): PlannedHostGroup[] {
  const clusters = new Map(
    Object.values(phase.volumeGroups).map((group) => [hostGroupOf(group), group.cluster]),
  );
  return [...clusters].map(([key, cluster]) => {
    const members =
      cluster === undefined
        ? context.hosts
        : context.hosts.filter((host) => host.cluster === context.clusters[cluster - 1]);
    return {
      key,
      name: groupName(key, context),
      hosts: members.map((host) => host.name),
    };
  });
}

function groupName(key: string, { bedId, prefix, limits }: HostGroupContext): string {
  const rules = limits.hostGroupName;
  const readable = key === allHosts ? prefix : `${prefix}_${key}`;
  const marked = markName(bedId, readable);
  // What is cut must not be the mark.
  const markEnds = marked.length - readable.length;
  return rules.maxLength >= markEnds + 10
    ? physicalName(rules, marked)
    : markShort(bedId, rules, key);
}
