import type * as pulumi from "@pulumi/pulumi";
import * as vsphere from "@pulumi/vsphere";
import type { PlannedPlacement } from "../bed/guest-plan";
import type { Site } from "../bed/site";
import { byKey } from "./keyed";

export interface PlacementArgs {
  readonly site: Site;
  readonly placement: readonly PlannedPlacement[];
}

type Machine = vsphere.VirtualMachine;

/**
 * Ties machines to their hosts: a group of machines, a group of one host and a rule between them for
 * each host, and an override that keeps the cluster's automatic placement off each machine.
 * @returns by guest key what must stand before the guest is measured; empty where the site wants none.
 */
export function pinMachines(
  name: string,
  { site, placement }: PlacementArgs,
  machines: Readonly<Record<string, Machine>>,
  parent: pulumi.Resource,
): Record<string, readonly pulumi.Resource[]> {
  if (site.hypervisor.placement === "none") return {};
  const { datacenter } = site.hypervisor;
  const datacenterId = vsphere.getDatacenterOutput({ name: datacenter }, { parent }).id;
  const pins: Record<string, readonly pulumi.Resource[]> = {};
  for (const place of placement) {
    const computeClusterId = vsphere.getComputeClusterOutput(
      { name: place.cluster, datacenterId },
      { parent },
    ).id;
    const hostId = vsphere.getHostOutput({ name: place.host, datacenterId }, { parent }).id;
    const guests = place.guests.map((key) => ({ key, machine: byKey(machines, key, "machine") }));
    const rule = hostRule(`${name}-${place.host}`, place, site, {
      computeClusterId,
      hostId,
      uuids: guests.map(({ machine }) => machine.uuid),
      parent,
    });
    for (const { key, machine } of guests) {
      const override = new vsphere.DrsVmOverride(
        `${name}-${key}-frozen`,
        { computeClusterId, virtualMachineId: machine.uuid, drsEnabled: false },
        { parent, deleteBeforeReplace: true },
      );
      pins[key] = [rule, override];
    }
  }
  return pins;
}

interface Target {
  readonly computeClusterId: pulumi.Output<string>;
  readonly hostId: pulumi.Output<string>;
  readonly uuids: readonly pulumi.Output<string>[];
  readonly parent: pulumi.Resource;
}

function hostRule(
  name: string,
  place: PlannedPlacement,
  site: Site,
  { computeClusterId, hostId, uuids, parent }: Target,
): vsphere.ComputeClusterVmHostRule {
  // Names are fixed, so the old one goes first.
  const opts = { parent, deleteBeforeReplace: true };
  const hostGroup = new vsphere.ComputeClusterHostGroup(
    `${name}-host`,
    { name: place.hostGroup, computeClusterId, hostSystemIds: [hostId] },
    opts,
  );
  const machineGroup = new vsphere.ComputeClusterVmGroup(
    `${name}-machines`,
    { name: place.machineGroup, computeClusterId, virtualMachineIds: [...uuids] },
    opts,
  );
  return new vsphere.ComputeClusterVmHostRule(
    `${name}-stay`,
    {
      name: place.rule,
      computeClusterId,
      vmGroupName: machineGroup.name,
      affinityHostGroupName: hostGroup.name,
      mandatory: site.hypervisor.placement === "must",
    },
    opts,
  );
}
