import { isDeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../call";

/**
 * Waits for work that several calls share. The call that started it may be aborted: then another
 * caller starts it again under its own signal.
 */
export async function sharedWork<T>(call: DeviceCall, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (call.signal.aborted || !isDeviceError(error, "aborted")) throw error;
    }
  }
}
