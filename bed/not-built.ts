import type { BedPlan } from "./bed-plan";
import type { Problem } from "./errors";

/** Array families, protocols and workloads that components and drivers can bring up so far. */
const builtFamilies: readonly string[] = ["ontap"];
const builtProtocols: readonly string[] = ["fcp", "nvme-fc"];
/** Workloads whose cases can be run. Guests of the others stand, without cases. */
const measuredWorkloads: readonly string[] = ["sysbench"];

/**
 * What a plan needs that cannot be built yet. Planning does not mind: the components ask before they
 * declare anything, so that no bed is left half built.
 */
export function notBuiltYet({ bed, settings, workload, hosts, hostGroups }: BedPlan): Problem[] {
  const missing = (path: string, what: string, built: readonly string[]): Problem => ({
    path,
    message: `${what} can be planned, but not be built yet`,
    remedy: `so far: ${built.join(", ")}`,
  });
  const problems: Problem[] = [];
  const { family, protocol } = bed.array;
  if (!builtFamilies.includes(family)) {
    problems.push(missing("array.family", `an array of the family ${family}`, builtFamilies));
  }
  if (!builtProtocols.includes(protocol)) {
    problems.push(missing("array.protocol", `a bed over ${protocol}`, builtProtocols));
  }
  if (settings.measure && !measuredWorkloads.includes(workload.kind)) {
    problems.push({
      path: "measure",
      message: `the guests of ${workload.kind} can be built, but its cases cannot be run yet`,
      remedy: `\`measure: false\` builds the bed with its guests and without cases; cases run for: ${measuredWorkloads.join(", ")}`,
    });
  }
  if (hostGroups.length > 1) {
    problems.push(
      missing("volumeGroups", "volume groups for single clusters", ["volumes for all hosts"]),
    );
  }
  if (hosts.some((host) => host.entry !== undefined)) {
    problems.push(missing("site.hosts", "mapping to host entries of the site", ["own entries"]));
  }
  return problems;
}
