import type { Problem } from "./errors";
import type { ReviewBed } from "./review-bed";
import type { Scale } from "./settings";
import type { Site, SiteHost } from "./site";

export interface HostChoice {
  readonly hosts: readonly SiteHost[];
  /** Hosts that the bed would have on this site without a scale: they define who sits where. */
  readonly declaredHosts: readonly SiteHost[];
  /** Clusters of the site that are the bed's number 1, 2... */
  readonly clusters: readonly string[];
}

/** Hosts of a bed: the first ones of the site's first clusters, or those that the scale names. */
export function chooseHosts(
  bed: ReviewBed,
  site: Site,
  scale: Scale,
  problems: Problem[],
): HostChoice {
  const byCluster = new Map<string, SiteHost[]>();
  for (const host of site.hosts) {
    const members = byCluster.get(host.cluster);
    if (members === undefined) byCluster.set(host.cluster, [host]);
    else members.push(host);
  }
  const first = (clusters: number): readonly (readonly [string, readonly SiteHost[]])[] =>
    site.hypervisor.clusters
      .slice(0, clusters)
      .map((name) => [name, (byCluster.get(name) ?? []).slice(0, bed.hosts.perCluster)] as const);
  const declaredHosts = first(bed.hosts.clusters).flatMap(([, hosts]) => hosts);
  if (scale.hosts !== undefined) {
    const hosts = namedHosts(site, scale.hosts, problems);
    return { hosts, declaredHosts, clusters: clustersOf(bed, site, hosts) };
  }
  const wanted = scale.clusters ?? bed.hosts.clusters;
  const chosen = first(wanted);
  if (chosen.length < wanted) {
    problems.push({
      path: "site.hypervisor.clusters",
      message: `the site has ${chosen.length.toString()} clusters, the bed needs ${wanted.toString()}`,
      remedy: "use fewer in scale.clusters, or name the hosts to use in scale.hosts",
    });
  }
  for (const [cluster, hosts] of chosen) {
    if (hosts.length >= bed.hosts.perCluster) continue;
    problems.push({
      path: "hosts",
      message: `cluster ${cluster} has ${hosts.length.toString()} hosts, the bed needs ${bed.hosts.perCluster.toString()}`,
      remedy: "name the hosts to use in scale.hosts",
    });
  }
  const hosts = chosen.flatMap(([, members]) => members);
  return { hosts, declaredHosts, clusters: clustersOf(bed, site, hosts) };
}

/** The first ones of the site, whether hosts of each are in use or not; for hosts of others alone, those. */
function clustersOf(bed: ReviewBed, site: Site, hosts: readonly SiteHost[]): readonly string[] {
  const { clusters } = site.hypervisor;
  const first = clusters.slice(0, bed.hosts.clusters);
  const inUse = new Set(hosts.map((host) => host.cluster));
  return first.some((cluster) => inUse.has(cluster))
    ? first
    : clusters.filter((cluster) => inUse.has(cluster));
}

function namedHosts(site: Site, names: readonly string[], problems: Problem[]): SiteHost[] {
  const byName = new Map(site.hosts.map((host) => [host.name, host]));
  return names.flatMap((name, index) => {
    const host = byName.get(name);
    if (host !== undefined && names.indexOf(name) === index) return [host];
    problems.push({
      path: `scale.hosts[${index.toString()}]`,
      message:
        host === undefined ? `the site has no host "${name}"` : `host "${name}" is named twice`,
      remedy: `its hosts are ${site.hosts.map((h) => h.name).join(", ")}`,
    });
    return [];
  });
}
