import { guestCount, planAddresses } from "./address-plan";
import { hostnameRules, physicalName } from "./physical-names";
import type { GuestClass, Phase } from "./review-bed";
import type { Site, SiteHost } from "./site";
import { spread } from "./spread";
import { parseBytes, type Bytes } from "./units";
import type { PlannedVolumeGroup } from "./volume-plan";

export interface PlannedDisk {
  readonly label: string;
  readonly sizeBytes: Bytes;
  readonly provisioning: "thin" | "thick" | "eager";
  /** Number of the virtual SCSI controller, and the disk's place on it. */
  readonly controller: number;
  readonly unit: number;
  /** Undefined: the site's own datastore. */
  readonly volume: { readonly group: string; readonly key: string } | undefined;
}

export interface PlannedGuest {
  /** Stable key: `g01`, `g02`... */
  readonly key: string;
  /** Class in the bed. */
  readonly class: string;
  readonly role: GuestClass["role"];
  /** Name of the machine, and of the guest itself. */
  readonly name: string;
  readonly host: string;
  readonly address: string;
  readonly template: string;
  readonly vcpus: number;
  readonly memoryBytes: Bytes;
  readonly adapter: GuestClass["adapter"];
  /** Queue depths that the guest's driver is set to; undefined: its own. */
  readonly queues: GuestClass["queues"];
  readonly disks: readonly PlannedDisk[];
}

/** Guests that stay on their host: a group of machines, a group of one host, and the rule that ties them. */
export interface PlannedPlacement {
  readonly host: string;
  readonly cluster: string;
  readonly hostGroup: string;
  readonly machineGroup: string;
  readonly rule: string;
  /** Keys of the guests. */
  readonly guests: readonly string[];
}

export interface GuestContext {
  readonly site: Site;
  readonly prefix: string;
  /** Clusters of the site that the bed is declared for, its number 1 first. */
  readonly clusters: readonly string[];
  /** Hosts in use, and those that the bed would use on this site at full scale. */
  readonly hosts: readonly SiteHost[];
  readonly declaredHosts: readonly SiteHost[];
  readonly groups: readonly PlannedVolumeGroup[];
  /** Volumes of each group as the bed declares it, before a stack scales it. */
  readonly declaredVolumes: Readonly<Record<string, number>>;
}

/**
 * The guests of a phase. Each class is spread evenly over the hosts of its clusters and over the
 * datastores of the volume group of each disk (`spread.ts`).
 */
export function planGuests(phase: Phase, context: GuestContext): PlannedGuest[] {
  const classes = Object.entries(phase.guests).map(([name, declared]) => ({
    name,
    declared,
    first: declared.firstAddress,
    count: guestCount(declared, phase.cases),
  }));
  const addresses = planAddresses(context.site, classes);
  return classes.flatMap(({ name, declared, count }) =>
    planClass(name, declared, count, addresses.get(name) ?? [], context),
  );
}

function planClass(
  name: string,
  declared: GuestClass,
  count: number,
  addresses: readonly string[],
  context: GuestContext,
): PlannedGuest[] {
  const inUse = hostsOf(declared, context.hosts, context.clusters);
  const full = hostsOf(declared, context.declaredHosts, context.clusters);
  const hosts = spread(count, { used: names(inUse), declared: names(full) });
  const disks = planDisks(declared, count, full.length, context);
  const memoryBytes = parseBytes(declared.memory);
  return Array.from({ length: count }, (_, index) => {
    const key = `${declared.prefix}${(index + 1).toString().padStart(2, "0")}`;
    return {
      key,
      class: name,
      role: declared.role,
      name: physicalName(hostnameRules, context.prefix, key),
      host: hosts[index] ?? "",
      address: addresses[index] ?? "",
      template: declared.template,
      vcpus: declared.vcpus,
      memoryBytes,
      adapter: declared.adapter,
      queues: declared.queues,
      disks: disks.map((disk) => disk(index)),
    };
  });
}

/** Hosts of the clusters that a class is for. */
function hostsOf(
  declared: GuestClass,
  hosts: readonly SiteHost[],
  clusters: readonly string[],
): readonly SiteHost[] {
  if (declared.clusters === undefined) return hosts;
  const wanted = new Set(declared.clusters.map((number) => clusters[number - 1]));
  return hosts.filter((host) => wanted.has(host.cluster));
}

const names = (hosts: readonly SiteHost[]): string[] => hosts.map((host) => host.name);

/** For each disk of a class a function that gives it for guest number `index`. */
function planDisks(
  declared: GuestClass,
  count: number,
  hosts: number,
  context: GuestContext,
): ((index: number) => PlannedDisk)[] {
  // Volumes of the group that one guest takes.
  const places = new Map<string, number>();
  for (const { on, place } of declared.disks) {
    places.set(on, Math.max(places.get(on) ?? 0, place + 1));
  }
  const volumes = new Map(
    [...places].map(([on, each]) => [on, volumeKeys(on, count * each, hosts, context)]),
  );
  const units = new Map<number, number>();
  return declared.disks.map((disk) => {
    const each = places.get(disk.on) ?? 1;
    const unit = nextUnit(units, disk.controller);
    const keys = volumes.get(disk.on);
    const planned = {
      label: disk.label,
      sizeBytes: parseBytes(disk.size),
      provisioning: disk.provisioning,
      controller: disk.controller,
      unit,
    };
    return (index) => {
      const key = keys?.[index * each + disk.place];
      return { ...planned, volume: key === undefined ? undefined : { group: disk.on, key } };
    };
  });
}

/** Unit 7 is the controller's own (SCSI, initiator id). */
function nextUnit(units: Map<number, number>, controller: number): number {
  const unit = units.get(controller) ?? 0;
  units.set(controller, unit === 6 ? 8 : unit + 1);
  return unit;
}

/** Keys of a group's volumes for so many disks; undefined for the site's datastore. */
function volumeKeys(
  group: string,
  disks: number,
  hosts: number,
  { groups, declaredVolumes }: GuestContext,
): readonly string[] | undefined {
  const used = (groups.find((one) => one.name === group)?.volumes ?? []).map(({ key }) => key);
  if (used.length === 0) return undefined;
  const count = declaredVolumes[group] ?? used.length;
  const declared = Array.from({ length: count }, (_, index) =>
    (index + 1).toString().padStart(2, "0"),
  );
  // With fewer datastores than hosts, each host would have all its guests on the same one.
  const shiftEvery = count < hosts && hosts % count === 0 ? hosts : undefined;
  return spread(disks, { used, declared, shiftEvery });
}

/** Guests by host, tied to it, so that nothing moves during a measurement. */
export function planPlacement(
  prefix: string,
  hosts: readonly SiteHost[],
  guests: readonly PlannedGuest[],
): PlannedPlacement[] {
  const byHost = new Map<string, string[]>();
  for (const guest of guests) {
    const keys = byHost.get(guest.host);
    if (keys === undefined) byHost.set(guest.host, [guest.key]);
    else keys.push(guest.key);
  }
  return hosts.flatMap((host) => {
    const keys = byHost.get(host.name);
    if (keys === undefined) return [];
    const name = (what: string): string => physicalName(hostnameRules, prefix, host.name, what);
    return [
      {
        host: host.name,
        cluster: host.cluster,
        hostGroup: name("host"),
        machineGroup: name("guests"),
        rule: name("stay"),
        guests: keys,
      },
    ];
  });
}
