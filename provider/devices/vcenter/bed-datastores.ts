import { DeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../call";
import { nameOf, tryEach } from "./bed-tree";
import type { VimClient } from "./client";
import { removeDatastore } from "./datastore-removal";
import type { ObjectProperties } from "./properties";
import { readAll } from "./properties";

/**
 * Removes the datastores that lie on the bed's devices and on nothing else: the devices are made for
 * one datastore each, whatever it is called and wherever it was moved.
 * @returns the names of those removed.
 * @throws {DeviceError} `refused`, after the others are gone, for one that reaches beyond the devices
 * or on which machines are registered.
 */
export async function removeBedDatastores(
  client: VimClient,
  call: DeviceCall,
  devices: readonly string[],
): Promise<readonly string[]> {
  if (devices.length === 0) return [];
  const { rootFolder } = await client.content(call);
  const attempt = { operation: "look for datastores on the bed's devices" };
  const found = await readAll(client, call, attempt, rootFolder, { Datastore: ["name", "info"] });
  const removed: string[] = [];
  const onDevices = found.filter((item) => extents(item).some((disk) => devices.includes(disk)));
  await tryEach(onDevices, async (item) => {
    const beyond = extents(item).filter((disk) => !devices.includes(disk));
    if (beyond.length > 0) throw reachesBeyond(client.device, item, beyond);
    await removeDatastore(client, call, item.ref);
    removed.push(nameOf(item));
  });
  return removed.sort();
}

function extents({ values }: ObjectProperties): readonly string[] {
  const list = values.get("info")?.find("vmfs")?.all("extent") ?? [];
  return list.map((extent) => extent.string("diskName") ?? "");
}

function reachesBeyond(
  device: string,
  item: ObjectProperties,
  beyond: readonly string[],
): DeviceError {
  return new DeviceError({
    kind: "refused",
    device,
    operation: "remove datastore",
    object: nameOf(item),
    reason: `it also lies on ${beyond.join(", ")}, which is not the bed's`,
    expected: "a datastore on devices of the bed only",
    remedy: "Move what lies on it elsewhere and remove it by hand, then run again.",
  });
}
