import { z } from "zod";
import { bedOfName, withMark } from "../../bed/mark";
import type { Scope } from "../devices/block-array";
import { resource } from "../kit/handler";
import { deleteAfterRemains, unmapRemains } from "./array-remains";
import type { BedContext } from "./context";
import { readHostGroup } from "./shared-read";

const inputs = z.object({
  device: z.string().describe("Name of the array in the bed."),
  target: z.string().min(1).describe("Storage tenant."),
  name: z.string().min(1).describe("Name of the group; the mark is added where it is missing."),
});

const state = inputs.extend({
  groupName: z.string().describe("Name on the array, with the mark."),
  groupId: z.string().describe("The array's own id of the group."),
});

/** A group of hosts that volumes are mapped to: an igroup, a cluster, an affinity group. */
export const hostGroup = resource<BedContext, typeof inputs, typeof state>({
  token: "sanbed:array:HostGroup",
  description: "Group of hosts on an array, which volumes are mapped to.",
  inputs,
  state,
  replaceOn: ["device", "target", "name"],
  deleteBeforeReplace: true,
  // A name that carries a mark is the name on the array: known before the group is made.
  plan: ({ name }) =>
    name !== undefined && bedOfName(name) !== undefined ? { groupName: name } : {},
  async create(call, args) {
    const id = `${args.device}/${args.target}/${args.name}`;
    const scope: Scope = { bedId: call.context.bedId, target: args.target };
    const onWrite = (): void => {
      call.began(id, { ...args, groupName: args.name, groupId: "" });
    };
    const group = await call.context
      .array(args.device)
      .hosts.ensureGroup({ ...call, onWrite }, scope, args.name);
    return { id, state: { ...args, groupName: group.name, groupId: group.id } };
  },
  async read(call, id, recorded) {
    const [device = "", target = "", name = ""] = id.split("/");
    const args = recorded ?? { device, target, name };
    const where = { device: args.device, target: args.target, group: args.name };
    const group = await readHostGroup(call, where);
    if (group === undefined) return undefined;
    const seen = { device: args.device, target: args.target, name: args.name };
    return { id, inputs: seen, state: { ...seen, groupName: group.name, groupId: group.id } };
  },
  async delete(call, _id, olds) {
    const scope: Scope = { bedId: call.context.bedId, target: olds.target };
    const group = withMark(call.context.bedId, olds.name);
    await deleteAfterRemains(
      () => call.context.array(olds.device).hosts.removeGroup(call, scope, olds.name),
      () =>
        unmapRemains(call, olds.device, (map) => map.target === olds.target && map.group === group),
    );
  },
});
