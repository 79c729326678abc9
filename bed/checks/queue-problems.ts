import type { BedPlan, QueueEstimate } from "../bed-plan";
import type { Problem } from "../errors";
import { virtualAdapters } from "../hypervisor-limits";

const settingOf: Readonly<Record<QueueEstimate["where"], { path: string; remedy: string }>> = {
  "guest disk": {
    path: "guests",
    remedy: "the pvscsi adapter with `queues` set in the guest, or more disks",
  },
  "guest adapter": {
    path: "guests",
    remedy: "disks on controllers of their own, or `queues` set in the guest",
  },
  "volume on a host": { path: "host.queueDepth", remedy: "raise host.queueDepth" },
  "host adapter, one volume": {
    path: "site.hosts.hbas.deviceQueueDepth",
    // VMware KB 323119: the driver's own parameter, read when the host starts.
    remedy:
      "set the driver of the adapter on the host and restart it (lpfc: lpfc_lun_queue_depth, qlnativefc: ql2xmaxqdepth), or fewer threads, or guests of a volume on more hosts",
  },
  "host port": { path: "site.hosts.hbas.portQueueDepth", remedy: "more ports or hosts" },
  "target port": { path: "site.array.ports", remedy: "more target ports" },
};

/** Queues that do not take what the workload keeps in flight: the host would be measured, not the array. */
export function queueProblems(plan: BedPlan): Problem[] {
  const { estimates, workload } = plan;
  const short = estimates.queues
    .filter(({ plannedRequests, depth }) => plannedRequests > depth)
    .map(({ where, name, plannedRequests, depth, source }) => ({
      path: settingOf[where].path,
      message: `${where} ${name}: ${workload.kind} keeps ${plannedRequests.toString()} requests in flight, ${depth.toString()} are taken, ${(plannedRequests - depth).toString()} wait (${source})`,
      remedy: `${settingOf[where].remedy}; ${plannedRequests.toString()} are needed`,
    }));
  return [...short, ...impossibleSettings(plan)];
}

/** A guest's driver that is set to more than its virtual adapter has. */
function impossibleSettings({ guests }: BedPlan): Problem[] {
  const classes = new Map(guests.map((guest) => [guest.class, guest]));
  return [...classes.values()].flatMap(({ class: name, adapter, queues }) => {
    if (queues === undefined) return [];
    const { diskQueue, adapterQueue } = virtualAdapters[adapter];
    return [
      ["disk", queues.disk, diskQueue] as const,
      ["adapter", queues.adapter, adapterQueue] as const,
    ].flatMap(([what, set, { max, source }]) =>
      set <= max
        ? []
        : [
            {
              path: `guests.${name}.queues.${what}`,
              message: `${set.toString()} requests on one ${what}, ${adapter} takes at most ${max.toString()} (${source})`,
              remedy: `at most ${max.toString()}`,
            },
          ],
    );
  });
}
