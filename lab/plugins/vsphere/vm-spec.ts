import { DeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../../../provider/devices/call";
import type { VimClient } from "../../../provider/devices/vcenter/client";
import { readOne } from "../../../provider/devices/vcenter/properties";
import type { VimValue } from "../../../provider/devices/vcenter/values";
import { object, ref, TypedValue } from "../../../provider/devices/vcenter/values";
import type { LiveDevices } from "./vm-devices";
import { busPlace, changedDisk, newController, newDisk } from "./vm-devices";
import type { LiveMachine } from "./vm-live";
import { nicChanges } from "./vm-networks";
import type { VmInputs } from "./vm-schema";

/** What is to be changed on a machine, and whether it must be off for it. */
export interface Reconfiguration {
  /** Undefined when nothing differs. */
  readonly spec: VimValue;
  readonly needsPowerOff: boolean;
}

/** Settings of a new machine, all of them. */
export async function createSpec(
  client: VimClient,
  call: DeviceCall,
  name: string,
  args: VmInputs,
): Promise<VimValue> {
  const empty: LiveDevices = { controllers: [], disks: [], nics: [] };
  const home = await datastoreName(client, call, args.datastoreId ?? "");
  return object("VirtualMachineConfigSpec", {
    name,
    version:
      args.hardwareVersion === undefined
        ? undefined
        : `vmx-${args.hardwareVersion.toString().padStart(2, "0")}`,
    guestId: args.guestId ?? "other-64",
    annotation: args.annotation,
    files: object("VirtualMachineFileInfo", { vmPathName: `[${home}]` }),
    tools: toolsConfig(args.syncTimeWithHost),
    flags: flags(args.enableDiskUuid),
    numCPUs: args.numCpus,
    numCoresPerSocket: args.numCoresPerSocket,
    memoryMB: args.memory,
    deviceChange: await deviceChanges(client, call, empty, args),
    ...allocations(args),
    latencySensitivity: latency(args.latencySensitivity),
    extraConfig: options(args.extraConfig ?? {}),
    swapPlacement: args.swapPlacementPolicy,
    firmware: args.firmware,
    memoryReservationLockedToMax: args.memoryReservationLockedToMax,
  });
}

/** What differs between the machine there is and the one that is wanted. */
export async function changeSpec(
  client: VimClient,
  call: DeviceCall,
  live: LiveMachine,
  name: string,
  args: VmInputs,
): Promise<Reconfiguration> {
  const differs = <T>(is: T, wanted: T | undefined): T | undefined =>
    wanted === undefined || wanted === is ? undefined : wanted;
  const hardware = {
    guestId: differs(live.guestId, args.guestId),
    numCPUs: differs(live.numCpus, args.numCpus),
    numCoresPerSocket: differs(live.numCoresPerSocket, args.numCoresPerSocket),
    memoryMB: differs(live.memory, args.memory),
    firmware: differs(live.firmware, args.firmware),
    latency: differs(live.latencySensitivity, args.latencySensitivity),
    diskUuid: differs(live.enableDiskUuid, args.enableDiskUuid),
    locked: differs(live.memoryReservationLockedToMax, args.memoryReservationLockedToMax),
  };
  const wantedOptions = Object.entries(args.extraConfig ?? {});
  const extra = wantedOptions.filter(([key, value]) => live.extraConfig.get(key) !== value);
  const devices = await deviceChanges(client, call, live.devices, args);
  const removesDisk = live.devices.disks.some((d) => !isWanted(d.unitNumber, args));
  const soft = {
    name: differs(live.name, name),
    annotation: differs(live.annotation, args.annotation ?? ""),
    sync: differs(live.syncTimeWithHost, args.syncTimeWithHost),
    swap: differs(live.swapPlacementPolicy, args.swapPlacementPolicy),
  };
  const allocation = allocationDiffers(live, args) ? allocations(args) : {};
  const hard = Object.values(hardware).some((value) => value !== undefined) || extra.length > 0;
  const any =
    hard ||
    devices.length > 0 ||
    Object.keys(allocation).length > 0 ||
    Object.values(soft).some((value) => value !== undefined);
  const spec = object("VirtualMachineConfigSpec", {
    name: soft.name,
    guestId: hardware.guestId,
    annotation: soft.annotation,
    tools: toolsConfig(soft.sync),
    flags: flags(hardware.diskUuid),
    numCPUs: hardware.numCPUs,
    numCoresPerSocket: hardware.numCoresPerSocket,
    memoryMB: hardware.memoryMB,
    deviceChange: devices,
    ...allocation,
    latencySensitivity: latency(hardware.latency),
    extraConfig: options(Object.fromEntries(extra)),
    swapPlacement: soft.swap,
    firmware: hardware.firmware,
    memoryReservationLockedToMax: hardware.locked,
  });
  return { spec: any ? spec : undefined, needsPowerOff: hard || removesDisk };
}

/** Controllers, disks and cards: added, grown, changed, removed. */
async function deviceChanges(
  client: VimClient,
  call: DeviceCall,
  live: LiveDevices,
  args: VmInputs,
): Promise<readonly VimValue[]> {
  const changes: VimValue[] = [];
  const controllers = new Map(live.controllers.map((c) => [c.bus, c.key]));
  refuseOtherControllers(client, live, args);
  for (let bus = 0; bus < args.scsiControllerCount; bus += 1) {
    if (controllers.has(bus)) continue;
    const { key, change } = newController(args.scsiType, bus);
    controllers.set(bus, key);
    changes.push(change);
  }
  for (const [index, disk] of (args.disks ?? []).entries()) {
    const old = live.disks.find((d) => d.unitNumber === disk.unitNumber);
    if (old !== undefined) {
      const isLarger = disk.size !== undefined && disk.size > old.sizeGib;
      if (isLarger || disk.diskMode !== old.diskMode) changes.push(changedDisk(old, disk));
      continue;
    }
    const controllerKey = controllers.get(busPlace(disk.unitNumber).bus);
    if (controllerKey === undefined) {
      throw refused(
        client,
        `disk ${disk.label} needs a controller more: raise scsiControllerCount`,
      );
    }
    const id = disk.datastoreId ?? args.datastoreId ?? "";
    const name = await datastoreName(client, call, id);
    changes.push(newDisk(disk, index, controllerKey, { id, name }));
  }
  for (const old of live.disks) {
    if (isWanted(old.unitNumber, args)) continue;
    const device = object("VirtualDisk", {
      key: old.key,
      controllerKey: old.element.number("controllerKey"),
      unitNumber: old.element.number("unitNumber"),
      capacityInKB: old.capacityKib,
    });
    changes.push(
      object("VirtualDeviceConfigSpec", { operation: "remove", fileOperation: "destroy", device }),
    );
  }
  if (args.networkInterfaces !== undefined) {
    changes.push(...(await nicChanges(client, call, live.nics, args.networkInterfaces)));
  }
  return changes;
}

function isWanted(unitNumber: number, args: VmInputs): boolean {
  return (args.disks ?? []).some((disk) => disk.unitNumber === unitNumber);
}

function refuseOtherControllers(client: VimClient, live: LiveDevices, args: VmInputs): void {
  const other = live.controllers.find((c) => c.type !== args.scsiType);
  if (other === undefined) return;
  throw refused(
    client,
    `it has a controller of type ${other.type}, the program wants ${args.scsiType}: this stand-in does not swap controllers; use a template of that type`,
  );
}

function refused(client: VimClient, reason: string): DeviceError {
  const fields = { device: client.device, operation: "configure machine", reason };
  return new DeviceError({ ...fields, kind: "unsupported" });
}

function allocationDiffers(live: LiveMachine, args: VmInputs): boolean {
  return (
    (args.memoryReservation !== undefined && args.memoryReservation !== live.memoryReservation) ||
    (args.cpuReservation !== undefined && args.cpuReservation !== live.cpuReservation) ||
    args.cpuLimit !== live.cpuLimit ||
    args.cpuShareLevel !== live.cpuShareLevel
  );
}

function allocations(args: VmInputs): Readonly<Record<string, VimValue>> {
  return {
    cpuAllocation: object("ResourceAllocationInfo", {
      reservation: args.cpuReservation,
      limit: args.cpuLimit,
      shares: object("SharesInfo", { shares: 0, level: args.cpuShareLevel }),
    }),
    memoryAllocation:
      args.memoryReservation === undefined
        ? undefined
        : object("ResourceAllocationInfo", { reservation: args.memoryReservation }),
  };
}

function options(extra: Readonly<Record<string, string>>): readonly VimValue[] {
  return Object.entries(extra).map(([key, value]) =>
    object("OptionValue", { key, value: new TypedValue("xsd:string", value) }),
  );
}

function flags(diskUuidEnabled: boolean | undefined): VimValue {
  return diskUuidEnabled === undefined
    ? undefined
    : object("VirtualMachineFlagInfo", { diskUuidEnabled });
}

function toolsConfig(syncTimeWithHostAllowed: boolean | undefined): VimValue {
  return syncTimeWithHostAllowed === undefined
    ? undefined
    : object("ToolsConfigInfo", { syncTimeWithHostAllowed });
}

function latency(level: string | undefined): VimValue {
  return level === undefined ? undefined : object("LatencySensitivity", { level });
}

async function datastoreName(client: VimClient, call: DeviceCall, id: string): Promise<string> {
  const attempt = { operation: "look up datastore", object: id };
  const values = await readOne(client, call, attempt, ref("Datastore", id), ["name"]);
  return values.get("name")?.text ?? id;
}
