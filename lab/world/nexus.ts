import { type Login, logins, mayTalk } from "./fabric";
import type { StorageArray } from "./state";
import type { DeepReadonly, WorldView } from "./world";

/** An initiator and a target port of an array that are both logged in and may talk. */
export interface Nexus {
  readonly initiator: Login;
  readonly target: Login;
}

/** All pairs (initiator, target port of `array`) that the zoning lets talk. */
export function nexuses(world: WorldView, array: string): Nexus[] {
  const all = logins(world);
  const targets = all.filter((login) => login.kind === "target" && arrayOf(login) === array);
  return all
    .filter((login) => login.kind === "initiator")
    .flatMap((initiator) =>
      targets
        .filter((target) => mayTalk(world, initiator, target))
        .map((target) => ({ initiator, target })),
    );
}

/** Those of one host, with the name of its adapter. */
export function hostNexuses(
  world: WorldView,
  array: string,
  host: string,
): (Nexus & { readonly hba: string })[] {
  return nexuses(world, array).flatMap((nexus) => {
    const owner = nexus.initiator.owner;
    return owner.type === "hba" && owner.host === host ? [{ ...nexus, hba: owner.hba }] : [];
  });
}

function arrayOf(login: Login): string | undefined {
  return "array" in login.owner ? login.owner.array : undefined;
}

/** Tenant that answers at a target port; a physical port that serves belongs to the only tenant. */
export function tenantOf(array: DeepReadonly<StorageArray>, target: Login): string | undefined {
  if (target.owner.type === "targetPort") {
    return array.targetPorts[target.owner.targetPortId]?.tenantId;
  }
  return Object.keys(array.tenants)[0];
}

/** Protocol that a target port serves. */
export function protocolOf(array: DeepReadonly<StorageArray>, target: Login): "scsi" | "nvme" {
  if (target.owner.type !== "targetPort") return "scsi";
  return array.targetPorts[target.owner.targetPortId]?.protocol ?? "scsi";
}

export function controllerOf(array: DeepReadonly<StorageArray>, target: Login): string | undefined {
  const owner = target.owner;
  const portId =
    owner.type === "targetPort"
      ? array.targetPorts[owner.targetPortId]?.portId
      : owner.type === "arrayPort"
        ? owner.portId
        : undefined;
  return portId === undefined ? undefined : array.ports[portId]?.controller;
}
