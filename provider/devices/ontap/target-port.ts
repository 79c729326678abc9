import { DeviceError } from "../../../bed/errors";
import { parseWwnn, parseWwpn } from "../../../bed/identities";
import { bedOfComment } from "../../../bed/mark";
import type { TargetPort } from "../block-array";
import type { FcInterface } from "./objects";

/** An FC interface in the neutral form. */
export function toPort(device: string, entry: FcInterface): TargetPort {
  const wwpn = parseWwpn(entry.wwpn);
  const wwnn = parseWwnn(entry.wwnn);
  if (wwpn === undefined || wwnn === undefined) {
    throw new DeviceError({
      kind: "protocol",
      device,
      operation: "read target port",
      object: entry.name,
      reason: `its WWPN "${entry.wwpn}" or WWNN "${entry.wwnn}" is none`,
    });
  }
  return {
    name: entry.name,
    wwpn,
    wwnn,
    protocol: entry.protocol === "fc_nvme" ? "nvme-fc" : "fcp",
    controller: entry.homeNode ?? "",
    physicalPort: entry.homePort ?? "",
    enabled: entry.enabled,
    online: entry.up,
    bedId: bedOfComment(entry.comment),
  };
}
