import { adapterDepths, declaredHostSettings } from "./adapter-depths";
import type { BedPlan, QueueEstimate } from "./bed-plan";
import { volumeLabel } from "./datastore-plan";
import type { Limit } from "./families/limits";
import { familyLimits } from "./families/table";
import type { PlannedGuest } from "./guest-plan";
import { virtualAdapters } from "./hypervisor-limits";
import { isDataDisk, requestsPerDisk } from "./workload-demand";

type PlanParts = Pick<
  BedPlan,
  | "settings"
  | "bed"
  | "hostSettings"
  | "site"
  | "guests"
  | "workload"
  | "volumeGroups"
  | "pools"
  | "zoning"
>;

/**
 * Queues between guest and array, each with the fullest of its kind while all guests run at once:
 * what a queue does not take waits in the one above it, and the array never sees it.
 */
export function planQueues(plan: PlanParts): QueueEstimate[] {
  const load = loadOf(plan);
  return [
    ...guestQueues(plan, load),
    ...volumeQueue(plan, load),
    ...adapterQueue(plan, load),
    ...hostPortQueue(plan, load),
    ...targetPortQueue(plan, load),
  ];
}

interface Load {
  readonly perDisk: number;
  /** Requests by `<host>\n<volume>`, by host, and by volume. */
  readonly onHostAndVolume: ReadonlyMap<string, number>;
  readonly onHost: ReadonlyMap<string, number>;
  readonly onVolume: ReadonlyMap<string, number>;
}

function loadOf({ guests, workload }: PlanParts): Load {
  const perDisk = requestsPerDisk(workload);
  const onHostAndVolume = new Map<string, number>();
  const onHost = new Map<string, number>();
  const onVolume = new Map<string, number>();
  const add = (map: Map<string, number>, key: string): void => {
    map.set(key, (map.get(key) ?? 0) + perDisk);
  };
  for (const guest of guests) {
    for (const disk of guest.disks) {
      if (disk.volume === undefined || !isDataDisk(workload, guest, disk.label)) continue;
      const volume = volumeLabel(disk.volume);
      add(onHostAndVolume, `${guest.host}\n${volume}`);
      add(onHost, guest.host);
      add(onVolume, volume);
    }
  }
  return { perDisk, onHostAndVolume, onHost, onVolume };
}

function guestQueues({ guests, workload }: PlanParts, { perDisk }: Load): QueueEstimate[] {
  const classes = new Map<string, PlannedGuest>();
  for (const guest of guests) if (!classes.has(guest.class)) classes.set(guest.class, guest);
  return [...classes.values()].flatMap((guest) => {
    const disks = guest.disks.filter((disk) => isDataDisk(workload, guest, disk.label));
    if (disks.length === 0) return [];
    const limits = virtualAdapters[guest.adapter];
    const source = (what: "disk" | "adapter", { source: said }: Limit): string =>
      guest.queues === undefined
        ? `the driver by itself (${said})`
        : `set in the guest, queues.${what} (${said})`;
    const onAdapter = new Map<number, number>();
    for (const { controller } of disks) {
      onAdapter.set(controller, (onAdapter.get(controller) ?? 0) + perDisk);
    }
    const disk: QueueEstimate = {
      where: "guest disk",
      name: `${guest.class}, ${guest.adapter}`,
      plannedRequests: perDisk,
      depth: guest.queues?.disk ?? limits.diskQueue.standard,
      source: source("disk", limits.diskQueue),
    };
    const adapter: QueueEstimate = {
      where: "guest adapter",
      name: `${guest.class}, ${guest.adapter}`,
      plannedRequests: Math.max(...onAdapter.values()),
      depth: guest.queues?.adapter ?? limits.adapterQueue.standard,
      source: source("adapter", limits.adapterQueue),
    };
    return [disk, adapter];
  });
}

function volumeQueue({ bed, settings }: PlanParts, { onHostAndVolume }: Load): QueueEstimate[] {
  const fullest = largest(onHostAndVolume);
  if (fullest === undefined) return [];
  const [host = "", volume = ""] = fullest.key.split("\n");
  return [
    {
      where: "volume on a host",
      name: `${volume} on ${host}`,
      plannedRequests: fullest.value,
      depth: declaredHostSettings(bed, settings.phase).queueDepth,
      source: "host.queueDepth of the bed, set on every device",
    },
  ];
}

/** Requests of one host for one volume pass through a queue of its adapter's driver first. */
function adapterQueue(plan: PlanParts, { onHostAndVolume }: Load): QueueEstimate[] {
  // Namespaces have queues of their own, whose depth host and array agree on.
  if (plan.bed.array.protocol === "nvme-fc") return [];
  const depthOf = adapterDepths(plan, "deviceQueueDepth");
  let fullest: QueueEstimate | undefined;
  for (const [key, plannedRequests] of onHostAndVolume) {
    const [host = "", volume = ""] = key.split("\n");
    const { depth, source } = depthOf(host);
    const spare = depth - plannedRequests;
    if (fullest !== undefined && spare >= fullest.depth - fullest.plannedRequests) continue;
    const name = `${volume} on ${host}`;
    fullest = { where: "host adapter, one volume", name, plannedRequests, depth, source };
  }
  return fullest === undefined ? [] : [fullest];
}

function hostPortQueue(plan: PlanParts, { onHost }: Load): QueueEstimate[] {
  const ports = new Map(
    plan.zoning.map(({ host, fabrics }) => [
      host,
      Object.keys(fabrics.A.initiators).length + Object.keys(fabrics.B.initiators).length,
    ]),
  );
  const depthOf = adapterDepths(plan, "portQueueDepth");
  let fullest: QueueEstimate | undefined;
  for (const [host, requests] of onHost) {
    const count = ports.get(host) ?? 0;
    if (count === 0) continue;
    const plannedRequests = Math.ceil(requests / count);
    const { depth, source } = depthOf(host);
    const spare = depth - plannedRequests;
    if (fullest !== undefined && spare >= fullest.depth - fullest.plannedRequests) continue;
    fullest = { where: "host port", name: `a port of ${host}`, plannedRequests, depth, source };
  }
  return fullest === undefined ? [] : [fullest];
}

/** Optimised paths lead to the controller that owns a volume's pool. */
function targetPortQueue(
  { bed, site, volumeGroups, pools, zoning }: PlanParts,
  { onVolume }: Load,
): QueueEstimate[] {
  const limit = familyLimits[bed.array.family].targetPortQueue;
  const fabrics = zoning[0]?.fabrics;
  if (limit === undefined || fabrics === undefined) return [];
  const used = new Set([...fabrics.A.targetKeys, ...fabrics.B.targetKeys]);
  const controllerOf = new Map(pools.map((pool) => [pool.name, pool.controller]));
  const onController = new Map<string, number>();
  for (const group of volumeGroups) {
    for (const volume of group.volumes) {
      const controller = controllerOf.get(volume.pool);
      const requests = onVolume.get(volumeLabel({ group: group.name, key: volume.key })) ?? 0;
      if (controller === undefined) continue;
      onController.set(controller, (onController.get(controller) ?? 0) + requests);
    }
  }
  const perPort = new Map(
    [...onController].flatMap(([controller, requests]) => {
      const ports = site.array.ports.filter(
        (port) => port.controller === controller && used.has(port.key),
      ).length;
      return ports === 0 ? [] : [[controller, Math.ceil(requests / ports)] as const];
    }),
  );
  const fullest = largest(perPort);
  if (fullest === undefined) return [];
  return [
    {
      where: "target port",
      name: `a port of ${fullest.key}`,
      plannedRequests: fullest.value,
      depth: limit.max,
      source: limit.source,
    },
  ];
}

function largest(
  map: ReadonlyMap<string, number>,
): { readonly key: string; readonly value: number } | undefined {
  let found: { key: string; value: number } | undefined;
  for (const [key, value] of map) {
    if (found === undefined || value > found.value) found = { key, value };
  }
  return found;
}
