import type { Bytes } from "../../../bed/units";
import type { DeviceCall } from "../call";
import type { MachineDisk, MachineFacts } from "../machine-view";
import type { XmlElement } from "../xml";
import type { VimClient } from "./client";
import type { ObjectProperties } from "./properties";
import { readProperties } from "./properties";
import type { MoRef } from "./values";
import { refOf } from "./values";

const machinePaths = [
  "name",
  "config.uuid",
  "config.flags.diskUuidEnabled",
  "config.hardware.device",
  "runtime.host",
  "runtime.powerState",
];

/** Reads machines with their hosts and what their disks lie on: three requests beside the search. */
export async function readMachines(
  client: VimClient,
  call: DeviceCall,
  uuids: readonly string[],
): Promise<readonly MachineFacts[]> {
  const attempt = { operation: "look where machines are" };
  const { searchIndex } = await client.content(call);
  const found = await Promise.all(
    uuids.map(async (uuid) => {
      const args = { uuid, vmSearch: true, instanceUuid: false };
      const answer = await client.invoke(call, attempt, "FindByUuid", searchIndex, args);
      return refOf(answer.find("returnval"));
    }),
  );
  const refs = found.filter((ref) => ref !== undefined);
  const machines = await readProperties(client, call, attempt, refs, machinePaths);
  const hosts = await readProperties(client, call, attempt, unique(machines, hostRef), ["name"]);
  const stores = await readProperties(client, call, attempt, unique(machines, storeRefs), [
    "name",
    "info",
  ]);
  const byId = new Map([...hosts, ...stores].map((item) => [item.ref.value, item]));
  return machines.map((machine) => factsOf(machine, byId));
}

function unique(
  machines: readonly ObjectProperties[],
  of: (machine: ObjectProperties) => readonly MoRef[],
): MoRef[] {
  return [...new Map(machines.flatMap(of).map((ref) => [ref.value, ref])).values()];
}

function hostRef(machine: ObjectProperties): MoRef[] {
  const ref = refOf(machine.values.get("runtime.host"));
  return ref === undefined ? [] : [ref];
}

function devicesOf(machine: ObjectProperties): readonly XmlElement[] {
  return machine.values.get("config.hardware.device")?.elements ?? [];
}

function storeRefs(machine: ObjectProperties): MoRef[] {
  return devicesOf(machine).flatMap((device) => {
    const ref = device.type === "VirtualDisk" ? refOf(device.find("backing.datastore")) : undefined;
    return ref === undefined ? [] : [ref];
  });
}

function factsOf(
  machine: ObjectProperties,
  byId: ReadonlyMap<string, ObjectProperties>,
): MachineFacts {
  const text = (path: string): string => machine.values.get(path)?.text ?? "";
  const host = hostRef(machine)[0]?.value ?? "";
  return {
    uuid: text("config.uuid"),
    name: text("name"),
    host: byId.get(host)?.values.get("name")?.text ?? host,
    poweredOn: text("runtime.powerState") === "poweredOn",
    showsDiskUuids: text("config.flags.diskUuidEnabled") === "true",
    disks: disksOf(devicesOf(machine), byId),
  };
}

function disksOf(
  devices: readonly XmlElement[],
  byId: ReadonlyMap<string, ObjectProperties>,
): MachineDisk[] {
  const buses = new Map(
    devices.map((device) => [device.number("key"), device.number("busNumber")] as const),
  );
  return devices
    .filter((device) => device.type === "VirtualDisk")
    .map((disk) => ({
      controller: buses.get(disk.number("controllerKey")) ?? 0,
      unit: disk.number("unitNumber") ?? 0,
      uuid: textOf(disk, "backing.uuid").toLowerCase(),
      file: textOf(disk, "backing.fileName"),
      capacityBytes: capacityOf(disk),
      ...storeOf(byId.get(refOf(disk.find("backing.datastore"))?.value ?? "")),
    }));
}

function textOf(element: XmlElement, path: string): string {
  return element.string(path) ?? "";
}

function capacityOf(disk: XmlElement): Bytes {
  return disk.bigint("capacityInBytes") ?? (disk.bigint("capacityInKB") ?? 0n) * 1024n;
}

function storeOf(
  store: ObjectProperties | undefined,
): Pick<MachineDisk, "datastore" | "blockDevices"> {
  const extents = store?.values.get("info")?.find("vmfs")?.all("extent") ?? [];
  return {
    datastore: store?.values.get("name")?.text ?? "",
    blockDevices: extents.map((extent) => textOf(extent, "diskName")),
  };
}
