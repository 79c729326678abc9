import type { TargetPort } from "../world/state";
import type { DeepReadonly } from "../world/world";
import { nodeRef } from "./cluster";
import { type ArrayContext, attributeFlag, type Endpoint } from "./context";
import { entryMissing } from "./faults";
import { portRef } from "./fc-ports";
import { transportAddress } from "./nvme-rules";
import { defined, type Rec } from "./record";
import { atLeast } from "./release";
import { flag, oneOf, other, ref, text } from "./shape";
import { ofSvm, svmLink } from "./svm-lookup";

/** `/api/protocols/nvme/interfaces`: the FC interfaces that serve NVMe, seen from that side. */
export const nvmeInterfaces: Endpoint = {
  shape: {
    path: "/api/protocols/nvme/interfaces",
    keys: ["uuid"],
    identity: ["uuid", "name", "svm.uuid", "svm.name"],
    fields: {
      uuid: text(),
      name: text(),
      enabled: flag(),
      ...ref("svm"),
      ...ref("node"),
      ...ref("fc_interface.port"),
      "fc_interface.port.node.name": text(),
      "fc_interface.wwnn": text(),
      "fc_interface.wwpn": text(),
      transport_address: text(),
      interface_type: oneOf(["fc_interface", "ip_interface"]),
      transport_protocols: text(),
      ip_interface: other(),
    },
    since: { interface_type: "9.10.1", transport_protocols: "9.10.1", ip_interface: "9.10.1" },
    links: {
      ...svmLink,
      node: "/api/cluster/nodes/{uuid}",
      fc_interface: "/api/network/fc/interfaces/{/uuid}",
      "fc_interface.port": "/api/network/fc/ports/{uuid}",
    },
  },
  list: (ctx) =>
    Object.values(ctx.view.targetPorts)
      .filter((lif) => lif.protocol === "nvme")
      .map((lif) => record(ctx, lif)),
  missing: () => entryMissing("uuid"),
};

function record(ctx: ArrayContext, lif: DeepReadonly<TargetPort>): Rec {
  const later = atLeast(ctx.release, "9.10.1");
  return defined({
    uuid: lif.id,
    name: lif.name,
    enabled: attributeFlag(lif.attributes, "adminEnabled", true),
    svm: ofSvm(ctx, lif.tenantId),
    node: nodeRef(ctx, ctx.view.ports[lif.portId]?.controller ?? ""),
    fc_interface: { wwnn: lif.wwnn, wwpn: lif.wwpn, port: portRef(ctx, lif.portId) },
    transport_address: transportAddress(lif.wwnn, lif.wwpn),
    interface_type: later ? "fc_interface" : undefined,
    transport_protocols: later ? ["fc_nvme"] : undefined,
  });
}
