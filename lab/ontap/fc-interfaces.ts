import { logins } from "../world/fabric";
import type { TargetPort } from "../world/state";
import type { DeepReadonly } from "../world/world";
import type { Body } from "./body";
import { nodeRef, nodeUuid } from "./cluster";
import {
  type ArrayContext,
  attribute,
  attributeFlag,
  type Endpoint,
  type Operation,
} from "./context";
import { entryMissing, OntapFault, required } from "./faults";
import { portRef, supportedProtocols } from "./fc-ports";
import { clusterWwn } from "./identity";
import { defined, drop, type Rec, textAt } from "./record";
import { flag, oneOf, other, ref, text, type WriteVerb } from "./shape";
import { statisticsFields, statisticsRecord } from "./statistics";
import {
  isNvmeOnly,
  isScsiOnly,
  nvmeService,
  ofSvm,
  settlePorts,
  type Svm,
  svmLink,
  svmOfBody,
  svmWwnn,
  wwnSuffix,
} from "./svm-lookup";

const maxNvmePerNode = 2;
const anyWrite: WriteVerb[] = ["POST", "PATCH"];

/** `/api/network/fc/interfaces`: NPIV ports of an SVM; hosts are zoned with their WWPNs. */
export const fcInterfaces: Endpoint = {
  shape: {
    path: "/api/network/fc/interfaces",
    keys: ["uuid"],
    identity: ["uuid", "name", "svm.uuid", "svm.name"],
    fields: {
      uuid: text(),
      ...ref("svm", "POST"),
      name: text(...anyWrite),
      comment: text(...anyWrite),
      data_protocol: oneOf(["fcp", "fc_nvme"], "POST"),
      enabled: flag(...anyWrite),
      state: oneOf(["up", "down"]),
      wwnn: text(),
      wwpn: text(),
      port_address: text(),
      "location.is_home": flag(),
      ...ref("location.home_node"),
      ...ref("location.node"),
      ...ref("location.home_port", ...anyWrite),
      ...ref("location.home_port.node", ...anyWrite),
      ...ref("location.port", ...anyWrite),
      ...ref("location.port.node", ...anyWrite),
      metric: other(),
      ...statisticsFields(),
    },
    expensive: ["metric", "statistics"],
    links: {
      ...svmLink,
      "location.home_node": "/api/cluster/nodes/{uuid}",
      "location.node": "/api/cluster/nodes/{uuid}",
      "location.home_port": "/api/network/fc/ports/{uuid}",
      "location.port": "/api/network/fc/ports/{uuid}",
    },
  },
  list: (ctx) => {
    const addresses = new Map(
      logins(ctx.world.view).flatMap((login) =>
        login.owner.type === "targetPort" && login.owner.array === ctx.device
          ? [[login.owner.targetPortId, login.fcId] as const]
          : [],
      ),
    );
    return Object.values(ctx.view.targetPorts).map((lif) =>
      record(ctx, lif, addresses.get(lif.id)),
    );
  },
  missing: () => entryMissing("uuid"),
  create,
  update,
  remove: (ctx, rec) => {
    const uuid = textAt(rec, "uuid");
    if (rec["enabled"] === true) {
      throw new OntapFault(
        "53280992",
        `The FC interface "${textAt(rec, "name")}" is enabled. Disable it before it is deleted.`,
      );
    }
    return {
      keys: [[uuid]],
      commit: () => {
        ctx.change((array) => {
          drop(array.targetPorts, uuid);
        });
      },
    };
  },
};

function record(
  ctx: ArrayContext,
  lif: DeepReadonly<TargetPort>,
  address: string | undefined,
): Rec {
  const node = ctx.view.ports[lif.portId]?.controller ?? "";
  return defined({
    uuid: lif.id,
    svm: ofSvm(ctx, lif.tenantId),
    name: lif.name,
    comment: attribute(lif.attributes, "comment", ""),
    data_protocol: lif.protocol === "nvme" ? "fc_nvme" : "fcp",
    enabled: attributeFlag(lif.attributes, "adminEnabled", true),
    state: address === undefined ? "down" : "up",
    wwnn: lif.wwnn,
    wwpn: lif.wwpn,
    port_address: address,
    statistics: statisticsRecord(ctx, ctx.world.io.totals("targetPort", lif.id)),
    location: {
      is_home: true,
      home_node: nodeRef(ctx, node),
      home_port: portRef(ctx, lif.portId),
      node: nodeRef(ctx, node),
      port: portRef(ctx, lif.portId),
    },
  });
}

/** Port that a body names, by uuid or by name and node. */
function portOfBody(ctx: ArrayContext, body: Body): string | undefined {
  // `location.port` is the form of 9.6 and 9.7 and still taken; both given must agree.
  const paths = ["location.home_port", "location.port"].filter((path) => body.has(path));
  const found = paths.map((path) => findPort(ctx, body, path));
  if (new Set(found).size > 1) {
    throw new OntapFault("5374873", "The home port and the port do not match.", "location.port");
  }
  return found[0];
}

function findPort(ctx: ArrayContext, body: Body, path: string): string {
  const uuid = body.text(`${path}.uuid`);
  if (uuid !== undefined) {
    if (ctx.view.ports[uuid] === undefined) {
      throw new OntapFault("5375057", `The FC port "${uuid}" does not exist.`, `${path}.uuid`);
    }
    return uuid;
  }
  const name = body.text(`${path}.name`);
  const nodeId = body.text(`${path}.node.uuid`);
  const node =
    body.text(`${path}.node.name`) ??
    Object.keys(ctx.view.controllers).find(
      (n) => nodeId !== undefined && nodeUuid(ctx, n) === nodeId,
    );
  if (name === undefined || node === undefined) {
    throw new OntapFault(
      "5374871",
      "The FC port must be given by UUID, or by its name and the name of its node.",
      path,
    );
  }
  if (ctx.view.controllers[node] === undefined) {
    throw new OntapFault("2425736", `No such node "${node}".`, `${path}.node.name`);
  }
  const port = Object.values(ctx.view.ports).find((p) => p.name === name && p.controller === node);
  if (port === undefined) {
    throw new OntapFault(
      "1966217",
      `Port "${name}" on node "${node}" is not valid.`,
      `${path}.name`,
    );
  }
  return port.id;
}

function checkName(ctx: ArrayContext, svmId: string, name: string, self?: string): void {
  const taken = Object.values(ctx.view.targetPorts).some(
    (lif) => lif.tenantId === svmId && lif.name === name && lif.id !== self,
  );
  if (taken) {
    throw new OntapFault("1966140", `An interface with the name "${name}" already exists.`, "name");
  }
}

function create(ctx: ArrayContext, body: Body): Operation {
  const svm = svmOfBody(ctx, body);
  const name = body.text("name");
  if (name === undefined) throw required("name");
  const protocol = body.text("data_protocol");
  if (protocol === undefined) throw required("data_protocol");
  const portId = portOfBody(ctx, body);
  if (portId === undefined) throw required("location.home_port");
  if (protocol === "fc_nvme") checkNvmeInterface(ctx, svm, portId);
  else if (isNvmeOnly(ctx, svm)) {
    throw new OntapFault("5373966", "An SVM configured for NVMe cannot have FCP interfaces.");
  }
  if (ctx.view.ports[portId]?.enabled !== true) {
    throw new OntapFault("5374102", "The FC port is disabled.", "location.home_port");
  }
  checkName(ctx, svm.id, name);
  const uuid = ctx.newUuid();
  return {
    keys: [[uuid]],
    commit: () => {
      const { wwpn } = clusterWwn(ctx.nextNumber("lastWwn"), wwnSuffix(ctx));
      ctx.change((array) => {
        array.targetPorts[uuid] = {
          id: uuid,
          name,
          tenantId: svm.id,
          portId,
          wwpn,
          wwnn: svmWwnn(ctx, svm),
          enabled: false,
          npivIndex: freeIndex(ctx, portId),
          ...(protocol === "fc_nvme" ? { protocol: "nvme" } : {}),
          attributes: {
            comment: body.text("comment") ?? "",
            adminEnabled: body.flag("enabled") ?? true,
          },
        };
      });
      settlePorts(ctx, svm.id);
    },
  };
}

function checkNvmeInterface(ctx: ArrayContext, svm: Svm, portId: string): void {
  if (isScsiOnly(ctx, svm)) {
    throw new OntapFault(
      "72089900",
      "An SVM with a SAN protocol configured cannot have NVMe interfaces.",
    );
  }
  if (nvmeService(svm) === undefined) {
    throw new OntapFault(
      "72089652",
      `An NVMe service must be created in SVM "${svm.name}" before its interfaces.`,
    );
  }
  const port = ctx.view.ports[portId];
  if (!supportedProtocols(ctx, portId).includes("fc_nvme")) {
    throw new OntapFault(
      "72089672",
      `The FC port "${port?.name ?? ""}" does not support the NVMe protocol.`,
      "location.home_port",
    );
  }
  const onNode = Object.values(ctx.view.targetPorts).filter(
    (lif) =>
      lif.tenantId === svm.id &&
      lif.protocol === "nvme" &&
      ctx.view.ports[lif.portId]?.controller === port?.controller,
  );
  if (onNode.length >= maxNvmePerNode) {
    throw new OntapFault(
      "72089901",
      `An SVM has at most ${maxNvmePerNode.toString()} NVMe interfaces on a node.`,
    );
  }
}

function freeIndex(ctx: ArrayContext, portId: string): number {
  const taken = new Set(
    Object.values(ctx.view.targetPorts)
      .filter((lif) => lif.portId === portId)
      .map((lif) => lif.npivIndex),
  );
  for (let index = 1; index < 256; index++) if (!taken.has(index)) return index;
  throw new OntapFault("1966217", "The FC port has no room for another interface.");
}

function update(ctx: ArrayContext, rec: Rec, body: Body): Operation {
  const uuid = textAt(rec, "uuid");
  const svmId = textAt(rec, "svm.uuid");
  const name = body.text("name");
  if (name !== undefined) checkName(ctx, svmId, name, uuid);
  const portId = portOfBody(ctx, body);
  const moves = portId !== undefined && portId !== textAt(rec, "location.home_port.uuid");
  if (moves && rec["data_protocol"] === "fc_nvme") {
    throw new OntapFault("72089674", "An NVMe interface cannot be moved to another port.");
  }
  if (moves && rec["enabled"] === true) {
    throw new OntapFault("1966238", "The FC interface must be disabled before it is moved.");
  }
  return {
    keys: [[uuid]],
    commit: () => {
      ctx.change((array) => {
        const lif = array.targetPorts[uuid];
        if (lif === undefined) throw entryMissing("uuid");
        if (name !== undefined) lif.name = name;
        if (moves) {
          lif.npivIndex = freeIndex(ctx, portId);
          lif.portId = portId;
        }
        const note = body.text("comment");
        if (note !== undefined) lif.attributes["comment"] = note;
        const enabled = body.flag("enabled");
        if (enabled !== undefined) lif.attributes["adminEnabled"] = enabled;
      });
      settlePorts(ctx, svmId);
    },
  };
}
