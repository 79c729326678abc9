import { z } from "zod";
import type { VimValue } from "../../../provider/devices/vcenter/values";
import { object, ref, refOf } from "../../../provider/devices/vcenter/values";
import type { XmlElement } from "../../../provider/devices/xml";
import { resource } from "../../../provider/kit/handler";
import { changeCluster, clusterMember, inOrder, machinesByUuid, uuidsOf } from "./cluster-members";
import type { VsphereContext } from "./context";
import { autoName } from "./names";

/** Id of a group or rule: the official provider's, `<cluster>:<name or key>`. */
export function memberId(clusterId: string, key: string | number): string {
  return `${clusterId}:${key.toString()}`;
}

export function splitId(id: string): readonly [string, string] {
  const at = id.indexOf(":");
  return [id.slice(0, at), id.slice(at + 1)];
}

const vmInputs = z.object({
  computeClusterId: z.string(),
  name: z.string().optional(),
  virtualMachineIds: z.array(z.string()).optional().describe("Uuids of machines."),
});

/** Machines of a cluster under one name, for rules. */
export const computeClusterVmGroup = resource<VsphereContext, typeof vmInputs, typeof vmInputs>({
  token: "vsphere:index/computeClusterVmGroup:ComputeClusterVmGroup",
  description: "A group of virtual machines in a cluster.",
  inputs: vmInputs,
  state: vmInputs,
  replaceOn: ["computeClusterId", "name"],
  deleteBeforeReplace: false,
  async create(call, args) {
    const { client } = call.context;
    const name = autoName(args.name, call.name);
    const machines = await machinesByUuid(client, call, args.virtualMachineIds ?? []);
    const clusterId = args.computeClusterId;
    const info = object("ClusterVmGroup", { name, vm: machines });
    const edit = { operation: "add", info } as const;
    await changeCluster(client, call, { clusterId, list: "group", name, edit });
    return { id: memberId(clusterId, name), state: { ...args, name } };
  },
  async read(call, id, olds, recorded) {
    const { client } = call.context;
    const [computeClusterId, name] = splitId(id);
    const found = await clusterMember(client, call, computeClusterId, "group", name);
    if (found === undefined) return undefined;
    const order = olds?.virtualMachineIds ?? [];
    const virtualMachineIds = await uuidsOf(client, call, refs(found, "vm"), order);
    const state = { computeClusterId, name, virtualMachineIds };
    return { id, inputs: { ...state, name: given(name, olds, recorded) }, state };
  },
  async update(call, _id, olds, news) {
    const { client } = call.context;
    const name = olds.name ?? "";
    const machines = await machinesByUuid(client, call, news.virtualMachineIds ?? []);
    const info = object("ClusterVmGroup", { name, vm: machines });
    const edit = { operation: "edit", info } as const;
    const clusterId = olds.computeClusterId;
    await changeCluster(client, call, { clusterId, list: "group", name, edit });
    return { ...news, name };
  },
  delete: (call, _id, olds) => removeGroup(call, olds),
});

const hostInputs = z.object({
  computeClusterId: z.string(),
  hostSystemIds: z.array(z.string()).optional().describe("Ids of hosts."),
  name: z.string().optional(),
});

/** Hosts of a cluster under one name, for rules. */
export const computeClusterHostGroup = resource<
  VsphereContext,
  typeof hostInputs,
  typeof hostInputs
>({
  token: "vsphere:index/computeClusterHostGroup:ComputeClusterHostGroup",
  description: "A group of hosts in a cluster.",
  inputs: hostInputs,
  state: hostInputs,
  replaceOn: ["computeClusterId", "name"],
  deleteBeforeReplace: false,
  async create(call, args) {
    const { client } = call.context;
    const name = autoName(args.name, call.name);
    const clusterId = args.computeClusterId;
    const edit = { operation: "add", info: hostGroup(name, args.hostSystemIds) } as const;
    await changeCluster(client, call, { clusterId, list: "group", name, edit });
    return { id: memberId(clusterId, name), state: { ...args, name } };
  },
  async read(call, id, olds, recorded) {
    const [computeClusterId, name] = splitId(id);
    const found = await clusterMember(call.context.client, call, computeClusterId, "group", name);
    if (found === undefined) return undefined;
    const ids = refs(found, "host").map((host) => host.value);
    const state = {
      computeClusterId,
      name,
      hostSystemIds: inOrder(ids, olds?.hostSystemIds ?? []),
    };
    return { id, inputs: { ...state, name: given(name, olds, recorded) }, state };
  },
  async update(call, _id, olds, news) {
    const name = olds.name ?? "";
    const clusterId = olds.computeClusterId;
    const edit = { operation: "edit", info: hostGroup(name, news.hostSystemIds) } as const;
    await changeCluster(call.context.client, call, { clusterId, list: "group", name, edit });
    return { ...news, name };
  },
  delete: (call, _id, olds) => removeGroup(call, olds),
});

function hostGroup(name: string, hostIds: readonly string[] | undefined): VimValue {
  return object("ClusterHostGroup", {
    name,
    host: (hostIds ?? []).map((id) => ref("HostSystem", id)),
  });
}

async function removeGroup(
  call: Parameters<typeof changeCluster>[1] & { readonly context: VsphereContext },
  olds: { readonly computeClusterId: string; readonly name?: string | undefined },
): Promise<void> {
  const { client } = call.context;
  const name = olds.name ?? "";
  const clusterId = olds.computeClusterId;
  if ((await clusterMember(client, call, clusterId, "group", name)) === undefined) return;
  const edit = { operation: "remove", key: name } as const;
  await changeCluster(client, call, { clusterId, list: "group", name, edit });
}

function refs(element: XmlElement, field: string) {
  return element
    .all(field)
    .map(refOf)
    .filter((found) => found !== undefined);
}

/** The name as an input: only when the program gave one (always on import). */
export function given(
  name: string,
  olds: object | undefined,
  recorded: Readonly<Record<string, unknown>> | undefined,
): string | undefined {
  return olds !== undefined && recorded?.["name"] === undefined ? undefined : name;
}
