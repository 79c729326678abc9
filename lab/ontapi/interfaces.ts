import { Body } from "../ontap/body";
import { NotModelled } from "../ontap/faults";
import { fcInterfaces } from "../ontap/fc-interfaces";
import { type Rec, textAt } from "../ontap/record";
import type { JsonObject } from "../world/state";
import { type Api, type Apis, command, perform, type ZapiCall } from "./api";
import { errno, ZapiFault } from "./faults";
import { visible } from "./fcp";
import { type Inputs, listOf, oneOf, requiredText, text, unmodelled } from "./inputs";
import { directCall, made, recordOf } from "./model";
import { leaves, type Shape } from "./shape";
import type { ZNode } from "./xml";

const shape: Shape = {
  ...leaves(
    "address address-family administrative-status comment current-node current-port " +
      "dns-domain-name extended-status failover-group failover-policy firewall-policy home-node " +
      "home-port interface-name ipspace is-auto-revert is-dns-update-enabled is-home " +
      "is-ipv4-link-local lif-uuid listen-for-dns-query netmask netmask-length " +
      "operational-status role routing-group-name subnet-name use-failover-group vserver wwpn",
  ),
  "data-protocols": leaves("data-protocol"),
};

const whichLif: Inputs = { "interface-name": requiredText, vserver: requiredText };
const ipOnly: Inputs = {
  address: unmodelled,
  netmask: unmodelled,
  "netmask-length": unmodelled,
  "subnet-name": unmodelled,
  "dns-domain-name": unmodelled,
  "listen-for-dns-query": unmodelled,
  "is-dns-update-enabled": unmodelled,
  "is-ipv4-link-local": unmodelled,
};
const status = oneOf("up", "down");

const getIter: Api = {
  scope: "both",
  record: "net-interface-info",
  shape,
  keys: ["vserver", "interface-name"],
  list: (call) =>
    visible(call).flatMap((svm) =>
      Object.values(call.ctx.view.targetPorts)
        .filter((lif) => lif.tenantId === svm.id)
        .map((lif) => record(recordOf(call.ctx, fcInterfaces, lif.id))),
    ),
};

/** Interfaces of vservers. Those of the cluster and its nodes carry no data and are not modelled. */
export const interfaceApis: Apis = {
  "net-interface-get-iter": getIter,
  "net-interface-create": command(
    "both",
    {
      ...whichLif,
      ...ipOnly,
      role: oneOf("data"),
      "home-node": text,
      "home-port": text,
      "data-protocols": listOf("data-protocol"),
      "administrative-status": status,
      comment: text,
      // The only failover policy of an FCP interface is `disabled`.
      "failover-policy": oneOf("disabled"),
      "use-failover-group": oneOf("disabled"),
      "failover-group": unmodelled,
      "firewall-policy": text,
      "is-auto-revert": oneOf("false"),
      "return-record": { type: "boolean" },
    },
    create,
  ),
  "net-interface-modify": command(
    "both",
    {
      ...whichLif,
      ...ipOnly,
      "home-node": text,
      "home-port": text,
      "administrative-status": status,
      comment: text,
    },
    modify,
  ),
  "net-interface-rename": command("both", { ...whichLif, "new-name": requiredText }, (call) =>
    change(call, { name: call.args.need("new-name") }),
  ),
  "net-interface-delete": command("both", whichLif, async (call) => {
    const { ctx } = call;
    await perform(ctx, made(fcInterfaces.remove?.(ctx, find(call), directCall())));
    return {};
  }),
};

function record(rec: Rec): ZNode {
  const enabled = rec["enabled"] === true;
  return {
    "administrative-status": enabled ? "up" : "down",
    comment: textAt(rec, "comment"),
    "current-node": textAt(rec, "location.node.name"),
    "current-port": textAt(rec, "location.port.name"),
    "data-protocols": { "data-protocol": [textAt(rec, "data_protocol").replace("_", "-")] },
    "failover-policy": "disabled",
    "home-node": textAt(rec, "location.home_node.name"),
    "home-port": textAt(rec, "location.home_port.name"),
    "interface-name": textAt(rec, "name"),
    "is-auto-revert": false,
    "is-home": true,
    "lif-uuid": textAt(rec, "uuid"),
    "operational-status": textAt(rec, "state"),
    role: "data",
    "use-failover-group": "disabled",
    vserver: textAt(rec, "svm.name"),
    wwpn: textAt(rec, "wwpn"),
  };
}

/** @throws {ZapiFault} when the vserver has no such interface. */
function find({ ctx, args, vserver }: ZapiCall): Rec {
  const svm = Object.values(ctx.view.tenants).find((one) => one.name === args.need("vserver"));
  if (svm === undefined || (vserver !== undefined && vserver.id !== svm.id)) {
    throw new ZapiFault(errno.noVserver, "Specified vserver not found");
  }
  const name = args.need("interface-name");
  const lif = Object.values(ctx.view.targetPorts).find(
    (one) => one.tenantId === svm.id && one.name === name,
  );
  if (lif === undefined) throw new ZapiFault(errno.notFound, "entry doesn't exist");
  return recordOf(ctx, fcInterfaces, lif.id);
}

function homeOf({ args }: ZapiCall, otherwise: { node: string; port: string }): JsonObject {
  const node = args.text("home-node") ?? otherwise.node;
  return { home_port: { name: args.text("home-port") ?? otherwise.port, node: { name: node } } };
}

async function create(call: ZapiCall): Promise<ZNode> {
  const { ctx, args } = call;
  const protocols = args.list("data-protocols", "data-protocol") ?? ["nfs", "cifs", "fcache"];
  if (protocols.length > 1 && protocols.includes("fcp")) {
    throw new ZapiFault(errno.invalid, "FCP cannot be combined with another data protocol.");
  }
  if (protocols[0] !== "fcp" && protocols[0] !== "fc-nvme") {
    throw new NotModelled("interfaces for other protocols than FCP and NVMe");
  }
  const node = args.need("home-node");
  const port = args.need("home-port");
  const body = new Body({
    svm: { name: args.need("vserver") },
    name: args.need("interface-name"),
    data_protocol: protocols[0].replace("-", "_"),
    enabled: (args.text("administrative-status") ?? "up") === "up",
    comment: args.text("comment") ?? "",
    location: homeOf(call, { node, port }),
  });
  await perform(ctx, made(fcInterfaces.create?.(ctx, body, directCall())));
  if (args.flag("return-record") !== true) return {};
  return { result: { "net-interface-info": record(find(call)) } };
}

function modify(call: ZapiCall): Promise<ZNode> {
  const { args } = call;
  const value: JsonObject = {};
  const wanted = args.text("administrative-status");
  if (wanted !== undefined) value["enabled"] = wanted === "up";
  const comment = args.text("comment");
  if (comment !== undefined) value["comment"] = comment;
  if (args.text("home-node") !== undefined || args.text("home-port") !== undefined) {
    const rec = find(call);
    value["location"] = homeOf(call, {
      node: textAt(rec, "location.home_node.name"),
      port: textAt(rec, "location.home_port.name"),
    });
  }
  return change(call, value);
}

async function change(call: ZapiCall, value: JsonObject): Promise<ZNode> {
  const { ctx } = call;
  const operation = fcInterfaces.update?.(ctx, find(call), new Body(value), directCall());
  await perform(ctx, made(operation));
  return {};
}
