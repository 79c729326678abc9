import type { DeviceCall } from "../call";
import type { Hold, StorageHolds } from "../storage-use";
import type { XmlElement } from "../xml";
import type { VimClient } from "./client";
import { isFault } from "./faults";
import type { ObjectProperties } from "./properties";
import { readAll, readProperties } from "./properties";
import { ref, refOf, refsOf } from "./values";

const types: Readonly<Record<string, readonly string[]>> = {
  Datastore: ["name", "parent", "info", "host", "iormConfiguration"],
  StoragePod: ["name"],
  ClusterComputeResource: ["name", "configurationEx"],
  HostSystem: [
    "name",
    "vm",
    "runtime.connectionState",
    "config.activeDiagnosticPartition",
    "config.localSwapDatastore",
    "configManager.advancedOption",
  ],
};

/** Advanced options of a host that name a folder which the host itself writes to. */
const folderOptions: Readonly<Record<string, string>> = {
  "ScratchConfig.CurrentScratchLocation":
    "Give the host another scratch location (ScratchConfig.ConfiguredScratchLocation) and restart it.",
  "Syslog.global.logDir": "Give the host another log folder (Syslog.global.logDir).",
};

/**
 * What vSphere lists as to be undone before a datastore is unmounted or a device detached, beside
 * machines and files: vSphere Storage, "Unmount Datastores"; KB 2004605; HostStorageSystem
 * UnmountVmfsVolume and DetachScsiLun in the Web Services API Reference. Hosts that are not connected
 * are not asked.
 */
export async function readStorageHolds(
  client: VimClient,
  call: DeviceCall,
  devices: readonly string[],
): Promise<StorageHolds> {
  const { rootFolder } = await client.content(call);
  const attempt = { operation: "look what the vCenter keeps on datastores" };
  const found = await readAll(client, call, attempt, rootFolder, types);
  const site = new Site(found, devices);
  const [beats, options, raw] = await Promise.all([
    heartbeats(client, call, site),
    hostOptions(client, call, site),
    rawDisks(client, call, site),
  ]);
  const datastores = site.datastores.map((one): [string, readonly Hold[]] => {
    const mine = [
      ...site.managementHolds(one),
      ...(beats.get(one.ref.value) ?? []),
      ...options.flatMap((option) => folderHold(one, option)),
      ...site.swapHolds(one),
    ];
    return [one.ref.value, mine];
  });
  const onDevices = devices.map((device): [string, readonly Hold[]] => [
    device,
    [...site.dumpHolds(device), ...raw.flatMap((disk) => (disk.uses(device) ? disk.hold : []))],
  ]);
  return { datastores: new Map(datastores), devices: new Map(onDevices) };
}

/** What was read, restricted to what concerns the devices. */
class Site {
  readonly datastores: readonly ObjectProperties[];
  readonly clusters: readonly ObjectProperties[];
  /** Connected hosts that have one of the datastores mounted. */
  readonly hosts: readonly ObjectProperties[];
  readonly connected: readonly ObjectProperties[];
  readonly #names: ReadonlyMap<string, string>;

  constructor(found: readonly ObjectProperties[], devices: readonly string[]) {
    const ofType = (type: string): readonly ObjectProperties[] =>
      found.filter((one) => one.ref.type === type);
    this.#names = new Map(found.map((one) => [one.ref.value, nameOf(one)]));
    this.datastores = ofType("Datastore").filter((one) =>
      extentsOf(one).some((disk) => devices.includes(disk)),
    );
    this.clusters = ofType("ClusterComputeResource");
    this.connected = ofType("HostSystem").filter(
      (host) => host.values.get("runtime.connectionState")?.text === "connected",
    );
    const mounting = new Set(this.datastores.flatMap(hostsOf));
    this.hosts = this.connected.filter((host) => mounting.has(host.ref.value));
  }

  name(id: string): string {
    return this.#names.get(id) ?? id;
  }

  managementHolds({ values }: ObjectProperties): readonly Hold[] {
    const parent = refOf(values.get("parent"));
    const holds: Hold[] = [];
    if (parent?.type === "StoragePod") {
      holds.push({
        what: `datastore cluster ${this.name(parent.value)}`,
        host: undefined,
        remedy: "Move the datastore out of the datastore cluster.",
      });
    }
    if (values.get("iormConfiguration")?.boolean("enabled") === true) {
      holds.push({
        what: "Storage I/O Control, which is enabled",
        host: undefined,
        remedy: "Disable Storage I/O Control of the datastore.",
      });
    }
    return holds;
  }

  swapHolds(datastore: ObjectProperties): readonly Hold[] {
    return this.hosts
      .filter(
        ({ values }) =>
          refOf(values.get("config.localSwapDatastore"))?.value === datastore.ref.value,
      )
      .map((host) => ({
        what: "swap files of machines, by the host's own choice of datastore",
        host: nameOf(host),
        remedy: "Give the host another swap file datastore.",
      }));
  }

  dumpHolds(device: string): readonly Hold[] {
    const path = "config.activeDiagnosticPartition";
    return this.connected
      .filter(({ values }) => values.get(path)?.string("id.diskName") === device)
      .map((host) => ({
        what: "the active diagnostic partition (core dump)",
        host: nameOf(host),
        remedy: "Choose another diagnostic partition (esxcli system coredump partition set).",
      }));
  }
}

/**
 * Datastores with heartbeats of vSphere HA. HA does not keep a datastore from going, but "unmounting it
 * might cause the host to fail and restart active virtual machines" (vSphere Storage, "Unmount
 * Datastores"), and those are not the bed's.
 */
async function heartbeats(
  client: VimClient,
  call: DeviceCall,
  site: Site,
): Promise<ReadonlyMap<string, readonly Hold[]>> {
  const holds = new Map<string, readonly Hold[]>();
  if (site.datastores.length === 0) return holds;
  const available = site.clusters.filter(
    ({ values }) => values.get("configurationEx")?.boolean("dasConfig.enabled") === true,
  );
  await Promise.all(
    available.map(async (cluster) => {
      const name = nameOf(cluster);
      const attempt = { operation: "read the heartbeat datastores of cluster", object: name };
      const method = "RetrieveDasAdvancedRuntimeInfo";
      const answer = await client.invoke(call, attempt, method, cluster.ref, {});
      for (const info of answer.find("returnval")?.all("heartbeatDatastoreInfo") ?? []) {
        const datastore = refOf(info.find("datastore"))?.value ?? "";
        const hosts = info.all("hosts").map((host) => site.name(refOf(host)?.value ?? ""));
        const hold: Hold = {
          what: `heartbeats of vSphere HA of cluster ${name} (hosts ${hosts.sort().join(", ")})`,
          host: undefined,
          remedy: `Choose other heartbeat datastores in the vSphere HA settings of cluster ${name}.`,
        };
        holds.set(datastore, [...(holds.get(datastore) ?? []), hold]);
      }
    }),
  );
  return holds;
}

interface FolderOption {
  readonly host: string;
  readonly name: string;
  readonly value: string;
}

async function hostOptions(
  client: VimClient,
  call: DeviceCall,
  site: Site,
): Promise<readonly FolderOption[]> {
  const found = await Promise.all(
    site.hosts.flatMap((host) =>
      Object.keys(folderOptions).map(async (name): Promise<readonly FolderOption[]> => {
        const manager = refOf(host.values.get("configManager.advancedOption"));
        if (manager === undefined) return [];
        const attempt = { operation: `read option ${name} of host`, object: nameOf(host) };
        try {
          const answer = await client.invoke(call, attempt, "QueryOptions", manager, { name });
          return answer.all("returnval").flatMap((option) => {
            const value = option.string("value");
            return value === undefined ? [] : [{ host: nameOf(host), name, value }];
          });
        } catch (error) {
          // A host that has no such option keeps nothing there.
          if (isFault(error, "InvalidName")) return [];
          throw error;
        }
      }),
    ),
  );
  return found.flat();
}

/** Paths are `/vmfs/volumes/<uuid or name>/...` or `[name] ...`. */
function folderHold(datastore: ObjectProperties, option: FolderOption): readonly Hold[] {
  const uuid = datastore.values.get("info")?.string("vmfs.uuid") ?? "";
  const name = nameOf(datastore);
  const starts = [`/vmfs/volumes/${uuid}/`, `/vmfs/volumes/${name}/`, `[${name}]`];
  if (!starts.some((start) => `${option.value}/`.startsWith(start))) return [];
  const remedy = folderOptions[option.name] ?? "";
  return [
    { what: `the host's own files: ${option.name} is ${option.value}`, host: option.host, remedy },
  ];
}

interface RawDisk {
  readonly hold: Hold;
  uses(device: string): boolean;
}

/** Raw device mappings: the mapping file may lie on any datastore. */
async function rawDisks(
  client: VimClient,
  call: DeviceCall,
  site: Site,
): Promise<readonly RawDisk[]> {
  const machines = site.connected.flatMap(({ values }) => refsOf(values.get("vm")));
  const unique = [...new Set(machines.map((one) => one.value))].map((id) =>
    ref("VirtualMachine", id),
  );
  const attempt = { operation: "look for raw device mappings" };
  const paths = ["name", "runtime.host", "config.hardware.device"];
  const found = await readProperties(client, call, attempt, unique, paths);
  return found.flatMap((machine) =>
    (machine.values.get("config.hardware.device")?.elements ?? [])
      .map((device) => device.find("backing"))
      .filter((backing) => backing?.type === "VirtualDiskRawDiskMappingVer1BackingInfo")
      .map((backing) => rawDisk(machine, backing, site)),
  );
}

function rawDisk(machine: ObjectProperties, backing: XmlElement | undefined, site: Site): RawDisk {
  const host = refOf(machine.values.get("runtime.host"));
  const name = nameOf(machine);
  const names = [backing?.string("deviceName") ?? "", backing?.string("lunUuid") ?? ""];
  return {
    hold: {
      what: `machine ${name}, which maps the raw device`,
      host: host && site.name(host.value),
      remedy: `Take the raw device mapping out of machine ${name}.`,
    },
    // Under /vmfs/devices/disks by its canonical name, or as vml. with the identifier's digits.
    uses: (device) => names.some((text) => text.includes(device.replace(/^\w+\./, ""))),
  };
}

function extentsOf({ values }: ObjectProperties): readonly string[] {
  const extents = values.get("info")?.find("vmfs")?.all("extent") ?? [];
  return extents.flatMap((extent) => extent.string("diskName") ?? []);
}

function hostsOf({ values }: ObjectProperties): readonly string[] {
  return (values.get("host")?.elements ?? []).flatMap(
    (mount) => refOf(mount.find("key"))?.value ?? [],
  );
}

function nameOf(one: ObjectProperties): string {
  return one.values.get("name")?.text ?? one.ref.value;
}
