import { DeviceError, isDeviceError } from "../../bed/errors";
import type { DeviceName } from "../../bed/identities";
import { nvmeSide } from "../devices/block-array";
import type { DeviceCall } from "../devices/call";
import type { HostStorage } from "../devices/host-storage";
import type { RemainingMap } from "../devices/sweep";
import type { ResourceCall } from "../kit/handler";
import { hostsOf } from "./array-protocol";
import type { BedContext } from "./context";
import { noteTouched } from "./ledger";

type Call = ResourceCall<BedContext>;

/**
 * A delete that is refused because something is still inside or mapped. All that the stack knows of it is
 * gone by then, so what carries the mark is in no state: the plugin or the engine was killed while it was
 * made. `clear` removes that, and the delete is tried once more.
 */
export async function deleteAfterRemains(
  remove: () => Promise<void>,
  clear: () => Promise<boolean>,
): Promise<void> {
  try {
    await remove();
  } catch (error) {
    if (!isDeviceError(error, "refused") || !(await clear())) throw error;
    await remove();
  }
}

/**
 * Unmaps volumes of the bed from groups of the bed. Never under a datastore: hosts that have one on such a
 * device are named in a refusal. False when there is no such map.
 */
export async function unmapRemains(
  call: Call,
  device: string,
  wanted: (map: RemainingMap) => boolean,
): Promise<boolean> {
  const array = call.context.array(device);
  const { maps } = await array.remains(call, call.context.bedId);
  const found = maps.filter(wanted);
  if (found.length === 0) return false;
  const devices = [...new Set(found.map((map) => map.device))];
  await letGo(call, devices);
  for (const { target, ...map } of found) {
    const scope = { bedId: call.context.bedId, target };
    const maps = map.protocol === "nvme-fc" ? nvmeSide(array).maps : array.maps;
    await maps.remove(call, scope, [{ volume: map.volume, group: map.group, lun: 0 }]);
    call.log("info", `${device}: unmapped ${map.volume} from ${map.group}: it was in no state`);
  }
  await forget(call, devices);
  return true;
}

/** Everything of the bed in one tenant: maps, volumes, host groups. False when there is nothing. */
export async function emptyTenant(call: Call, device: string, target: string): Promise<boolean> {
  const array = call.context.array(device);
  const { bedId } = call.context;
  const { volumes, groups } = await array.remains(call, bedId);
  const here = <T extends { readonly target: string }>(list: readonly T[]): readonly T[] =>
    list.filter((one) => one.target === target);
  if (here(volumes).length + here(groups).length === 0) return false;
  await unmapRemains(call, device, (map) => map.target === target);
  const scope = { bedId, target };
  const names = here(volumes).map((volume) => volume.name);
  await array.volumes.remove(call, scope, names);
  for (const { protocol, name } of here(groups)) {
    await hostsOf(array, protocol).removeGroup(call, scope, name);
  }
  const removed = [...names, ...here(groups).map((group) => group.name)];
  call.log("info", `${device}: removed ${removed.join(", ")}: in no state`);
  return true;
}

/** Planned removal on every host that sees the devices. */
async function letGo(call: Call, devices: readonly DeviceName[]): Promise<void> {
  const { context } = call;
  const holders: { storage: HostStorage; host: string; held: readonly DeviceName[] }[] = [];
  for (const storage of context.hypervisors.values()) {
    for (const host of await connected(storage, call)) {
      const seen = await storage.devices(call, host, devices, { queueDepths: false });
      const mounted = seen.find((one) => one.datastore !== undefined);
      if (mounted !== undefined) throw stillUsed(storage, host, mounted.name, mounted.datastore);
      if (seen.length > 0) holders.push({ storage, host, held: seen.map((one) => one.name) });
    }
  }
  for (const { storage, host, held } of holders) {
    noteTouched(
      context.folder,
      held.map((name) => ({
        device: storage.device,
        class: "hostDevice",
        name: `${host}/${name}`,
      })),
    );
    await storage.detach(call, host, held);
  }
}

async function forget(call: Call, devices: readonly DeviceName[]): Promise<void> {
  for (const storage of call.context.hypervisors.values()) {
    const hosts = await connected(storage, call);
    await storage.rescan(call, hosts);
    await Promise.all(hosts.map((host) => storage.purge(call, host, devices)));
  }
}

async function connected(storage: HostStorage, call: DeviceCall): Promise<string[]> {
  return (await storage.hosts(call)).filter((host) => host.connected).map((host) => host.name);
}

function stillUsed(
  storage: HostStorage,
  host: string,
  device: DeviceName,
  datastore: string | undefined,
): DeviceError {
  return new DeviceError({
    kind: "refused",
    device: storage.device,
    operation: `take away from host ${host} the device`,
    object: device,
    reason: `datastore ${datastore ?? ""} lies on it`,
    remedy: "Remove that datastore first, if nobody needs it.",
  });
}
