import type { Container } from "../world/state";
import type { DeepReadonly } from "../world/world";
import type { ArrayContext } from "./context";
import { containerWrittenBytes } from "./pools";
import { drop } from "./record";

/** Default retention of a deleted volume. */
const defaultRetentionHours = 12;

export interface QueueEntry {
  readonly id: string;
  readonly svmId: string;
  /** `<name>_<dsid>`: the name that the volume has in the queue. */
  readonly volume: string;
  readonly deletedAtMs: number;
}

/** How long the volumes of an SVM stay in the queue. */
export function retentionHours(ctx: ArrayContext, svmId: string): number {
  const own = ctx.view.tenants[svmId]?.attributes["retentionHours"];
  return typeof own === "string" ? Number(own) : defaultRetentionHours;
}

/** Number of a FlexVol in the cluster, part of its name in the queue; what a preset holds has none. */
export function dsidOf(container: DeepReadonly<Container>): number | undefined {
  const dsid = container.attributes["dsid"];
  return typeof dsid === "number" ? dsid : undefined;
}

export function newDsid(ctx: ArrayContext): number {
  return 1024 + ctx.nextNumber("lastDsid");
}

/**
 * Puts a deleted FlexVol into the volume recovery queue, where it goes on to occupy its aggregate.
 * Its LUNs are gone for every client.
 */
export function enterQueue(ctx: ArrayContext, container: DeepReadonly<Container>): void {
  const held = container.reserved ? container.sizeBytes : containerWrittenBytes(ctx, container.id);
  const dsid = dsidOf(container) ?? newDsid(ctx);
  ctx.change((array) => {
    const queue = (array.records["recoveryQueue"] ??= {});
    queue[container.id] = {
      svmId: container.tenantId,
      poolId: container.poolId,
      volume: `${container.name}_${dsid.toString()}`,
      heldSize: held.toString(),
      deletedAt: ctx.now(),
    };
  });
}

export function queueEntries(ctx: ArrayContext): QueueEntry[] {
  expire(ctx);
  return Object.entries(ctx.view.records["recoveryQueue"] ?? {}).map(([id, entry]) => ({
    id,
    svmId: entry["svmId"] as string,
    volume: entry["volume"] as string,
    deletedAtMs: Number(entry["deletedAt"]),
  }));
}

export function purge(ctx: ArrayContext, id: string): void {
  ctx.change((array) => {
    drop(array.records["recoveryQueue"] ?? {}, id);
  });
}

function expire(ctx: ArrayContext): void {
  for (const [id, entry] of Object.entries(ctx.view.records["recoveryQueue"] ?? {})) {
    const keptMs = retentionHours(ctx, entry["svmId"] as string) * 3_600_000;
    if (Number(entry["deletedAt"]) + keptMs <= ctx.now()) purge(ctx, id);
  }
}
