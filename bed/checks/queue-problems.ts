import type { BedPlan, QueueEstimate } from "../bed-plan";
import type { Problem } from "../errors";

const settingOf: Readonly<Record<QueueEstimate["where"], { path: string; remedy: string }>> = {
  "guest disk": { path: "guests", remedy: "the pvscsi adapter, or more disks" },
  "guest adapter": { path: "guests", remedy: "disks on controllers of their own" },
  "volume on a host": { path: "host.queueDepth", remedy: "raise host.queueDepth" },
  "host port": { path: "host.portQueueDepth", remedy: "more ports or hosts" },
  "target port": { path: "site.array.ports", remedy: "more target ports" },
};

/** Queues that do not take what the workload keeps in flight: the host would be measured, not the array. */
export function queueProblems({ estimates, workload }: BedPlan): Problem[] {
  return estimates.queues
    .filter(({ plannedRequests, depth }) => plannedRequests > depth)
    .map(({ where, name, plannedRequests, depth, source }) => ({
      path: settingOf[where].path,
      message: `${where} ${name}: ${workload.kind} keeps ${plannedRequests.toString()} requests in flight, ${depth.toString()} are taken, ${(plannedRequests - depth).toString()} wait (${source})`,
      remedy: `${settingOf[where].remedy}; ${plannedRequests.toString()} are needed`,
    }));
}
