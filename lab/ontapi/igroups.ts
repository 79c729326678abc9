import { parseWwpn } from "../../bed/identities";
import { Body } from "../ontap/body";
import { type ArrayContext, attribute, attributeFlag } from "../ontap/context";
import { igroups } from "../ontap/igroups";
import { initiators } from "../ontap/initiators";
import type { HostGroup } from "../world/state";
import type { DeepReadonly } from "../world/world";
import { type Api, type Apis, command, perform, vserverOf, type ZapiCall } from "./api";
import { errno, ZapiFault } from "./faults";
import { visible } from "./fcp";
import { boolean, oneOf, requiredText, unmodelled } from "./inputs";
import { directCall, made, recordOf } from "./model";
import { leaves } from "./shape";
import type { ZNode } from "./xml";

type Group = DeepReadonly<HostGroup>;

const byName = { "initiator-group-name": requiredText };
const osTypes = oneOf(
  ...["default", "solaris", "windows", "hpux", "aix", "linux", "netware", "vmware", "openvms"],
  ...["xen", "hyper_v"],
);
const force = ["allow_delete_while_mapped"];

const getIter: Api = {
  scope: "both",
  record: "initiator-group-info",
  shape: {
    ...leaves(
      "initiator-group-alua-enabled initiator-group-delete-on-unmap initiator-group-name " +
        "initiator-group-os-type initiator-group-portset-name " +
        "initiator-group-report-scsi-name-enabled initiator-group-throttle-borrow " +
        "initiator-group-throttle-reserve initiator-group-type initiator-group-use-partner " +
        "initiator-group-uuid initiator-group-vsa-enabled lun-id vserver",
    ),
    initiators: { "initiator-info": leaves("initiator-name") },
  },
  keys: ["vserver", "initiator-group-name"],
  list: (call) =>
    visible(call).flatMap((svm) =>
      Object.values(call.ctx.view.groups)
        .filter((group) => group.tenantId === svm.id)
        .map((group) => groupNode(call.ctx, group)),
    ),
};

export const igroupApis: Apis = {
  "igroup-get-iter": getIter,
  "igroup-create": command(
    "vserver",
    {
      ...byName,
      "initiator-group-type": { ...oneOf("fcp", "iscsi", "mixed"), required: true },
      "os-type": osTypes,
      ostype: osTypes,
      "bind-portset": unmodelled,
    },
    create,
  ),
  "igroup-add": command("vserver", { ...byName, initiator: requiredText, force: boolean }, add),
  "igroup-remove": command(
    "vserver",
    { ...byName, initiator: requiredText, force: boolean },
    remove,
  ),
  "igroup-rename": command(
    "vserver",
    { ...byName, "initiator-group-new-name": requiredText },
    rename,
  ),
  "igroup-destroy": command("vserver", { ...byName, force: boolean }, destroy),
};

export function groupNode(ctx: ArrayContext, group: Group): ZNode {
  return {
    "initiator-group-alua-enabled": true,
    "initiator-group-delete-on-unmap": attributeFlag(group.attributes, "deleteOnUnmap", false),
    "initiator-group-name": group.name,
    "initiator-group-os-type": attribute(group.attributes, "osType", "vmware"),
    "initiator-group-report-scsi-name-enabled": true,
    "initiator-group-throttle-borrow": false,
    "initiator-group-throttle-reserve": 0,
    "initiator-group-type": attribute(group.attributes, "protocol", "fcp"),
    "initiator-group-use-partner": true,
    "initiator-group-uuid": group.id,
    "initiator-group-vsa-enabled": false,
    initiators:
      group.initiators.length === 0
        ? undefined
        : { "initiator-info": group.initiators.map((name) => ({ "initiator-name": name })) },
    vserver: ctx.view.tenants[group.tenantId]?.name,
  };
}

/** @throws {ZapiFault} 9003 when the vserver has no such group. */
export function groupOf({ ctx, vserver }: ZapiCall, name: string): Group {
  const group = Object.values(ctx.view.groups).find(
    (one) => one.tenantId === vserver?.id && one.name === name,
  );
  if (group === undefined) throw new ZapiFault(errno.noIgroup, "No such initiator group exists");
  return group;
}

async function create(call: ZapiCall): Promise<ZNode> {
  const { args, ctx } = call;
  const body = new Body({
    svm: { uuid: vserverOf(call).id },
    name: args.need("initiator-group-name"),
    protocol: args.need("initiator-group-type"),
    os_type: args.text("os-type") ?? args.text("ostype") ?? "default",
  });
  await perform(ctx, made(igroups.create?.(ctx, body, directCall())));
  return {};
}

async function add(call: ZapiCall): Promise<ZNode> {
  const { args, ctx } = call;
  const group = groupOf(call, args.need("initiator-group-name"));
  const body = new Body({ name: args.need("initiator") });
  await perform(ctx, made(initiators.create?.(ctx, body, directCall([group.id]))));
  return {};
}

async function remove(call: ZapiCall): Promise<ZNode> {
  const { args, ctx } = call;
  const group = groupOf(call, args.need("initiator-group-name"));
  const given = args.need("initiator");
  // ONTAPI takes a WWPN in any spelling.
  const name = parseWwpn(given) ?? given;
  const record = recordOf(ctx, initiators, group.id, name);
  const flags = args.flag("force") === true ? force : [];
  await perform(ctx, made(initiators.remove?.(ctx, record, directCall([group.id], flags))));
  return {};
}

async function rename(call: ZapiCall): Promise<ZNode> {
  const { args, ctx } = call;
  const group = groupOf(call, args.need("initiator-group-name"));
  const body = new Body({ name: args.need("initiator-group-new-name") });
  const record = recordOf(ctx, igroups, group.id);
  await perform(ctx, made(igroups.update?.(ctx, record, body, directCall())));
  return {};
}

async function destroy(call: ZapiCall): Promise<ZNode> {
  const { args, ctx } = call;
  const group = groupOf(call, args.need("initiator-group-name"));
  const flags = args.flag("force") === true ? force : [];
  const record = recordOf(ctx, igroups, group.id);
  await perform(ctx, made(igroups.remove?.(ctx, record, directCall([], flags))));
  return {};
}
