import type { Problem } from "./errors";
import type { Phase } from "./review-bed";
import type { Site } from "./site";
import { parseBytes, type Bytes } from "./units";

/** Space on the array that a phase uses. */
export interface PlannedPool {
  /** Key in the bed, `p1`. */
  readonly key: string;
  /** Name on the array. */
  readonly name: string;
  readonly controller: string;
  /** The smaller of what the bed declares and what the site says is free. Undefined: neither is known. */
  readonly capacityBytes: Bytes | undefined;
}

/**
 * Gives each pool of the phase one of the site, of the controller it is declared for. A bed's pool of
 * a given size may use a part of a larger one.
 */
export function planPools(site: Site, phase: Phase, problems: Problem[]): PlannedPool[] {
  const controllers = controllerNames(site);
  const free = new Map<string, Site["array"]["pools"]>();
  for (const pool of site.array.pools) {
    free.set(pool.controller, [...(free.get(pool.controller) ?? []), pool]);
  }
  return Object.entries(phase.pools).flatMap(([key, declared]) => {
    const controller = controllers[declared.controller - 1] ?? "";
    const pool = free.get(controller)?.shift();
    if (pool === undefined) {
      problems.push({
        path: "site.array.pools",
        message: `pool ${key} of the bed needs a pool of controller ${declared.controller.toString()}, the site has ${countOf(site, controller)} of it`,
        remedy: "list a pool of each controller, as many as the bed has",
      });
      return [];
    }
    const sizes = [
      ...(declared.size === undefined ? [] : [parseBytes(declared.size)]),
      ...(pool.freeBytes === undefined ? [] : [BigInt(pool.freeBytes)]),
    ];
    return [
      {
        key,
        name: pool.name,
        controller,
        capacityBytes: sizes.length === 0 ? undefined : sizes.reduce((a, b) => (a < b ? a : b)),
      },
    ];
  });
}

/** Controllers in the order in which the site's target ports name them. */
export function controllerNames(site: Site): string[] {
  return [...new Set(site.array.ports.map((port) => port.controller))];
}

function countOf(site: Site, controller: string): string {
  const count = site.array.pools.filter((pool) => pool.controller === controller).length;
  return count === 0 ? "none" : `only ${count.toString()}`;
}

/** Keys with the controllers alternating, so that any first few are spread over both. */
export function alternating(pools: readonly PlannedPool[]): PlannedPool[] {
  const byController = new Map<string, PlannedPool[]>();
  for (const pool of pools) {
    byController.set(pool.controller, [...(byController.get(pool.controller) ?? []), pool]);
  }
  const lists = [...byController.values()];
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list[index] ?? []),
  ).flat();
}
