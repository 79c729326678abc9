import { ConfigError } from "./errors";
import { schemaProblems } from "./schema-problems";
import { partialSite } from "./site/partial";
import { siteProblems } from "./site/problems";
import { type Site, siteSchema } from "./site/schema";

/**
 * The site: a lab's own inventory. It says where a bed is built: endpoints, hosts and their ports,
 * which port is on which fabric, target ports, pools, templates, networks, addresses, what is taken.
 * It holds no secret: credentials are references (`env:NAME`, `file:/path`, `exec:command`).
 */
export type { Site };
export type SiteHost = Site["hosts"][number];
export type FabricName = SiteHost["hbas"][number]["fabric"];

/**
 * Reads a site. All problems at once, those of its form and those of what it says.
 * @throws {ConfigError} with the path of each problem.
 */
export function parseSite(input: unknown): Site {
  const result = siteSchema.safeParse(input);
  const problems = [
    ...(result.success ? [] : schemaProblems(result.error, siteSchema, input)),
    ...siteProblems(partialSite(input)),
  ];
  if (problems.length > 0 || !result.success) {
    throw new ConfigError(problems, "the site inventory has problems");
  }
  return withOccupancy(result.data);
}

/** LUN numbers of the snapshot go to their hosts: planners look in one place. */
function withOccupancy(site: Site): Site {
  const taken = new Map(Object.entries(site.occupancy?.luns ?? {}));
  return {
    ...site,
    hosts: site.hosts.map((host) => ({
      ...host,
      lunsTaken: [...new Set([...host.lunsTaken, ...(taken.get(host.name) ?? [])])].sort(
        (a, b) => a - b,
      ),
    })),
  };
}
