import { isDeviceError } from "../../bed/errors";
import type { DeviceCall } from "./call";
import type { HostStorage } from "./host-storage";
import type { StorageUseTeller } from "./storage-use";
import { datastoresOn, type TeardownFacts } from "./teardown-obstacles";

/** Asks the hypervisor for everything that {@link TeardownFacts} hold about the devices. Reads only. */
export async function readTeardownFacts(
  storage: Pick<HostStorage, "hosts"> & StorageUseTeller,
  call: DeviceCall,
  devices: readonly string[],
): Promise<TeardownFacts> {
  const [use, hosts, holds] = await Promise.all([
    storage.storageUse(call),
    storage.hosts(call),
    storage.holds(call, devices),
  ]);
  const silent = new Set(hosts.filter((host) => !host.connected).map((host) => host.name));
  // Through a host that reaches it: a datastore whose device is lost cannot be looked through, and is
  // only forgotten, never erased.
  const reachable = datastoresOn(use, devices).filter(({ mounts }) =>
    mounts.some((mount) => mount.mounted && mount.accessible && !silent.has(mount.host)),
  );
  const files = await Promise.all(
    reachable.map(async ({ id }): Promise<[string, readonly string[]]> => {
      try {
        return [id, await storage.strayFiles(call, id)];
      } catch (error) {
        if (isDeviceError(error, "notFound")) return [id, []];
        throw error;
      }
    }),
  );
  return { use, hosts, holds, files: new Map(files) };
}
