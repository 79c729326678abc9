import type { BedPlan } from "../bed-plan";
import type { Problem } from "../errors";
import { familyLimits } from "../families/table";
import { hypervisorLimits } from "../hypervisor-limits";
import { formatBytes, parseBytes } from "../units";

/** Whether bed and site mean the same kind of array, and whether its drives add up. */
export function arrayProblems(plan: BedPlan): Problem[] {
  return [...familyProblems(plan), ...driveProblems(plan)];
}

function familyProblems({ bed, site, hosts }: BedPlan): Problem[] {
  const problems: Problem[] = [];
  const { family, protocol } = bed.array;
  if (site.array.family !== family) {
    problems.push({
      path: "site.array.family",
      message: `the bed is for ${family}, the site's array is ${site.array.family}`,
      remedy: "choose a bed of the site's family, or another site",
    });
  }
  if (protocol !== "nvme-fc") return problems;
  if (familyLimits[family].nvmePortsPerController === undefined) {
    problems.push({
      path: "array.protocol",
      message: `NVMe over Fibre Channel is not planned for ${family}`,
      remedy: "use fcp",
    });
  }
  if (hypervisorLimits(bed.hypervisor.version).namespacesPerHost === undefined) {
    problems.push({
      path: "hypervisor.version",
      message: `vSphere ${bed.hypervisor.version} has no NVMe over Fibre Channel`,
      remedy: "7.0 or later",
    });
  }
  problems.push(...tooOld(bed.array));
  for (const host of hosts) {
    if (host.nqn !== undefined) continue;
    problems.push({
      path: `site.hosts.${host.name}.nqn`,
      message: `host ${host.name} has no NQN, which a subsystem knows it by`,
      remedy: "read it from the host: esxcli nvme info get",
    });
  }
  return problems;
}

function tooOld({ family, model, software }: BedPlan["bed"]["array"]): Problem[] {
  const since = familyLimits[family].nvmeSince;
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(software ?? "") ?? [];
  if (since === undefined || major === undefined || minor === undefined) return [];
  const [firstMajor, firstMinor] = since.release;
  if ((Number(major) - firstMajor || Number(minor) - firstMinor) >= 0) return [];
  const first = since.release.join(".");
  return [
    {
      path: "array.software",
      message: `${model} with ${software ?? ""} serves no NVMe over Fibre Channel to vSphere`,
      remedy: `${first} or later (${since.source}), or protocol fcp`,
    },
  ];
}

function driveProblems({ bed }: BedPlan): Problem[] {
  const { bays, drives, raid, spares, model, raw } = bed.array;
  const problems: Problem[] = [];
  if (bays !== undefined && drives.count > bays) {
    problems.push({
      path: "array.drives.count",
      message: `${drives.count.toString()} drives in the ${bays.toString()} bays of ${model}, ${(drives.count - bays).toString()} too many`,
      remedy: `at most ${bays.toString()} drives`,
    });
  }
  if (raw !== undefined && drives.size !== undefined) {
    const sum = parseBytes(drives.size) * BigInt(drives.count);
    const given = parseBytes(raw);
    // The figure is rounded to whole TB.
    if (sum > given + given / 50n || sum < given - given / 50n) {
      problems.push({
        path: "array.drives",
        message: `${drives.count.toString()} drives of ${drives.size} are ${formatBytes(sum)}, the array has ${raw} raw (${formatBytes(given)})`,
        remedy: `${(given / parseBytes(drives.size) + 1n).toString()} drives of ${drives.size}`,
      });
    }
  }
  if (raid.groups === undefined || raid.drivesPerGroup === undefined) return problems;
  const needed = raid.groups * raid.drivesPerGroup + (spares ?? 0);
  if (needed > drives.count) {
    problems.push({
      path: "array.raid",
      message: `${raid.groups.toString()} ${raid.level} groups of ${raid.drivesPerGroup.toString()} and ${(spares ?? 0).toString()} spares are ${needed.toString()} drives, there are ${drives.count.toString()}`,
      remedy: `${(needed - drives.count).toString()} fewer in groups or spares`,
    });
  }
  return problems;
}
