import { isDeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../call";
import { wasNeverSent } from "../http-session";

/** Refusals that were waited for already, for as long as ONTAP's documentation says. */
const waitedFor = new WeakSet<Error>();

/** Notes that the array still asked to wait when the time for that was over. */
export function markWaitedFor(error: Error): void {
  waitedFor.add(error);
}

/**
 * A write whose answer may be lost: looks before it is sent again, and takes "exists" or "absent" for
 * success when that is what was wanted.
 */
export async function settle(
  gateway: { sleep(call: DeviceCall, ms: number): Promise<void> },
  call: DeviceCall,
  write: () => Promise<void>,
  isDone: () => Promise<boolean>,
): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await write();
      return;
    } catch (error) {
      // The outcome is not known, or may be the wanted one already.
      const unsettled = ["unreachable", "timeout", "alreadyExists", "notFound", "busy"] as const;
      if (call.signal.aborted || !isDeviceError(error, ...unsettled)) throw error;
      if (!wasNeverSent(error) && (await isDone())) return;
      if (attempt >= repeatsOf(error)) throw error;
      await gateway.sleep(call, 2000);
    }
  }
}

/** How often an unsettled write is worth sending again, two seconds apart. */
function repeatsOf(error: Error): number {
  if (isDeviceError(error, "unreachable", "timeout")) return 3;
  // Being made or removed right now, by a request whose answer was lost or by somebody else.
  return isDeviceError(error, "busy") && !waitedFor.has(error) ? 60 : 0;
}

/** Pauses between looks, in milliseconds. */
const looks = [500, 1000, 2000, 2000];

/**
 * Reads back until it is as it should be, for some five seconds: tables of the cluster follow a write with
 * a delay. Answers the last look, as it should be or not.
 */
export async function readBack<T>(
  gateway: { sleep(call: DeviceCall, ms: number): Promise<void> },
  call: DeviceCall,
  read: () => Promise<T>,
  isDone: (seen: T) => boolean,
): Promise<T> {
  let seen = await read();
  for (const pauseMs of looks) {
    if (isDone(seen)) return seen;
    await gateway.sleep(call, pauseMs);
    seen = await read();
  }
  return seen;
}
