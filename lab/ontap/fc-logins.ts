import { type Nexus, nexuses } from "../world/nexus";
import type { ArrayContext, Endpoint } from "./context";
import type { Rec } from "./record";
import { oneOf, ref, text } from "./shape";
import { ofSvm, svmLink } from "./svm-lookup";

/**
 * `/api/network/fc/logins`: initiators that are logged in to an interface, that is, in one zone with
 * it in the effective configuration and both online. A zoning mistake shows here.
 */
export const fcLogins: Endpoint = {
  shape: {
    path: "/api/network/fc/logins",
    keys: ["interface.uuid", "initiator.wwpn"],
    identity: ["svm.uuid", "svm.name", "interface.uuid", "interface.name", "initiator.wwpn"],
    fields: {
      ...ref("svm"),
      ...ref("interface"),
      "interface.wwpn": text(),
      "initiator.wwpn": text(),
      "initiator.wwnn": text(),
      "initiator.port_address": text(),
      "initiator.aliases": text(),
      "initiator.comment": text(),
      ...ref("igroups"),
      protocol: oneOf(["fcp", "fc_nvme"]),
    },
    since: { "initiator.comment": "9.9.1" },
    links: {
      ...svmLink,
      interface: "/api/network/fc/interfaces/{uuid}",
      igroups: "/api/protocols/san/igroups/{uuid}",
    },
  },
  list: loginRecords,
};

function loginRecords(ctx: ArrayContext): Rec[] {
  return nexuses(ctx.world.view, ctx.device).flatMap(({ initiator, target }) => {
    if (target.owner.type !== "targetPort") return [];
    const lif = ctx.view.targetPorts[target.owner.targetPortId];
    if (lif === undefined) return [];
    if (lif.protocol === "nvme" && !speaksNvme(ctx, initiator)) return [];
    const groups = Object.values(ctx.view.groups).filter(
      (group) =>
        lif.protocol === undefined &&
        group.tenantId === lif.tenantId &&
        group.initiators.includes(initiator.wwpn),
    );
    return [
      {
        svm: ofSvm(ctx, lif.tenantId),
        interface: { uuid: lif.id, name: lif.name, wwpn: lif.wwpn },
        initiator: {
          wwpn: initiator.wwpn,
          wwnn: initiator.wwnn,
          port_address: initiator.fcId,
        },
        protocol: lif.protocol === "nvme" ? "fc_nvme" : "fcp",
        // Absent rather than empty while the initiator is in no group.
        ...(groups.length === 0
          ? {}
          : { igroups: groups.map((group) => ({ uuid: group.id, name: group.name })) }),
      },
    ];
  });
}

/** Whether the port behind a login has an NVMe driver; ports of other people have none. */
function speaksNvme(ctx: ArrayContext, { owner }: Nexus["initiator"]): boolean {
  if (owner.type !== "hba") return false;
  return ctx.world.view.hosts[owner.host]?.hbas[owner.hba]?.nvmeDevice !== undefined;
}
