import { z } from "zod";
import type { ResourceCall } from "../../../provider/kit/handler";
import { resource } from "../../../provider/kit/handler";
import type { VimValue } from "../../../provider/devices/vcenter/values";
import { object, refOf } from "../../../provider/devices/vcenter/values";
import type { XmlElement } from "../../../provider/devices/xml";
import { given, memberId, splitId } from "./cluster-groups";
import {
  changeCluster,
  clusterMember,
  clusterMembers,
  machinesByUuid,
  uuidsOf,
} from "./cluster-members";
import type { VsphereContext } from "./context";
import { autoName } from "./names";

type Call = Pick<ResourceCall<VsphereContext>, "context" | "signal">;

const common = {
  computeClusterId: z.string(),
  name: z.string().optional(),
  enabled: z.boolean().default(true),
  mandatory: z.boolean().default(false),
};

const hostRuleInputs = z.object({
  ...common,
  vmGroupName: z.string(),
  affinityHostGroupName: z.string().optional(),
  antiAffinityHostGroupName: z.string().optional(),
});

type HostRule = z.infer<typeof hostRuleInputs>;

/** Ties a group of machines to a group of hosts, or keeps it off one. */
export const computeClusterVmHostRule = resource<
  VsphereContext,
  typeof hostRuleInputs,
  typeof hostRuleInputs
>({
  token: "vsphere:index/computeClusterVmHostRule:ComputeClusterVmHostRule",
  description: "A rule between a group of machines and a group of hosts.",
  inputs: hostRuleInputs,
  state: hostRuleInputs,
  replaceOn: ["computeClusterId"],
  deleteBeforeReplace: false,
  async create(call, args) {
    const name = autoName(args.name, call.name);
    const key = await addRule(call, args.computeClusterId, name, hostRule(name, args));
    return { id: memberId(args.computeClusterId, key), state: { ...args, name } };
  },
  async read(call, id, olds, recorded) {
    const found = await ruleById(call, id);
    if (found === undefined) return undefined;
    const state = {
      ...commonOf(found, id),
      vmGroupName: found.string("vmGroupName") ?? "",
      affinityHostGroupName: found.string("affineHostGroupName"),
      antiAffinityHostGroupName: found.string("antiAffineHostGroupName"),
    };
    return { id, inputs: { ...state, name: given(state.name, olds, recorded) }, state };
  },
  async update(call, id, olds, news) {
    const name = news.name ?? olds.name ?? "";
    await editRule(call, id, name, hostRule(name, news, Number(splitId(id)[1])));
    return { ...news, name };
  },
  delete: (call, id, olds) => removeRule(call, id, olds.name),
});

function hostRule(name: string, args: HostRule, key?: number): VimValue {
  return object("ClusterVmHostRuleInfo", {
    key,
    enabled: args.enabled,
    name,
    mandatory: args.mandatory,
    userCreated: true,
    vmGroupName: args.vmGroupName,
    affineHostGroupName: args.affinityHostGroupName,
    antiAffineHostGroupName: args.antiAffinityHostGroupName,
  });
}

const antiAffinityInputs = z.object({
  ...common,
  virtualMachineIds: z.array(z.string()).describe("Uuids of machines."),
});

/** Keeps machines on different hosts. */
export const computeClusterVmAntiAffinityRule = resource<
  VsphereContext,
  typeof antiAffinityInputs,
  typeof antiAffinityInputs
>({
  token: "vsphere:index/computeClusterVmAntiAffinityRule:ComputeClusterVmAntiAffinityRule",
  description: "A rule that keeps machines on different hosts.",
  inputs: antiAffinityInputs,
  state: antiAffinityInputs,
  replaceOn: ["computeClusterId"],
  deleteBeforeReplace: false,
  async create(call, args) {
    const name = autoName(args.name, call.name);
    const info = await antiAffinityRule(call, name, args);
    const key = await addRule(call, args.computeClusterId, name, info);
    return { id: memberId(args.computeClusterId, key), state: { ...args, name } };
  },
  async read(call, id, olds, recorded) {
    const found = await ruleById(call, id);
    if (found === undefined) return undefined;
    const machines = found
      .all("vm")
      .map(refOf)
      .filter((vm) => vm !== undefined);
    const order = olds?.virtualMachineIds ?? [];
    const virtualMachineIds = await uuidsOf(call.context.client, call, machines, order);
    const state = { ...commonOf(found, id), virtualMachineIds };
    return { id, inputs: { ...state, name: given(state.name, olds, recorded) }, state };
  },
  async update(call, id, olds, news) {
    const name = news.name ?? olds.name ?? "";
    const info = await antiAffinityRule(call, name, news, Number(splitId(id)[1]));
    await editRule(call, id, name, info);
    return { ...news, name };
  },
  delete: (call, id, olds) => removeRule(call, id, olds.name),
});

async function antiAffinityRule(
  call: Call,
  name: string,
  args: z.infer<typeof antiAffinityInputs>,
  key?: number,
): Promise<VimValue> {
  return object("ClusterAntiAffinityRuleSpec", {
    key,
    enabled: args.enabled,
    name,
    mandatory: args.mandatory,
    userCreated: true,
    vm: await machinesByUuid(call.context.client, call, args.virtualMachineIds),
  });
}

/** Adds a rule; the vCenter gives it a key, which is its identity from then on. */
async function addRule(
  call: Call,
  clusterId: string,
  name: string,
  info: VimValue,
): Promise<number> {
  const { client } = call.context;
  const edit = { operation: "add", info } as const;
  await changeCluster(client, call, { clusterId, list: "rule", name, edit });
  const key = (await clusterMember(client, call, clusterId, "rule", name))?.number("key");
  if (key !== undefined) return key;
  throw client.protocolError({ operation: "add rule", object: name }, "the rule has no key");
}

async function editRule(call: Call, id: string, name: string, info: VimValue): Promise<void> {
  const edit = { operation: "edit", info } as const;
  const [clusterId] = splitId(id);
  await changeCluster(call.context.client, call, { clusterId, list: "rule", name, edit });
}

async function removeRule(call: Call, id: string, name: string | undefined): Promise<void> {
  const found = await ruleById(call, id);
  if (found === undefined) return;
  const [clusterId, key] = splitId(id);
  const edit = { operation: "remove", key: Number(key) } as const;
  const what = { clusterId, list: "rule", name: name ?? key, edit } as const;
  await changeCluster(call.context.client, call, what);
}

async function ruleById(call: Call, id: string): Promise<XmlElement | undefined> {
  const [clusterId, key] = splitId(id);
  const rules = await clusterMembers(call.context.client, call, clusterId, "rule");
  return rules?.find((rule) => rule.string("key") === key);
}

function commonOf(rule: XmlElement, id: string) {
  return {
    computeClusterId: splitId(id)[0],
    name: rule.string("name") ?? "",
    enabled: rule.boolean("enabled") ?? true,
    mandatory: rule.boolean("mandatory") ?? false,
  };
}
