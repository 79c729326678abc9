import type { WorldState } from "../world/state";
import { labFabric, otherPorts } from "./fabrics";
import { labHosts } from "./hosts";
import { netappArray, type NetappModel } from "./netapp-array";

/** Device name of the array in the site. */
const arrayDevice = "array";

/**
 * The A250 lab: two Brocade G620, one A250 (or another model) with two controllers, eight ESXi hosts
 * in two clusters of four, and what other people have on the same switches and the same array.
 */
export function a250Preset(model: NetappModel = "aff-a250"): WorldState {
  const { hosts, clusters } = labHosts();
  return {
    fabrics: { A: labFabric("A"), B: labFabric("B") },
    arrays: { [arrayDevice]: netappArray(arrayDevice, model) },
    hosts,
    others: Object.fromEntries(
      [...otherPorts("A"), ...otherPorts("B")].map((other) => [other.wwpn, other]),
    ),
    vcenter: {
      datacenter: "lab",
      clusters,
      datastore: "site-local",
      network: "VM Network",
      templates: ["sysbench-template"],
    },
  };
}
