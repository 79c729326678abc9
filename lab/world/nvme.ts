import type { Wwnn, Wwpn } from "../../bed/identities";
import { controllerOf, hostNexuses, protocolOf, tenantOf } from "./nexus";
import type { NvmeSubsystem, StorageArray } from "./state";
import type { DeepReadonly, WorldView } from "./world";

/** An NVMe port of an array that an NVMe adapter of a host can talk to. */
export interface ReachablePort {
  /** Name of the host's NVMe adapter. */
  readonly adapter: string;
  readonly adapterWwpn: Wwpn;
  readonly adapterWwnn: Wwnn;
  readonly targetWwpn: Wwpn;
  readonly targetWwnn: Wwnn;
  readonly targetPortId: string | undefined;
  readonly array: string;
  readonly tenantId: string | undefined;
  /** Controller (node) of the array behind the target port. */
  readonly node: string | undefined;
}

/** An NVMe controller that a host can connect to, or is connected to. */
export interface ReachableController extends ReachablePort {
  readonly subsystemId: string;
  readonly subsystemNqn: string;
  readonly serial: string;
  readonly model: string;
  readonly firmware: string;
}

/** NVMe ports that the zoning lets a host's NVMe adapters talk to; each serves discovery. */
export function reachablePorts(world: WorldView, hostName: string): ReachablePort[] {
  const host = world.hosts[hostName];
  if (host?.nqn === undefined) return [];
  return Object.values(world.arrays).flatMap((array) =>
    hostNexuses(world, array.name, hostName).flatMap(({ initiator, target, hba }) => {
      const adapter = host.hbas[hba]?.nvmeDevice;
      if (adapter === undefined || protocolOf(array, target) !== "nvme") return [];
      const owner = target.owner;
      return [
        {
          adapter,
          adapterWwpn: initiator.wwpn,
          adapterWwnn: initiator.wwnn,
          targetWwpn: target.wwpn,
          targetWwnn: target.wwnn,
          targetPortId: owner.type === "targetPort" ? owner.targetPortId : undefined,
          array: array.name,
          tenantId: tenantOf(array, target),
          node: controllerOf(array, target),
        },
      ];
    }),
  );
}

/** Controllers that one host can connect to: a reachable port, and a subsystem that has its NQN. */
export function reachableControllers(world: WorldView, hostName: string): ReachableController[] {
  const nqn = world.hosts[hostName]?.nqn;
  if (nqn === undefined) return [];
  return reachablePorts(world, hostName).flatMap((port) => {
    const array = world.arrays[port.array];
    if (array === undefined) return [];
    return subsystemsOf(array)
      .filter((one) => one.tenantId === port.tenantId && one.hosts.includes(nqn))
      .map((one) => ({
        ...port,
        subsystemId: one.id,
        subsystemNqn: one.nqn,
        serial: one.serial,
        model: one.model,
        firmware: one.firmware,
      }));
  });
}

/**
 * Controllers of an array that hosts are connected to: those that they report, as long as they could
 * connect to them now.
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
