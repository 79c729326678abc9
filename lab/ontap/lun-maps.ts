import type { HostGroup, LunMap, Volume } from "../world/state";
import type { DeepReadonly } from "../world/world";
import type { Body } from "./body";
import {
  type ArrayContext,
  attribute,
  attributeFlag,
  type Endpoint,
  type Operation,
} from "./context";
import { invalidValue, OntapFault } from "./faults";
import { checkViews } from "./igroup-rules";
import { nodeRef } from "./cluster";
import { lunRef } from "./igroups";
import { drop, type Rec, textAt } from "./record";
import { reportingNodes } from "./reporting-nodes";
import { integer, oneOf, ref, text } from "./shape";
import { ofSvm, svmLink, svmOfBody } from "./svm-lookup";

const highestLun = 4095;

/** `/api/protocols/san/lun-maps`: no PATCH, another number is another map. */
export const lunMaps: Endpoint = {
  shape: {
    path: "/api/protocols/san/lun-maps",
    keys: ["lun.uuid", "igroup.uuid"],
    identity: ["svm.uuid", "svm.name", "lun.uuid", "lun.name", "igroup.uuid", "igroup.name"],
    fields: {
      ...ref("svm", "POST"),
      ...ref("lun", "POST"),
      ...ref("lun.node"),
      ...ref("igroup", "POST"),
      "igroup.os_type": text(),
      "igroup.protocol": oneOf(["fcp", "iscsi", "mixed"]),
      "igroup.initiators": text(),
      logical_unit_number: integer("POST"),
      ...ref("reporting_nodes"),
    },
    since: { reporting_nodes: "9.10.1" },
    expensive: ["reporting_nodes"],
    links: {
      ...svmLink,
      lun: "/api/storage/luns/{uuid}",
      "lun.node": "/api/cluster/nodes/{uuid}",
      igroup: "/api/protocols/san/igroups/{uuid}",
    },
  },
  list: (ctx) => ctx.view.maps.map((map) => record(ctx, map)),
  missing: () => new OntapFault("5374922", "The specified LUN map does not exist."),
  create,
  remove: (ctx, rec) => {
    const volumeId = textAt(rec, "lun.uuid");
    const groupId = textAt(rec, "igroup.uuid");
    return {
      keys: [[volumeId, groupId]],
      commit: () => {
        ctx.change((array) => {
          array.maps = array.maps.filter((m) => m.volumeId !== volumeId || m.groupId !== groupId);
          const group = array.groups[groupId];
          const empty = !array.maps.some((map) => map.groupId === groupId);
          if (empty && attributeFlag(group?.attributes ?? {}, "deleteOnUnmap", false)) {
            drop(array.groups, groupId);
          }
        });
      },
    };
  },
};

function record(ctx: ArrayContext, map: DeepReadonly<LunMap>): Rec {
  const group = ctx.view.groups[map.groupId];
  return {
    svm: ofSvm(ctx, group?.tenantId ?? ""),
    lun: lunRef(ctx, map.volumeId),
    igroup: {
      uuid: map.groupId,
      name: group?.name ?? "",
      os_type: attribute(group?.attributes ?? {}, "osType", "vmware"),
      protocol: attribute(group?.attributes ?? {}, "protocol", "fcp"),
      // Names only, unlike the `initiators` of a group.
      initiators: [...(group?.initiators ?? [])],
    },
    logical_unit_number: map.lun,
    reporting_nodes: reportingNodes(ctx, map).map((node) => nodeRef(ctx, node)),
  };
}

function lunOfBody(ctx: ArrayContext, svmId: string, body: Body): DeepReadonly<Volume> {
  const name = body.text("lun.name");
  const uuid = body.text("lun.uuid");
  if (name === undefined && uuid === undefined) {
    throw new OntapFault("5374901", 'The LUN must be given by "lun.name" or "lun.uuid".', "lun");
  }
  const found = Object.values(ctx.view.volumes).find(
    (lun) =>
      lun.tenantId === svmId &&
      lun.namespace === undefined &&
      (name === undefined || lun.name === name) &&
      (uuid === undefined || lun.id === uuid),
  );
  const visibleFrom = Number(found?.attributes["visibleFrom"] ?? 0);
  // A LUN that was just created may not be there yet for the mapping (netapp.ontap#135).
  if (found === undefined || visibleFrom > ctx.now()) {
    throw new OntapFault("1254201", `The LUN "${name ?? uuid ?? ""}" does not exist.`, "lun");
  }
  return found;
}

function groupOfBody(ctx: ArrayContext, svmId: string, body: Body): DeepReadonly<HostGroup> {
  const name = body.text("igroup.name");
  const uuid = body.text("igroup.uuid");
  if (name === undefined && uuid === undefined) {
    throw new OntapFault(
      "5374902",
      'The initiator group must be given by "igroup.name" or "igroup.uuid".',
      "igroup",
    );
  }
  const found = Object.values(ctx.view.groups).find(
    (group) =>
      group.tenantId === svmId &&
      (name === undefined || group.name === name) &&
      (uuid === undefined || group.id === uuid),
  );
  if (found === undefined) {
    throw new OntapFault(
      "5374878",
      `The initiator group "${name ?? uuid ?? ""}" does not exist or is not accessible to the caller.`,
      "igroup",
    );
  }
  return found;
}

function create(ctx: ArrayContext, body: Body): Operation {
  const svm = svmOfBody(ctx, body);
  const lun = lunOfBody(ctx, svm.id, body);
  const group = groupOfBody(ctx, svm.id, body);
  const inGroup = ctx.view.maps.filter((map) => map.groupId === group.id);
  if (inGroup.some((map) => map.volumeId === lun.id)) {
    throw new OntapFault("1254207", "LUN already mapped to this group");
  }
  checkInterfaces(ctx, svm.id);
  const number = numberFor(ctx, body.integer("logical_unit_number"), inGroup);
  checkViews(ctx, group.initiators, group.id, [{ volumeId: lun.id, lun: number }]);
  return {
    keys: [[lun.id, group.id]],
    commit: () => {
      ctx.change((array) => {
        array.maps.push({ volumeId: lun.id, groupId: group.id, lun: number, attributes: {} });
      });
    },
  };
}

/** The number asked for, or the lowest that is free in the group. */
function numberFor(
  ctx: ArrayContext,
  asked: number | undefined,
  inGroup: readonly { readonly lun: number }[],
): number {
  const taken = new Set(inGroup.map((map) => map.lun));
  if (asked === undefined) {
    for (let number = 0; number <= highestLun; number++) if (!taken.has(number)) return number;
    throw new OntapFault("2", "The initiator group has no free logical unit number.");
  }
  if (asked < 0 || asked > highestLun) throw invalidValue(asked.toString(), "logical_unit_number");
  if (taken.has(asked)) {
    throw new OntapFault(
      ctx.switches.lunNumberTaken,
      `Logical unit number ${asked.toString()} is already in use in the initiator group.`,
      "logical_unit_number",
    );
  }
  return asked;
}

/** The nodes that report paths (owner and partner, both of a pair) need FC interfaces of the SVM. */
function checkInterfaces(ctx: ArrayContext, svmId: string): void {
  const nodes = Object.keys(ctx.view.controllers);
  const served = new Set(
    Object.values(ctx.view.targetPorts)
      .filter((lif) => lif.tenantId === svmId)
      .map((lif) => ctx.view.ports[lif.portId]?.controller),
  );
  const missing = nodes.filter((node) => !served.has(node));
  if (missing.length === 0) return;
  if (missing.length < nodes.length && ctx.switches.mapNeedsInterface === "any") return;
  throw new OntapFault(
    missing.length < nodes.length ? "5374583" : "5374584",
    `The SVM has no FC interface on node ${missing.map((node) => `"${node}"`).join(" and ")}.`,
  );
}
