import type { LiveDisk, LiveNic } from "./vm-devices";
import type { LiveMachine } from "./vm-live";
import type { VmDisk, VmInputs, VmNetworkInterface, VmState } from "./vm-schema";
import { vmInputs } from "./vm-schema";

/** Recorded state of a machine: what was given, filled up with what the vCenter chose. */
export function stateOf(live: LiveMachine, given: VmInputs): VmState {
  return {
    ...given,
    annotation: live.annotation,
    guestId: live.guestId,
    hardwareVersion: live.hardwareVersion,
    hostSystemId: live.hostSystemId,
    datastoreId: live.datastoreId,
    disks: (given.disks ?? []).map((disk) => {
      const found = live.devices.disks.find((d) => d.unitNumber === disk.unitNumber);
      return found === undefined ? disk : { ...disk, ...computedOf(found) };
    }),
    networkInterfaces: (given.networkInterfaces ?? []).map((nic, index) => {
      const found = live.devices.nics[index];
      return { ...nic, macAddress: found?.macAddress ?? nic.macAddress, key: found?.key };
    }),
    uuid: live.uuid,
    moid: live.ref.value,
    changeVersion: live.changeVersion,
    defaultIpAddress: live.defaultIpAddress,
    guestIpAddresses: [...live.guestIpAddresses],
    powerState: live.powerState,
    rebootRequired: false,
    vmwareToolsStatus: live.vmwareToolsStatus,
    vmxPath: live.vmxPath,
  };
}

function computedOf(found: LiveDisk) {
  return {
    size: found.sizeGib,
    datastoreId: found.datastoreId,
    key: found.key,
    path: found.path,
    uuid: found.uuid,
  };
}

/**
 * Inputs that would make the machine as it is. Of what the program did not give nothing is told, so
 * that a refresh changes no input; a disk that the program does not know is an orphan.
 */
export function liveInputs(
  live: LiveMachine,
  given: VmInputs | undefined,
  folder: string,
): VmInputs {
  if (given === undefined) return importedInputs(live, folder);
  const if_ = <T>(recorded: T | undefined, now: T): T | undefined =>
    recorded === undefined ? undefined : now;
  return {
    ...given,
    name: if_(given.name, live.name),
    resourcePoolId: live.resourcePoolId,
    hostSystemId: if_(given.hostSystemId, live.hostSystemId),
    datastoreId: if_(given.datastoreId, live.datastoreId),
    folder: sameFolder(given.folder, folder),
    annotation: live.annotation === "" ? if_(given.annotation, "") : live.annotation,
    guestId: if_(given.guestId, live.guestId),
    firmware: live.firmware,
    hardwareVersion: if_(given.hardwareVersion, live.hardwareVersion),
    numCpus: live.numCpus,
    numCoresPerSocket: live.numCoresPerSocket,
    memory: live.memory,
    memoryReservation: if_(given.memoryReservation, live.memoryReservation),
    memoryReservationLockedToMax: if_(
      given.memoryReservationLockedToMax,
      live.memoryReservationLockedToMax,
    ),
    cpuReservation: if_(given.cpuReservation, live.cpuReservation),
    cpuLimit: live.cpuLimit,
    cpuShareLevel: live.cpuShareLevel,
    latencySensitivity: live.latencySensitivity,
    swapPlacementPolicy: live.swapPlacementPolicy,
    enableDiskUuid: if_(given.enableDiskUuid, live.enableDiskUuid),
    syncTimeWithHost: live.syncTimeWithHost,
    extraConfig: if_(given.extraConfig, liveExtra(live, given.extraConfig ?? {})),
    disks: if_(given.disks, liveDisks(live, given.disks ?? [])),
    networkInterfaces: if_(given.networkInterfaces, liveNics(live, given.networkInterfaces ?? [])),
  };
}

function importedInputs(live: LiveMachine, folder: string): VmInputs {
  return liveInputs(
    live,
    vmInputs.parse({
      name: live.name,
      resourcePoolId: live.resourcePoolId,
      hostSystemId: live.hostSystemId,
      datastoreId: live.datastoreId,
      guestId: live.guestId,
      folder: folder === "" ? undefined : folder,
      scsiType: live.devices.controllers[0]?.type ?? "pvscsi",
      scsiControllerCount: Math.max(1, live.devices.controllers.length),
      disks: live.devices.disks.map((disk, index) => ({
        label: `disk${index.toString()}`,
        unitNumber: disk.unitNumber,
        size: disk.sizeGib,
      })),
      networkInterfaces: live.devices.nics.map((nic) => ({ networkId: nic.networkId })),
    }),
    folder,
  );
}

function sameFolder(recorded: string | undefined, now: string): string | undefined {
  const plain = (recorded ?? "").split("/").filter((part) => part !== "");
  if (plain.join("/") === now) return recorded;
  return now === "" ? undefined : now;
}

function liveExtra(
  live: LiveMachine,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.keys(given).flatMap((key) => {
      const value = live.extraConfig.get(key);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

function liveDisks(live: LiveMachine, given: readonly VmDisk[]): VmDisk[] {
  const known = given.flatMap((disk) => {
    const found = live.devices.disks.find((d) => d.unitNumber === disk.unitNumber);
    if (found === undefined) return [];
    return [
      {
        ...disk,
        size: disk.size === undefined ? undefined : found.sizeGib,
        datastoreId: disk.datastoreId === undefined ? undefined : found.datastoreId,
        diskMode: found.diskMode,
        thinProvisioned: found.thinProvisioned,
        eagerlyScrub: found.eagerlyScrub,
      },
    ];
  });
  const orphans = live.devices.disks
    .filter((disk) => !given.some((d) => d.unitNumber === disk.unitNumber))
    .map((disk, index) => orphan(disk, index));
  return [...known, ...orphans];
}

function orphan(disk: LiveDisk, index: number): VmDisk {
  return {
    label: `orphaned_disk_${index.toString()}`,
    size: disk.sizeGib,
    unitNumber: disk.unitNumber,
    datastoreId: disk.datastoreId,
    diskMode: disk.diskMode,
    eagerlyScrub: disk.eagerlyScrub,
    thinProvisioned: disk.thinProvisioned,
  };
}

function liveNics(live: LiveMachine, given: readonly VmNetworkInterface[]): VmNetworkInterface[] {
  return live.devices.nics.map((found: LiveNic, index) => {
    const recorded = given[index];
    const base = { networkId: found.networkId, adapterType: found.adapterType };
    if (recorded === undefined) return { ...base, useStaticMac: false };
    const mac = recorded.useStaticMac ? found.macAddress : recorded.macAddress;
    return { ...recorded, ...base, macAddress: mac };
  });
}
