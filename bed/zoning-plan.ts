import type { FabricName, Site, SiteHost } from "./site";
import { parseWwpn, type Wwpn } from "./identities";

/** The zoning of one host on one fabric: one zone per initiator, with all target ports of the fabric. */
interface FabricSide {
  readonly device: string;
  /** Port name by adapter. */
  readonly initiators: Readonly<Record<string, Wwpn>>;
  /** Keys of the target ports on this fabric; their WWPNs are known when the targets exist. */
  readonly targetKeys: readonly string[];
}

export interface HostZoning {
  readonly host: string;
  readonly fabrics: Readonly<Record<FabricName, FabricSide>>;
  /** Paths that one device has on this host. */
  readonly expectedPaths: number;
}

export interface UnusedTargetPort {
  readonly key: string;
  readonly reason: string;
}

const fabricNames = ["A", "B"] as const;

export interface TargetChoice {
  /** Keys by fabric, in the site's order. */
  readonly used: Readonly<Record<FabricName, readonly string[]>>;
  readonly unused: readonly UnusedTargetPort[];
}

/**
 * The target ports that hosts are zoned with: on each fabric as many of every controller, so that no
 * initiator prefers one. Ports beyond that stay out.
 * @param mostPerController of both fabrics together; undefined: no limit.
 */
export function chooseTargets(site: Site, mostPerController?: number): TargetChoice {
  const controllers = [...new Set(site.array.ports.map((port) => port.controller))];
  const unused: UnusedTargetPort[] = [];
  const chosen = (fabric: FabricName): string[] => {
    const ports = (controller: string) =>
      site.array.ports.filter((port) => port.fabric === fabric && port.controller === controller);
    const fewest = Math.min(...controllers.map((controller) => ports(controller).length));
    const limit =
      mostPerController === undefined
        ? fewest
        : Math.min(fewest, Math.floor(mostPerController / fabricNames.length));
    for (const controller of controllers) {
      for (const [index, port] of ports(controller).entries()) {
        if (index < limit) continue;
        const reason =
          index < fewest
            ? `at most ${(mostPerController ?? 0).toString()} ports of a controller can be used`
            : `fabric ${fabric} has only ${fewest.toString()} of another controller`;
        unused.push({ key: port.key, reason });
      }
    }
    const keys = new Set(
      controllers.flatMap((controller) =>
        ports(controller)
          .slice(0, limit)
          .map((port) => port.key),
      ),
    );
    return site.array.ports.filter((port) => keys.has(port.key)).map((port) => port.key);
  };
  return { used: { A: chosen("A"), B: chosen("B") }, unused };
}

/** Dual-fabric, single-initiator zoning: fabrics are never mixed. */
export function planZoning(
  site: Site,
  hosts: readonly SiteHost[],
  targets: TargetChoice = chooseTargets(site),
): HostZoning[] {
  return hosts.map((host) => {
    const fabrics = { A: side(site, host, "A", targets), B: side(site, host, "B", targets) };
    const expectedPaths = fabricNames.reduce(
      (sum, name) =>
        sum + Object.keys(fabrics[name].initiators).length * fabrics[name].targetKeys.length,
      0,
    );
    return { host: host.name, fabrics, expectedPaths };
  });
}

function side(site: Site, host: SiteHost, fabric: FabricName, { used }: TargetChoice): FabricSide {
  const initiators: Record<string, Wwpn> = {};
  for (const hba of host.hbas) {
    const wwpn = parseWwpn(hba.wwpn);
    if (hba.fabric === fabric && wwpn !== undefined) initiators[hba.adapter] = wwpn;
  }
  return { device: site.fabrics[fabric].device, initiators, targetKeys: used[fabric] };
}
