import { guestCount } from "../address-plan";
import type { BedPlan } from "../bed-plan";
import type { Problem } from "../errors";
import { largestDisk, virtualAdapters } from "../hypervisor-limits";
import type { GuestClass, Phase } from "../review-bed";
import { formatBytes, parseBytes } from "../units";

/** Guests: addresses, templates, hosts, disks, memory. */
export function guestProblems(plan: BedPlan, phase: Phase): Problem[] {
  return [
    ...caseProblems(phase),
    ...addressProblems(plan, phase),
    ...Object.entries(phase.guests).flatMap(([name, declared]) => [
      ...classProblems(plan, name, declared),
      ...memorySizeProblems(name, declared),
      ...diskProblems(plan, name, declared),
    ]),
    ...memoryProblems(plan),
  ];
}

function caseProblems(phase: Phase): Problem[] {
  const tested = Object.entries(phase.guests).filter(([, one]) => one.role === "test");
  if (tested.length !== 1) {
    return [
      {
        path: "guests",
        message: `${tested.length.toString()} classes of guests carry the workload, a case needs one`,
        remedy: "role: driver for the others",
      },
    ];
  }
  const [name = "", declared] = tested[0] ?? [];
  const most = Math.max(...phase.cases);
  if (declared?.count === undefined || declared.count >= most) return [];
  return [
    {
      path: `guests.${name}.count`,
      message: `${declared.count.toString()} guests, the largest case needs ${most.toString()}`,
      remedy: "more guests or smaller cases",
    },
  ];
}

function addressProblems({ site, guests }: BedPlan, phase: Phase): Problem[] {
  const problems: Problem[] = [];
  const without = guests.filter((guest) => guest.address === "").length;
  if (without > 0) {
    const taken = new Set(site.occupancy?.addresses ?? []);
    const given = site.guests.addresses.length;
    const inUse = site.guests.addresses.filter((address) => taken.has(address)).length;
    problems.push({
      path: "site.guests.addresses",
      message: `${guests.length.toString()} guests need an address each, the site gives ${given.toString()}${inUse === 0 ? "" : `, ${inUse.toString()} of them in use`}: ${without.toString()} guests have none`,
      remedy: `${without.toString()} more addresses, or fewer guests`,
    });
  }
  const ranges = Object.entries(phase.guests)
    .map(([name, declared]) => ({
      name,
      first: declared.firstAddress,
      end: declared.firstAddress + guestCount(declared, phase.cases),
    }))
    .toSorted((a, b) => a.first - b.first);
  for (const [index, range] of ranges.entries()) {
    const before = ranges[index - 1];
    if (before === undefined || before.end <= range.first) continue;
    problems.push({
      path: `guests.${range.name}.firstAddress`,
      message: `addresses of ${range.name} begin at position ${range.first.toString()}, those of ${before.name} go to ${(before.end - 1).toString()}`,
      remedy: `begin at ${before.end.toString()} or later`,
    });
  }
  return problems;
}

function classProblems(plan: BedPlan, name: string, declared: GuestClass): Problem[] {
  const problems: Problem[] = [];
  if (plan.site.templates[declared.template] === undefined) {
    problems.push({
      path: "site.templates",
      message: `the site has no template "${declared.template}", which ${name} guests are cloned from`,
      remedy: "make one and list it",
    });
  }
  const homeless = plan.guests.filter((guest) => guest.class === name && guest.host === "").length;
  if (homeless > 0) {
    problems.push({
      path: `guests.${name}.clusters`,
      message: `${homeless.toString()} ${name} guests have no host: none in use is in their clusters`,
      remedy: "use hosts of these clusters",
    });
  }
  return problems;
}

function diskProblems(plan: BedPlan, name: string, declared: GuestClass): Problem[] {
  const problems = largeDiskProblems(name, declared);
  const path = `guests.${name}.disks`;
  const groups = new Map(plan.volumeGroups.map((group) => [group.name, group]));
  for (const { label, on } of declared.disks) {
    if (on === "site" || groups.has(on)) continue;
    problems.push({
      path: `${path}.${label}`,
      message: `there is no volume group "${on}" for the disk`,
      remedy: `groups are ${[...groups.keys()].join(", ")}; "site" is the site's own datastore`,
    });
  }
  const blind = blindDisks(plan, name);
  if (blind[0] !== undefined) {
    problems.push({
      path,
      message: `${blind.length.toString()} disks lie on volumes that the guest's host does not see, the first is ${blind[0]}`,
      remedy: "guests and volume groups of the same clusters",
    });
  }
  const { disks: most } = virtualAdapters[declared.adapter];
  for (const controller of new Set(declared.disks.map((disk) => disk.controller))) {
    const count = declared.disks.filter((disk) => disk.controller === controller).length;
    if (count <= most) continue;
    problems.push({
      path,
      message: `${count.toString()} disks on controller ${controller.toString()}, at most ${most.toString()}`,
      remedy: "spread them over the controllers 0 to 3",
    });
  }
  return problems;
}

const mebibyte = 1024n ** 2n;

/** vSphere counts memory in steps (vSphere Virtual Machine Administration, "Change Memory Configuration"). */
const memoryStep = 4n * mebibyte;

function memorySizeProblems(name: string, { memory }: GuestClass): Problem[] {
  const bytes = parseBytes(memory);
  if (bytes % memoryStep === 0n) return [];
  const below = (bytes / memoryStep) * 4n;
  return [
    {
      path: `guests.${name}.memory`,
      message: `${memory} are no multiple of 4 MiB, which is what vSphere gives memory in`,
      remedy: `${below === 0n ? "" : `${below.toString()} MiB or `}${(below + 4n).toString()} MiB; "GB" are 10^9 bytes, write GiB for what vSphere calls GB`,
    },
  ];
}

function largeDiskProblems(name: string, { disks }: GuestClass): Problem[] {
  return disks
    .filter(({ size }) => parseBytes(size) > largestDisk.max)
    .map(({ label, size }) => ({
      path: `guests.${name}.disks.${label}`,
      message: `a disk of ${size}, at most ${formatBytes(largestDisk.max)} (${largestDisk.source})`,
      remedy: "more and smaller disks",
    }));
}

/** Disks on volumes that are mapped to other hosts than the guest's. */
function blindDisks(plan: BedPlan, name: string): string[] {
  const hosts = new Map(plan.hostGroups.map((group) => [group.key, new Set(group.hosts)]));
  const seenBy = new Map(
    plan.volumeGroups.map((group) => [group.name, hosts.get(group.hostGroup)]),
  );
  return plan.guests
    .filter((guest) => guest.class === name && guest.host !== "")
    .flatMap((guest) =>
      guest.disks
        .filter(({ volume }) => seenBy.get(volume?.group ?? "")?.has(guest.host) === false)
        .map(({ label }) => `${label} of ${guest.key} on ${guest.host}`),
    );
}

/** Memory of guests beyond the host's is swapped or ballooned, which no measurement survives. */
function memoryProblems({ bed, estimates }: BedPlan): Problem[] {
  if (bed.hosts.memory === undefined) return [];
  const memory = parseBytes(bed.hosts.memory);
  let fullest = estimates.hosts[0];
  for (const host of estimates.hosts) {
    if (host.guestMemoryBytes > (fullest?.guestMemoryBytes ?? 0n)) fullest = host;
  }
  if (fullest === undefined || fullest.guestMemoryBytes <= memory) return [];
  const { host, guests, guestMemoryBytes } = fullest;
  return [
    {
      path: "guests",
      message: `${guests.toString()} guests on host ${host} have ${formatBytes(guestMemoryBytes)} of memory, the host ${formatBytes(memory)}, ${formatBytes(guestMemoryBytes - memory)} less`,
      remedy: `more hosts, smaller cases, or less memory: ${((memory * BigInt(guests)) / guestMemoryBytes).toString()} such guests fit on a host`,
    },
  ];
}
