import { DeviceError } from "../../../bed/errors";
import type { BedId } from "../../../bed/identities";
import { bedOfComment, bedOfName } from "../../../bed/mark";
import type { DeviceCall } from "../call";
import type { VimClient } from "./client";
import { editCluster } from "./cluster-config";
import { removeDatastore } from "./datastore-removal";
import { destroyMachine } from "./machines";
import type { ObjectProperties } from "./properties";
import { readAll, readOne } from "./properties";
import { runTask } from "./tasks";
import { refOf, refsOf } from "./values";

const types = {
  Folder: ["name", "parent"],
  VirtualMachine: ["name", "parent", "config.annotation"],
  Datastore: ["name", "parent", "info"],
  ResourcePool: ["name", "parent"],
  ClusterComputeResource: ["name", "parent", "configurationEx"],
};

/** Removes what carries the bed's mark: machines, datastores, folders and pools, rules and groups. */
export async function sweepVcenter(
  client: VimClient,
  call: DeviceCall,
  bedId: BedId,
  devices: readonly string[],
): Promise<readonly string[]> {
  const { rootFolder } = await client.content(call);
  const attempt = { operation: "look for what is left of bed", object: bedId };
  const found = await readAll(client, call, attempt, rootFolder, types);
  const byId = new Map(found.map((item) => [item.ref.value, item]));
  const isOurs = (item: ObjectProperties): boolean => carriesMark(item, bedId, byId);
  const removed: string[] = [];
  const ofType = (type: string): ObjectProperties[] => found.filter((i) => i.ref.type === type);
  await each(ofType("VirtualMachine").filter(isOurs), async ({ ref, values }) => {
    const name = nameOf(values);
    await destroyMachine(client, call, ref, { name, shutdownSeconds: 0, force: true });
    removed.push(`virtualMachine ${name}`);
  });
  const onDevices = ofType("Datastore").filter((d) => isOurs(d) || liesOn(d, devices));
  await each(onDevices, async ({ ref, values }) => {
    await removeDatastore(client, call, ref);
    removed.push(`datastore ${nameOf(values)}`);
  });
  const containers = [...ofType("Folder"), ...ofType("ResourcePool")].filter(isOurs);
  // Children first, one after the other: a folder is only removed when nothing is left in it.
  for (const item of containers.sort((a, b) => depth(b, byId) - depth(a, byId))) {
    await removeContainer(client, call, item);
    removed.push(
      `${item.ref.type === "Folder" ? "folder" : "resourcePool"} ${nameOf(item.values)}`,
    );
  }
  for (const cluster of ofType("ClusterComputeResource")) {
    removed.push(...(await sweepCluster(client, call, cluster, bedId)));
  }
  return removed;
}

/** A machine's annotation, or the name of the object or of a folder above it. */
function carriesMark(
  item: ObjectProperties,
  bedId: BedId,
  byId: ReadonlyMap<string, ObjectProperties>,
): boolean {
  if (bedOfComment(item.values.get("config.annotation")?.text) === bedId) return true;
  for (let current: ObjectProperties | undefined = item; current !== undefined;) {
    if (bedOfName(nameOf(current.values)) === bedId) return true;
    current = byId.get(refOf(current.values.get("parent"))?.value ?? "");
  }
  return false;
}

function liesOn(datastore: ObjectProperties, devices: readonly string[]): boolean {
  const extents = datastore.values.get("info")?.find("vmfs")?.all("extent") ?? [];
  return extents.some((extent) => devices.includes(extent.string("diskName") ?? ""));
}

async function removeContainer(
  client: VimClient,
  call: DeviceCall,
  item: ObjectProperties,
): Promise<void> {
  const name = nameOf(item.values);
  const attempt = { operation: `remove ${item.ref.type}`, object: name };
  const property = item.ref.type === "Folder" ? "childEntity" : "vm";
  // Destroy_Task on a folder would take everything in it along, foreign objects too.
  const left = refsOf((await readOne(client, call, attempt, item.ref, [property])).get(property));
  if (left.length > 0) {
    throw new DeviceError({
      kind: "refused",
      device: client.device,
      ...attempt,
      reason: `it still holds ${left.map((r) => r.value).join(", ")}, which are not the bed's`,
      remedy: "Move them elsewhere, then run again.",
    });
  }
  await runTask(client, call, attempt, "Destroy_Task", item.ref, {});
}

/** Rules first: a group that a rule names cannot go. */
async function sweepCluster(
  client: VimClient,
  call: DeviceCall,
  cluster: ObjectProperties,
  bedId: BedId,
): Promise<readonly string[]> {
  const configuration = cluster.values.get("configurationEx");
  const removed: string[] = [];
  for (const list of ["rule", "group"] as const) {
    for (const member of configuration?.all(list) ?? []) {
      const name = member.string("name") ?? "";
      if (bedOfName(name) !== bedId) continue;
      const attempt = { operation: `remove ${list}`, object: name };
      const key = list === "rule" ? (member.number("key") ?? 0) : name;
      const edit = { operation: "remove", key } as const;
      await editCluster(client, call, attempt, cluster.ref, list, edit);
      removed.push(`${list} ${name}`);
    }
  }
  return removed;
}

function depth(item: ObjectProperties, byId: ReadonlyMap<string, ObjectProperties>): number {
  const parent = byId.get(refOf(item.values.get("parent"))?.value ?? "");
  return parent === undefined ? 0 : 1 + depth(parent, byId);
}

function nameOf(values: ObjectProperties["values"]): string {
  return values.get("name")?.text ?? "";
}

/** All at once; every one is tried before the first failure is told. */
async function each(
  items: readonly ObjectProperties[],
  work: (item: ObjectProperties) => Promise<void>,
): Promise<void> {
  const outcomes = await Promise.allSettled(items.map(work));
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
