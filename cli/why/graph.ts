import type { BedId } from "../../bed/identities";

/**
 * Kinds of objects with their place in the order of building. What holds an object is always of a later
 * kind: no chain comes back to where it began.
 */
export const rankOf = {
  tenant: 0,
  volume: 1,
  deletedVolume: 1,
  hostGroup: 1,
  device: 1,
  alias: 1,
  map: 2,
  copy: 2,
  zone: 2,
  hostDevice: 3,
  datastore: 4,
  machine: 5,
  template: 5,
  file: 5,
  hold: 5,
  host: 6,
} as const;

export type Kind = keyof typeof rankOf;

/** An object on a device. */
export interface Thing {
  readonly id: string;
  readonly kind: Kind;
  /** Switch, array or vCenter that has it, by its name in the site. */
  readonly device: string;
  readonly name: string;
  /** The bed whose mark it carries; undefined: foreign. */
  readonly bedId: BedId | undefined;
  /** What else there is to know of it. */
  readonly facts: readonly string[];
  /** What lets go of it, where that is not the same for all of its kind. */
  readonly remedy?: string;
}

export interface Node extends Thing {
  /** Ids of what must let go of it first, each once. */
  readonly holders: readonly string[];
}

export interface WhyGraph {
  /** What was asked for. */
  readonly roots: readonly string[];
  readonly nodes: ReadonlyMap<string, Node>;
}

/** Follows what holds the roots to its ends. `holdersOf` answers things of later kinds. Pure. */
export function buildGraph(
  roots: readonly Thing[],
  holdersOf: (thing: Thing) => readonly Thing[],
): WhyGraph {
  const nodes = new Map<string, Node>();
  const visit = (thing: Thing): void => {
    if (nodes.has(thing.id)) return;
    const holders = new Map(
      holdersOf(thing)
        .filter((holder) => rankOf[holder.kind] > rankOf[thing.kind])
        .map((holder) => [holder.id, holder]),
    );
    nodes.set(thing.id, { ...thing, holders: [...holders.keys()] });
    for (const holder of holders.values()) visit(holder);
  };
  for (const root of roots) visit(root);
  return { roots: [...new Set(roots.map((root) => root.id))], nodes };
}

/** Every node once, whatever holds another before that one: the order in which they can go. Pure. */
export function releaseOrder(graph: WhyGraph): readonly Node[] {
  return [...graph.nodes.values()]
    .map((node, index) => ({ node, index }))
    .sort((a, b) => rankOf[b.node.kind] - rankOf[a.node.kind] || a.index - b.index)
    .map(({ node }) => node);
}

/** True when something holds one of the roots. Pure. */
export function isHeld({ roots, nodes }: WhyGraph): boolean {
  return roots.some((root) => (nodes.get(root)?.holders.length ?? 0) > 0);
}
