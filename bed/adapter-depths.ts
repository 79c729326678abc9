import type { BedPlan } from "./bed-plan";
import type { HostSettings, ReviewBed } from "./review-bed";
import type { SiteHost } from "./site";

/** The site's word, and what a bed assumes where there is none. */
const assumedFor = {
  deviceQueueDepth: "adapterQueueDepth",
  portQueueDepth: "portQueueDepth",
} as const;

interface Depth {
  readonly depth: number;
  readonly source: string;
}

/** The shallowest port of each host: as the site says, else as the bed assumes. */
export function adapterDepths(
  { site, hostSettings }: Pick<BedPlan, "site" | "hostSettings">,
  which: keyof typeof assumedFor,
): (host: string) => Depth {
  const setting = assumedFor[which];
  const assumed: Depth = {
    depth: hostSettings[setting],
    source: `host.${setting} of the bed, assumed: the site does not say`,
  };
  const byHost = new Map(
    site.hosts.map(({ name, hbas }) => {
      const depths = hbas.map((hba): Depth => {
        const depth = hba[which];
        if (depth === undefined) return assumed;
        return { depth, source: `${which} of ${hba.adapter} in the site` };
      });
      return [name, depths.toSorted((one, two) => one.depth - two.depth)[0] ?? assumed];
    }),
  );
  return (host) => byHost.get(host) ?? assumed;
}

/**
 * What is set on the hosts: as bed and phase declare it, but no deeper for a device than every adapter takes,
 * as far as the site says: hosts refuse more.
 */
export function settableHostSettings(
  bed: ReviewBed,
  declared: HostSettings,
  hosts: readonly SiteHost[],
): HostSettings {
  // Namespaces have queues of their own.
  if (bed.array.protocol === "nvme-fc") return declared;
  const depths = hosts.flatMap(({ hbas }) =>
    hbas.flatMap(({ deviceQueueDepth }) => deviceQueueDepth ?? []),
  );
  return { ...declared, queueDepth: Math.min(declared.queueDepth, ...depths) };
}

/** As bed and phase have it, before a site says what its hosts take. */
export function declaredHostSettings(bed: ReviewBed, phase: string): HostSettings {
  return { ...bed.host, ...bed.phases[phase]?.host };
}
