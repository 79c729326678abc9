import type { WorldState } from "../world/state";
import { a250Array } from "./a250-array";
import { labFabric, otherPorts } from "./fabrics";
import { labHosts } from "./hosts";

/** Device name of the array in the site. */
const arrayDevice = "array";

/**
 * The A250 lab: two Brocade G620, one A250 with two controllers, eight ESXi hosts in two clusters
 * of four, and what other people have on the same switches and the same array.
 */
export function a250Preset(): WorldState {
  const { hosts, clusters } = labHosts();
  return {
    fabrics: { A: labFabric("A"), B: labFabric("B") },
    arrays: { [arrayDevice]: a250Array(arrayDevice) },
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
