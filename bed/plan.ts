import { settableHostSettings } from "./adapter-depths";
import { limitsOf } from "./bed-limits";
import type { BedPlan } from "./bed-plan";
import { checkPlan } from "./checks/check-plan";
import { planCases, planSchedule } from "./case-plan";
import { planDatastores } from "./datastore-plan";
import { ConfigError, type Problem } from "./errors";
import { estimate } from "./estimates";
import { planGuests, planPlacement } from "./guest-plan";
import { chooseHosts } from "./host-choice";
import { hostGroupOf, planHostGroups } from "./host-group-plan";
import { lunsTaken, planLuns } from "./lun-plan";
import { markName } from "./mark";
import { ontapSvmRules, physicalName } from "./physical-names";
import { planPools } from "./pool-plan";
import { planRemarks } from "./remarks";
import type { Phase, ReviewBed } from "./review-bed";
import { scaledPhase } from "./scaled-phase";
import type { Settings } from "./settings";
import type { Site } from "./site";
import { uncheckedLimits } from "./unchecked";
import { planVolumeGroup } from "./volume-plan";
import { chooseTargets, planZoning } from "./zoning-plan";

/** What a plan comes to: all that was found wrong, and the plan as far as it goes. */
export interface PlanResult {
  /** Undefined where the phase does not exist. With problems it is for looking at only. */
  readonly plan: BedPlan | undefined;
  readonly problems: readonly Problem[];
}

/**
 * The plan of one phase of a review bed on a site.
 * @throws {ConfigError} with every problem of the plan at once, each with path and remedy.
 */
export function planBed(bed: ReviewBed, site: Site, settings: Settings): BedPlan {
  const { plan, problems } = findPlan(bed, site, settings);
  if (plan === undefined || problems.length > 0) {
    throw new ConfigError(problems, "the plan does not fit");
  }
  return plan;
}

/** The same for those who want to see plan and problems side by side. */
export function findPlan(bed: ReviewBed, site: Site, settings: Settings): PlanResult {
  const declared = bed.phases[settings.phase];
  if (declared === undefined) {
    const problem = {
      path: "phase",
      message: `bed ${bed.id} has no phase "${settings.phase}"`,
      remedy: `its phases are ${Object.keys(bed.phases).join(", ")}`,
    };
    return { plan: undefined, problems: [problem] };
  }
  const problems: Problem[] = [];
  const phase = scaledPhase(declared, settings.scale, problems);
  const core = planParts(bed, site, settings, { declared, phase }, problems);
  const withEstimates = { ...core, estimates: estimate(core) };
  const plan = {
    ...withEstimates,
    remarks: planRemarks(withEstimates),
    unchecked: uncheckedLimits(withEstimates),
  };
  problems.push(...checkPlan(plan, phase));
  return { plan, problems };
}

interface Phases {
  /** As the bed has it, and as the stack scales it. */
  readonly declared: Phase;
  readonly phase: Phase;
}

function planParts(
  bed: ReviewBed,
  site: Site,
  settings: Settings,
  { declared, phase }: Phases,
  problems: Problem[],
): Omit<BedPlan, "estimates" | "remarks" | "unchecked"> {
  const { hosts, declaredHosts, clusters } = chooseHosts(bed, site, settings.scale, problems);
  const prefix = physicalName(ontapSvmRules, bed.short, settings.stack);
  const limits = limitsOf(bed);
  const naming = { bedId: settings.bedId, prefix, limits };
  const pools = planPools(site, phase, problems);
  const nvme = bed.array.protocol === "nvme-fc";
  const luns = nvme ? undefined : planLuns(phase.volumeGroups, lunsTaken(site, hosts), limits);
  const volumeGroups = Object.entries(phase.volumeGroups).map(([name, group]) =>
    planVolumeGroup(name, group, {
      ...naming,
      pools,
      luns: luns?.get(name),
      hostGroup: hostGroupOf(group),
    }),
  );
  const targets = chooseTargets(site, nvme ? limits.nvmePortsPerController?.max : undefined);
  const guests = planGuests(phase, {
    site,
    prefix,
    clusters,
    hosts,
    declaredHosts,
    groups: volumeGroups,
    declaredVolumes: Object.fromEntries(
      Object.entries(declared.volumeGroups).map(([name, group]) => [name, group.count]),
    ),
  });
  const cases = planCases(phase, guests);
  return {
    settings,
    bed,
    site,
    prefix,
    hosts,
    hostSettings: settableHostSettings(bed, { ...bed.host, ...phase.host }, hosts),
    hostGroups: planHostGroups(phase, { ...naming, clusters, hosts }),
    zoning: planZoning(site, hosts, targets),
    unusedTargetPorts: targets.unused,
    target: { mode: site.array.target.mode, name: targetName(site, prefix) },
    pools,
    volumeGroups,
    datastores: planDatastores(volumeGroups, guests, phase.workload),
    folder: markName(settings.bedId, prefix),
    guests,
    placement: planPlacement(prefix, hosts, guests),
    workload: phase.workload,
    cases,
    schedule: planSchedule(phase.workload, cases),
    assumptions: assumptionsOf(bed, settings.phase),
  };
}

function targetName(site: Site, prefix: string): string {
  const { target } = site.array;
  return "name" in target && target.name !== undefined ? target.name : prefix;
}

/** Those of the bed as a whole and of this phase. */
function assumptionsOf(bed: ReviewBed, phase: string): BedPlan["assumptions"] {
  return bed.assumptions.filter(({ paths }) =>
    paths.some((path) => {
      const [first, second] = path.split(".");
      return first !== "phases" || second === "*" || second === phase;
    }),
  );
}
