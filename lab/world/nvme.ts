import type { Wwnn, Wwpn } from "../../bed/identities";
import { controllerOf, hostNexuses, protocolOf, tenantOf } from "./nexus";
import type { NvmeSubsystem, StorageArray } from "./state";
import type { DeepReadonly, WorldView } from "./world";

/** An NVMe controller that a host can connect to, or is connected to. */
export interface ReachableController {
  /** Name of the host's NVMe adapter. */
  readonly adapter: string;
  readonly adapterWwpn: Wwpn;
  readonly adapterWwnn: Wwnn;
  readonly targetWwpn: Wwpn;
  readonly targetWwnn: Wwnn;
  readonly targetPortId: string | undefined;
  readonly array: string;
  /** Controller (node) of the array behind the target port. */
  readonly node: string | undefined;
  readonly subsystemId: string;
  readonly subsystemNqn: string;
  readonly serial: string;
}

/**
 * Controllers that one host can connect to: an NVMe port of the array that the zoning lets talk to
 * an NVMe adapter of the host, and a subsystem of that port's tenant that holds the host's NQN.
 */
export function reachableControllers(world: WorldView, host: string): ReachableController[] {
  return Object.values(world.arrays).flatMap((array) => controllersOf(world, array, host));
}

function controllersOf(
  world: WorldView,
  array: DeepReadonly<StorageArray>,
  hostName: string,
): ReachableController[] {
  const host = world.hosts[hostName];
  const nqn = host?.nqn;
  if (host === undefined || nqn === undefined) return [];
  const allowed = Object.values(array.subsystems ?? {}).filter((one) => one.hosts.includes(nqn));
  if (allowed.length === 0) return [];
  return hostNexuses(world, array.name, hostName).flatMap(({ initiator, target, hba }) => {
    const adapter = host.hbas[hba]?.nvmeDevice;
    if (adapter === undefined || protocolOf(array, target) !== "nvme") return [];
    const tenant = tenantOf(array, target);
    const owner = target.owner;
    return allowed
      .filter((subsystem) => subsystem.tenantId === tenant)
      .map((subsystem) => ({
        adapter,
        adapterWwpn: initiator.wwpn,
        adapterWwnn: initiator.wwnn,
        targetWwpn: target.wwpn,
        targetWwnn: target.wwnn,
        targetPortId: owner.type === "targetPort" ? owner.targetPortId : undefined,
        array: array.name,
        node: controllerOf(array, target),
        subsystemId: subsystem.id,
        subsystemNqn: subsystem.nqn,
        serial: subsystem.serial,
      }));
  });
}

/**
 * Controllers of an array that hosts are connected to: those that they report, as long as they could
 * connect to them now. Number 0 of a subsystem is its first.
 */
export function connectedControllers(
  world: WorldView,
  array: string,
): (ReachableController & { readonly host: string })[] {
  return Object.values(world.hosts).flatMap((host) =>
    reachableControllers(world, host.name)
      .filter(
        (controller) =>
          controller.array === array &&
          (host.nvmeConnections ?? []).some(
            (one) =>
              one.adapterWwpn === controller.adapterWwpn &&
              one.targetWwpn === controller.targetWwpn &&
              one.subsystemNqn === controller.subsystemNqn,
          ),
      )
      .map((controller) => ({ ...controller, host: host.name })),
  );
}

export function subsystemsOf(array: DeepReadonly<StorageArray>): DeepReadonly<NvmeSubsystem>[] {
  return Object.values(array.subsystems ?? {});
}
