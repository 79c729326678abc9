import { DeviceError } from "../../../bed/errors";
import type { BedId } from "../../../bed/identities";
import { bedOfName } from "../../../bed/mark";
import type { DeviceCall } from "../call";
import type { TeardownFacts } from "../teardown-obstacles";
import { removeBedDatastores } from "./bed-datastores";
import { removeBedMachines } from "./bed-machines";
import { BedTree, nameOf } from "./bed-tree";
import type { VimClient } from "./client";
import { editCluster } from "./cluster-config";
import type { Attempt } from "./faults";
import type { ObjectProperties } from "./properties";
import { readAll, readOne, readProperties } from "./properties";
import { runTask } from "./tasks";
import { refsOf } from "./values";

const types = {
  Folder: ["name", "parent", "childType"],
  ResourcePool: ["name", "parent"],
  ClusterComputeResource: ["name", "parent", "configurationEx"],
};

/**
 * Removes what is the bed's: machines (see {@link removeBedMachines}), datastores on its devices,
 * folders and pools that carry its mark themselves, rules and groups. What others put into them is
 * refused by name when all else is gone.
 */
export async function sweepVcenter(
  client: VimClient,
  call: DeviceCall,
  bedId: BedId,
  devices: readonly string[],
  planned: readonly string[],
  look: () => Promise<TeardownFacts>,
): Promise<readonly string[]> {
  const machines = await removeBedMachines(client, call, bedId, planned);
  const datastores = await removeBedDatastores(client, call, devices, look);
  const removed = [
    ...machines.removed.map((name) => `virtualMachine ${name}`),
    ...datastores.map((name) => `datastore ${name}`),
  ];
  const { rootFolder } = await client.content(call);
  const attempt = { operation: "look for what is left of bed", object: bedId };
  const tree = new BedTree(await readAll(client, call, attempt, rootFolder, types), bedId);
  for (const cluster of tree.ofType("ClusterComputeResource")) {
    removed.push(...(await sweepCluster(client, call, cluster, bedId)));
  }
  const containers = [...tree.ofType("Folder"), ...tree.ofType("ResourcePool")].filter((item) =>
    tree.isMarked(item),
  );
  const depth = (item: ObjectProperties): number => tree.ancestors(item).length;
  // Children first, one after the other: a folder is only removed when nothing is left in it.
  for (const item of containers.sort((a, b) => depth(b) - depth(a))) {
    await removeContainer(client, call, item);
    removed.push(`${item.ref.type === "Folder" ? "folder" : "resourcePool"} ${nameOf(item)}`);
  }
  return removed;
}

async function removeContainer(
  client: VimClient,
  call: DeviceCall,
  item: ObjectProperties,
): Promise<void> {
  const attempt = { operation: `remove ${item.ref.type}`, object: nameOf(item) };
  if (item.ref.type !== "Folder") {
    await refuseContent(client, call, attempt, item, "vm");
    // What comes into a pool meanwhile moves to the one above it (ResourcePool.Destroy_Task).
    await runTask(client, call, attempt, "Destroy_Task", item.ref, {});
    return;
  }
  await refuseContent(client, call, attempt, item, "childEntity");
  const holdsMachines = item.values.get("childType")?.elements.some((e) => e.text === machineType);
  // Destroy_Task would delete what comes into the folder meanwhile, files and all. The other one only
  // takes it out of the inventory; a folder of datastores has Destroy_Task alone, which is refused
  // while a machine lies on one of them.
  const method = holdsMachines === true ? "UnregisterAndDestroy_Task" : "Destroy_Task";
  await runTask(client, call, attempt, method, item.ref, {});
}

const machineType = "VirtualMachine";

async function refuseContent(
  client: VimClient,
  call: DeviceCall,
  attempt: Attempt,
  item: ObjectProperties,
  property: string,
): Promise<void> {
  const values = await readOne(client, call, attempt, item.ref, [property]);
  const left = refsOf(values.get(property));
  if (left.length === 0) return;
  const found = await readProperties(client, call, attempt, left, ["name"]);
  throw new DeviceError({
    kind: "refused",
    device: client.device,
    ...attempt,
    reason: `it still holds ${found.map(nameOf).sort().join(", ")}, which is not the bed's`,
    remedy: "Move it elsewhere, then run again.",
  });
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
