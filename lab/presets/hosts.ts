import type { Host } from "../world/state";
import { hex2, wwnn, wwpn } from "./names";

const clusterNames = ["cluster-mysql", "cluster-sql"];
const hostsPerCluster = 4;

/**
 * Eight hosts in two clusters of four. Each has a two-port adapter: `vmhba2` on fabric A and `vmhba3`
 * on fabric B, host n on switch port n-1 of both switches.
 */
export function labHosts(): { hosts: Record<string, Host>; clusters: string[] } {
  const hosts: Record<string, Host> = {};
  for (let index = 0; index < clusterNames.length * hostsPerCluster; index++) {
    const name = `esx${(index + 1).toString().padStart(2, "0")}.lab.invalid`;
    const cluster = clusterNames[Math.floor(index / hostsPerCluster)] ?? "";
    hosts[name] = { name, cluster, hbas: { vmhba2: hba(index, 0), vmhba3: hba(index, 1) } };
  }
  return { hosts, clusters: [...clusterNames] };
}

function hba(host: number, port: 0 | 1): Host["hbas"][string] {
  const tail = `${hex2(host + 1)}:${hex2(port + 1)}`;
  return {
    device: port === 0 ? "vmhba2" : "vmhba3",
    wwpn: wwpn(`10:00:00:10:9b:aa:${tail}`),
    wwnn: wwnn(`20:00:00:10:9b:aa:${tail}`),
    model: "Emulex LightPulse LPe32002",
    speedGbps: 32,
    online: true,
    cable: { switch: port === 0 ? "fabricA" : "fabricB", port: `0/${host.toString()}` },
  };
}
