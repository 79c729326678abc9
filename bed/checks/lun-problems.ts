import { limitsOf } from "../bed-limits";
import type { BedPlan } from "../bed-plan";
import type { Problem } from "../errors";
import type { FamilyLimits, Limit } from "../families/limits";
import { lunsTaken, unusableLun } from "../lun-plan";
import { hypervisorLimits } from "../hypervisor-limits";
import { devicesByHost } from "./zoning-problems";

/** LUN numbers: none twice on a host, all within what array and hosts take, no more than hosts see. */
export function lunProblems(plan: BedPlan): Problem[] {
  const limits = limitsOf(plan.bed);
  return [
    ...overlaps(plan),
    ...exhausted(plan, limits),
    ...outOfRange(plan, limits),
    ...tooMany(plan),
    ...groupProblems(plan, limits),
  ];
}

function overlaps({ volumeGroups, hostGroups }: BedPlan): Problem[] {
  const problems: Problem[] = [];
  const meeting = meetingGroups(hostGroups);
  const owners = new Map<string, string>();
  for (const group of volumeGroups) {
    for (const { key, lun } of group.volumes) {
      if (lun === undefined) continue;
      const label = `${group.name}/${key}`;
      for (const other of meeting.get(group.hostGroup) ?? []) {
        const owner = owners.get(`${other}\n${lun.toString()}`);
        if (owner === undefined) continue;
        problems.push({
          path: `volumeGroups.${group.name}.firstLun`,
          message: `LUN ${lun.toString()} of ${label} is also that of ${owner}`,
          remedy: "give the groups ranges that do not overlap",
        });
      }
      owners.set(`${group.hostGroup}\n${lun.toString()}`, label);
    }
  }
  return problems;
}

/** For each host group those with a host in common, itself first: others may use the same numbers. */
function meetingGroups(
  hostGroups: BedPlan["hostGroups"],
): ReadonlyMap<string, ReadonlySet<string>> {
  const groupsOf = new Map<string, string[]>();
  for (const { key, hosts } of hostGroups) {
    for (const host of hosts) groupsOf.set(host, [...(groupsOf.get(host) ?? []), key]);
  }
  const meeting = new Map(hostGroups.map(({ key }) => [key, new Set([key])]));
  for (const keys of groupsOf.values()) {
    for (const key of keys) for (const other of keys) meeting.get(key)?.add(other);
  }
  return meeting;
}

/** Volumes for which no number was left: the plan leaves them the one asked for. */
function exhausted({ volumeGroups, site, hosts }: BedPlan, limits: FamilyLimits): Problem[] {
  const unusable = unusableLun(lunsTaken(site, hosts), limits);
  return volumeGroups.flatMap((group) => {
    const without = group.volumes.flatMap(({ lun }) =>
      lun !== undefined && unusable(lun) ? [lun] : [],
    );
    const first = without[0];
    if (first === undefined) return [];
    const { min, max } = limits.lun;
    return [
      {
        path: `volumeGroups.${group.name}.firstLun`,
        message: `${without.length.toString()} volumes of the group get no LUN number, the first of them ${first.toString()}: of ${min.toString()} to ${max.toString()} all others are in use on hosts of the bed, kept by the array, or of the bed's own volumes`,
        remedy: `${without.length.toString()} volumes fewer, or hosts that see fewer LUNs`,
      },
    ];
  });
}

function outOfRange({ volumeGroups }: BedPlan, { lun: range }: FamilyLimits): Problem[] {
  return volumeGroups.flatMap((group) => {
    const beyond = group.volumes.filter(({ lun }) => lun !== undefined && lun > range.max);
    const last = beyond.at(-1)?.lun;
    if (last === undefined) return [];
    return [
      {
        path: `volumeGroups.${group.name}.firstLun`,
        message: `the last LUN of the group is ${last.toString()}, at most ${range.max.toString()} can be used (${range.source})`,
        remedy: `a firstLun lower by ${(last - range.max).toString()}, or ${beyond.length.toString()} volumes fewer`,
      },
    ];
  });
}

function tooMany({ bed, site, hosts, volumeGroups, hostGroups }: BedPlan): Problem[] {
  const limits = hypervisorLimits(bed.hypervisor.version);
  const nvme = bed.array.protocol === "nvme-fc" ? limits.namespacesPerHost : undefined;
  const limit = nvme ?? limits.devicesPerHost;
  const own = devicesByHost(volumeGroups, hostGroups);
  // LUNs that a host sees already are devices too, but no namespaces.
  const fullest = hosts
    .map((host) => {
      const seen = nvme === undefined ? lunsTaken(site, [host]).size : 0;
      return { host: host.name, seen, count: (own.get(host.name) ?? 0) + seen };
    })
    .toSorted((a, b) => b.count - a.count)[0];
  if (fullest === undefined || fullest.count <= limit.max) return [];
  const { host, seen, count } = fullest;
  const what = nvme === undefined ? "LUNs" : "namespaces";
  const already = seen === 0 ? "" : `, ${seen.toString()} of them there already`;
  return [
    {
      path: "volumeGroups",
      message: `${count.toString()} ${what} on host ${host}${already}, an ESXi host sees at most ${limit.max.toString()} (${limit.source})`,
      remedy: `${(count - limit.max).toString()} volumes fewer, or volume groups for single clusters`,
    },
  ];
}

function groupProblems(plan: BedPlan, limits: FamilyLimits): Problem[] {
  const problems: Problem[] = [];
  const ports = new Map(plan.hosts.map((host) => [host.name, host.hbas.length]));
  const groupsOf = new Map<string, number>();
  for (const group of plan.hostGroups) {
    const initiators = group.hosts.reduce((sum, host) => sum + (ports.get(host) ?? 0), 0);
    problems.push(
      ...over("hosts", `hosts in group ${group.name}`, group.hosts.length, limits.hostsPerGroup),
      ...over("hosts", `initiators in group ${group.name}`, initiators, limits.initiatorsPerGroup),
    );
    for (const host of group.hosts) groupsOf.set(host, (groupsOf.get(host) ?? 0) + 1);
    if (group.hosts.length === 0) {
      problems.push({
        path: "volumeGroups",
        message: `no host in use belongs to the cluster of host group ${group.name}`,
        remedy: "use hosts of that cluster, or leave the volume group's cluster out",
      });
    }
  }
  const [host, count] = [...groupsOf].toSorted((a, b) => b[1] - a[1])[0] ?? ["", 0];
  problems.push(
    ...over("volumeGroups", `host groups that host ${host} is in`, count, limits.groupsPerHost),
  );
  return problems;
}

function over(path: string, what: string, count: number, limit: Limit | undefined): Problem[] {
  if (limit === undefined || count <= limit.max) return [];
  return [
    {
      path,
      message: `${what}: ${count.toString()}, at most ${limit.max.toString()} (${limit.source})`,
      remedy: `${(count - limit.max).toString()} fewer`,
    },
  ];
}
