import { parseWwpn } from "../../bed/identities";
import type { Body } from "./body";
import { type ArrayContext, type Call, type Endpoint, type Operation } from "./context";
import { OntapFault, required } from "./faults";
import { checkViews, initiatorNames } from "./igroup-rules";
import { checkUnmapped, memberComments, noGroup } from "./igroups";
import { defined, type Rec, textAt } from "./record";
import { ref, text } from "./shape";

/** `/api/protocols/san/igroups/{igroup.uuid}/initiators`: one, or several as `records`. */
export const initiators: Endpoint = {
  shape: {
    path: "/api/protocols/san/igroups/{igroup.uuid}/initiators",
    keys: ["name"],
    identity: ["name", "igroup.uuid", "igroup.name"],
    fields: {
      name: text("POST"),
      comment: text("POST", "PATCH"),
      ...ref("igroup"),
      "records.name": text("POST"),
      "records.comment": text("POST"),
    },
    since: { comment: "9.9.1", "records.comment": "9.9.1" },
    links: { igroup: "/api/protocols/san/igroups/{uuid}" },
  },
  list: (ctx, parents) => {
    const group = ctx.view.groups[parents[0] ?? ""];
    if (group === undefined) throw noGroup();
    const comments = group.attributes["initiatorComments"] as Rec | undefined;
    return group.initiators.map((name) =>
      defined({
        name,
        comment: comments?.[name],
        igroup: { uuid: group.id, name: group.name },
      }),
    );
  },
  missing: (keys) =>
    new OntapFault(
      "5374034",
      `The initiator "${keys[keys.length - 1] ?? ""}" is not a member of the initiator group.`,
    ),
  // Upper case in a URL misses the stored lower-case name (netapp.ontap#191).
  sameKey: (ctx, stored, given) =>
    stored === given ||
    (ctx.switches.initiatorMatch === "canonical" && parseWwpn(given) === stored),
  flags: { DELETE: ["allow_delete_while_mapped"] },
  create,
  update: (ctx, record, body, call) => {
    const id = call.parents[0] ?? "";
    const name = textAt(record, "name");
    return {
      keys: [[name]],
      commit: () => {
        const note = body.text("comment");
        if (note === undefined) return;
        ctx.change((array) => {
          const group = array.groups[id];
          if (group === undefined) throw noGroup();
          const comments = (group.attributes["initiatorComments"] ?? {}) as Rec;
          group.attributes["initiatorComments"] = { ...comments, [name]: note };
        });
      },
    };
  },
  remove: (ctx, record, call) => {
    const id = call.parents[0] ?? "";
    const name = textAt(record, "name");
    checkUnmapped(ctx, id, call);
    return {
      keys: [[name]],
      commit: () => {
        ctx.change((array) => {
          const group = array.groups[id];
          if (group === undefined) throw noGroup();
          group.initiators = group.initiators.filter((member) => member !== name);
        });
      },
    };
  },
};

function create(ctx: ArrayContext, body: Body, call: Call): Operation {
  const id = call.parents[0] ?? "";
  const group = ctx.view.groups[id];
  if (group === undefined) throw noGroup();
  const records = body.objects("records");
  const single = body.text("name");
  if (single !== undefined && body.has("records")) {
    throw new OntapFault(
      "262186",
      'The field "records" cannot be used with the field "name".',
      "records",
    );
  }
  if (single === undefined && records.length === 0) throw required("name");
  const members = single === undefined ? records : [body.value];
  const given = single === undefined ? body.texts("records.name") : [single];
  if (given.length < members.length) throw required("records.name");
  const names = initiatorNames(given);
  const known = names.find((name) => group.initiators.includes(name));
  if (known !== undefined) {
    throw new OntapFault(
      "5374035",
      `The initiator "${known}" is already a member of initiator group "${group.name}".`,
      "name",
    );
  }
  const maps = ctx.view.maps.filter((map) => map.groupId === id);
  checkViews(ctx, names, id, maps);
  return {
    keys: names.map((name) => [name]),
    commit: () => {
      ctx.change((array) => {
        const target = array.groups[id];
        if (target === undefined) throw noGroup();
        target.initiators.push(...names);
        const comments = (target.attributes["initiatorComments"] ?? {}) as Rec;
        target.attributes["initiatorComments"] = { ...comments, ...memberComments(members, names) };
      });
    },
  };
}
