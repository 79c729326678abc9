import { DeviceError } from "../../../bed/errors";
import { parseWwpn } from "../../../bed/identities";
import type { PhysicalPort } from "../block-array";
import type { FcPort } from "./objects";

/** An FC port of a node in the neutral form. */
export function toPhysicalPort(device: string, port: FcPort): PhysicalPort {
  const wwpn = parseWwpn(port.wwpn);
  if (wwpn === undefined) {
    throw new DeviceError({
      kind: "protocol",
      device,
      operation: "read FC port",
      object: `${port.node}:${port.name}`,
      reason: `its WWPN "${port.wwpn}" is none`,
    });
  }
  return {
    controller: port.node,
    name: port.name,
    wwpn,
    online: port.online,
    switchPort: switchPort(port.switchPort),
  };
}

/** `<switch>:<port>`; switches without a name give their WWN, which has colons itself. */
function switchPort(text: string | undefined): PhysicalPort["switchPort"] {
  const [, name, port] = /^(.+):([^:]+)$/.exec(text ?? "") ?? [];
  return name === undefined || port === undefined ? undefined : { switch: name, port };
}
