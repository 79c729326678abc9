import { z } from "zod";
import { ConfigError, DeviceError } from "../../../bed/errors";
import { systemClock } from "../../../provider/devices/clock";
import type { DeviceCall } from "../../../provider/devices/call";
import type { VimClient } from "../../../provider/devices/vcenter/client";
import { removeDatastore } from "../../../provider/devices/vcenter/datastore-removal";
import { isFault } from "../../../provider/devices/vcenter/faults";
import { pathBelow, splitPath } from "../../../provider/devices/vcenter/inventory-path";
import { readOne } from "../../../provider/devices/vcenter/properties";
import { runTask } from "../../../provider/devices/vcenter/tasks";
import type { MoRef } from "../../../provider/devices/vcenter/values";
import { ref, refOf, Verbatim } from "../../../provider/devices/vcenter/values";
import type { XmlElement } from "../../../provider/devices/xml";
import { resource } from "../../../provider/kit/handler";
import { given } from "./cluster-groups";
import type { VsphereContext } from "./context";
import { folderBeside } from "./folder";
import { autoName } from "./names";
import { attachTags, tagsInput, tagsOf } from "./tagging";

const inputs = z.object({
  disks: z.array(z.string()).min(1).describe("Canonical names of the devices below it."),
  hostSystemId: z.string().describe("Id of the host that formats it."),
  name: z.string().optional(),
  folder: z.string().optional().describe("Folder for datastores, relative to the datacenter."),
  tags: tagsInput,
});

const state = inputs.extend({
  accessible: z.boolean(),
  capacity: z.int().describe("MiB."),
  freeSpace: z.int().describe("MiB."),
  maintenanceMode: z.string(),
  multipleHostAccess: z.boolean(),
  uncommittedSpace: z.int().describe("MiB."),
  url: z.string(),
});

type State = z.infer<typeof state>;

/** A VMFS datastore on one whole device. */
export const vmfsDatastore = resource<VsphereContext, typeof inputs, typeof state>({
  token: "vsphere:index/vmfsDatastore:VmfsDatastore",
  description: "A VMFS datastore.",
  inputs,
  state,
  replaceOn: ["hostSystemId"],
  deleteBeforeReplace: false,
  async create(call, args) {
    const { client } = call.context;
    const name = autoName(args.name, call.name);
    const disk = oneDisk(args.disks);
    const created = await format(client, call, ref("HostSystem", args.hostSystemId), name, disk);
    const given = { ...args, name };
    call.began(created.value, { ...given, ...(await firstFacts(client, call, created)) });
    if (args.folder !== undefined && splitPath(args.folder).length > 0) {
      await move(client, call, created, args.folder);
    }
    await attachTags(call, created, [], args.tags ?? []);
    return { id: created.value, state: { ...given, ...(await facts(client, call, created)) } };
  },
  async read(call, id, olds, recorded) {
    const { client } = call.context;
    const self = ref("Datastore", id);
    try {
      const found = await lookAt(client, call, self);
      const live = {
        name: found.name,
        disks: found.disks,
        hostSystemId: olds?.hostSystemId ?? found.host,
        folder: await liveFolder(client, call, self, olds?.folder),
        tags: olds?.tags === undefined ? undefined : await tagsOf(call, self, olds.tags),
      };
      return {
        id,
        inputs: { ...live, name: given(live.name, olds, recorded) },
        state: { ...live, ...(await facts(client, call, self)) },
      };
    } catch (error) {
      if (isFault(error, "ManagedObjectNotFound")) return undefined;
      throw error;
    }
  },
  async update(call, id, olds, news) {
    const { client } = call.context;
    const self = ref("Datastore", id);
    oneDisk(news.disks);
    if (news.disks[0] !== olds.disks[0]) {
      const message = "a device cannot be taken out of a datastore";
      const remedy = "replace the datastore: replaceOnChanges with disks";
      throw new ConfigError([{ path: "disks", message, remedy }]);
    }
    const name = news.name ?? olds.name ?? "";
    if (name !== olds.name) {
      const attempt = { operation: "rename datastore", object: olds.name };
      await runTask(client, call, attempt, "Rename_Task", self, { newName: name });
    }
    if ((news.folder ?? "") !== (olds.folder ?? ""))
      await move(client, call, self, news.folder ?? "");
    await attachTags(call, self, olds.tags ?? [], news.tags ?? []);
    return { ...news, name, ...(await facts(client, call, self)) };
  },
  delete: (call, id) => remove(call.context, call, ref("Datastore", id)),
});

async function lookAt(
  client: VimClient,
  call: DeviceCall,
  self: MoRef,
): Promise<{ readonly name: string; readonly disks: string[]; readonly host: string }> {
  const attempt = { operation: "read datastore", object: self.value };
  const values = await readOne(client, call, attempt, self, ["name", "info", "host"]);
  const extents = values.get("info")?.find("vmfs")?.all("extent") ?? [];
  return {
    name: values.get("name")?.text ?? "",
    disks: extents.map((extent) => extent.string("diskName") ?? ""),
    host: refOf(values.get("host")?.elements[0]?.find("key"))?.value ?? "",
  };
}

function oneDisk(disks: readonly string[]): string {
  const [disk, ...others] = disks;
  if (disk !== undefined && others.length === 0) return disk;
  const message = "this stand-in makes a datastore of one device";
  throw new ConfigError([{ path: "disks", message, remedy: "use one datastore per device" }]);
}

/** The way of the vSphere client: ask what may be made of the device, take that, name it. */
async function format(
  client: VimClient,
  call: DeviceCall,
  host: MoRef,
  name: string,
  disk: string,
): Promise<MoRef> {
  const attempt = { operation: "create datastore", object: name };
  const path = "configManager.datastoreSystem";
  const system = refOf((await readOne(client, call, attempt, host, [path])).get(path));
  if (system === undefined) throw client.protocolError(attempt, "the host has no datastore system");
  const free = await client.invoke(call, attempt, "QueryAvailableDisksForVmfs", system, {});
  const found = free.all("returnval").find((d) => d.string("canonicalName") === disk);
  const devicePath = found?.string("devicePath");
  if (devicePath === undefined) throw notAvailable(client.device, name, disk, free);
  const options = await client.invoke(call, attempt, "QueryVmfsDatastoreCreateOptions", system, {
    devicePath,
  });
  const whole = options
    .all("returnval")
    .find((option) => option.find("info")?.type === "VmfsDatastoreAllExtentOption");
  const spec = whole?.find("spec");
  if (spec === undefined) {
    throw client.protocolError(attempt, `${disk} cannot be taken as a whole: it has partitions`);
  }
  const answer = await client.invoke(call, attempt, "CreateVmfsDatastore", system, {
    spec: new Verbatim(spec, { "vmfs.volumeName": name }),
  });
  const created = refOf(answer.find("returnval"));
  if (created === undefined) throw client.protocolError(attempt, "no datastore was made");
  return created;
}

function notAvailable(device: string, name: string, disk: string, free: XmlElement): DeviceError {
  const names = free.all("returnval").map((d) => d.string("canonicalName") ?? "");
  return new DeviceError({
    kind: "notFound",
    device,
    operation: "create datastore",
    object: name,
    reason: `device ${disk} is not available for a datastore on the host`,
    expected: names.length === 0 ? "a free device; there is none" : `one of ${names.join(", ")}`,
    remedy: "Rescan the host; check zoning, mapping, and that nothing is on the device.",
  });
}

async function move(client: VimClient, call: DeviceCall, self: MoRef, path: string): Promise<void> {
  const target = await folderBeside(client, call, self, "datastore", path);
  const attempt = { operation: "move datastore to folder", object: path };
  await runTask(client, call, attempt, "MoveIntoFolder_Task", target, { list: self });
}

async function liveFolder(
  client: VimClient,
  call: DeviceCall,
  self: MoRef,
  recorded: string | undefined,
): Promise<string | undefined> {
  const root = await folderBeside(client, call, self, "datastore", "");
  const path = splitPath(await pathBelow(client, call, root, self))
    .slice(0, -1)
    .join("/");
  if (recorded !== undefined && splitPath(recorded).join("/") === path) return recorded;
  return path === "" ? undefined : path;
}

type Facts = Omit<State, keyof z.infer<typeof inputs>>;

async function facts(client: VimClient, call: DeviceCall, self: MoRef): Promise<Facts> {
  const attempt = { operation: "read datastore", object: self.value };
  const values = await readOne(client, call, attempt, self, ["summary"]);
  const summary = values.get("summary");
  const mebibytes = (path: string): number => Number((summary?.bigint(path) ?? 0n) / 1048576n);
  return {
    accessible: summary?.boolean("accessible") ?? false,
    capacity: mebibytes("capacity"),
    freeSpace: mebibytes("freeSpace"),
    maintenanceMode: summary?.string("maintenanceMode") ?? "normal",
    multipleHostAccess: summary?.boolean("multipleHostAccess") ?? false,
    uncommittedSpace: mebibytes("uncommitted"),
    url: summary?.string("url") ?? "",
  };
}

/** What a datastore that was just made says of itself. If it cannot be asked, it is removed again. */
async function firstFacts(client: VimClient, call: DeviceCall, self: MoRef): Promise<Facts> {
  try {
    return await facts(client, call, self);
  } catch (error) {
    await removeDatastore(client, { signal: AbortSignal.timeout(undoMs) }, self);
    throw error;
  }
}

/** How long an undo may take after the call itself was told to stop. */
const undoMs = 30_000;

/** Something may still be leaving it: the official provider also tries again while it is in use. */
async function remove(context: VsphereContext, call: DeviceCall, self: MoRef): Promise<void> {
  const until = Date.now() + Math.min(context.apiTimeoutMs, 30_000);
  for (;;) {
    try {
      await removeDatastore(context.client, call, self);
      return;
    } catch (error) {
      if (!isFault(error, "ResourceInUse") || Date.now() > until) throw error;
      await systemClock.sleep(2000, call.signal);
    }
  }
}
