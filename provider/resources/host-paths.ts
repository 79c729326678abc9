import { isNvmeName, type DeviceName } from "../../bed/identities";
import { DeviceError, isDeviceError } from "../../bed/errors";
import type { DeviceCall } from "../devices/call";
import { systemClock } from "../devices/clock";
import type { HostDevice, HostStorage, NvmeTarget } from "../devices/host-storage";
import { waitFor } from "../devices/wait";
import type { BedContext } from "./context";
import type { FabricView } from "./host-path-cause";
import { explain } from "./host-path-cause";
import type { LackingDevice } from "./host-path-check";
import { checkPaths, describeLacking } from "./host-path-check";
import { olderThanNvme } from "./host-nvme-name";

export interface WantedPaths {
  readonly host: string;
  readonly devices: Readonly<Record<string, DeviceName>>;
  readonly expectedPaths: number;
  readonly waitSeconds: number;
  /** NVMe target ports; a host looks there when it does not find its devices by itself. */
  readonly targets?: readonly NvmeTarget[];
}

interface FoundPaths {
  readonly counts: Readonly<Record<string, number>>;
  readonly seen: readonly HostDevice[];
}

/**
 * Rescans the host and waits until every device is there on every expected path. One that an earlier,
 * half-done delete detached is taken back in service: it would never show a path.
 * @returns usable paths by key, and the devices as they are seen.
 * @throws {DeviceError} `notFound` when a device is not seen at all, `timeout` when paths are
 * missing; the text names host, devices, adapters and what the fabrics say about the cause.
 */
export async function awaitPaths(
  context: BedContext,
  call: DeviceCall,
  storage: HostStorage,
  wanted: WantedPaths,
): Promise<FoundPaths> {
  const { host, devices, expectedPaths, targets = [] } = wanted;
  const names = Object.values(devices);
  let last: readonly LackingDevice[] = [];
  const look = async (): Promise<FoundPaths | undefined> => {
    await storage.rescan(call, [host]);
    let seen = await storage.devices(call, host, names);
    const off = seen.filter((device) => device.state === "off").map((device) => device.name);
    if (off.length > 0) {
      await storage.attach(call, host, off);
      seen = await storage.devices(call, host, names);
    }
    const { counts, lacking } = checkPaths(devices, expectedPaths, seen);
    last = lacking;
    if (lacking.length === 0) return { counts, seen };
    if (targets.length > 0) await storage.nvme.connect(call, host, targets);
    call.status?.(`waiting for paths of ${lacking.length.toString()} devices on host ${host}`);
    return undefined;
  };
  try {
    return await waitFor(`paths on host ${host}`, look, {
      device: storage.device,
      call,
      clock: systemClock,
      timeoutMs: wanted.waitSeconds * 1000,
      firstMs: 1500,
      slowestMs: 8000,
    });
  } catch (error) {
    if (names.some(isNvmeName)) await refuseOldHost(call, storage, host);
    const gaveUp = isDeviceError(error, "timeout") || call.signal.aborted;
    if (last.length === 0 || !gaveUp) throw error;
    throw await lackingError(context, storage, wanted, last, error);
  }
}

async function refuseOldHost(call: DeviceCall, storage: HostStorage, host: string): Promise<void> {
  const hosts = await storage.hosts(call).catch(() => []);
  const { version = "" } = hosts.find(({ name, id }) => name === host || id === host) ?? {};
  const problem = olderThanNvme(storage.device, { name: host, version });
  if (problem !== undefined) throw problem;
}

/** Most devices that an error names one by one. */
const namedDevices = 4;

async function lackingError(
  context: BedContext,
  storage: HostStorage,
  wanted: WantedPaths,
  lacking: readonly LackingDevice[],
  cause: unknown,
): Promise<DeviceError> {
  const { host, expectedPaths } = wanted;
  const targets = (wanted.targets ?? []).map(({ wwpn }) => wwpn);
  // The caller's signal may have been aborted: looking for the cause has a short time of its own.
  const call = { signal: AbortSignal.timeout(10_000) };
  // A port with NVMe shows twice: only the adapters that speak the devices' protocol tell a cause.
  const protocol = lacking.some(({ name }) => name.startsWith("naa.")) ? "scsi" : "nvme";
  const all = await storage.adapters(call, host).catch(() => []);
  const adapters = all.filter((adapter) => adapter.protocol === protocol);
  const { fabrics, unread } = await readFabrics(context, call);
  const named = lacking.slice(0, namedDevices);
  const lines = named.map((device) => describeLacking(device, expectedPaths, adapters));
  const more = lacking.length - lines.length;
  const unseen = lacking.some((device) => device.state === undefined);
  return new DeviceError({
    kind: unseen ? "notFound" : "timeout",
    device: storage.device,
    operation: `find every path on host ${host} to`,
    object: named.map((device) => device.name).join(", "),
    reason: [...lines, ...(more > 0 ? [`and ${more.toString()} more`] : [])].join("; "),
    expected: `${expectedPaths.toString()} usable paths to each device`,
    remedy: [...explain(host, lacking, adapters, fabrics, targets), ...unread].join(" "),
    cause,
  });
}

/** What the bed's fabrics say; one that cannot be read is told, it does not hide the others. */
async function readFabrics(
  context: BedContext,
  call: DeviceCall,
): Promise<{ readonly fabrics: readonly FabricView[]; readonly unread: readonly string[] }> {
  const unread: string[] = [];
  const views = await Promise.all(
    [...context.fabrics].map(async ([fabric, device]): Promise<FabricView | undefined> => {
      try {
        const [logins, zoning] = await Promise.all([device.logins(call), device.zoning(call)]);
        return { fabric, logins, zoning };
      } catch {
        unread.push(`${fabric} could not be read.`);
        return undefined;
      }
    }),
  );
  return { fabrics: views.filter((view) => view !== undefined), unread };
}
