import { isDeviceError } from "../../bed/errors";
import type { HostStorage } from "../devices/host-storage";
import type { ResourceCall } from "../kit/handler";
import type { BedContext } from "./context";

/**
 * Does work on a host that may have left the vCenter. Only the vCenter's list of hosts says that it
 * has: "not found" may as well be about a device, a policy, or a reference to a host that was removed
 * and added again (then the work is done once more, so it must be repeatable).
 * @returns undefined when the host has left; that is logged.
 */
export async function unlessHostLeft<T>(
  call: ResourceCall<BedContext>,
  storage: HostStorage,
  host: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  for (let again = false; ; again = true) {
    try {
      return await work();
    } catch (error) {
      if (!isDeviceError(error, "notFound")) throw error;
      const hosts = await storage.hosts(call);
      // An account that may see no host at all has an empty list too: that is no evidence.
      if (hosts.length > 0 && !hosts.some(({ name, id }) => name === host || id === host)) {
        call.log("warning", `host ${host} has left ${storage.device}: nothing is done there`);
        return undefined;
      }
      if (again) throw error;
    }
  }
}
