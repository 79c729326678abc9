import type { BedPlan, PlanRemark } from "./bed-plan";
import { limitsOf } from "./bed-limits";
import type { FamilyLimits } from "./families/limits";
import { hypervisorLimits } from "./hypervisor-limits";

type PlanParts = Omit<BedPlan, "remarks" | "unchecked">;

/**
 * Limits that no document at hand gives, and shared ones of which others take a part that nobody told: the
 * plan may run into them all the same.
 */
export function uncheckedLimits(plan: PlanParts): PlanRemark[] {
  return [...ofFamily(plan), ...ofFabrics(plan), ...ofHosts(plan)];
}

function ofFamily({ bed }: PlanParts): PlanRemark[] {
  const { family, protocol } = bed.array;
  const limits = limitsOf(bed);
  const words: readonly (readonly [keyof FamilyLimits, string])[] = [
    ["largestVolumeBytes", "the largest volume of the family; what VMFS takes is checked"],
    ["volumesPerPool", "volumes in a pool"],
    ["hostsPerGroup", "hosts in a host group"],
    ["initiatorsPerGroup", "initiators in a host group"],
    ["pathsPerController", "paths from a host to a controller"],
    ["targetPortQueue", "requests that a target port takes"],
  ];
  const unknown = words.filter(([key]) => limits[key] === undefined).map(([, what]) => what);
  return [
    ...(unknown.length === 0
      ? []
      : [
          {
            path: `array (${family})`,
            message: `not known for this family: ${unknown.join("; ")}`,
          },
        ]),
    {
      path: "array",
      message: `volumes, host groups and ${protocol === "nvme-fc" ? "namespace" : "LUN"} maps of the whole array, with those that others have`,
    },
  ];
}

function ofFabrics({ site }: PlanParts): PlanRemark[] {
  const { A, B } = site.fabrics;
  return [
    {
      path: "site.fabrics",
      message: `what others have in the zoning of ${A.device} and ${B.device}, and what is left there; the zones of the bed alone are checked`,
    },
  ];
}

function ofHosts({ bed, volumeGroups }: PlanParts): PlanRemark[] {
  if (volumeGroups.length === 0 || bed.array.protocol !== "nvme-fc") return [];
  const { namespacesPerHost } = hypervisorLimits(bed.hypervisor.version);
  return [
    {
      path: "hosts",
      message:
        "paths over NVMe on a host: VMware gives a limit of its own for them, which is not known here",
    },
    {
      path: "hosts",
      message: "the queue of a namespace, which host and array agree on",
    },
    ...(namespacesPerHost === undefined
      ? []
      : [
          {
            path: "hosts",
            message: `namespaces that hosts have already, of the ${namespacesPerHost.max.toString()} that a host takes`,
          },
        ]),
  ];
}
