import { z } from "zod";
import { readOne } from "../../../provider/devices/vcenter/properties";
import type { MoRef, VimValue } from "../../../provider/devices/vcenter/values";
import { object, refOf } from "../../../provider/devices/vcenter/values";
import type { ResourceCall } from "../../../provider/kit/handler";
import { resource } from "../../../provider/kit/handler";
import { memberId, splitId } from "./cluster-groups";
import { changeCluster, clusterMembers, findMachine, machineByUuid } from "./cluster-members";
import type { VsphereContext } from "./context";

const inputs = z.object({
  computeClusterId: z.string(),
  virtualMachineId: z.string().describe("Uuid of the machine."),
  drsEnabled: z.boolean().default(false),
  drsAutomationLevel: z
    .string()
    .default("manual")
    .describe("`manual`, `partiallyAutomated` or `fullyAutomated`."),
});

/** How the cluster's placement treats one machine, against the cluster's own setting. */
export const drsVmOverride = resource<VsphereContext, typeof inputs, typeof inputs>({
  token: "vsphere:index/drsVmOverride:DrsVmOverride",
  description: "Placement setting of one machine.",
  inputs,
  state: inputs,
  replaceOn: ["computeClusterId", "virtualMachineId"],
  deleteBeforeReplace: false,
  async create(call, args) {
    const { client } = call.context;
    const key = await machineByUuid(client, call, args.virtualMachineId);
    await change(call, args, { operation: "add", info: override(key, args) });
    return { id: memberId(args.computeClusterId, key.value), state: args };
  },
  async read(call, id, olds) {
    const { client } = call.context;
    const [computeClusterId, moid] = splitId(id);
    const members = await clusterMembers(client, call, computeClusterId, "drsVmConfig");
    const found = members?.find((member) => refOf(member.find("key"))?.value === moid);
    const key = refOf(found?.find("key"));
    if (found === undefined || key === undefined) return undefined;
    const live = {
      computeClusterId,
      virtualMachineId: olds?.virtualMachineId ?? (await uuidOf(call, key)),
      drsEnabled: found.boolean("enabled") ?? false,
      drsAutomationLevel: found.string("behavior") ?? "manual",
    };
    return { id, inputs: live, state: live };
  },
  async update(call, _id, _olds, news) {
    const key = await machineByUuid(call.context.client, call, news.virtualMachineId);
    await change(call, news, { operation: "edit", info: override(key, news) });
    return news;
  },
  async delete(call, _id, olds) {
    const { client } = call.context;
    const key = await findMachine(client, call, olds.virtualMachineId);
    const members = await clusterMembers(client, call, olds.computeClusterId, "drsVmConfig");
    const known = members?.some((m) => refOf(m.find("key"))?.value === key?.value) ?? false;
    // A machine that is gone has taken its override along.
    if (key === undefined || !known) return;
    await change(call, olds, { operation: "remove", key });
  },
});

type Call = Pick<ResourceCall<VsphereContext>, "context" | "signal">;

async function change(
  call: Call,
  args: z.infer<typeof inputs>,
  edit: Parameters<typeof changeCluster>[2]["edit"],
): Promise<void> {
  const what = { clusterId: args.computeClusterId, name: args.virtualMachineId, edit };
  await changeCluster(call.context.client, call, { ...what, list: "drsVmConfig" });
}

function override(key: MoRef, args: z.infer<typeof inputs>): VimValue {
  return object("ClusterDrsVmConfigInfo", {
    key,
    enabled: args.drsEnabled,
    behavior: args.drsAutomationLevel,
  });
}

async function uuidOf(call: Call, machine: MoRef): Promise<string> {
  const attempt = { operation: "read the uuid of machine", object: machine.value };
  const values = await readOne(call.context.client, call, attempt, machine, ["config.uuid"]);
  return values.get("config.uuid")?.text ?? "";
}
