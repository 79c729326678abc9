import { DeviceError, isDeviceError } from "../../bed/errors";
import { parseWwpn } from "../../bed/identities";
import type { DeviceCall } from "../devices/call";
import type { HostAdapter, HostDevice, HostStorage } from "../devices/host-storage";
import type { BedContext } from "./context";
import { canonical, type FabricSideInput } from "./fabric-zone-plan";
import { usablePaths } from "./host-path-check";

type Sides = Readonly<Record<string, FabricSideInput & { readonly device: string }>>;

/** Initiator and target that may not talk to each other any more, `<wwpn>|<wwpn>`. Pure. */
export function lostPairs(olds: Sides, news: Sides): ReadonlySet<string> {
  const kept = new Set(pairs(news));
  const lost = pairs(olds).filter((pair) => !kept.has(pair));
  return new Set(lost.map((pair) => pair.slice(pair.indexOf("|") + 1)));
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
      (path) => !lost.has(`${wwpnOf.get(path.adapter) ?? ""}|${path.targetWwpn ?? ""}`),
    );
    return paths.length > 0 && left.length === 0;
  });
}

/**
 * Refuses to take zones away that carry the last paths of a device which the host has. One fabric is
 * done before the other, but a host finds new targets only when it rescans: in between it would have
 * lost everything.
 */
export async function refusePathLoss(
  context: BedContext,
  call: DeviceCall,
  host: string,
  olds: Sides,
  news: Sides,
): Promise<void> {
  const lost = lostPairs(olds, news);
  if (lost.size === 0) return;
  for (const storage of context.hypervisors.values()) {
    const stranded = await strandedOn(storage, call, host, lost);
    if (stranded.length === 0) continue;
    throw new DeviceError({
      kind: "refused",
      device: storage.device,
      operation: "take zones away from",
      object: `host ${host}`,
      reason: `${stranded.map((device) => device.name).join(", ")} would lose every path`,
      expected: "that each device keeps a path",
      remedy:
        "Add the new ports beside the old ones first, run up, rescan the host, then take the old ones away.",
    });
  }
}

async function strandedOn(
  storage: HostStorage,
  call: DeviceCall,
  host: string,
  lost: ReadonlySet<string>,
): Promise<readonly HostDevice[]> {
  const known = (await storage.hosts(call)).find((one) => one.name === host);
  if (known?.connected !== true) return [];
  try {
    const [devices, adapters] = await Promise.all([
      storage.devices(call, host, undefined, { queueDepths: false }),
      storage.adapters(call, host),
    ]);
    return strandedDevices(devices, adapters, lost);
  } catch (error) {
    // It has left the vCenter just now: there is nothing of ours on it.
    if (isDeviceError(error, "notFound")) return [];
    throw error;
  }
}

function pairs(sides: Sides): string[] {
  return Object.values(sides).flatMap(({ device, initiators, targets }) =>
    Object.values(initiators).flatMap((text) =>
      canonical(targets).map((target) => `${device}|${parseWwpn(text) ?? ""}|${target}`),
    ),
  );
}
