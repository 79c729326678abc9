import type { BedPlan } from "../bed-plan";
import type { Problem } from "../errors";
import { familyLimits } from "../families/table";
import { hypervisorLimits } from "../hypervisor-limits";
import { lunsTaken } from "../lun-plan";
import { controllerNames } from "../pool-plan";

const fabrics = ["A", "B"] as const;

/** Both fabrics on every host and every controller, and no more paths than hosts take. */
export function zoningProblems(plan: BedPlan): Problem[] {
  return [...hostPortProblems(plan), ...targetPortProblems(plan), ...pathProblems(plan)];
}

function hostPortProblems({ zoning }: BedPlan): Problem[] {
  return zoning.flatMap((host) =>
    fabrics
      .filter((fabric) => Object.keys(host.fabrics[fabric].initiators).length === 0)
      .map((fabric) => ({
        path: `site.hosts.${host.host}.hbas`,
        message: `host ${host.host} has no port on fabric ${fabric}`,
        remedy: "a bed needs both fabrics on every host",
      })),
  );
}

function targetPortProblems({ site, bed }: BedPlan): Problem[] {
  const problems: Problem[] = [];
  const controllers = controllerNames(site);
  if (controllers.length !== bed.array.controllers) {
    problems.push({
      path: "site.array.ports",
      message: `the site's target ports are of ${controllers.length.toString()} controllers, the bed's array has ${bed.array.controllers.toString()}`,
      remedy: "list ports of every controller of this one array on both fabrics, and of no other",
    });
  }
  for (const fabric of fabrics) {
    const ports = site.array.ports.filter((port) => port.fabric === fabric);
    if (ports.length === 0) {
      problems.push({
        path: "site.array.ports",
        message: `the array has no target port on fabric ${fabric}`,
      });
      continue;
    }
    for (const controller of controllers) {
      if (ports.some((port) => port.controller === controller)) continue;
      problems.push({
        path: "site.array.ports",
        message: `controller ${controller} has no target port on fabric ${fabric}: hosts would lose its volumes with the other fabric`,
        remedy: `list a port of ${controller} on fabric ${fabric}`,
      });
    }
  }
  return problems;
}

/** One problem for each limit, for the host that is furthest over it. */
function pathProblems({ bed, site, zoning, volumeGroups, hostGroups }: BedPlan): Problem[] {
  const problems: Problem[] = [];
  const { pathsPerDevice, pathsPerHost } = hypervisorLimits(bed.hypervisor.version);
  const most = Math.max(0, ...zoning.map((host) => host.expectedPaths));
  if (most > pathsPerDevice.max) {
    problems.push({
      path: "site.array.ports",
      message: `${most.toString()} paths to each device, at most ${pathsPerDevice.max.toString()} (${pathsPerDevice.source})`,
      remedy: "list fewer target ports",
    });
  }
  const perController = familyLimits[bed.array.family].pathsPerController;
  const paths = most / Math.max(1, controllerNames(site).length);
  if (perController !== undefined && paths > perController.max) {
    problems.push({
      path: "site.array.ports",
      message: `${paths.toString()} paths from a host to each controller, at most ${perController.max.toString()} (${perController.source})`,
      remedy: "list fewer target ports",
    });
  }
  const devices = devicesByHost(volumeGroups, hostGroups);
  let fullest: { host: string; total: number; seen: number } | undefined;
  for (const { host, expectedPaths } of zoning) {
    // Of LUNs that the host sees already only this is known: each has a path at least.
    const seen = lunsTaken(site, [{ name: host }]).size;
    const total = expectedPaths * (devices.get(host) ?? 0) + seen;
    if (total > (fullest?.total ?? 0)) fullest = { host, total, seen };
  }
  if (fullest !== undefined && fullest.total > pathsPerHost.max) {
    problems.push({
      path: "volumeGroups",
      message: `${fullest.total.toString()} paths on host ${fullest.host}${fullest.seen === 0 ? "" : ` with one at least to each of ${fullest.seen.toString()} LUNs there already`}, at most ${pathsPerHost.max.toString()} (${pathsPerHost.source})`,
      remedy: `at most ${Math.floor(Math.max(0, pathsPerHost.max - fullest.seen) / Math.max(1, most)).toString()} volumes with ${most.toString()} paths each, or fewer target ports`,
    });
  }
  return problems;
}

/** How many devices of the bed each host sees. */
export function devicesByHost(
  volumeGroups: BedPlan["volumeGroups"],
  hostGroups: BedPlan["hostGroups"],
): ReadonlyMap<string, number> {
  const inGroup = new Map<string, number>();
  for (const { hostGroup, volumes } of volumeGroups) {
    inGroup.set(hostGroup, (inGroup.get(hostGroup) ?? 0) + volumes.length);
  }
  const found = new Map<string, number>();
  for (const group of hostGroups) {
    for (const host of group.hosts) {
      found.set(host, (found.get(host) ?? 0) + (inGroup.get(group.key) ?? 0));
    }
  }
  return found;
}
