import type { Operation } from "./bench-bed";
import {
  busySpans,
  criticalPath,
  lengthWithin,
  mostAtOnce,
  resourceSpans,
  type CriticalPath,
} from "./critical-path";
import type { StackResource } from "../stack-runner";

/** Time of one operation, split into the devices' part and ours. Milliseconds. */
export interface Overhead {
  readonly operation: "up" | "destroy";
  /** Added to every request of every device. */
  readonly latencyMs: number;
  readonly wallMs: number;
  /** Device time along the longest chain of dependent resources. */
  readonly criticalPathMs: number;
  readonly overheadMs: number;
  /** 5 % of the critical path and 2 s. */
  readonly budgetMs: number;
  readonly ratioToBudget: number;
  /** Time in which any device had a request in hand. */
  readonly busyMs: number;
  readonly requests: number;
  /** Most requests in hand at once, by device. */
  readonly mostAtOnce: Readonly<Record<string, number>>;
  readonly path: readonly {
    readonly urn: string;
    readonly spanMs: number;
    readonly deviceMs: number;
  }[];
  /** Time of the engine before its first resource and after its last one. */
  readonly beforeMs: number;
  readonly afterMs: number;
}

/** What `operation` of a bed cost beyond its devices. `resources` as the state has them when all are there. */
export function overheadOf(
  operation: Overhead["operation"],
  latencyMs: number,
  { result, wallMs, requests }: Operation,
  resources: readonly StackResource[],
): Overhead {
  const spans = resourceSpans(result.events);
  const { deviceMs, steps }: CriticalPath = criticalPath(resources, spans, requests);
  const budgetMs = deviceMs * 0.05 + 2000;
  const overheadMs = wallMs - deviceMs;
  const devices = [...new Set(requests.map(({ device }) => device))].sort();
  const whole = { fromMs: result.startedAtMs, toMs: result.endedAtMs };
  const begun = Math.min(...[...spans.values()].map(({ fromMs }) => fromMs));
  const ended = Math.max(...[...spans.values()].map(({ toMs }) => toMs));
  return {
    operation,
    latencyMs,
    wallMs,
    criticalPathMs: Math.round(deviceMs),
    overheadMs: Math.round(overheadMs),
    budgetMs: Math.round(budgetMs),
    ratioToBudget: overheadMs / budgetMs,
    busyMs: Math.round(lengthWithin(busySpans(requests), whole)),
    requests: requests.length,
    mostAtOnce: Object.fromEntries(
      devices.map((name) => [name, mostAtOnce(requests.filter(({ device }) => device === name))]),
    ),
    path: steps.map((step) => ({
      urn: step.urn,
      spanMs: step.span.toMs - step.span.fromMs,
      deviceMs: Math.round(step.deviceMs),
    })),
    beforeMs: begun - result.startedAtMs,
    afterMs: result.endedAtMs - ended,
  };
}
