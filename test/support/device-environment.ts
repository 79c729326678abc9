import { systemClock } from "../../provider/devices/clock";
import { resolveCredentials } from "../../provider/devices/credentials";
import type { DeviceEnvironment } from "../../provider/devices/device-kind";
import { RequestLog } from "../../provider/devices/request-log";

/** What the plugin gives to its drivers. */
export function environment(log = new RequestLog()): DeviceEnvironment {
  return {
    log,
    clock: systemClock,
    baseFolder: process.cwd(),
    credentials: (reference, signal) => resolveCredentials(reference, process.cwd(), signal),
  };
}
