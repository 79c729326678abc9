import type { DeviceName } from "../../bed/identities";
import type { HostAdapter, HostDevice } from "../devices/host-storage";

/** How the wanted devices of one host stand. */
export interface PathCheck {
  /** Usable paths by key; 0 when the device is not seen. */
  readonly counts: Readonly<Record<string, number>>;
  readonly lacking: readonly LackingDevice[];
}

/** A device with fewer usable paths than expected. */
export interface LackingDevice {
  readonly key: string;
  readonly name: DeviceName;
  readonly found: number;
  /** State that the host gives it; undefined when the host does not see it at all. */
  readonly state: string | undefined;
  /** Usable paths by adapter, as the target ports they lead to. */
  readonly through: ReadonlyMap<string, readonly string[]>;
}

/** Paths that carry or could carry I/O. */
export function usablePaths(device: HostDevice): HostDevice["paths"] {
  return device.paths.filter((path) => path.state === "active" || path.state === "standby");
}

/** Compares what a host sees with what it should see. Pure. */
export function checkPaths(
  wanted: Readonly<Record<string, DeviceName>>,
  expectedPaths: number,
  seen: readonly HostDevice[],
): PathCheck {
  const byName = new Map(seen.map((device) => [device.name, device]));
  const counts: Record<string, number> = {};
  const lacking: LackingDevice[] = [];
  for (const [key, name] of Object.entries(wanted)) {
    const device = byName.get(name);
    const paths = device === undefined ? [] : usablePaths(device);
    counts[key] = paths.length;
    if (paths.length >= expectedPaths && device?.state === "ok") continue;
    const through = new Map<string, string[]>();
    for (const path of paths) {
      const targets = through.get(path.adapter) ?? [];
      through.set(path.adapter, [...targets, path.targetWwpn ?? "unknown"]);
    }
    lacking.push({
      key,
      name,
      found: paths.length,
      state: device?.state,
      through,
    });
  }
  return { counts, lacking };
}

/** Adapters that have no usable path to a device. */
export function withoutPath(
  device: LackingDevice,
  adapters: readonly HostAdapter[],
): readonly HostAdapter[] {
  return adapters.filter((adapter) => !device.through.has(adapter.name));
}

/** One line for a device: `log01 naa.600…: 2 of 4 paths, none through vmhba3 (10:00:…)`. */
export function describeLacking(
  device: LackingDevice,
  expectedPaths: number,
  adapters: readonly HostAdapter[],
): string {
  const what = `${device.key} ${device.name}`;
  if (device.state === undefined)
    return `${what}: not seen on any path (expected ${expectedPaths.toString()})`;
  const state = device.state === "ok" ? "" : `, state ${device.state}`;
  const count = `${device.found.toString()} of ${expectedPaths.toString()} paths${state}`;
  const through = [...device.through].map(([a, targets]) => `${a} -> ${targets.join(", ")}`);
  const without = withoutPath(device, adapters).map((a) => `${a.name} (${a.wwpn})`);
  return [
    `${what}: ${count}`,
    ...(through.length === 0 ? [] : [`seen through ${through.join("; ")}`]),
    ...(without.length === 0 ? [] : [`no path through ${without.join(", ")}`]),
  ].join(", ");
}
