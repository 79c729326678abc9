import { logins, place } from "../world/fabric";
import type { Body } from "./body";
import { nodeRef } from "./cluster";
import { type ArrayContext, attributeFlag, type Endpoint, type Operation } from "./context";
import { entryMissing, OntapFault } from "./faults";
import { defined, type Rec, textAt } from "./record";
import { flag, integer, oneOf, other, ref, text } from "./shape";
import { statisticsFields, statisticsRecord } from "./statistics";

const states = [
  "startup",
  "link_not_connected",
  "online",
  "link_disconnected",
  "offlined_by_user",
  "offlined_by_system",
  "node_offline",
  "unknown",
];

/** `/api/network/fc/ports`: physical ports. Their own WWPNs serve no LUN: interfaces do (NPIV). */
export const fcPorts: Endpoint = {
  shape: {
    path: "/api/network/fc/ports",
    keys: ["uuid"],
    identity: ["uuid", "name", "node.name", "node.uuid"],
    fields: {
      uuid: text(),
      name: text(),
      ...ref("node"),
      description: text(),
      enabled: flag("PATCH"),
      state: oneOf(states),
      wwnn: text(),
      wwpn: text(),
      physical_protocol: oneOf(["fibre_channel", "ethernet"]),
      supported_protocols: text(),
      "speed.maximum": text(),
      "speed.configured": text(),
      "fabric.connected": flag(),
      "fabric.connected_speed": integer(),
      "fabric.name": text(),
      "fabric.port_address": text(),
      "fabric.switch_port": text(),
      "transceiver.form_factor": text(),
      "transceiver.manufacturer": text(),
      "transceiver.part_number": text(),
      "transceiver.capabilities": integer(),
      metric: other(),
      ...statisticsFields(),
    },
    expensive: ["fabric.name", "metric", "statistics"],
    links: { node: "/api/cluster/nodes/{uuid}" },
  },
  list: (ctx) => Object.keys(ctx.view.ports).map((id) => portRecord(ctx, id)),
  missing: () => entryMissing("uuid"),
  update: updatePort,
};

export function portRef(ctx: ArrayContext, portId: string): Rec {
  const port = ctx.view.ports[portId];
  return { uuid: portId, name: port?.name ?? "", node: { name: port?.controller ?? "" } };
}

/** Data protocols of a port: both unless the port's `noNvme` says that its adapter is too old. */
export function supportedProtocols(ctx: ArrayContext, id: string): string[] {
  const old = attributeFlag(ctx.view.ports[id]?.attributes ?? {}, "noNvme", false);
  return old ? ["fcp"] : ["fcp", "fc_nvme"];
}

function portRecord(ctx: ArrayContext, id: string): Rec {
  const port = ctx.view.ports[id];
  if (port === undefined) return {};
  const login = logins(ctx.world.view).find(
    (l) => l.owner.type === "arrayPort" && l.owner.array === ctx.device && l.owner.portId === id,
  );
  const at = place(ctx.world.view, port.cable);
  const switches = Object.values(ctx.world.view.fabrics).flatMap((f) => Object.values(f.switches));
  const device = switches.find((candidate) => candidate.device === at?.switch);
  return defined({
    uuid: id,
    name: port.name,
    node: nodeRef(ctx, port.controller),
    description: `Fibre Channel Target Adapter ${port.name} (ACE FC SFP+ 32Gb)`,
    enabled: port.enabled,
    state: portState(ctx, id, at !== undefined),
    wwnn: port.wwnn,
    wwpn: port.wwpn,
    physical_protocol: "fibre_channel",
    supported_protocols: supportedProtocols(ctx, id),
    speed: { maximum: port.speedGbps.toString(), configured: "auto" },
    fabric:
      login === undefined || at === undefined || device === undefined
        ? { connected: false }
        : {
            connected: true,
            connected_speed: port.speedGbps,
            name: device.wwn,
            port_address: login.fcId,
            switch_port: `${device.name}:${at.port.index.toString()}`,
          },
    statistics: statisticsRecord(ctx, ctx.world.io.totals("port", id)),
    transceiver: {
      form_factor: "sfp",
      manufacturer: "FINISAR CORP.",
      part_number: "FTLF8532P4BCV",
      capabilities: [8, 16, 32],
    },
  });
}

function portState(ctx: ArrayContext, id: string, linked: boolean): string {
  const port = ctx.view.ports[id];
  if (port === undefined) return "unknown";
  if (ctx.view.controllers[port.controller]?.up !== true) return "node_offline";
  if (!port.enabled) return "offlined_by_user";
  return linked ? "online" : port.cable === undefined ? "link_not_connected" : "link_disconnected";
}

function updatePort(ctx: ArrayContext, record: Rec, body: Body): Operation {
  const uuid = textAt(record, "uuid");
  const enabled = body.flag("enabled");
  const node = ctx.view.ports[uuid]?.controller ?? "";
  if (ctx.view.controllers[node]?.up !== true) {
    throw new OntapFault("5374085", `The node "${node}" is offline.`);
  }
  const active = Object.values(ctx.view.targetPorts).some(
    (lif) => lif.portId === uuid && lif.enabled,
  );
  if (enabled === false && active) {
    throw new OntapFault("5374087", "The FC port has active FC interfaces.");
  }
  return {
    keys: [[uuid]],
    commit: () => {
      ctx.change((array) => {
        const port = array.ports[uuid];
        if (port !== undefined && enabled !== undefined) port.enabled = enabled;
      });
    },
  };
}
