import { z } from "zod";
import { ConfigError, DeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../../../provider/devices/call";
import type { VimClient } from "../../../provider/devices/vcenter/client";
import { isFault } from "../../../provider/devices/vcenter/faults";
import type { FolderKind } from "../../../provider/devices/vcenter/inventory-path";
import {
  descend,
  pathBelow,
  rootFolder,
  rootFolders,
  splitPath,
} from "../../../provider/devices/vcenter/inventory-path";
import { readOne } from "../../../provider/devices/vcenter/properties";
import { runTask } from "../../../provider/devices/vcenter/tasks";
import type { MoRef } from "../../../provider/devices/vcenter/values";
import { ref, refOf, refsOf } from "../../../provider/devices/vcenter/values";
import { resource } from "../../../provider/kit/handler";
import type { VsphereContext } from "./context";
import { attachTags, tagsInput, tagsOf } from "./tagging";

const inputs = z.object({
  path: z.string().describe("Path below the datacenter's root folder of the type; `a/b`."),
  type: z.string().describe("`vm`, `host`, `datastore` or `network`."),
  datacenterId: z.string().optional(),
  tags: tagsInput,
});

type Inputs = z.infer<typeof inputs>;

/** One folder; those above it in `path` must be there. */
export const folder = resource<VsphereContext, typeof inputs, typeof inputs>({
  token: "vsphere:index/folder:Folder",
  description: "An inventory folder.",
  inputs,
  state: inputs,
  replaceOn: ["type", "datacenterId"],
  deleteBeforeReplace: false,
  check(args) {
    const { type } = args;
    if (type === undefined || type in rootFolders) return [];
    const message = `"${type}" is no folder type of this stand-in`;
    return [{ path: "type", message, remedy: `use ${Object.keys(rootFolders).join(", ")}` }];
  },
  async create(call, args) {
    const { client } = call.context;
    const { parent, name } = await place(client, call, args);
    const attempt = { operation: "create folder", object: args.path };
    const answer = await client.invoke(call, attempt, "CreateFolder", parent, { name });
    const id = refOf(answer.find("returnval"));
    if (id === undefined) throw client.protocolError(attempt, "no folder was made");
    call.began(id.value, args);
    await attachTags(call, id, [], args.tags ?? []);
    return { id: id.value, state: args };
  },
  async read(call, id, olds) {
    const { client } = call.context;
    const self = ref("Folder", id);
    try {
      const { root, kind, datacenter } = await rootAbove(client, call, self);
      const path = await pathBelow(client, call, root, self);
      const tags = olds?.tags === undefined ? undefined : await tagsOf(call, self, olds.tags);
      const live: Inputs = { path, type: kind, datacenterId: datacenter.value, tags };
      // Slashes at the ends of a path are the program's own way of writing it.
      if (olds !== undefined && splitPath(olds.path).join("/") === path) live.path = olds.path;
      return { id, inputs: live, state: live };
    } catch (error) {
      if (isFault(error, "ManagedObjectNotFound")) return undefined;
      throw error;
    }
  },
  async update(call, id, olds, news) {
    const { client } = call.context;
    const self = ref("Folder", id);
    const [before, after] = [splitPath(olds.path), splitPath(news.path)];
    if (before.slice(0, -1).join("/") !== after.slice(0, -1).join("/")) {
      const { parent } = await place(client, call, news);
      const attempt = { operation: "move folder", object: olds.path };
      await runTask(client, call, attempt, "MoveIntoFolder_Task", parent, { list: self });
    }
    if (before.at(-1) !== after.at(-1)) {
      const attempt = { operation: "rename folder", object: olds.path };
      await runTask(client, call, attempt, "Rename_Task", self, { newName: after.at(-1) ?? "" });
    }
    await attachTags(call, self, olds.tags ?? [], news.tags ?? []);
    return news;
  },
  async delete(call, id, olds) {
    const { client } = call.context;
    const self = ref("Folder", id);
    const attempt = { operation: "remove folder", object: olds.path };
    try {
      const values = await readOne(client, call, attempt, self, ["childEntity"]);
      const left = refsOf(values.get("childEntity"));
      if (left.length > 0) throw notEmpty(client.device, olds.path, left);
      // Destroy_Task would delete a machine that comes into the folder meanwhile, files and all.
      const method = olds.type === "vm" ? "UnregisterAndDestroy_Task" : "Destroy_Task";
      await runTask(client, call, attempt, method, self, {});
    } catch (error) {
      if (!isFault(error, "ManagedObjectNotFound")) throw error;
    }
  },
});

function notEmpty(device: string, path: string, left: readonly MoRef[]): DeviceError {
  return new DeviceError({
    kind: "refused",
    device,
    operation: "remove folder",
    object: path,
    reason: `the folder is not empty: it holds ${left.map((r) => r.value).join(", ")}`,
    remedy: "Please remove all items before deleting it.",
  });
}

async function place(
  client: VimClient,
  call: DeviceCall,
  args: Inputs,
): Promise<{ readonly parent: MoRef; readonly name: string }> {
  const parts = splitPath(args.path);
  const name = parts.at(-1);
  if (args.datacenterId === undefined || name === undefined) {
    const path = name === undefined ? "path" : "datacenterId";
    throw new ConfigError([{ path, message: "a folder needs it" }]);
  }
  const datacenter = ref("Datacenter", args.datacenterId);
  const root = await rootFolder(client, call, datacenter, args.type as FolderKind);
  return { parent: await descend(client, call, root, parts.slice(0, -1).join("/")), name };
}

/** The datacenter's own folder above a folder, and which one it is. */
async function rootAbove(
  client: VimClient,
  call: DeviceCall,
  self: MoRef,
): Promise<{ readonly root: MoRef; readonly kind: FolderKind; readonly datacenter: MoRef }> {
  const attempt = { operation: "find the place of folder", object: self.value };
  let below = self;
  for (;;) {
    const values = await readOne(client, call, attempt, below, ["parent"]);
    const parent = refOf(values.get("parent"));
    if (parent === undefined) throw client.protocolError(attempt, "it lies in no datacenter");
    if (parent.type === "Datacenter") {
      const roots = await readOne(client, call, attempt, parent, Object.values(rootFolders));
      const kind = (Object.keys(rootFolders) as FolderKind[]).find(
        (candidate) => refOf(roots.get(rootFolders[candidate]))?.value === below.value,
      );
      if (kind === undefined) throw client.protocolError(attempt, "its root folder is unknown");
      return { root: below, kind, datacenter: parent };
    }
    below = parent;
  }
}

/** A folder of a kind by its path below the datacenter that holds `anchor`. */
export async function folderBeside(
  client: VimClient,
  call: DeviceCall,
  anchor: MoRef,
  kind: FolderKind,
  path: string,
): Promise<MoRef> {
  const attempt = { operation: "find the datacenter of", object: anchor.value };
  let current: MoRef | undefined = anchor;
  while (current !== undefined && current.type !== "Datacenter") {
    current = refOf((await readOne(client, call, attempt, current, ["parent"])).get("parent"));
  }
  if (current === undefined) throw client.protocolError(attempt, "it lies in no datacenter");
  return descend(client, call, await rootFolder(client, call, current, kind), path);
}
