import { DeviceError, isDeviceError } from "../../bed/errors";
import type { DeviceCall } from "../devices/call";
import type { ZoningChange, ZoningState } from "../devices/fabric-switch";
import type { HostAdapter, HostDevice, HostStorage } from "../devices/host-storage";
import { expandMembers } from "../devices/zoning-members";
import type { BedContext } from "./context";
import { usablePaths } from "./host-path-check";

/** Two ports, in any order. */
export function portPair(one: string, other: string): string {
  return one < other ? `${one}|${other}` : `${other}|${one}`;
}

/**
 * Ports that may talk to each other now, and may not any more once the change is in force. A pair that
 * another zone allows too, whoever's it is, is not lost. Pure.
 */
export function lostPairs(before: ZoningState, change: ZoningChange): ReadonlySet<string> {
  const inForce = before.effective?.zones ?? new Map<string, readonly string[]>();
  const touched = touchedZones(before, change);
  const after = new Map([...inForce].filter(([name]) => !touched.has(name)));
  for (const [name, members] of touched) if (members !== undefined) after.set(name, members);
  const zonesOf = new Map<string, string[]>();
  for (const [name, members] of after) {
    for (const port of members) zonesOf.set(port, [...(zonesOf.get(port) ?? []), name]);
  }
  const lost = new Set<string>();
  for (const name of touched.keys()) {
    for (const [one, other] of pairsOf(inForce.get(name) ?? [])) {
      const common = zonesOf.get(one)?.some((zone) => zonesOf.get(other)?.includes(zone) === true);
      if (common !== true) lost.add(portPair(one, other));
    }
  }
  return lost;
}

/** Zones of the change with the ports that they will have; undefined for one that goes. */
function touchedZones(
  before: ZoningState,
  change: ZoningChange,
): ReadonlyMap<string, readonly string[] | undefined> {
  const aliases = new Map([...before.aliases, ...change.upsertAliases]);
  const touched = new Map<string, readonly string[] | undefined>();
  for (const [name, zone] of before.zones) {
    if (before.effective?.zones.has(name) !== true) continue;
    if (!zone.members.some((member) => change.upsertAliases.has(member))) continue;
    touched.set(name, expandMembers(zone.members, aliases));
  }
  for (const [name, members] of change.upsertZones)
    touched.set(name, expandMembers(members, aliases));
  for (const name of change.removeZones) touched.set(name, undefined);
  return touched;
}

function pairsOf(ports: readonly string[]): [string, string][] {
  return ports.flatMap((one, index) =>
    ports.slice(index + 1).map((other): [string, string] => [one, other]),
  );
}

/** Devices of a host that are in use and would have no path left without these pairs. Pure. */
export function strandedDevices(
  devices: readonly HostDevice[],
  adapters: readonly HostAdapter[],
  lost: ReadonlySet<string>,
): readonly HostDevice[] {
  const wwpnOf = new Map(adapters.map((adapter) => [adapter.name, adapter.wwpn]));
  return devices.filter((device) => {
    const paths = usablePaths(device);
    const left = paths.filter(
      ({ adapter, targetWwpn }) => !lost.has(portPair(wwpnOf.get(adapter) ?? "", targetWwpn ?? "")),
    );
    return paths.length > 0 && left.length === 0;
  });
}

/** How a host uses pairs of ports that are about to be lost. */
export interface PathUse {
  readonly host: string;
  /** The vCenter that knows it. */
  readonly device: string;
  /** Devices that would lose every path. */
  readonly stranded: readonly HostDevice[];
}

/** Hosts that use one of these pairs for a device; none of the others has to be looked at again. */
export async function pathUse(
  context: BedContext,
  call: DeviceCall,
  hosts: readonly string[],
  lost: ReadonlySet<string>,
): Promise<readonly PathUse[]> {
  if (lost.size === 0) return [];
  const uses = await Promise.all(
    [...context.hypervisors.values()].map(async (storage) => {
      const known = await storage.hosts(call);
      const connected = hosts.filter((host) =>
        known.some((one) => one.name === host && one.connected),
      );
      return await Promise.all(connected.map((host) => useOn(storage, call, host, lost)));
    }),
  );
  return uses.flat().filter((use) => use !== undefined);
}

/** The refusal that is due when a host would lose every path to something; undefined: none is. */
export function pathLossError(uses: readonly PathUse[]): DeviceError | undefined {
  const bad = uses.filter(({ stranded }) => stranded.length > 0);
  const [first] = bad;
  if (first === undefined) return undefined;
  const list = bad.map(
    ({ host, stranded }) => `${stranded.map((device) => device.name).join(", ")} on ${host}`,
  );
  return new DeviceError({
    kind: "refused",
    device: first.device,
    operation: "take zones away from",
    object: bad.map(({ host }) => `host ${host}`).join(", "),
    reason: `${list.join("; ")} would lose every path`,
    expected: "that each device keeps a path",
    remedy:
      "To move it to other ports, add them beside the old ones first, run up, rescan the host, then take the " +
      "old ones away. What nobody needs any more has to be unmapped first.",
  });
}

async function useOn(
  storage: HostStorage,
  call: DeviceCall,
  host: string,
  lost: ReadonlySet<string>,
): Promise<PathUse | undefined> {
  try {
    const devices = await storage.devices(call, host, undefined, { queueDepths: false });
    const targets = new Set([...lost].flatMap((pair) => pair.split("|")));
    const concerned = devices.some((device) =>
      usablePaths(device).some(({ targetWwpn }) => targets.has(targetWwpn ?? "")),
    );
    if (!concerned) return undefined;
    const adapters = await storage.adapters(call, host);
    return {
      host,
      device: storage.device,
      stranded: strandedDevices(devices, adapters, lost),
    };
  } catch (error) {
    // It has left the vCenter just now: there is nothing of ours on it.
    if (isDeviceError(error, "notFound")) return undefined;
    throw error;
  }
}
