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

/** Dual-fabric, single-initiator zoning: fabrics are never mixed. */
export function planZoning(site: Site, hosts: readonly SiteHost[]): HostZoning[] {
  return hosts.map((host) => {
    const fabrics = { A: side(site, host, "A"), B: side(site, host, "B") };
    const expectedPaths = [fabrics.A, fabrics.B].reduce(
      (sum, f) => sum + Object.keys(f.initiators).length * f.targetKeys.length,
      0,
    );
    return { host: host.name, fabrics, expectedPaths };
  });
}

function side(site: Site, host: SiteHost, fabric: FabricName): FabricSide {
  const initiators: Record<string, Wwpn> = {};
  for (const hba of host.hbas) {
    const wwpn = parseWwpn(hba.wwpn);
    if (hba.fabric === fabric && wwpn !== undefined) initiators[hba.adapter] = wwpn;
  }
  return {
    device: site.fabrics[fabric].device,
    initiators,
    targetKeys: site.array.ports.filter((port) => port.fabric === fabric).map((port) => port.key),
  };
}
