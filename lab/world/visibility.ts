import type { Naa, Wwnn, Wwpn } from "../../bed/identities";
import type { Bytes } from "../../bed/units";
import { controllerOf, hostNexuses, protocolOf, tenantOf } from "./nexus";
import { reachableControllers } from "./nvme";
import type { NamespaceName, StorageArray, VmfsSignature, Volume } from "./state";
import type { DeepReadonly, WorldView } from "./world";

interface DevicePath {
  /** The NVMe adapter of the port where the device is a namespace. */
  readonly adapter: string;
  readonly adapterWwpn: Wwpn;
  readonly targetWwpn: Wwpn;
  readonly targetWwnn: Wwnn;
  /** True through the controller that owns the pool (ALUA and ANA alike). */
  readonly optimized: boolean;
}

/** What one host sees of one volume. */
export interface VisibleDevice {
  readonly name: Naa | NamespaceName;
  readonly protocol: "scsi" | "nvme";
  /** LUN, or the namespace's number in its subsystem. */
  readonly lun: number;
  readonly capacityBytes: Bytes;
  readonly blockBytes: number;
  readonly vendor: string;
  readonly model: string;
  readonly revision: string;
  readonly serial: string;
  readonly array: string;
  readonly volumeId: string;
  /** Subsystem of a namespace. */
  readonly subsystemNqn: string | undefined;
  readonly vmfs: VmfsSignature | undefined;
  readonly paths: readonly DevicePath[];
}

type Found = Map<string, VisibleDevice & { paths: DevicePath[] }>;

/**
 * Devices of one host by the rule of the SAN: HBA logged in AND zoned with a target port in the
 * effective configuration AND, for a LUN, mapped to a group that holds the HBA's WWPN; for a
 * namespace, mapped to a subsystem that holds the host's NQN. Sorted by name. A namespace shows to a
 * host that is connected to the controllers of its subsystem; that part is the host's own.
 */
export function hostDevices(world: WorldView, host: string): VisibleDevice[] {
  const found: Found = new Map();
  for (const array of Object.values(world.arrays)) {
    addLuns(found, world, array, host);
    addNamespaces(found, world, array, host);
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function addLuns(
  found: Found,
  world: WorldView,
  array: DeepReadonly<StorageArray>,
  host: string,
): void {
  for (const { initiator, target, hba } of hostNexuses(world, array.name, host)) {
    if (protocolOf(array, target) !== "scsi") continue;
    for (const map of array.maps) {
      const group = array.groups[map.groupId];
      const volume = array.volumes[map.volumeId];
      if (group === undefined || volume === undefined || !isServed(array, volume)) continue;
      if (!group.initiators.includes(initiator.wwpn)) continue;
      if (tenantOf(array, target) !== volume.tenantId) continue;
      addPath(found, describe(array, volume, map.lun), {
        adapter: hba,
        adapterWwpn: initiator.wwpn,
        targetWwpn: target.wwpn,
        targetWwnn: target.wwnn,
        optimized: controllerOf(array, target) === array.pools[volume.poolId]?.controller,
      });
    }
  }
}

function addNamespaces(
  found: Found,
  world: WorldView,
  array: DeepReadonly<StorageArray>,
  host: string,
): void {
  const controllers = reachableControllers(world, host).filter((one) => one.array === array.name);
  for (const map of array.namespaceMaps ?? []) {
    const volume = array.volumes[map.volumeId];
    if (volume === undefined || !isServed(array, volume)) continue;
    for (const controller of controllers) {
      if (controller.subsystemId !== map.subsystemId) continue;
      const device = describe(array, volume, map.nsid, controller.subsystemNqn);
      addPath(found, device, {
        adapter: controller.adapter,
        adapterWwpn: controller.adapterWwpn,
        targetWwpn: controller.targetWwpn,
        targetWwnn: controller.targetWwnn,
        optimized: controller.node === array.pools[volume.poolId]?.controller,
      });
    }
  }
}

function addPath(found: Found, device: Omit<VisibleDevice, "paths">, path: DevicePath): void {
  const known = found.get(device.volumeId);
  if (known === undefined) found.set(device.volumeId, { ...device, paths: [path] });
  else known.paths.push(path);
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
  subsystemNqn?: string,
): Omit<VisibleDevice, "paths"> {
  return {
    name: volume.deviceName,
    protocol: volume.namespace === undefined ? "scsi" : "nvme",
    lun,
    capacityBytes: volume.sizeBytes,
    blockBytes: volume.namespace?.blockBytes ?? 512,
    vendor: volume.vendor,
    model: volume.model,
    revision: volume.revision,
    serial: volume.serial,
    array: array.name,
    volumeId: volume.id,
    subsystemNqn,
    vmfs: volume.vmfs,
  };
}
