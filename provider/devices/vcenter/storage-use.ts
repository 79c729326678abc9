import { bedOfComment, bedOfName } from "../../../bed/mark";
import type { BedId } from "../../../bed/identities";
import type { DeviceCall } from "../call";
import type { DatastoreUse, Hold, MachineUse, StorageUse } from "../storage-use";
import type { VimClient } from "./client";
import type { ObjectProperties } from "./properties";
import { readAll, readOne, readProperties } from "./properties";
import { runTask } from "./tasks";
import { object, ref, refOf, refsOf } from "./values";
import type { XmlElement } from "../xml";

/** vSphere Web Services API Reference; properties that every release since 6.5 has. */
const types: Readonly<Record<string, readonly string[]>> = {
  Datacenter: ["name", "parent"],
  Folder: ["name", "parent"],
  HostSystem: ["name", "runtime.inMaintenanceMode"],
  Datastore: ["name", "parent", "info", "host", "vm"],
  VirtualMachine: [
    "name",
    "parent",
    "config.annotation",
    "config.template",
    "config.managedBy",
    "snapshot",
    "runtime.powerState",
    "runtime.host",
  ],
};

/** Reads in one sweep which machine uses which datastore, and who has it mounted. */
export async function readStorageUse(client: VimClient, call: DeviceCall): Promise<StorageUse> {
  const { rootFolder } = await client.content(call);
  const attempt = { operation: "look who uses which datastore" };
  const found = await readAll(client, call, attempt, rootFolder, types);
  const byId = new Map(found.map((one) => [one.ref.value, one]));
  const ofType = (type: string): ObjectProperties[] =>
    found.filter((one) => one.ref.type === type).sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
  return {
    datastores: ofType("Datastore").map((one) => datastoreOf(one, byId)),
    machines: ofType("VirtualMachine").map((one) => machineOf(one, byId)),
    inMaintenance: ofType("HostSystem")
      .filter((host) => host.values.get("runtime.inMaintenanceMode")?.text === "true")
      .map(nameOf),
  };
}

type ById = ReadonlyMap<string, ObjectProperties>;

function datastoreOf(one: ObjectProperties, byId: ById): DatastoreUse {
  const extents = one.values.get("info")?.find("vmfs")?.all("extent") ?? [];
  return {
    id: one.ref.value,
    name: nameOf(one),
    path: namesTo(one, byId).join("/"),
    devices: extents.flatMap((extent) => extent.string("diskName") ?? []),
    mounts: (one.values.get("host")?.elements ?? []).flatMap((mount) => {
      const host = byId.get(refOf(mount.find("key"))?.value ?? "");
      if (host === undefined) return [];
      // Absent means so: both are optional in HostMountInfo.
      const mounted = mount.boolean("mountInfo.mounted") ?? true;
      const accessible = mount.boolean("mountInfo.accessible") ?? true;
      return [{ host: nameOf(host), mounted, accessible }];
    }),
    machines: refsOf(one.values.get("vm")).map((machine) => machine.value),
  };
}

function machineOf(one: ObjectProperties, byId: ById): MachineUse {
  const host = byId.get(refOf(one.values.get("runtime.host"))?.value ?? "");
  const names = namesTo(one, byId);
  return {
    id: one.ref.value,
    name: nameOf(one),
    path: names.join("/"),
    template: one.values.get("config.template")?.text === "true",
    running: one.values.get("runtime.powerState")?.text === "poweredOn",
    host: host && nameOf(host),
    bedId: bedOfMachine(names.slice(0, -1), one.values.get("config.annotation")?.text),
    snapshots: countSnapshots(one.values.get("snapshot")?.all("rootSnapshotList") ?? []),
    agent: agentHold(one.values.get("config.managedBy"), host && nameOf(host)),
  };
}

/** An annotation alone says nothing: a clone that somebody makes of a bed's machine has it too. */
function bedOfMachine(
  folders: readonly string[],
  annotation: string | undefined,
): BedId | undefined {
  const bed = bedOfComment(annotation);
  return folders.some((folder) => bedOfName(folder) === bed) ? bed : undefined;
}

/** VirtualMachineSnapshotTree. */
function countSnapshots(trees: readonly XmlElement[]): number {
  return trees.reduce((sum, tree) => sum + 1 + countSnapshots(tree.all("childSnapshotList")), 0);
}

/**
 * Agent machines of vSphere Cluster Services. vCenter moves none off a datastore by itself (vSphere
 * Resource Management, "Put a Datastore in Maintenance Mode": by hand, or retreat mode).
 */
function agentHold(managedBy: XmlElement | undefined, host: string | undefined): Hold | undefined {
  if (managedBy?.string("extensionKey") !== "com.vmware.vim.eam") return undefined;
  return {
    what: "a machine of vSphere Cluster Services (vCLS), which vCenter keeps for itself",
    host,
    remedy:
      "Storage vMotion it to another datastore, or put its cluster into retreat mode (vCenter setting config.vcls.clusters.<cluster id>.enabled = false) until the bed is gone.",
  };
}

/** Names from the datacenter down to the object; the root folder is left out. */
function namesTo(one: ObjectProperties, byId: ById): string[] {
  const parent = byId.get(refOf(one.values.get("parent"))?.value ?? "");
  if (parent === undefined) return one.ref.type === "Folder" ? [] : [nameOf(one)];
  return [...namesTo(parent, byId), nameOf(one)];
}

function nameOf(one: ObjectProperties): string {
  return one.values.get("name")?.text ?? one.ref.value;
}

/**
 * Files on a datastore that no machine on it uses. Names that begin with a dot are VMFS's own
 * (`.fbb.sf`) or the hypervisor's (`.vSphere-HA`, `.dvsData`); they go with the file system.
 */
export async function readStrayFiles(
  client: VimClient,
  call: DeviceCall,
  datastore: string,
): Promise<readonly string[]> {
  const self = ref("Datastore", datastore);
  const operation = "look through the files of datastore";
  const paths = ["name", "browser", "vm"];
  const values = await readOne(client, call, { operation, object: datastore }, self, paths);
  const name = values.get("name")?.text ?? datastore;
  const attempt = { operation, object: name };
  const browser = refOf(values.get("browser"));
  if (browser === undefined) throw client.protocolError(attempt, "it has no browser");
  const [machines, result] = await Promise.all([
    readProperties(client, call, attempt, refsOf(values.get("vm")), [
      "config.files",
      "config.hardware.device",
      "layoutEx.file",
    ]),
    runTask(client, call, attempt, "SearchDatastoreSubFolders_Task", browser, {
      datastorePath: `[${name}]`,
      searchSpec: object("HostDatastoreBrowserSearchSpec", {
        details: object("FileQueryFlags", {
          fileType: true,
          fileSize: false,
          modification: false,
          fileOwner: false,
        }),
        matchPattern: ["*"],
      }),
    }),
  ]);
  const used = new Set(machines.flatMap((machine) => folderKeys([...machine.values.values()])));
  return (result?.elements ?? []).flatMap((folder) => filesOf(folder, used)).sort();
}

/** HostDatastoreBrowserSearchResults: a folder with its files; folders in it have results of their own. */
function filesOf(result: XmlElement, used: ReadonlySet<string>): string[] {
  const { datastore, folder } = splitPath(result.string("folderPath") ?? "");
  if (folder.split("/").some((part) => part.startsWith("."))) return [];
  return result.all("file").flatMap((file) => {
    const name = file.string("path") ?? "";
    const path = folder === "" ? name : `${folder}/${name}`;
    const whole = `[${datastore}] ${path}`;
    if (name === "" || name.startsWith(".") || file.type === "FolderFileInfo") return [];
    // A machine's folder is its own, with logs and swap files that it does not list; an image is one file.
    const own = folder !== "" && used.has(`[${datastore}] ${folder}/`);
    return own || used.has(whole) ? [] : [whole];
  });
}

/** Files that a machine names, and the folder that its configuration lies in. */
function folderKeys(elements: readonly XmlElement[]): string[] {
  return elements.flatMap((element) => {
    if (element.elements.length > 0) return folderKeys(element.elements);
    const text = element.text.trim();
    if (!text.startsWith("[")) return [];
    const { datastore, folder } = splitPath(text.slice(0, Math.max(0, text.lastIndexOf("/"))));
    const home = /\.vmt?x$/.test(text) && folder !== "" ? [`[${datastore}] ${folder}/`] : [];
    return [text, ...home];
  });
}

function splitPath(text: string): { datastore: string; folder: string } {
  const match = /^\[([^\]]*)\][\s/]*(.*?)\/?$/.exec(text);
  return { datastore: match?.[1] ?? "", folder: match?.[2] ?? "" };
}
