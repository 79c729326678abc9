import { z } from "zod";
import { isDeviceError } from "../../bed/errors";
import { bedOfName, withMark } from "../../bed/mark";
import type { HostGroupInfo, Scope } from "../devices/block-array";
import { resource, type ResourceCall } from "../kit/handler";
import { hostsOf, protocolSchema } from "./array-protocol";
import { deleteAfterRemains, unmapRemains } from "./array-remains";
import type { BedContext } from "./context";
import { readHostGroup } from "./shared-read";

const inputs = z.object({
  device: z.string().describe("Name of the array in the bed."),
  target: z.string().min(1).describe("Storage tenant."),
  protocol: protocolSchema,
  name: z.string().min(1).describe("Name of the group; the mark is added where it is missing."),
});

const state = inputs.extend({
  groupName: z.string().describe("Name on the array, with the mark."),
  groupId: z.string().describe("The array's own id of the group."),
  subsystemNqn: z.string().optional().describe("NVMe: the NQN under which hosts find the group."),
});

/** A group of hosts that volumes are mapped to: an igroup, a cluster, an affinity group, a subsystem. */
export const hostGroup = resource<BedContext, typeof inputs, typeof state>({
  token: "sanbed:array:HostGroup",
  description: "Group of hosts on an array, which volumes are mapped to.",
  inputs,
  state,
  replaceOn: ["device", "target", "name", "protocol"],
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
    const hosts = hostsOf(call.context.array(args.device), args.protocol);
    const group = await hosts.ensureGroup({ ...call, onWrite }, scope, args.name);
    return { id, state: { ...args, ...outputsOf(group) } };
  },
  async read(call, id, recorded) {
    const [device = "", target = "", name = ""] = id.split("/");
    const args = recorded ?? (await imported(call, { device, target, name }));
    const { protocol } = args;
    const where = { device: args.device, target: args.target, group: args.name, protocol };
    const group = await readHostGroup(call, where);
    if (group === undefined) return undefined;
    const seen = {
      device: args.device,
      target: args.target,
      name: args.name,
      ...(protocol === undefined ? {} : { protocol }),
    };
    return { id, inputs: seen, state: { ...seen, ...outputsOf(group) } };
  },
  async delete(call, _id, olds) {
    const scope: Scope = { bedId: call.context.bedId, target: olds.target };
    const group = withMark(call.context.bedId, olds.name);
    await deleteAfterRemains(
      () =>
        hostsOf(call.context.array(olds.device), olds.protocol).removeGroup(call, scope, olds.name),
      () =>
        unmapRemains(
          call,
          olds.device,
          (map) =>
            map.protocol === (olds.protocol ?? "fcp") &&
            map.target === olds.target &&
            map.group === group,
        ),
    );
  },
});

function outputsOf(group: HostGroupInfo) {
  const { name: groupName, id: groupId, subsystemNqn } = group;
  return { groupName, groupId, ...(subsystemNqn === undefined ? {} : { subsystemNqn }) };
}

type Inputs = z.infer<typeof inputs>;

/** An import id does not say on which side the group is: NVMe when only there is one of this name. */
async function imported(call: ResourceCall<BedContext>, args: Inputs): Promise<Inputs> {
  const array = call.context.array(args.device);
  const scope: Scope = { bedId: call.context.bedId, target: args.target };
  if (array.nvme === undefined || (await array.hosts.get(call, scope, args.name)) !== undefined)
    return args;
  try {
    const subsystem = await array.nvme.hosts.get(call, scope, args.name);
    return subsystem === undefined ? args : { ...args, protocol: "nvme-fc" };
  } catch (error) {
    if (isDeviceError(error, "unsupported")) return args;
    throw error;
  }
}
