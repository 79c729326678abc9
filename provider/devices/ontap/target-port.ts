import { DeviceError } from "../../../bed/errors";
import { parseWwnn, parseWwpn } from "../../../bed/identities";
import { bedOfComment } from "../../../bed/mark";
import type { TargetPort } from "../block-array";
import type { WireFcInterface } from "./wire";

/** An FC interface in the neutral form. */
export function toPort(device: string, entry: WireFcInterface): TargetPort {
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
  const port = entry.location?.home_port;
  return {
    name: entry.name,
    wwpn,
    wwnn,
    controller: port?.node?.name ?? entry.location?.home_node?.name ?? "",
    physicalPort: port?.name ?? "",
    enabled: entry.enabled !== false,
    online: entry.state === "up",
    bedId: bedOfComment(entry.comment),
  };
}
