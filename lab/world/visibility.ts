import type { Naa, Wwnn, Wwpn } from "../../bed/identities";
import type { Bytes } from "../../bed/units";
import { type Login, logins, mayTalk } from "./fabric";
import type { StorageArray, VmfsSignature, Volume } from "./state";
import type { DeepReadonly, WorldView } from "./world";

interface DevicePath {
  readonly adapter: string;
  readonly adapterWwpn: Wwpn;
  readonly targetWwpn: Wwpn;
  readonly targetWwnn: Wwnn;
  /** True through the controller that owns the pool. */
  readonly optimized: boolean;
}

/** What one host sees of one volume. */
export interface VisibleDevice {
  readonly name: Naa;
  readonly lun: number;
  readonly capacityBytes: Bytes;
  readonly vendor: string;
  readonly model: string;
  readonly revision: string;
  readonly serial: string;
  readonly array: string;
  readonly volumeId: string;
  readonly vmfs: VmfsSignature | undefined;
  readonly paths: readonly DevicePath[];
}

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

/**
 * Devices of one host by the rule of the SAN: HBA logged in AND zoned with a target port in the
 * effective configuration AND the volume mapped to a group that holds the HBA's WWPN. Sorted by name.
 */
export function hostDevices(world: WorldView, host: string): VisibleDevice[] {
  const found = new Map<string, VisibleDevice & { paths: DevicePath[] }>();
  for (const array of Object.values(world.arrays)) {
    for (const nexus of nexuses(world, array.name)) {
      const owner = nexus.initiator.owner;
      if (owner.type === "hba" && owner.host === host) addDevices(found, array, nexus, owner.hba);
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function addDevices(
  found: Map<string, VisibleDevice & { paths: DevicePath[] }>,
  array: DeepReadonly<StorageArray>,
  nexus: Nexus,
  adapter: string,
): void {
  for (const map of array.maps) {
    const group = array.groups[map.groupId];
    const volume = array.volumes[map.volumeId];
    if (group === undefined || volume === undefined || !isServed(array, volume)) continue;
    if (!group.initiators.includes(nexus.initiator.wwpn)) continue;
    if (tenantOf(array, nexus.target) !== volume.tenantId) continue;
    const device = found.get(volume.id) ?? { ...describe(array, volume, map.lun), paths: [] };
    found.set(volume.id, device);
    device.paths.push({
      adapter,
      adapterWwpn: nexus.initiator.wwpn,
      targetWwpn: nexus.target.wwpn,
      targetWwnn: nexus.target.wwnn,
      optimized: controllerOf(array, nexus.target) === array.pools[volume.poolId]?.controller,
    });
  }
}

function isServed(array: DeepReadonly<StorageArray>, volume: DeepReadonly<Volume>): boolean {
  const container =
    volume.containerId === undefined ? undefined : array.containers[volume.containerId];
  return volume.online && (volume.containerId === undefined || container?.online === true);
}

function describe(
  array: DeepReadonly<StorageArray>,
  volume: DeepReadonly<Volume>,
  lun: number,
): Omit<VisibleDevice, "paths"> {
  return {
    name: volume.deviceName,
    lun,
    capacityBytes: volume.sizeBytes,
    vendor: volume.vendor,
    model: volume.model,
    revision: volume.revision,
    serial: volume.serial,
    array: array.name,
    volumeId: volume.id,
    vmfs: volume.vmfs,
  };
}

function arrayOf(login: Login): string | undefined {
  return "array" in login.owner ? login.owner.array : undefined;
}

/** Tenant that answers at a target port; a physical port that serves belongs to the only tenant. */
function tenantOf(array: DeepReadonly<StorageArray>, target: Login): string | undefined {
  if (target.owner.type === "targetPort") {
    return array.targetPorts[target.owner.targetPortId]?.tenantId;
  }
  return Object.keys(array.tenants)[0];
}

function controllerOf(array: DeepReadonly<StorageArray>, target: Login): string | undefined {
  const owner = target.owner;
  const portId =
    owner.type === "targetPort"
      ? array.targetPorts[owner.targetPortId]?.portId
      : owner.type === "arrayPort"
        ? owner.portId
        : undefined;
  return portId === undefined ? undefined : array.ports[portId]?.controller;
}
