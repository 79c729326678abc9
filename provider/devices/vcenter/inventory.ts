import { createHash } from "node:crypto";
import type { BedId } from "../../../bed/identities";
import { bedOfName } from "../../../bed/mark";
import type { DeviceCall, InventoryObject } from "../call";
import type { HostDevice, NvmeController } from "../host-storage";
import type { VimClient } from "./client";
import type { ObjectProperties } from "./properties";
import { readAll } from "./properties";
import { refOf } from "./values";
import type { XmlElement } from "../xml";

export interface HostDevices {
  readonly host: string;
  readonly devices: readonly HostDevice[];
  /** Devices that the host keeps as detached, shown or gone. */
  readonly detached: readonly string[];
  readonly controllers: readonly NvmeController[];
}

/** What is read of every object. Usage, times, power states and placement are not settings. */
const types: Readonly<Record<string, readonly string[]>> = {
  Datacenter: ["name", "parent"],
  Folder: ["name", "parent", "childType"],
  Datastore: ["name", "parent", "summary.type", "summary.url"],
  VirtualMachine: [
    "name",
    "parent",
    "config.uuid",
    "config.annotation",
    "config.template",
    "config.hardware.numCPU",
    "config.hardware.memoryMB",
  ],
  ResourcePool: ["name", "parent", "config.cpuAllocation", "config.memoryAllocation"],
  ComputeResource: ["name", "parent"],
  ClusterComputeResource: ["name", "parent", "configurationEx"],
};

const classes: Readonly<Record<string, string>> = {
  Folder: "folder",
  Datastore: "datastore",
  VirtualMachine: "virtualMachine",
  ResourcePool: "resourcePool",
  VirtualApp: "resourcePool",
};

/**
 * Reads the inventory of the vCenter, and the Fibre Channel devices of the hosts that the caller
 * read. Object ids are part of the digest: an object that was removed and made again is another one.
 */
export async function readInventory(
  client: VimClient,
  call: DeviceCall,
  hosts: readonly HostDevices[],
): Promise<readonly InventoryObject[]> {
  const { rootFolder } = await client.content(call);
  const attempt = { operation: "read the inventory" };
  const found = await readAll(client, call, attempt, rootFolder, types);
  const byId = new Map(found.map((item) => [item.ref.value, item]));
  const objects = found.flatMap((item) => {
    const name = pathOf(item, byId);
    if (item.ref.type === "ClusterComputeResource") return clusterObjects(item, name);
    const type = classes[item.ref.type];
    return type === undefined ? [] : [plainObject(item, type, name)];
  });
  const devices = hosts.flatMap((one) => [
    ...one.devices.map((device) => deviceObject(one.host, device)),
    ...rememberedObjects(one),
    ...controllerObjects(one),
  ]);
  return [...objects, ...devices].sort(
    (a, b) => a.class.localeCompare(b.class) || a.name.localeCompare(b.name),
  );
}

function plainObject(item: ObjectProperties, type: string, name: string): InventoryObject {
  const settings = Object.fromEntries(
    [...item.values]
      .filter(([key]) => key !== "name" && key !== "parent")
      .map(([key, value]) => [key, canonical(value)]),
  );
  return {
    class: type,
    name,
    bedId: bedOfPath(name),
    digest: digest({ id: item.ref.value, ...settings }),
  };
}

/**
 * The bed of an object: its own name carries the mark, or that of a folder it lies in. An annotation
 * alone says nothing: a clone that somebody makes of our machine has it too.
 */
function bedOfPath(path: string): BedId | undefined {
  return path
    .split("/")
    .map(bedOfName)
    .find((bedId) => bedId !== undefined);
}

/** Rules, groups and per-machine overrides of a cluster, each as an object of its own. */
function clusterObjects(item: ObjectProperties, cluster: string): readonly InventoryObject[] {
  const configuration = item.values.get("configurationEx");
  const named = (field: string, type: string): InventoryObject[] =>
    (configuration?.all(field) ?? []).map((element) => {
      const name = element.string("name") ?? element.string("key") ?? "";
      return {
        class: type,
        name: `${cluster}/${name}`,
        bedId: bedOfName(name),
        digest: digest(canonical(element)),
      };
    });
  return [
    ...named("rule", "rule"),
    ...named("group", "group"),
    ...named("drsVmConfig", "drsOverride"),
    ...named("dasVmConfig", "haOverride"),
  ];
}

/** State and count of paths may change by themselves; which paths there are, and settings, may not. */
function deviceObject(host: string, device: HostDevice): InventoryObject {
  const { name, state, policy, queueDepth, capacityBytes, paths } = device;
  return {
    class: "hostDevice",
    name: `${host}/${name}`,
    digest: digest({
      state,
      policy,
      queueDepth,
      capacityBytes: capacityBytes.toString(),
      paths: paths.map((p) => `${p.adapter} ${p.targetWwpn ?? "?"} ${String(p.lun)}`).sort(),
    }),
  };
}

/** A device that is gone, and that the host would keep out of service if it came back. */
function rememberedObjects({ host, devices, detached }: HostDevices): InventoryObject[] {
  return detached
    .filter((name) => !devices.some((device) => device.name === name))
    .map((name) => ({
      class: "hostDevice",
      name: `${host}/${name}`,
      digest: digest("detached, gone"),
    }));
}

/** Connections over NVMe, one object for a subsystem and adapter; its name on the array may carry the mark. */
function controllerObjects({ host, controllers }: HostDevices): InventoryObject[] {
  const bySubsystem = new Map<string, { bedId: BedId | undefined; count: number }>();
  for (const { adapter, subsystem } of controllers) {
    const name = `${host}/${adapter}/${subsystem}`;
    const mark = subsystem.indexOf("sanbed_");
    const bedId = mark < 0 ? undefined : bedOfName(subsystem.slice(mark));
    bySubsystem.set(name, { bedId, count: (bySubsystem.get(name)?.count ?? 0) + 1 });
  }
  return [...bySubsystem].map(([name, { bedId, count }]) => ({
    class: "nvmeController",
    name,
    bedId,
    digest: digest(count),
  }));
}

/** `Datacenter/vm/folder/name`, without the root folder. */
function pathOf(item: ObjectProperties, byId: ReadonlyMap<string, ObjectProperties>): string {
  const names: string[] = [];
  for (let current: ObjectProperties | undefined = item; current !== undefined;) {
    const parent: string | undefined = refOf(current.values.get("parent"))?.value;
    if (parent === undefined && names.length > 0) break;
    names.unshift(current.values.get("name")?.text ?? current.ref.value);
    current = parent === undefined ? undefined : byId.get(parent);
  }
  return names.join("/");
}

/** An element as a value whose JSON text is the same for the same content. */
function canonical(element: XmlElement): unknown {
  if (element.elements.length === 0) return element.text;
  return element.elements.map((child) => [child.name, child.type ?? "", canonical(child)]);
}

function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}
