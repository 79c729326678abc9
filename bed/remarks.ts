import type { BedPlan, PlanRemark } from "./bed-plan";
import { lunsTaken } from "./lun-plan";
import { siteRemarks } from "./site-remarks";
import { formatBytes } from "./units";

type PlanParts = Omit<BedPlan, "remarks" | "unchecked">;

/** What a reader should know before the bed is built, and what the plan could not find out. */
export function planRemarks(plan: PlanParts): PlanRemark[] {
  return [
    ...plan.unusedTargetPorts.map(({ key, reason }) => ({
      path: `site.array.ports.${key}`,
      message: `target port ${key} stays out: ${reason}`,
    })),
    ...putOffLuns(plan),
    ...siteRemarks(plan),
    ...crowdedHosts(plan),
    ...unknowns(plan),
  ];
}

function putOffLuns(plan: PlanParts): PlanRemark[] {
  const taken = lunsTaken(plan.site, plan.hosts);
  return plan.volumeGroups.flatMap((group) => {
    const first = plan.bed.phases[plan.settings.phase]?.volumeGroups[group.name]?.firstLun;
    const wanted = plan.settings.scale.volumeGroups?.[group.name]?.firstLun ?? first;
    if (wanted === undefined) return [];
    return group.volumes.flatMap((volume, index) => {
      const asked = wanted + index;
      if (volume.lun === undefined || volume.lun === asked) return [];
      return [
        {
          path: `volumeGroups.${group.name}.firstLun`,
          message: `LUN ${asked.toString()} is ${taken.has(asked) ? "in use on a host of the bed" : "kept by the array"}: ${group.name}/${volume.key} has LUN ${volume.lun.toString()}`,
        },
      ];
    });
  });
}

function crowdedHosts({ bed, estimates, workload }: PlanParts): PlanRemark[] {
  const { cores } = bed.hosts;
  const fullest = estimates.hosts.toSorted((a, b) => b.guestVcpus - a.guestVcpus)[0];
  if (cores === undefined || fullest === undefined || fullest.guestVcpus <= cores) return [];
  return [
    {
      path: "guests",
      message: `${fullest.guestVcpus.toString()} virtual CPUs on a host with ${cores.toString()} cores: ${workload.kind} may be bound by the hosts, not by the array`,
    },
  ];
}

function unknowns({ estimates, schedule, bed }: PlanParts): PlanRemark[] {
  const remarks: PlanRemark[] = [];
  const untimed = schedule.filter((step) => step.durationMs === undefined);
  for (const { name } of untimed) {
    remarks.push({ path: "schedule", message: `nothing tells how long it takes to ${name}` });
  }
  if (estimates.written.casesBytes === undefined) {
    remarks.push({
      path: "estimates.written",
      message: "no published rate for every case: what they write is not estimated",
    });
  }
  for (const pool of estimates.pools) {
    if (pool.capacityBytes === undefined) {
      remarks.push({
        path: "site.array.pools",
        message: `neither bed nor site says how large pool ${pool.pool} is: whether ${formatBytes(pool.expectedBytes)} fit is not checked`,
      });
    }
  }
  const { name, disksBytes, swapBytes, freeBytes } = estimates.siteDatastore;
  if (freeBytes === undefined && disksBytes + swapBytes > 0n) {
    remarks.push({
      path: "site.hypervisor.datastores",
      message: `the site does not say what is free on ${name}: whether the disks and swap files there fit is not checked`,
    });
  }
  if (bed.hosts.memory === undefined) {
    remarks.push({ path: "hosts.memory", message: "memory of the hosts is not known" });
  }
  return remarks;
}
