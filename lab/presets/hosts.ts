import type { Host } from "../world/state";
import { hex2, wwnn, wwpn } from "./names";

const clusterNames = ["cluster-mysql", "cluster-sql"];
const hostsPerCluster = 4;

/**
 * Eight hosts in two clusters of four. Each has a two-port adapter: `vmhba2` on fabric A and `vmhba3`
 * on fabric B, host n on switch port n-1 of both switches, with the NVMe adapters `vmhba65` and
 * `vmhba66` on the same ports.
 */
export function labHosts(): { hosts: Record<string, Host>; clusters: string[] } {
  const hosts: Record<string, Host> = {};
  for (let index = 0; index < clusterNames.length * hostsPerCluster; index++) {
    const name = `esx${(index + 1).toString().padStart(2, "0")}.lab.invalid`;
    const cluster = clusterNames[Math.floor(index / hostsPerCluster)] ?? "";
    hosts[name] = {
      name,
      cluster,
      nqn: nqnOf(index, name),
      hbas: { vmhba2: hba(index, 0), vmhba3: hba(index, 1) },
    };
  }
  return { hosts, clusters: [...clusterNames] };
}

/**
 * Hosts of one cluster have an NQN by their name (as ESXi 7 makes it), those of the other one by a
 * UUID (ESXi 8), so that a client that makes up the NQN is found out.
 */
function nqnOf(index: number, name: string): string {
  if (index < hostsPerCluster) return `nqn.2014-08.com.vmware:nvme:${name.split(".")[0] ?? ""}`;
  return `nqn.2014-08.org.nvmexpress:uuid:5f3a6e1c-9d40-4c1b-8e2a-00000000e5${hex2(index + 1)}`;
}

function hba(host: number, port: 0 | 1): Host["hbas"][string] {
  const tail = `${hex2(host + 1)}:${hex2(port + 1)}`;
  return {
    device: port === 0 ? "vmhba2" : "vmhba3",
    nvmeDevice: port === 0 ? "vmhba65" : "vmhba66",
    wwpn: wwpn(`10:00:00:10:9b:aa:${tail}`),
    wwnn: wwnn(`20:00:00:10:9b:aa:${tail}`),
    model: "Emulex LightPulse LPe32002",
    speedGbps: 32,
    online: true,
    cable: { switch: port === 0 ? "fabricA" : "fabricB", port: `0/${host.toString()}` },
  };
}
