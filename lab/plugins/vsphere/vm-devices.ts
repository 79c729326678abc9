import { ConfigError } from "../../../bed/errors";
import type { VimValue } from "../../../provider/devices/vcenter/values";
import { object, ref, refOf } from "../../../provider/devices/vcenter/values";
import type { XmlElement } from "../../../provider/devices/xml";
import type { VmDisk } from "./vm-schema";

/** Words of programs for controller classes of the API. */
const scsiTypes: Readonly<Record<string, string>> = {
  pvscsi: "ParaVirtualSCSIController",
  lsilogic: "VirtualLsiLogicController",
  "lsilogic-sas": "VirtualLsiLogicSASController",
  buslogic: "VirtualBusLogicController",
};

const nicTypes: Readonly<Record<string, string>> = {
  e1000: "VirtualE1000",
  e1000e: "VirtualE1000e",
  vmxnet3: "VirtualVmxnet3",
};

interface LiveController {
  readonly key: number;
  readonly bus: number;
  /** `lsilogic-sas`, or the class where programs have no word for it. */
  readonly type: string;
}

export interface LiveDisk {
  readonly key: number;
  /** As programs count: 15 per controller, the controller's own unit left out. */
  readonly unitNumber: number;
  readonly label: string;
  readonly sizeGib: number;
  readonly capacityKib: bigint;
  readonly datastoreId: string;
  readonly diskMode: string;
  readonly thinProvisioned: boolean;
  readonly eagerlyScrub: boolean;
  readonly writeThrough: boolean;
  readonly uuid: string | undefined;
  readonly path: string | undefined;
  readonly element: XmlElement;
}

export interface LiveNic {
  readonly key: number;
  readonly networkId: string;
  readonly adapterType: string;
  readonly macAddress: string | undefined;
  readonly element: XmlElement;
}

export interface LiveDevices {
  readonly controllers: readonly LiveController[];
  readonly disks: readonly LiveDisk[];
  readonly nics: readonly LiveNic[];
}

/** SCSI controllers, their disks and the network cards from `config.hardware.device`. */
export function readDevices(list: XmlElement | undefined): LiveDevices {
  const devices = list?.elements ?? [];
  const controllers = devices.flatMap((device): LiveController[] => {
    const word = wordFor(scsiTypes, device.type);
    const key = device.number("key");
    if (word === undefined || key === undefined) return [];
    return [{ key, bus: device.number("busNumber") ?? 0, type: word }];
  });
  const disks = devices.flatMap((device) => {
    if (device.type !== "VirtualDisk") return [];
    const controller = controllers.find((c) => c.key === device.number("controllerKey"));
    return controller === undefined ? [] : [readDisk(device, controller.bus)];
  });
  const nics = devices.flatMap((device) => {
    const adapterType = wordFor(nicTypes, device.type);
    return adapterType === undefined ? [] : [readNic(device, adapterType)];
  });
  return {
    controllers: controllers.sort((a, b) => a.bus - b.bus),
    disks: disks.sort((a, b) => a.unitNumber - b.unitNumber),
    nics: nics.sort((a, b) => a.key - b.key),
  };
}

function readDisk(device: XmlElement, bus: number): LiveDisk {
  const bytes = device.bigint("capacityInBytes");
  const capacityKib = device.bigint("capacityInKB") ?? (bytes ?? 0n) / 1024n;
  const unit = device.number("unitNumber") ?? 0;
  return {
    key: device.number("key") ?? 0,
    unitNumber: bus * 15 + (unit > controllerUnit ? unit - 1 : unit),
    label: device.string("deviceInfo.label") ?? "",
    sizeGib: Number((capacityKib + kibPerGib - 1n) / kibPerGib),
    capacityKib,
    datastoreId: refOf(device.find("backing.datastore"))?.value ?? "",
    diskMode: device.string("backing.diskMode") ?? "persistent",
    thinProvisioned: device.boolean("backing.thinProvisioned") ?? false,
    eagerlyScrub: device.boolean("backing.eagerlyScrub") ?? false,
    writeThrough: device.boolean("backing.writeThrough") ?? false,
    uuid: device.string("backing.uuid"),
    path: device.string("backing.fileName"),
    element: device,
  };
}

function readNic(device: XmlElement, adapterType: string): LiveNic {
  return {
    key: device.number("key") ?? 0,
    networkId:
      refOf(device.find("backing.network"))?.value ??
      device.string("backing.port.portgroupKey") ??
      "",
    adapterType,
    macAddress: device.string("macAddress"),
    element: device,
  };
}

/** Unit of the controller itself on its bus; no disk can have it. */
const controllerUnit = 7;
const kibPerGib = 1024n * 1024n;

/** Bus and unit on the bus of a disk. */
export function busPlace(unitNumber: number): { readonly bus: number; readonly unit: number } {
  const unit = unitNumber % 15;
  return {
    bus: Math.floor(unitNumber / 15),
    unit: unit >= controllerUnit ? unit + 1 : unit,
  };
}

function controllerClass(scsiType: string): string {
  const found = scsiTypes[scsiType];
  if (found !== undefined) return found;
  const remedy = `use ${Object.keys(scsiTypes).join(", ")}`;
  throw new ConfigError([{ path: "scsiType", message: `"${scsiType}" is unknown`, remedy }]);
}

export function nicClass(adapterType: string): string {
  const found = nicTypes[adapterType];
  if (found !== undefined) return found;
  const message = `"${adapterType}" is unknown`;
  const remedy = `use ${Object.keys(nicTypes).join(", ")}`;
  throw new ConfigError([{ path: "networkInterfaces", message, remedy }]);
}

/** A new SCSI controller. New devices have negative keys, by which others in the same spec name them. */
export function newController(scsiType: string, bus: number): { key: number; change: VimValue } {
  const key = -100 - bus;
  const device = object(controllerClass(scsiType), {
    key,
    busNumber: bus,
    hotAddRemove: true,
    sharedBus: "noSharing",
    scsiCtlrUnitNumber: controllerUnit,
  });
  return { key, change: object("VirtualDeviceConfigSpec", { operation: "add", device }) };
}

/** A new disk in a file of its own; `datastore` is name and id. */
export function newDisk(
  disk: VmDisk,
  index: number,
  controllerKey: number,
  datastore: { readonly id: string; readonly name: string },
): VimValue {
  const capacityInKB = BigInt(disk.size ?? 0) * kibPerGib;
  const device = object("VirtualDisk", {
    key: -200 - index,
    backing: object("VirtualDiskFlatVer2BackingInfo", {
      fileName: `[${datastore.name}]`,
      datastore: ref("Datastore", datastore.id),
      diskMode: disk.diskMode,
      thinProvisioned: disk.thinProvisioned,
      eagerlyScrub: disk.eagerlyScrub,
    }),
    controllerKey,
    unitNumber: busPlace(disk.unitNumber).unit,
    capacityInKB,
    capacityInBytes: capacityInKB * 1024n,
  });
  return object("VirtualDeviceConfigSpec", { operation: "add", fileOperation: "create", device });
}

/** The same disk, larger or in another mode. */
export function changedDisk(live: LiveDisk, wanted: VmDisk): VimValue {
  const size = BigInt(wanted.size ?? 0) * kibPerGib;
  const capacityInKB = size > live.capacityKib ? size : live.capacityKib;
  const device = object("VirtualDisk", {
    key: live.key,
    backing: object("VirtualDiskFlatVer2BackingInfo", {
      fileName: live.path,
      datastore: ref("Datastore", live.datastoreId),
      diskMode: wanted.diskMode,
      writeThrough: live.writeThrough,
      thinProvisioned: live.thinProvisioned,
      eagerlyScrub: live.eagerlyScrub,
      uuid: live.uuid,
    }),
    controllerKey: live.element.number("controllerKey"),
    unitNumber: live.element.number("unitNumber"),
    capacityInKB,
    capacityInBytes: capacityInKB * 1024n,
  });
  return object("VirtualDeviceConfigSpec", { operation: "edit", device });
}

function wordFor(words: Readonly<Record<string, string>>, type: string | undefined) {
  return Object.entries(words).find(([, name]) => name === type)?.[0];
}
