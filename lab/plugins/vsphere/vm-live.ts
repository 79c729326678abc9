import type { DeviceCall } from "../../../provider/devices/call";
import type { VimClient } from "../../../provider/devices/vcenter/client";
import { pathBelow, rootFolder, splitPath } from "../../../provider/devices/vcenter/inventory-path";
import { readOne } from "../../../provider/devices/vcenter/properties";
import type { MoRef } from "../../../provider/devices/vcenter/values";
import { refOf, refsOf } from "../../../provider/devices/vcenter/values";
import { XmlElement } from "../../../provider/devices/xml";
import type { LiveDevices } from "./vm-devices";
import { readDevices } from "./vm-devices";
import { defaultAddress, guestAddresses } from "./vm-wait";

/** A machine as the vCenter shows it, in the words of programs. */
export interface LiveMachine {
  readonly ref: MoRef;
  readonly name: string;
  readonly uuid: string;
  readonly hostSystemId: string;
  readonly resourcePoolId: string;
  readonly datastoreId: string;
  readonly annotation: string;
  readonly guestId: string;
  readonly firmware: string;
  readonly hardwareVersion: number;
  readonly numCpus: number;
  readonly numCoresPerSocket: number;
  readonly memory: number;
  readonly memoryReservation: number;
  readonly memoryReservationLockedToMax: boolean;
  readonly cpuReservation: number;
  readonly cpuLimit: number;
  readonly cpuShareLevel: string;
  readonly latencySensitivity: string;
  readonly swapPlacementPolicy: string;
  readonly enableDiskUuid: boolean;
  readonly syncTimeWithHost: boolean;
  readonly extraConfig: ReadonlyMap<string, string>;
  readonly devices: LiveDevices;
  readonly powerState: "on" | "off" | "suspended";
  readonly changeVersion: string;
  readonly vmxPath: string;
  readonly vmwareToolsStatus: string;
  readonly defaultIpAddress: string;
  readonly guestIpAddresses: readonly string[];
  readonly parent: MoRef | undefined;
}

const paths = [
  "name",
  "parent",
  "config",
  "datastore",
  "resourcePool",
  "runtime.host",
  "runtime.powerState",
  "guest.net",
  "guest.ipStack",
  "guest.toolsRunningStatus",
];

/** Gone: `notFound`. */
export async function readMachine(
  client: VimClient,
  call: DeviceCall,
  vm: MoRef,
): Promise<LiveMachine> {
  const attempt = { operation: "read virtual machine", object: vm.value };
  const values = await readOne(client, call, attempt, vm, paths);
  const config = values.get("config");
  const vmxPath = config?.string("files.vmPathName") ?? "";
  const net = guestAddresses(values.get("guest.net"));
  return {
    ref: vm,
    name: values.get("name")?.text ?? "",
    parent: refOf(values.get("parent")),
    hostSystemId: refOf(values.get("runtime.host"))?.value ?? "",
    resourcePoolId: refOf(values.get("resourcePool"))?.value ?? "",
    datastoreId: await homeDatastore(client, call, refsOf(values.get("datastore")), vmxPath),
    ...hardware(config),
    powerState: powerWord(values.get("runtime.powerState")?.text),
    vmxPath: vmxPath.replace(/^\[[^\]]*\]\s*/, ""),
    vmwareToolsStatus: values.get("guest.toolsRunningStatus")?.text ?? "guestToolsNotRunning",
    defaultIpAddress: defaultAddress(net, values.get("guest.ipStack")) ?? "",
    guestIpAddresses: net.map((entry) => entry.address),
  };
}

const empty = new XmlElement("config", {}, [], "");

function hardware(given: XmlElement | undefined) {
  const config = given ?? empty;
  const text = (path: string, otherwise = ""): string => config.string(path) ?? otherwise;
  const number = (path: string, otherwise = 0): number => config.number(path) ?? otherwise;
  const flag = (path: string, otherwise: boolean): boolean => config.boolean(path) ?? otherwise;
  return {
    uuid: text("uuid"),
    annotation: text("annotation"),
    guestId: text("guestId"),
    firmware: text("firmware", "bios"),
    hardwareVersion: Number(/\d+/.exec(text("version"))?.[0] ?? 0),
    numCpus: number("hardware.numCPU"),
    numCoresPerSocket: number("hardware.numCoresPerSocket", 1),
    memory: number("hardware.memoryMB"),
    memoryReservation: number("memoryAllocation.reservation"),
    memoryReservationLockedToMax: flag("memoryReservationLockedToMax", false),
    cpuReservation: number("cpuAllocation.reservation"),
    cpuLimit: number("cpuAllocation.limit", -1),
    cpuShareLevel: text("cpuAllocation.shares.level", "normal"),
    latencySensitivity: text("latencySensitivity.level", "normal"),
    swapPlacementPolicy: text("swapPlacement", "inherit"),
    enableDiskUuid: flag("flags.diskUuidEnabled", false),
    syncTimeWithHost: flag("tools.syncTimeWithHostAllowed", true),
    extraConfig: new Map(
      config.all("extraConfig").map((o) => [o.string("key") ?? "", o.string("value") ?? ""]),
    ),
    // The repeated `device` elements of the hardware, as one list.
    devices: readDevices(config.find("hardware")?.only("device")),
    changeVersion: text("changeVersion"),
  };
}

/** The datastore of the machine's own files: the one that its configuration file lies on. */
async function homeDatastore(
  client: VimClient,
  call: DeviceCall,
  datastores: readonly MoRef[],
  vmxPath: string,
): Promise<string> {
  const [only, ...more] = datastores;
  if (only !== undefined && more.length === 0) return only.value;
  const wanted = /^\[([^\]]*)\]/.exec(vmxPath)?.[1];
  for (const datastore of datastores) {
    const attempt = { operation: "read datastore", object: datastore.value };
    const name = (await readOne(client, call, attempt, datastore, ["name"])).get("name")?.text;
    if (name === wanted) return datastore.value;
  }
  return only?.value ?? "";
}

function powerWord(state: string | undefined): LiveMachine["powerState"] {
  if (state === "poweredOn") return "on";
  return state === "suspended" ? "suspended" : "off";
}

/** Folder of a machine below its datacenter's folder for machines, `a/b`; empty for that itself. */
export async function folderOf(
  client: VimClient,
  call: DeviceCall,
  vm: LiveMachine,
): Promise<string> {
  const attempt = { operation: "find the folder of", object: vm.name };
  let current = vm.parent;
  while (current !== undefined && current.type !== "Datacenter") {
    current = refOf((await readOne(client, call, attempt, current, ["parent"])).get("parent"));
  }
  if (current === undefined || vm.parent === undefined) return "";
  const root = await rootFolder(client, call, current, "vm");
  return splitPath(await pathBelow(client, call, root, vm.parent)).join("/");
}
