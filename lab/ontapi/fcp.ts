import { logins, place } from "../world/fabric";
import { nexuses } from "../world/nexus";
import { Body } from "../ontap/body";
import type { ArrayContext } from "../ontap/context";
import { fcPorts } from "../ontap/fc-ports";
import { fcpServices } from "../ontap/fcp-services";
import { defined } from "../ontap/record";
import { fcpService, type Svm } from "../ontap/svm-lookup";
import { type Api, type Apis, command, perform, reader, vserverOf, type ZapiCall } from "./api";
import { errno, ZapiFault } from "./faults";
import { boolean, requiredText, unmodelled } from "./inputs";
import { directCall, made, recordOf } from "./model";
import { leaves } from "./shape";
import type { ZNode } from "./xml";

const serviceIter: Api = {
  scope: "both",
  record: "fcp-service-info",
  shape: leaves("is-available node-name vserver"),
  keys: ["vserver"],
  list: (call) =>
    visible(call).flatMap((svm) => {
      const service = fcpService(call.ctx, svm);
      if (service === undefined) return [];
      const { enabled, wwnn } = service;
      return [{ "is-available": enabled, "node-name": wwnn, vserver: svm.name }];
    }),
};

const interfaceIter: Api = {
  scope: "both",
  record: "fcp-interface-info",
  shape: leaves(
    "current-node current-port interface-name node-name port-address port-name relative-port-id vserver",
  ),
  keys: ["vserver", "interface-name"],
  list: (call) => visible(call).flatMap((svm) => interfacesOf(call.ctx, svm)),
};

const initiatorIter: Api = {
  scope: "both",
  record: "fcp-adapter-initiators-info",
  shape: {
    ...leaves("adapter vserver"),
    "fcp-connected-initiators": {
      "fcp-connected-initiator-info": {
        ...leaves("node-name port-address port-name"),
        "initiator-group-list": { "initiator-group-list-info": leaves("initiator-group-name") },
      },
    },
  },
  keys: ["vserver", "adapter"],
  list: (call) => visible(call).flatMap((svm) => initiatorsOf(call.ctx, svm)),
};

const adapterIter: Api = {
  scope: "cluster",
  record: "fcp-config-adapter-info",
  shape: leaves(
    "adapter adapter-type connection-established data-link-rate error-msg fabric-established " +
      "fabric-name firmware-rev hardware-rev info-name loop-id max-speed media-type node node-name " +
      "physical-data-link-rate physical-link-state physical-protocol port-address port-id " +
      "port-name speed state switch-port",
  ),
  keys: ["node", "adapter"],
  list: ({ ctx }) => Object.keys(ctx.view.ports).map((id) => adapter(ctx, id)),
};

const adapterInputs = { node: requiredText, "fcp-adapter": requiredText };

/** The FCP service of a vserver, its interfaces and logins, and the physical adapters. */
export const fcpApis: Apis = {
  "fcp-service-get-iter": serviceIter,
  "fcp-interface-get-iter": interfaceIter,
  "fcp-initiator-get-iter": initiatorIter,
  "fcp-adapter-get-iter": adapterIter,
  "fcp-service-create": command("vserver", { start: boolean, "node-name": unmodelled }, create),
  "fcp-service-start": command("vserver", {}, (call) => setRunning(call, true)),
  "fcp-service-stop": command("vserver", {}, (call) => setRunning(call, false)),
  "fcp-service-status": reader("vserver", {}, (call) => ({
    "is-available": serviceOf(call).enabled,
  })),
  "fcp-service-destroy": command("vserver", {}, destroy),
  "fcp-node-get-name": reader("vserver", {}, (call) => ({ "node-name": serviceOf(call).wwnn })),
  "fcp-adapter-config-up": command("cluster", adapterInputs, (call) => setAdapter(call, true)),
  "fcp-adapter-config-down": command("cluster", adapterInputs, (call) => setAdapter(call, false)),
};

/** Vservers that a call may see: the one that it is tunnelled to, or all. */
export function visible({ ctx, vserver }: ZapiCall): Svm[] {
  return vserver === undefined ? Object.values(ctx.view.tenants) : [vserver];
}

function interfacesOf(ctx: ArrayContext, svm: Svm): ZNode[] {
  const addresses = new Map(
    logins(ctx.world.view).flatMap((login) =>
      login.owner.type === "targetPort" && login.owner.array === ctx.device
        ? [[login.owner.targetPortId, login.fcId] as const]
        : [],
    ),
  );
  const mine = Object.values(ctx.view.targetPorts).filter((lif) => lif.tenantId === svm.id);
  return mine.map((lif, index) => {
    const port = ctx.view.ports[lif.portId];
    return {
      "current-node": port?.controller,
      "current-port": port?.name,
      "interface-name": lif.name,
      "node-name": lif.wwnn,
      "port-address": addresses.get(lif.id),
      "port-name": lif.wwpn,
      "relative-port-id": index + 1,
      vserver: svm.name,
    };
  });
}

/** Initiators that are logged in to each interface: in one zone with it and online. */
function initiatorsOf(ctx: ArrayContext, svm: Svm): ZNode[] {
  const pairs = nexuses(ctx.world.view, ctx.device);
  return Object.values(ctx.view.targetPorts)
    .filter((lif) => lif.tenantId === svm.id)
    .flatMap((lif) => {
      const mine = pairs.filter((pair) => pair.target.wwpn === lif.wwpn);
      if (mine.length === 0) return [];
      return [
        {
          adapter: lif.name,
          "fcp-connected-initiators": {
            "fcp-connected-initiator-info": mine.map(({ initiator }) => {
              const groups = Object.values(ctx.view.groups).filter(
                (one) => one.tenantId === svm.id && one.initiators.includes(initiator.wwpn),
              );
              return {
                "initiator-group-list":
                  groups.length === 0
                    ? undefined
                    : {
                        "initiator-group-list-info": groups.map((group) => ({
                          "initiator-group-name": group.name,
                        })),
                      },
                "node-name": initiator.wwnn,
                "port-address": initiator.fcId,
                "port-name": initiator.wwpn,
              };
            }),
          },
          vserver: svm.name,
        },
      ];
    });
}

function adapter(ctx: ArrayContext, id: string): ZNode {
  const port = ctx.view.ports[id];
  if (port === undefined) return {};
  const record = recordOf(ctx, fcPorts, id);
  const login = logins(ctx.world.view).find((l) => l.wwpn === port.wwpn);
  const at = place(ctx.world.view, port.cable);
  const device = Object.values(ctx.world.view.fabrics)
    .flatMap((fabric) => Object.values(fabric.switches))
    .find((one) => one.device === at?.switch);
  const online = record["state"] === "online";
  return {
    adapter: port.name,
    "connection-established": online ? "ptp" : "false",
    "data-link-rate": online ? port.speedGbps : 0,
    "fabric-established": online,
    "fabric-name": online ? device?.wwn : undefined,
    "info-name": `Fibre Channel Target Adapter ${port.name}`,
    "max-speed": port.speedGbps,
    "media-type": "ptp",
    node: port.controller,
    "node-name": port.wwnn,
    "physical-data-link-rate": port.speedGbps,
    "physical-link-state": at === undefined ? "down" : "up",
    "physical-protocol": "fibre_channel",
    "port-address": login?.fcId,
    "port-name": port.wwpn,
    speed: "auto",
    // Words of `fcp adapter show`; REST shows the same states under other names.
    state: online ? "online" : port.enabled ? "link not connected" : "offlined by user/system",
    "switch-port":
      online && at !== undefined && device !== undefined
        ? `${device.name}:${at.port.index.toString()}`
        : undefined,
  };
}

/** @throws {ZapiFault} while the vserver has no FCP service. */
function serviceOf(call: ZapiCall): { enabled: boolean; wwnn: string } {
  const service = fcpService(call.ctx, vserverOf(call));
  if (service === undefined) throw new ZapiFault(errno.notFound, "entry doesn't exist");
  return service;
}

async function create(call: ZapiCall): Promise<ZNode> {
  const { args, ctx } = call;
  const svm = vserverOf(call);
  const body = new Body(defined({ svm: { uuid: svm.id }, enabled: args.flag("start") ?? true }));
  await perform(ctx, made(fcpServices.create?.(ctx, body, directCall())));
  return {};
}

async function setRunning(call: ZapiCall, enabled: boolean): Promise<ZNode> {
  const { ctx } = call;
  const svm = vserverOf(call);
  const service = serviceOf(call);
  if (service.enabled === enabled) {
    throw enabled
      ? new ZapiFault(errno.started, "FCP service is already running")
      : new ZapiFault(errno.notStarted, "FCP service is not running");
  }
  const record = recordOf(ctx, fcpServices, svm.id);
  const operation = fcpServices.update?.(ctx, record, new Body({ enabled }), directCall());
  await perform(ctx, made(operation));
  return {};
}

async function destroy(call: ZapiCall): Promise<ZNode> {
  const { ctx } = call;
  serviceOf(call);
  const record = recordOf(ctx, fcpServices, vserverOf(call).id);
  await perform(ctx, made(fcpServices.remove?.(ctx, record, directCall())));
  return {};
}

async function setAdapter(call: ZapiCall, enabled: boolean): Promise<ZNode> {
  const { args, ctx } = call;
  const node = args.need("node");
  const name = args.need("fcp-adapter");
  const port = Object.values(ctx.view.ports).find(
    (one) => one.controller === node && one.name === name,
  );
  if (port === undefined) throw new ZapiFault(errno.notFound, "entry doesn't exist");
  const record = recordOf(ctx, fcPorts, port.id);
  await perform(ctx, made(fcPorts.update?.(ctx, record, new Body({ enabled }), directCall())));
  return {};
}
