import type { Container } from "../world/state";
import type { DeepReadonly } from "../world/world";
import type { ArrayContext } from "./context";
import { containerWrittenBytes } from "./pools";
import { drop } from "./record";

/** Default retention of a deleted volume. */
const retentionMs = 12 * 3_600_000;

export interface QueueEntry {
  readonly id: string;
  readonly svmId: string;
  /** `<name>_<dsid>`: the name that the volume has in the queue. */
  readonly volume: string;
}

/**
 * Puts a deleted FlexVol into the volume recovery queue, where it goes on to occupy its aggregate.
 * Its LUNs are gone for every client.
 */
export function enterQueue(ctx: ArrayContext, container: DeepReadonly<Container>): void {
  const held = container.reserved ? container.sizeBytes : containerWrittenBytes(ctx, container.id);
  const dsid = 1024 + ctx.nextNumber("lastDsid");
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
  }));
}

export function purge(ctx: ArrayContext, id: string): void {
  ctx.change((array) => {
    drop(array.records["recoveryQueue"] ?? {}, id);
  });
}

function expire(ctx: ArrayContext): void {
  for (const [id, entry] of Object.entries(ctx.view.records["recoveryQueue"] ?? {})) {
    if (Number(entry["deletedAt"]) + retentionMs <= ctx.now()) purge(ctx, id);
  }
}
