import { Body } from "../ontap/body";
import { clusterName, fixedIds } from "../ontap/cluster";
import { type ArrayContext, attribute, attributeFlag, type Operation } from "../ontap/context";
import { allows, type Protocol, type Svm, svmState } from "../ontap/svm-lookup";
import { svms } from "../ontap/svms";
import type { JsonObject } from "../world/state";
import { type Api, type Apis, command, perform, type ZapiCall } from "./api";
import { errno, ZapiFault } from "./faults";
import { type Args, type Inputs, listOf, oneOf, requiredText, text, unmodelled } from "./inputs";
import { asyncAnswer } from "./jobs";
import { directCall, made, recordOf } from "./model";
import { leaves, type Shape } from "./shape";
import type { ZNode } from "./xml";

const shape: Shape = {
  ...leaves(
    "antivirus-on-access-policy comment ipspace is-config-locked-for-changes " +
      "is-repository-vserver is-vserver-protected language ldap-domain max-volumes nis-domain " +
      "operational-state operational-state-stopped-reason qos-policy-group quota-policy " +
      "root-volume root-volume-aggregate root-volume-security-style snapshot-policy state uuid " +
      "volume-delete-retention-hours vserver-name vserver-subtype vserver-type",
  ),
  "aggr-list": leaves("aggr-name"),
  "allowed-protocols": leaves("protocol"),
  "disallowed-protocols": leaves("protocol"),
  "name-mapping-switch": leaves("nmswitch"),
  "name-server-switch": leaves("nsswitch"),
  "vserver-aggr-info-list": {
    "vserver-aggr-info": leaves("aggr-availsize aggr-name aggr-is-cft-precommit"),
  },
};

/** Protocols by the names of ONTAPI. */
const protocols: readonly Protocol[] = ["nfs", "cifs", "fcp", "iscsi", "ndmp", "nvme"];

/** What can be said when a vserver is made; protocols and aggregates are set afterwards. */
const createInputs: Inputs = {
  "vserver-name": requiredText,
  "root-volume": text,
  "root-volume-aggregate": text,
  "root-volume-security-style": oneOf("unix", "ntfs", "mixed"),
  comment: text,
  ipspace: text,
  language: text,
  "snapshot-policy": text,
  "quota-policy": oneOf("default"),
  "vserver-subtype": oneOf("default"),
  "return-record": { type: "boolean" },
  "is-repository-vserver": unmodelled,
  "name-server-switch": { type: "tree", notModelled: true },
  "name-mapping-switch": { type: "tree", notModelled: true },
};

const modifyInputs: Inputs = {
  "vserver-name": requiredText,
  "aggr-list": listOf("aggr-name"),
  "allowed-protocols": listOf("protocol"),
  "disallowed-protocols": listOf("protocol"),
  comment: text,
  language: text,
  "snapshot-policy": text,
  "max-volumes": oneOf("unlimited"),
  "qos-policy-group": unmodelled,
  "quota-policy": oneOf("default"),
  "volume-delete-retention-hours": { type: "integer" },
};

const getIter: Api = {
  scope: "both",
  record: "vserver-info",
  shape,
  keys: ["vserver-name"],
  list: ({ ctx, vserver }) =>
    vserver === undefined
      ? [adminVserver(ctx), ...nodeVservers(ctx), ...all(ctx).map((svm) => record(ctx, svm))]
      : [record(ctx, vserver)],
};

export const vserverApis: Apis = {
  "vserver-get-iter": getIter,
  "vserver-create": command("cluster", createInputs, async (call) => {
    await perform(call.ctx, creation(call.ctx, call.args));
    const made = find(call.ctx, call.args.need("vserver-name"));
    return call.args.flag("return-record") === true
      ? { result: { "vserver-info": record(call.ctx, made) } }
      : {};
  }),
  "vserver-create-async": command("cluster", createInputs, (call) =>
    asyncAnswer(call.ctx, creation(call.ctx, call.args)),
  ),
  "vserver-modify": command("cluster", modifyInputs, modify),
  "vserver-rename": command(
    "cluster",
    { "vserver-name": requiredText, "new-name": requiredText },
    (call) => change(call, { name: call.args.need("new-name") }),
  ),
  "vserver-start": command("cluster", { "vserver-name": requiredText }, (call) =>
    change(call, { state: "running" }),
  ),
  "vserver-stop": command("cluster", { "vserver-name": requiredText }, (call) =>
    change(call, { state: "stopped" }),
  ),
  "vserver-destroy": command("cluster", { "vserver-name": requiredText }, async (call) => {
    await perform(call.ctx, removal(call));
    return {};
  }),
  "vserver-destroy-async": command("cluster", { "vserver-name": requiredText }, (call) =>
    asyncAnswer(call.ctx, removal(call)),
  ),
};

function all(ctx: ArrayContext): Svm[] {
  return Object.values(ctx.view.tenants);
}

/** @throws {ZapiFault} when there is no such vserver. */
function find(ctx: ArrayContext, name: string): Svm {
  const found = all(ctx).find((svm) => svm.name === name);
  if (found === undefined) throw new ZapiFault(errno.noVserver, "Specified vserver not found");
  return found;
}

function record(ctx: ArrayContext, svm: Svm): ZNode {
  const root = Object.values(ctx.view.containers).find(
    (one) => one.tenantId === svm.id && attributeFlag(one.attributes, "isRoot", false),
  );
  const assigned = svm.attributes["aggregates"];
  const names = (Array.isArray(assigned) ? assigned : []).flatMap((id) =>
    typeof id === "string" ? [ctx.view.pools[id]?.name ?? ""] : [],
  );
  const allowed = protocols.filter((protocol) => allows(svm, protocol));
  const state = svmState(svm);
  return {
    "aggr-list": names.length === 0 ? undefined : { "aggr-name": names },
    "allowed-protocols": { protocol: allowed },
    comment: attribute(svm.attributes, "comment", ""),
    "disallowed-protocols": { protocol: protocols.filter((one) => !allowed.includes(one)) },
    ipspace: "Default",
    "is-config-locked-for-changes": false,
    "is-repository-vserver": false,
    language: attribute(svm.attributes, "language", "c.utf_8"),
    "max-volumes": "unlimited",
    "operational-state": state,
    "quota-policy": "default",
    "root-volume": root?.name,
    "root-volume-aggregate": root === undefined ? undefined : ctx.view.pools[root.poolId]?.name,
    "root-volume-security-style": attribute(svm.attributes, "securityStyle", "unix"),
    "snapshot-policy": attribute(svm.attributes, "snapshotPolicy", "default"),
    state,
    uuid: svm.id,
    "volume-delete-retention-hours": attribute(svm.attributes, "retentionHours", "12"),
    "vserver-name": svm.name,
    "vserver-subtype": "default",
    "vserver-type": "data",
  };
}

function adminVserver(ctx: ArrayContext): ZNode {
  return {
    ipspace: "Default",
    uuid: fixedIds.adminSvm,
    "vserver-name": clusterName(ctx),
    "vserver-type": "admin",
  };
}

function nodeVservers(ctx: ArrayContext): ZNode[] {
  return Object.keys(ctx.view.controllers).map((name) => ({
    ipspace: "Default",
    "vserver-name": name,
    "vserver-type": "node",
  }));
}

/** A new vserver with the root volume that the call names. */
function creation(ctx: ArrayContext, args: Args): Operation {
  const name = args.need("vserver-name");
  const aggregate = args.text("root-volume-aggregate");
  const pool = Object.values(ctx.view.pools).find((one) => one.name === aggregate);
  if (aggregate !== undefined && pool === undefined) {
    throw new ZapiFault(errno.noAggregate, `aggregate ${aggregate} does not exist`);
  }
  const value: JsonObject = { name };
  copy(args, value, "comment", "comment");
  copy(args, value, "language", "language");
  const ipspace = args.text("ipspace");
  if (ipspace !== undefined) value["ipspace"] = { name: ipspace };
  const policy = args.text("snapshot-policy");
  if (policy !== undefined) value["snapshot_policy"] = { name: policy };
  if (pool !== undefined) value["aggregates"] = [{ uuid: pool.id }];
  const operation = made(svms.create?.(ctx, new Body(value), directCall()));
  const id = operation.keys[0]?.[0] ?? "";
  return {
    ...operation,
    commit: () => {
      operation.commit();
      ctx.change((array) => {
        const svm = array.tenants[id];
        // The aggregate of the root volume is not assigned to the vserver by that.
        if (svm !== undefined) svm.attributes["aggregates"] = [];
        for (const volume of Object.values(array.containers)) {
          const root = volume.tenantId === id && volume.attributes["isRoot"] === true;
          if (root) volume.name = args.text("root-volume") ?? volume.name;
        }
      });
    },
  };
}

function copy(args: Args, value: JsonObject, from: string, to: string): void {
  const given = args.text(from);
  if (given !== undefined) value[to] = given;
}

/** @param attributes settings that REST does not have. */
async function change(
  call: ZapiCall,
  value: JsonObject,
  attributes: JsonObject = {},
): Promise<ZNode> {
  const { ctx, args } = call;
  const svm = find(ctx, args.need("vserver-name"));
  const body = new Body(value);
  const operation = made(svms.update?.(ctx, recordOf(ctx, svms, svm.id), body, directCall()));
  const commit = (): void => {
    operation.commit();
    ctx.change((array) => Object.assign(array.tenants[svm.id]?.attributes ?? {}, attributes));
  };
  await perform(ctx, { ...operation, commit });
  return {};
}

function modify(call: ZapiCall): Promise<ZNode> {
  const { args } = call;
  const value: JsonObject = {};
  copy(args, value, "comment", "comment");
  copy(args, value, "language", "language");
  const policy = args.text("snapshot-policy");
  if (policy !== undefined) value["snapshot_policy"] = { name: policy };
  const aggregates = args.list("aggr-list", "aggr-name");
  if (aggregates !== undefined) value["aggregates"] = aggregates.map((name) => ({ name }));
  const allowed = args.list("allowed-protocols", "protocol");
  const barred = args.list("disallowed-protocols", "protocol") ?? [];
  const more: JsonObject = {};
  for (const protocol of protocols) {
    // What is named in both lists counts as disallowed.
    const may = barred.includes(protocol) ? false : allowed?.includes(protocol);
    if (may === undefined) continue;
    if (protocol === "ndmp") more["ndmpAllowed"] = may;
    else value[protocol] = { allowed: may };
  }
  const hours = args.text("volume-delete-retention-hours");
  if (hours !== undefined) more["retentionHours"] = hours;
  const unknown = [...(allowed ?? []), ...barred].find(
    (name) => !protocols.some((protocol) => protocol === name),
  );
  if (unknown !== undefined) {
    throw new ZapiFault(errno.invalid, `Invalid value specified for "protocol": "${unknown}"`);
  }
  return change(call, value, more);
}

function removal({ ctx, args }: ZapiCall): Operation {
  const svm = find(ctx, args.need("vserver-name"));
  return made(svms.remove?.(ctx, recordOf(ctx, svms, svm.id), directCall()));
}
