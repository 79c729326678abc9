import type { WorldState } from "../world/state";
import { a250Array } from "./a250-array";
import { labFabric, otherPorts } from "./fabrics";
import { labHosts } from "./hosts";

/** Device names of the preset, as `site.json` and the fault rules use them. */
export const a250Devices = {
  fabricA: "fabricA",
  fabricB: "fabricB",
  array: "array",
  vcenter: "vcenter",
} as const;

/**
 * The A250 lab: two Brocade G620, one A250 with two controllers, eight ESXi hosts in two clusters
 * of four, and what other people have on the same switches and the same array.
 */
export function a250Preset(): WorldState {
  const { hosts, clusters } = labHosts();
  return {
    fabrics: { A: labFabric("A"), B: labFabric("B") },
    arrays: { [a250Devices.array]: a250Array(a250Devices.array) },
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
