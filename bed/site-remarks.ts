import { declaredHostSettings } from "./adapter-depths";
import type { BedPlan, PlanRemark } from "./bed-plan";

type PlanParts = Omit<BedPlan, "remarks" | "unchecked">;

/** Where the site differs from what the bed declares, or its hosts from each other: peaks may differ too. */
export function siteRemarks(plan: PlanParts): PlanRemark[] {
  return [...targetPorts(plan), ...hostPorts(plan), ...pathCounts(plan), ...adapterDepths(plan)];
}

function targetPorts({ bed, site, zoning }: PlanParts): PlanRemark[] {
  const declared = bed.array.targetPorts;
  const fabrics = zoning[0]?.fabrics;
  if (declared === undefined || fabrics === undefined) return [];
  const used = new Set([...fabrics.A.targetKeys, ...fabrics.B.targetKeys]).size;
  if (used === declared) return [];
  return [
    {
      path: "site.array.ports",
      message: `the bed's array has ${declared.toString()} target ports in use, the plan uses ${used.toString()} of the ${site.array.ports.length.toString()} that the site lists`,
    },
  ];
}

function hostPorts({ bed, hosts }: PlanParts): PlanRemark[] {
  const declared = bed.hosts.ports;
  if (declared === undefined) return [];
  return groups(hosts.map(({ name, hbas }) => [name, hbas.length] as const))
    .filter(([ports]) => ports !== declared)
    .map(([ports, names]) => ({
      path: "site.hosts",
      message: `a host of the bed has ${declared.toString()} ports, ${listed(names)} ${ports.toString()}`,
    }));
}

function pathCounts({ zoning }: PlanParts): PlanRemark[] {
  const counts = groups(zoning.map(({ host, expectedPaths }) => [host, expectedPaths] as const));
  if (counts.length < 2) return [];
  const each = counts.map(([paths, names]) => `${paths.toString()} on ${listed(names)}`);
  return [
    {
      path: "site.hosts",
      message: `hosts have different numbers of paths to a volume: ${each.join(", ")}; guests on them are not alike`,
    },
  ];
}

function adapterDepths({ bed, settings, hosts, hostSettings }: PlanParts): PlanRemark[] {
  // Namespaces have queues of their own.
  if (bed.array.protocol === "nvme-fc") return [];
  const remarks: PlanRemark[] = [];
  const { adapterQueueDepth, queueDepth } = hostSettings;
  const unsaid = hosts.filter(({ hbas }) =>
    hbas.some(({ deviceQueueDepth }) => deviceQueueDepth === undefined),
  );
  if (unsaid.length > 0) {
    remarks.push({
      path: "site.hosts.hbas.deviceQueueDepth",
      message: `the site does not say how many requests the adapters of ${listed(unsaid.map(({ name }) => name))} take for one device: ${adapterQueueDepth.toString()} are counted on; look at "Device Max Queue Depth" in \`esxcli storage core device list\``,
    });
  }
  const declared = declaredHostSettings(bed, settings.phase).queueDepth;
  const shallow = hosts.filter(({ hbas }) =>
    hbas.some(({ deviceQueueDepth }) => (deviceQueueDepth ?? declared) < declared),
  );
  if (shallow.length > 0) {
    remarks.push({
      path: "host.queueDepth",
      message: `${queueDepth.toString()} requests are set on each device instead of ${declared.toString()}: the adapters of ${listed(shallow.map(({ name }) => name))} take no more`,
    });
  }
  return remarks;
}

/** Names by their figure, in the order in which figures come up. */
function groups(pairs: readonly (readonly [string, number])[]): [number, string[]][] {
  const found = new Map<number, string[]>();
  for (const [name, figure] of pairs) {
    const names = found.get(figure);
    if (names === undefined) found.set(figure, [name]);
    else names.push(name);
  }
  return [...found];
}

const shown = 3;

/** The first few names, and how many more there are. */
function listed(names: readonly string[]): string {
  const more = names.length - shown;
  const first = names.slice(0, shown).join(", ");
  return more > 0 ? `${first} and ${more.toString()} more` : first;
}
