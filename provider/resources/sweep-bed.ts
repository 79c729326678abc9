import type { DeviceCall } from "../devices/call";
import { parseDeviceName, type DeviceName } from "../../bed/identities";
import type { BedContext } from "./context";
import { noteTouched, plannedMachines, readAnyLedger } from "./ledger";

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
  await noteHolders(context, call, devices);
  for (const [name, hosts] of context.hypervisors)
    note(name, await hosts.sweep(call, bedId, devices, plannedMachines(context.folder)));
  for (const [name, array] of context.arrays) note(name, await array.sweep(call, bedId));
  const forgotten = [...new Set([...devices, ...(await ledgerDevices(context, call))])];
  if (forgotten.length > 0) await forgetDevices(context, call, forgotten);
  const noted = readAnyLedger(context.folder).filter((entry) => entry.class === "zone");
  for (const [name, fabric] of context.fabrics) {
    const zones = noted.filter((entry) => entry.device === name).map((entry) => entry.name);
    note(name, await fabric.sweep(call, bedId, zones));
  }
  return removed;
}

const deviceClass = "hostDevice";

/** Which hosts hold the devices goes into the ledger first: an interrupted sweep finds them again. */
async function noteHolders(
  context: BedContext,
  call: DeviceCall,
  devices: readonly DeviceName[],
): Promise<void> {
  if (devices.length === 0) return;
  const held = (await hostDevices(context, call)).filter(({ name }) => devices.includes(name));
  noteTouched(
    context.folder,
    held.map(({ device, host, name }) => ({ device, class: deviceClass, name: `${host}/${name}` })),
  );
}

/** Devices of the ledger that a host still shows although no volume of the bed is left behind them. */
async function ledgerDevices(context: BedContext, call: DeviceCall): Promise<DeviceName[]> {
  const ledger = readAnyLedger(context.folder)
    .filter((entry) => entry.class === deviceClass)
    .flatMap((entry) => parseDeviceName(entry.name.slice(entry.name.lastIndexOf("/") + 1)) ?? []);
  if (ledger.length === 0) return [];
  const shown = (await hostDevices(context, call)).map(({ name }) => name);
  return ledger.filter((name) => shown.includes(name));
}

async function hostDevices(
  context: BedContext,
  call: DeviceCall,
): Promise<{ device: string; host: string; name: DeviceName }[]> {
  const lists = await Promise.all(
    [...context.hypervisors].map(async ([device, hosts]) =>
      (await hosts.inventory(call)).flatMap((object) => {
        const cut = object.name.lastIndexOf("/");
        const name = parseDeviceName(object.name.slice(cut + 1));
        return object.class !== deviceClass || name === undefined
          ? []
          : [{ device, host: object.name.slice(0, cut), name }];
      }),
    ),
  );
  return lists.flat();
}

/** Hosts look again and forget what is gone. */
async function forgetDevices(
  context: BedContext,
  call: DeviceCall,
  devices: readonly DeviceName[],
): Promise<void> {
  for (const hosts of context.hypervisors.values()) {
    const names = (await hosts.hosts(call)).filter((host) => host.connected).map((h) => h.name);
    await hosts.rescan(call, names);
    await Promise.all(names.map((host) => hosts.purge(call, host, devices)));
  }
}
