import type { BedPlan } from "./bed-plan";

/** What JSON can hold: bigints become decimal strings. */
export type PlanJson = Readonly<Record<string, unknown>>;

/**
 * The plan as plain data, without what it was made from: the site with its endpoints, and the bed
 * beyond its id, array and sources. Sizes in bytes are decimal strings; what is unknown is left out.
 */
export function planJson(plan: BedPlan): PlanJson {
  const { site, bed, ...rest } = plan;
  const { id, title, source, array, hypervisor, facts } = bed;
  return plain({
    bed: { id, title, source, array, hypervisor },
    site: site.name,
    ...rest,
    hosts: rest.hosts.map(({ name, cluster, hbas, nqn, entry }) => ({
      name,
      cluster,
      hbas,
      nqn,
      entry,
    })),
    facts,
  }) as PlanJson;
}

function plain(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) =>
      member === undefined ? [] : [[key, plain(member)]],
    ),
  );
}
