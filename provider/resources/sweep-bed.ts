import type { DeviceCall } from "../devices/call";
import type { BedContext } from "./context";

/**
 * Removes everything that carries the bed's mark on all devices, in the only safe order: machines and
 * datastores, devices detached on every host, maps and volumes, hosts rescanned and purged, zones.
 * @returns what was removed, `<device>: <class> <name>`.
 */
export async function sweepBed(context: BedContext, call: DeviceCall): Promise<string[]> {
  const { bedId } = context;
  const removed: string[] = [];
  const note = (device: string, names: readonly string[]): void => {
    removed.push(...names.map((name) => `${device}: ${name}`));
  };
  const devices = (
    await Promise.all([...context.arrays.values()].map((array) => array.markedDevices(call, bedId)))
  ).flat();
  for (const [name, hosts] of context.hypervisors)
    note(name, await hosts.sweep(call, bedId, devices));
  for (const [name, array] of context.arrays) note(name, await array.sweep(call, bedId));
  if (devices.length > 0) {
    for (const hosts of context.hypervisors.values()) {
      const names = (await hosts.hosts(call))
        .filter((host) => host.connected)
        .map((host) => host.name);
      await hosts.rescan(call, names);
      await Promise.all(names.map((host) => hosts.purge(call, host, devices)));
    }
  }
  for (const [name, fabric] of context.fabrics) note(name, await fabric.sweep(call, bedId));
  return removed;
}
