import type { BedPlan } from "./bed-plan";
import type { Problem } from "./errors";

/** Array families, protocols and workloads that components and drivers can bring up so far. */
const builtFamilies: readonly string[] = ["ontap"];
const builtProtocols: readonly string[] = ["fcp", "nvme-fc"];
const builtWorkloads: readonly string[] = ["sysbench"];

/**
 * What a plan needs that cannot be built yet. Planning does not mind: the components ask before they
 * declare anything, so that no bed is left half built.
 */
export function notBuiltYet({ bed, workload, hosts, hostGroups, guests }: BedPlan): Problem[] {
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
  if (!builtWorkloads.includes(workload.kind)) {
    problems.push(missing("workload", `the workload ${workload.kind}`, builtWorkloads));
  }
  if (hostGroups.length > 1) {
    problems.push(
      missing("volumeGroups", "volume groups for single clusters", ["volumes for all hosts"]),
    );
  }
  if (hosts.some((host) => host.entry !== undefined)) {
    problems.push(missing("site.hosts", "mapping to host entries of the site", ["own entries"]));
  }
  if (guests.some((guest) => guest.disks.some((disk) => disk.controller > 0))) {
    problems.push(missing("guests", "several SCSI controllers", ["one"]));
  }
  return problems;
}
