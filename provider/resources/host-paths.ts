import type { Naa } from "../../bed/identities";
import { DeviceError, isDeviceError } from "../../bed/errors";
import type { DeviceCall } from "../devices/call";
import { systemClock } from "../devices/clock";
import type { HostStorage } from "../devices/host-storage";
import { waitFor } from "../devices/wait";
import type { BedContext } from "./context";
import type { FabricView } from "./host-path-cause";
import { explain } from "./host-path-cause";
import type { PathCheck } from "./host-path-check";
import { checkPaths, describeLacking } from "./host-path-check";

export interface WantedPaths {
  readonly host: string;
  readonly devices: Readonly<Record<string, Naa>>;
  readonly expectedPaths: number;
  readonly waitSeconds: number;
}

/**
 * Rescans the host and waits until every device is there on every expected path.
 * @returns usable paths by key.
 * @throws {DeviceError} `notFound` when a device is not seen at all, `timeout` when paths are
 * missing; the text names host, devices, adapters and what the fabrics say about the cause.
 */
export async function awaitPaths(
  context: BedContext,
  call: DeviceCall,
  storage: HostStorage,
  wanted: WantedPaths,
): Promise<Readonly<Record<string, number>>> {
  const { host, devices, expectedPaths } = wanted;
  let last: PathCheck | undefined;
  const look = async (): Promise<PathCheck | undefined> => {
    await storage.rescan(call, [host]);
    const [adapters, seen] = await Promise.all([
      storage.adapters(call, host),
      storage.devices(call, host, Object.values(devices)),
    ]);
    last = checkPaths(devices, expectedPaths, adapters, seen);
    if (last.lacking.length === 0) return last;
    call.status?.(`waiting for paths of ${last.lacking.length.toString()} devices on host ${host}`);
    return undefined;
  };
  try {
    const done = await waitFor(`paths on host ${host}`, look, {
      device: storage.device,
      call,
      clock: systemClock,
      timeoutMs: wanted.waitSeconds * 1000,
      firstMs: 1500,
      slowestMs: 8000,
    });
    return done.counts;
  } catch (error) {
    const gaveUp = isDeviceError(error, "timeout") || call.signal.aborted;
    if (last === undefined || last.lacking.length === 0 || !gaveUp) throw error;
    throw await lackingError(context, storage, wanted, last, error);
  }
}

/** Most devices that an error names one by one. */
const namedDevices = 4;

async function lackingError(
  context: BedContext,
  storage: HostStorage,
  wanted: WantedPaths,
  check: PathCheck,
  cause: unknown,
): Promise<DeviceError> {
  const { host, expectedPaths } = wanted;
  const { lacking } = check;
  const lines = lacking.slice(0, namedDevices).map((d) => describeLacking(d, expectedPaths));
  const more = lacking.length - lines.length;
  const unseen = lacking.some((device) => device.state === undefined);
  const causes = await diagnose(context, storage, host, lacking);
  return new DeviceError({
    kind: unseen ? "notFound" : "timeout",
    device: storage.device,
    operation: `find every path on host ${host} to`,
    object: lacking
      .map((device) => device.name)
      .slice(0, namedDevices)
      .join(", "),
    reason: [...lines, ...(more > 0 ? [`and ${more.toString()} more`] : [])].join("; "),
    expected: `${expectedPaths.toString()} usable paths to each device`,
    remedy: causes.join(" "),
    cause,
  });
}

/** The caller's signal may have been aborted: looking for the cause has a short time of its own. */
async function diagnose(
  context: BedContext,
  storage: HostStorage,
  host: string,
  lacking: PathCheck["lacking"],
): Promise<readonly string[]> {
  const call = { signal: AbortSignal.timeout(10_000) };
  const unread: string[] = [];
  const adapters = await storage.adapters(call, host).catch(() => []);
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
  const fabrics = views.filter((view) => view !== undefined);
  return [...explain(host, lacking, adapters, fabrics), ...unread];
}
