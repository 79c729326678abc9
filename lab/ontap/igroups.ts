import type { HostGroup } from "../world/state";
import type { DeepReadonly } from "../world/world";
import type { Body } from "./body";
import { nodeRef } from "./cluster";
import {
  type ArrayContext,
  attribute,
  attributeFlag,
  type Call,
  type Endpoint,
  type Operation,
} from "./context";
import { OntapFault, required } from "./faults";
import { initiatorNames } from "./igroup-rules";
import { igroupNames } from "./known-names";
import { defined, drop, type Rec, textAt } from "./record";
import { flag, integer, oneOf, other, ref, text, type WriteVerb } from "./shape";
import { isNvmeOnly, ofSvm, svmLink, svmOfBody } from "./svm-lookup";

const any: WriteVerb[] = ["POST", "PATCH"];
const osTypes = [
  "aix",
  "hpux",
  "hyper_v",
  "linux",
  "netware",
  "openvms",
  "solaris",
  "vmware",
  "windows",
  "xen",
];
const maxNameLength = 96;

/** `/api/protocols/san/igroups`; `comment`, nesting and portsets came with 9.9.1. */
export const igroups: Endpoint = {
  shape: {
    path: "/api/protocols/san/igroups",
    keys: ["uuid"],
    identity: ["uuid", "name", "svm.uuid", "svm.name"],
    fields: {
      uuid: text(),
      ...ref("svm", "POST"),
      name: text(...any),
      os_type: oneOf(osTypes, ...any),
      protocol: oneOf(["fcp", "iscsi", "mixed"], "POST"),
      delete_on_unmap: flag(...any),
      comment: text(...any),
      "initiators.name": text("POST"),
      "initiators.comment": text("POST"),
      "lun_maps.logical_unit_number": integer(),
      ...ref("lun_maps.lun"),
      ...ref("lun_maps.lun.node"),
      supports_igroups: flag(),
      igroups: other("POST"),
      parent_igroups: other(),
      portset: other("POST", "PATCH"),
      ...igroupNames.fields,
    },
    since: {
      ...igroupNames.since,
      comment: "9.9.1",
      "initiators.comment": "9.9.1",
      supports_igroups: "9.9.1",
      igroups: "9.9.1",
      parent_igroups: "9.9.1",
      portset: "9.9.1",
    },
    expensive: ["lun_maps"],
    links: {
      ...svmLink,
      initiators: "/api/protocols/san/igroups/{/uuid}/initiators/{name}",
      "lun_maps.lun": "/api/storage/luns/{uuid}",
      "lun_maps.lun.node": "/api/cluster/nodes/{uuid}",
    },
  },
  list: (ctx) => Object.values(ctx.view.groups).map((group) => record(ctx, group)),
  missing: () => noGroup(),
  flags: { DELETE: ["allow_delete_while_mapped"] },
  create,
  update,
  remove,
};

export function noGroup(): OntapFault {
  return new OntapFault(
    "5374852",
    "The initiator group does not exist or is not accessible to the caller.",
  );
}

function record(ctx: ArrayContext, group: DeepReadonly<HostGroup>): Rec {
  const comments = group.attributes["initiatorComments"] as Rec | undefined;
  const maps = ctx.view.maps.filter((map) => map.groupId === group.id);
  return defined({
    uuid: group.id,
    svm: ofSvm(ctx, group.tenantId),
    name: group.name,
    os_type: attribute(group.attributes, "osType", "vmware"),
    protocol: attribute(group.attributes, "protocol", "fcp"),
    delete_on_unmap: attributeFlag(group.attributes, "deleteOnUnmap", false),
    comment: attribute(group.attributes, "comment", "") || undefined,
    supports_igroups: true,
    // A group without members has no such property.
    initiators:
      group.initiators.length === 0
        ? undefined
        : group.initiators.map((name) => defined({ name, comment: comments?.[name] })),
    lun_maps:
      maps.length === 0
        ? undefined
        : maps.map((map) => ({
            logical_unit_number: map.lun,
            lun: lunRef(ctx, map.volumeId),
          })),
  });
}

/** `lun` of a map: with the node that owns it. */
export function lunRef(ctx: ArrayContext, volumeId: string): Rec {
  const lun = ctx.view.volumes[volumeId];
  const node = ctx.view.pools[lun?.poolId ?? ""]?.controller ?? "";
  return { uuid: volumeId, name: lun?.name ?? "", node: nodeRef(ctx, node) };
}

function checkName(ctx: ArrayContext, svmId: string, name: string): void {
  if (name.length < 1 || name.length > maxNameLength || /[\s/\\:*?"<>|]/.test(name)) {
    throw new OntapFault("5373958", `"${name}" is no valid initiator group name.`, "name");
  }
  const taken = Object.values(ctx.view.groups).some(
    (group) => group.tenantId === svmId && group.name === name,
  );
  if (taken) {
    throw new OntapFault(
      "5374023",
      `An initiator group with the name "${name}" already exists.`,
      "name",
    );
  }
}

function create(ctx: ArrayContext, body: Body): Operation {
  const svm = svmOfBody(ctx, body);
  const name = body.text("name");
  const osType = body.text("os_type");
  if (name === undefined) throw required("name");
  if (osType === undefined) throw required("os_type");
  if (isNvmeOnly(ctx, svm)) {
    throw new OntapFault("5373966", "An SVM configured for NVMe cannot have initiator groups.");
  }
  const members = body.objects("initiators");
  const initiators = initiatorNames(body.texts("initiators.name"));
  if (initiators.length < members.length) throw required("initiators.name");
  checkName(ctx, svm.id, name);
  const uuid = ctx.newUuid();
  return {
    keys: [[uuid]],
    commit: () => {
      ctx.change((array) => {
        array.groups[uuid] = {
          id: uuid,
          name,
          tenantId: svm.id,
          initiators,
          attributes: {
            osType,
            protocol: body.text("protocol") ?? "mixed",
            comment: body.text("comment") ?? "",
            deleteOnUnmap: body.flag("delete_on_unmap") ?? false,
            initiatorComments: memberComments(members, initiators),
          },
        };
      });
    },
  };
}

/** Comments of members by stored name. */
export function memberComments(members: readonly Rec[], names: readonly string[]): Rec {
  return defined(
    Object.fromEntries(names.map((name, index) => [name, members[index]?.["comment"]])),
  );
}

function update(ctx: ArrayContext, rec: Rec, body: Body): Operation {
  const uuid = textAt(rec, "uuid");
  const name = body.text("name");
  if (name !== undefined && body.leaves().length > 1) {
    // "Renaming an initiator group must be done in a PATCH request separate from any other
    // modifications" (REST reference, igroup).
    throw new OntapFault("262190", 'The field "name" can only be changed on its own.', "name");
  }
  if (name !== undefined && name !== rec["name"]) checkName(ctx, textAt(rec, "svm.uuid"), name);
  return {
    keys: [[uuid]],
    commit: () => {
      ctx.change((array) => {
        const group = array.groups[uuid];
        if (group === undefined) throw noGroup();
        if (name !== undefined) group.name = name;
        const osType = body.text("os_type");
        if (osType !== undefined) group.attributes["osType"] = osType;
        const note = body.text("comment");
        if (note !== undefined) group.attributes["comment"] = note;
        const deletes = body.flag("delete_on_unmap");
        if (deletes !== undefined) group.attributes["deleteOnUnmap"] = deletes;
      });
    },
  };
}

/** @throws {OntapFault} while the group has LUN maps and the caller did not say that it knows. */
export function checkUnmapped(ctx: ArrayContext, groupId: string, call: Call): void {
  const mapped = ctx.view.maps.some((map) => map.groupId === groupId);
  if (mapped && !call.flag("allow_delete_while_mapped")) {
    throw new OntapFault(
      "1254213",
      'The initiator group is mapped to LUNs and "allow_delete_while_mapped" has not been specified.',
    );
  }
}

function remove(ctx: ArrayContext, rec: Rec, call: Call): Operation {
  const uuid = textAt(rec, "uuid");
  checkUnmapped(ctx, uuid, call);
  return {
    keys: [[uuid]],
    commit: () => {
      ctx.change((array) => {
        array.maps = array.maps.filter((map) => map.groupId !== uuid);
        drop(array.groups, uuid);
      });
    },
  };
}
