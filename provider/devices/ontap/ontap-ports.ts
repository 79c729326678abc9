import { DeviceError } from "../../../bed/errors";
import { parseWwpn } from "../../../bed/identities";
import type { PhysicalPort } from "../block-array";
import type { DeviceCall } from "../call";
import type { OntapClient } from "./ontap-client";
import { fcPortShape } from "./wire";

/** FC ports of all nodes (ONTAP REST API Reference, `GET /network/fc/ports`). */
export async function physicalPorts(
  client: OntapClient,
  call: DeviceCall,
): Promise<readonly PhysicalPort[]> {
  const ports = await client.list(call, fcPortShape, {
    path: "/network/fc/ports",
    query: { fields: "name,node.name,wwpn,state,fabric.switch_port" },
    operation: "list FC ports",
  });
  return ports.map((port) => {
    const wwpn = parseWwpn(port.wwpn);
    if (wwpn === undefined) {
      throw new DeviceError({
        kind: "protocol",
        device: client.device,
        operation: "read FC port",
        object: `${port.node.name}:${port.name}`,
        reason: `its WWPN "${port.wwpn}" is none`,
      });
    }
    return {
      controller: port.node.name,
      name: port.name,
      wwpn,
      online: port.state === "online",
      switchPort: switchPort(port.fabric?.switch_port),
    };
  });
}

/** `<switch>:<port>`; switches without a name give their WWN, which has colons itself. */
function switchPort(text: string | undefined): PhysicalPort["switchPort"] {
  const [, name, port] = /^(.+):([^:]+)$/.exec(text ?? "") ?? [];
  return name === undefined || port === undefined ? undefined : { switch: name, port };
}
