import { connectedControllers } from "../world/nvme";
import { nodeRef } from "./cluster";
import type { ArrayContext, Endpoint } from "./context";
import { hexNumber, transportAddress } from "./nvme-rules";
import { ioQueue } from "./nvme-subsystems";
import type { Rec } from "./record";
import { integer, other, ref, text } from "./shape";
import { ofSvm, svmLink } from "./svm-lookup";

/** Number of the first controller of a subsystem, from the reference's examples. */
const firstId = 0x40;

/** `/api/protocols/nvme/subsystem-controllers`: what hosts are connected to at the moment. */
export const nvmeControllers: Endpoint = {
  shape: {
    path: "/api/protocols/nvme/subsystem-controllers",
    keys: ["subsystem.uuid", "id"],
    identity: ["svm.uuid", "svm.name", "subsystem.uuid", "subsystem.name", "id"],
    fields: {
      ...ref("svm"),
      ...ref("subsystem"),
      id: text(),
      "host.id": text(),
      "host.nqn": text(),
      "host.transport_address": text(),
      ...ref("interface"),
      "interface.transport_address": text(),
      ...ref("node"),
      "admin_queue.depth": integer(),
      "io_queue.count": integer(),
      "io_queue.depth": integer(),
      dh_hmac_chap: other(),
    },
    since: { dh_hmac_chap: "9.12.1" },
    links: {
      ...svmLink,
      subsystem: "/api/protocols/nvme/subsystems/{uuid}",
      interface: "/api/protocols/nvme/interfaces/{uuid}",
      node: "/api/cluster/nodes/{uuid}",
    },
  },
  list: records,
};

function records(ctx: ArrayContext): Rec[] {
  const next = new Map<string, number>();
  return connectedControllers(ctx.world.view, ctx.device).map((one) => {
    const number = next.get(one.subsystemId) ?? firstId;
    next.set(one.subsystemId, number + 1);
    return record(ctx, one, number);
  });
}

function record(
  ctx: ArrayContext,
  one: ReturnType<typeof connectedControllers>[number],
  number: number,
): Rec {
  const subsystem = ctx.view.subsystems?.[one.subsystemId];
  const nqn = ctx.world.view.hosts[one.host]?.nqn ?? "";
  const lif = ctx.view.targetPorts[one.targetPortId ?? ""];
  return {
    svm: ofSvm(ctx, subsystem?.tenantId ?? ""),
    subsystem: { uuid: one.subsystemId, name: subsystem?.name ?? "" },
    id: hexNumber(number, 4),
    host: {
      id: hostId(nqn),
      nqn,
      transport_address: transportAddress(one.adapterWwnn, one.adapterWwpn),
    },
    interface: {
      uuid: lif?.id ?? "",
      name: lif?.name ?? "",
      transport_address: transportAddress(one.targetWwnn, one.targetWwpn),
    },
    node: nodeRef(ctx, one.node ?? ""),
    admin_queue: { depth: 32 },
    io_queue: { ...ioQueue },
  };
}

/** Host identifier: 16 bytes that the host makes itself; here from its NQN. */
function hostId(nqn: string): string {
  const bytes = Buffer.from(nqn, "latin1");
  return Array.from({ length: 16 }, (_, index) => {
    let value = index;
    for (let at = index; at < bytes.length; at += 16) value = (value * 31 + (bytes[at] ?? 0)) & 255;
    return value.toString(16).padStart(2, "0");
  }).join("");
}
