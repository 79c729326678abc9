import { Body } from "../ontap/body";
import type { ArrayContext } from "../ontap/context";
import { lunMaps } from "../ontap/lun-maps";
import { ownerOf, reportingNodes } from "../ontap/reporting-nodes";
import type { LunMap } from "../world/state";
import type { DeepReadonly } from "../world/world";
import { type Api, type Apis, command, perform, reader, vserverOf, type ZapiCall } from "./api";
import { errno, missingInput, ZapiFault } from "./faults";
import { visible } from "./fcp";
import { groupNode, groupOf } from "./igroups";
import { boolean, integer, listOf, requiredText, text } from "./inputs";
import { lunOf } from "./luns";
import { directCall, made, recordOf } from "./model";
import { leaves } from "./shape";
import type { ZNode } from "./xml";

const which = { path: requiredText, "initiator-group": requiredText };

const getIter: Api = {
  scope: "both",
  record: "lun-map-info",
  shape: {
    ...leaves("initiator-group initiator-group-uuid lun-id lun-uuid node path vserver"),
    "reporting-nodes": leaves("node-name"),
  },
  keys: ["vserver", "path", "initiator-group"],
  list: (call) => {
    const seen = new Map(visible(call).map((svm) => [svm.id, svm.name]));
    return call.ctx.view.maps.flatMap((map) => {
      const vserver = seen.get(call.ctx.view.volumes[map.volumeId]?.tenantId ?? "");
      return vserver === undefined ? [] : [mapNode(call.ctx, map, vserver)];
    });
  },
};

const nodeInputs = {
  path: requiredText,
  igroup: requiredText,
  nodes: listOf("filer-id"),
  all: boolean,
  "destination-aggregate": text,
  "destination-volume": text,
  "local-nodes": boolean,
  "remote-nodes": boolean,
};

export const lunMapApis: Apis = {
  "lun-map-get-iter": getIter,
  "lun-map-list-info": reader("vserver", { path: requiredText }, listInfo),
  "lun-map": command(
    "vserver",
    { ...which, "lun-id": integer, force: boolean, "additional-reporting-node": text },
    create,
  ),
  "lun-unmap": command("vserver", which, remove),
  "lun-map-add-reporting-nodes": command("vserver", nodeInputs, (call) => setNodes(call, true)),
  "lun-map-remove-reporting-nodes": command("vserver", nodeInputs, (call) => setNodes(call, false)),
};

function mapNode(ctx: ArrayContext, map: DeepReadonly<LunMap>, vserver: string): ZNode {
  return {
    "initiator-group": ctx.view.groups[map.groupId]?.name,
    "initiator-group-uuid": map.groupId,
    "lun-id": map.lun,
    "lun-uuid": map.volumeId,
    node: ownerOf(ctx, map.volumeId),
    path: ctx.view.volumes[map.volumeId]?.name,
    "reporting-nodes": { "node-name": reportingNodes(ctx, map) },
    vserver,
  };
}

/** The groups that a LUN is mapped to, each with the number that the LUN has there. */
function listInfo(call: ZapiCall): ZNode {
  const { ctx } = call;
  const lun = lunOf(call);
  const maps = ctx.view.maps.filter((map) => map.volumeId === lun.id);
  const infos = maps.flatMap((map) => {
    const group = ctx.view.groups[map.groupId];
    return group === undefined ? [] : [{ ...groupNode(ctx, group), "lun-id": map.lun }];
  });
  return { "initiator-groups": infos.length === 0 ? {} : { "initiator-group-info": infos } };
}

async function create(call: ZapiCall): Promise<ZNode> {
  const { ctx, args } = call;
  const lun = lunOf(call);
  const group = groupOf(call, args.need("initiator-group"));
  const id = args.integer("lun-id");
  const here = ctx.view.maps.filter((map) => map.groupId === group.id);
  const again = here.some((map) => map.volumeId === lun.id);
  if (!again && id !== undefined && here.some((map) => map.lun === id)) {
    throw new ZapiFault(errno.groupHasNumber, `LUN ID ${id.toString()} is in use in this group`);
  }
  const extra = args.text("additional-reporting-node");
  if (extra !== undefined && ctx.view.controllers[extra] === undefined) {
    throw new ZapiFault(errno.invalid, `Invalid value specified for node: "${extra}"`);
  }
  const body = new Body({
    svm: { uuid: vserverOf(call).id },
    lun: { uuid: lun.id },
    igroup: { uuid: group.id },
    ...(id === undefined ? {} : { logical_unit_number: id }),
  });
  await perform(ctx, made(lunMaps.create?.(ctx, body, directCall())));
  if (extra !== undefined) change(ctx, { volumeId: lun.id, groupId: group.id }, [extra], true);
  return { "lun-id-assigned": find(ctx, lun.id, group.id).lun };
}

async function remove(call: ZapiCall): Promise<ZNode> {
  const { ctx, args } = call;
  const lun = lunOf(call);
  const group = groupOf(call, args.need("initiator-group"));
  const record = recordOf(ctx, lunMaps, lun.id, group.id);
  await perform(ctx, made(lunMaps.remove?.(ctx, record, directCall())));
  return {};
}

/** @throws {ZapiFault} 9016 when the LUN is not mapped to the group. */
function find(ctx: ArrayContext, volumeId: string, groupId: string): DeepReadonly<LunMap> {
  const map = ctx.view.maps.find((one) => one.volumeId === volumeId && one.groupId === groupId);
  if (map === undefined) throw new ZapiFault(errno.noMap, "No such LUN map exists");
  return map;
}

/**
 * Selective LUN map: nodes besides the owner and its partner that report the LUN. Those two cannot be
 * taken away here; the real array would take away the partner as well, assumed to be kept.
 */
function setNodes(call: ZapiCall, add: boolean): ZNode {
  const { ctx, args } = call;
  const lun = lunOf(call);
  const group = groupOf(call, args.need("igroup"));
  const map = find(ctx, lun.id, group.id);
  const nodes =
    args.flag("all") === true
      ? Object.keys(ctx.view.controllers)
      : (args.list("nodes", "filer-id") ?? []);
  if (nodes.length === 0) throw missingInput("nodes");
  const unknown = nodes.find((name) => ctx.view.controllers[name] === undefined);
  if (unknown !== undefined) {
    throw new ZapiFault(errno.invalid, `Invalid value specified for "nodes": "${unknown}"`);
  }
  change(ctx, map, nodes, add);
  return {};
}

function change(
  ctx: ArrayContext,
  which: { readonly volumeId: string; readonly groupId: string },
  nodes: readonly string[],
  add: boolean,
): void {
  ctx.change((array) => {
    const map = array.maps.find(
      (one) => one.volumeId === which.volumeId && one.groupId === which.groupId,
    );
    if (map === undefined) return;
    const before = map.attributes["reportingNodes"];
    const now = (Array.isArray(before) ? before : []).filter((node) => typeof node === "string");
    map.attributes["reportingNodes"] = add
      ? [...new Set([...now, ...nodes])]
      : now.filter((node) => !nodes.includes(node));
  });
}
