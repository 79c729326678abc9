import type { DeviceCall } from "../call";
import type { TeardownFacts } from "../teardown-obstacles";
import { obstacleError, teardownObstacles } from "../teardown-obstacles";
import { nameOf, tryEach } from "./bed-tree";
import type { VimClient } from "./client";
import { removeDatastore } from "./datastore-removal";
import type { ObjectProperties } from "./properties";
import { readAll } from "./properties";

/**
 * Removes the datastores that lie on the bed's devices and on nothing else: the devices are made for
 * one datastore each, whatever it is called and wherever it was moved.
 * @returns the names of those removed.
 * @throws {DeviceError} `refused`, before any is removed, while one of them reaches beyond the devices
 * or anything of others is on it, or a host or the vCenter keeps something there.
 */
export async function removeBedDatastores(
  client: VimClient,
  call: DeviceCall,
  devices: readonly string[],
  look: () => Promise<TeardownFacts>,
): Promise<readonly string[]> {
  if (devices.length === 0) return [];
  const { rootFolder } = await client.content(call);
  const attempt = { operation: "look for datastores on the bed's devices" };
  const found = await readAll(client, call, attempt, rootFolder, { Datastore: ["name", "info"] });
  const removed: string[] = [];
  const onDevices = found.filter((item) => extents(item).some((disk) => devices.includes(disk)));
  if (onDevices.length === 0) return [];
  // Removing a datastore erases its files without asking (HostDatastoreSystem.RemoveDatastore).
  const scope = { bedId: undefined, planned: [], devices, hosts: [] };
  const obstacles = teardownObstacles(scope, await look());
  if (obstacles.length > 0) {
    const names = onDevices.map(nameOf).sort().join(", ");
    throw obstacleError(client.device, "remove datastore", names, obstacles);
  }
  await tryEach(onDevices, async (item) => {
    await removeDatastore(client, call, item.ref);
    removed.push(nameOf(item));
  });
  return removed.sort();
}

function extents({ values }: ObjectProperties): readonly string[] {
  const list = values.get("info")?.find("vmfs")?.all("extent") ?? [];
  return list.map((extent) => extent.string("diskName") ?? "");
}
