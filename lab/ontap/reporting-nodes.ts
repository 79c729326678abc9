import type { LunMap } from "../world/state";
import type { DeepReadonly } from "../world/world";
import type { ArrayContext } from "./context";

/** The node whose aggregate holds the LUN. */
export function ownerOf(ctx: ArrayContext, volumeId: string): string {
  const pool = ctx.view.volumes[volumeId]?.poolId ?? "";
  return ctx.view.pools[pool]?.controller ?? "";
}

/**
 * Nodes that report paths to a mapped LUN: its owner and the owner's partner (selective LUN map), and
 * those that were added. Nodes are paired in the order of the cluster.
 */
export function reportingNodes(ctx: ArrayContext, map: DeepReadonly<LunMap>): string[] {
  const nodes = Object.keys(ctx.view.controllers);
  const owner = nodes.indexOf(ownerOf(ctx, map.volumeId));
  const pair = owner < 0 ? [] : nodes.slice(owner - (owner % 2), owner - (owner % 2) + 2);
  const added = map.attributes["reportingNodes"];
  const more = (Array.isArray(added) ? added : []).filter((node) => typeof node === "string");
  return nodes.filter((node) => pair.includes(node) || more.includes(node));
}
