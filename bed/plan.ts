import { ConfigError, type Problem } from "./errors";
import { markName } from "./mark";
import { ontapSvmRules, physicalName } from "./physical-names";
import { planGuests } from "./guest-plan";
import type { BedPlan } from "./bed-plan";
import { findProblems } from "./plan-problems";
import type { ReviewBed } from "./review-bed";
import { scaledPhase } from "./scaled-phase";
import type { Settings } from "./settings";
import type { Site, SiteHost } from "./site";
import { planVolumeGroup } from "./volume-plan";
import { planZoning } from "./zoning-plan";

/**
 * The plan of one phase of a review bed on a site.
 * @throws {ConfigError} with every problem of the plan at once, each with path and remedy.
 */
export function planBed(bed: ReviewBed, site: Site, settings: Settings): BedPlan {
  const declared = bed.phases[settings.phase];
  if (declared === undefined) {
    throw new ConfigError([
      {
        path: "phase",
        message: `bed ${bed.id} has no phase "${settings.phase}"`,
        remedy: `its phases are ${Object.keys(bed.phases).join(", ")}`,
      },
    ]);
  }
  const problems: Problem[] = [];
  const phase = scaledPhase(declared, settings.scale, problems);
  const hosts = chooseHosts(bed, site, settings, problems);
  const prefix = physicalName(ontapSvmRules, bed.short, settings.stack);
  const volumeGroups = Object.entries(phase.volumeGroups).map(([name, group]) =>
    planVolumeGroup(site, prefix, name, group),
  );
  const guests = planGuests(site, hosts, prefix, phase, volumeGroups);
  const plan: BedPlan = {
    settings,
    bed,
    site,
    prefix,
    hosts,
    zoning: planZoning(site, hosts),
    target: { mode: site.array.target.mode, name: site.array.target.name ?? prefix },
    hostGroup: markName(settings.bedId, prefix),
    volumeGroups,
    folder: markName(settings.bedId, prefix),
    guests,
    sysbench: phase.sysbench,
    cases: phase.cases.map((count) => ({
      name: `sysbench-${count.toString()}vm`,
      guests: guests.slice(0, count).map((guest) => guest.key),
    })),
  };
  problems.push(...findProblems(plan));
  if (problems.length > 0) throw new ConfigError(problems, "the plan does not fit");
  return plan;
}

function chooseHosts(
  bed: ReviewBed,
  site: Site,
  settings: Settings,
  problems: Problem[],
): SiteHost[] {
  const named = settings.scale.hosts;
  if (named !== undefined) {
    return named.flatMap((name, index) => {
      const host = site.hosts.find((h) => h.name === name);
      if (host !== undefined) return [host];
      problems.push({
        path: `scale.hosts[${index.toString()}]`,
        message: `the site has no host "${name}"`,
        remedy: `its hosts are ${site.hosts.map((h) => h.name).join(", ")}`,
      });
      return [];
    });
  }
  const wanted = settings.scale.clusters ?? bed.hosts.clusters;
  return site.hypervisor.clusters.slice(0, wanted).flatMap((cluster) => {
    const hosts = site.hosts.filter((h) => h.cluster === cluster).slice(0, bed.hosts.perCluster);
    if (hosts.length < bed.hosts.perCluster) {
      problems.push({
        path: "hosts",
        message: `cluster ${cluster} has ${hosts.length.toString()} hosts, the bed needs ${bed.hosts.perCluster.toString()}`,
        remedy: "name the hosts to use in scale.hosts",
      });
    }
    return hosts;
  });
}
