import { z } from "zod";
import { isFault } from "../../../provider/devices/vcenter/faults";
import { readOne } from "../../../provider/devices/vcenter/properties";
import { runTask } from "../../../provider/devices/vcenter/tasks";
import type { VimValue } from "../../../provider/devices/vcenter/values";
import { object, ref, refOf } from "../../../provider/devices/vcenter/values";
import type { XmlElement } from "../../../provider/devices/xml";
import { resource } from "../../../provider/kit/handler";
import { given } from "./cluster-groups";
import type { VsphereContext } from "./context";
import { autoName } from "./names";

const inputs = z.object({
  parentResourcePoolId: z.string(),
  name: z.string().optional(),
  cpuShareLevel: z.string().default("normal"),
  cpuShares: z.int().optional(),
  cpuReservation: z.int().default(0).describe("MHz."),
  cpuExpandable: z.boolean().default(true),
  cpuLimit: z.int().default(-1).describe("MHz; -1 is none."),
  memoryShareLevel: z.string().default("normal"),
  memoryShares: z.int().optional(),
  memoryReservation: z.int().default(0).describe("MB."),
  memoryExpandable: z.boolean().default(true),
  memoryLimit: z.int().default(-1).describe("MB; -1 is none."),
});

type Inputs = z.infer<typeof inputs>;

export const resourcePool = resource<VsphereContext, typeof inputs, typeof inputs>({
  token: "vsphere:index/resourcePool:ResourcePool",
  description: "A resource pool.",
  inputs,
  state: inputs,
  replaceOn: ["parentResourcePoolId"],
  deleteBeforeReplace: false,
  async create(call, args) {
    const { client } = call.context;
    const name = autoName(args.name, call.name);
    const parent = ref("ResourcePool", args.parentResourcePoolId);
    const attempt = { operation: "create resource pool", object: name };
    const answer = await client.invoke(call, attempt, "CreateResourcePool", parent, {
      name,
      spec: configSpec(args),
    });
    const id = refOf(answer.find("returnval"))?.value;
    if (id === undefined) throw client.protocolError(attempt, "no pool was made");
    return { id, state: { ...args, name } };
  },
  async read(call, id, olds, recorded) {
    const attempt = { operation: "read resource pool", object: id };
    const paths = ["name", "parent", "config"];
    try {
      const { client } = call.context;
      const values = await readOne(client, call, attempt, ref("ResourcePool", id), paths);
      const config = values.get("config");
      const state: Inputs = {
        parentResourcePoolId: refOf(values.get("parent"))?.value ?? "",
        name: values.get("name")?.text,
        ...allocation("cpu", config?.find("cpuAllocation"), olds?.cpuShares),
        ...allocation("memory", config?.find("memoryAllocation"), olds?.memoryShares),
      };
      return { id, inputs: { ...state, name: given(state.name ?? "", olds, recorded) }, state };
    } catch (error) {
      if (isFault(error, "ManagedObjectNotFound")) return undefined;
      throw error;
    }
  },
  async update(call, id, olds, news) {
    const name = news.name ?? olds.name ?? "";
    const attempt = { operation: "change resource pool", object: name };
    await call.context.client.invoke(call, attempt, "UpdateConfig", ref("ResourcePool", id), {
      name,
      config: configSpec(news),
    });
    return { ...news, name };
  },
  async delete(call, id, olds) {
    const attempt = { operation: "remove resource pool", object: olds.name };
    const self = ref("ResourcePool", id);
    try {
      await runTask(call.context.client, call, attempt, "Destroy_Task", self, {});
    } catch (error) {
      if (!isFault(error, "ManagedObjectNotFound")) throw error;
    }
  },
});

function configSpec(args: Inputs): VimValue {
  return object("ResourceConfigSpec", {
    cpuAllocation: allocationSpec(
      args.cpuReservation,
      args.cpuExpandable,
      args.cpuLimit,
      args.cpuShareLevel,
      args.cpuShares,
    ),
    memoryAllocation: allocationSpec(
      args.memoryReservation,
      args.memoryExpandable,
      args.memoryLimit,
      args.memoryShareLevel,
      args.memoryShares,
    ),
  });
}

function allocationSpec(
  reservation: number,
  expandableReservation: boolean,
  limit: number,
  level: string,
  shares: number | undefined,
): VimValue {
  return object("ResourceAllocationInfo", {
    reservation,
    expandableReservation,
    limit,
    shares: object("SharesInfo", { shares: shares ?? 0, level }),
  });
}

/** Shares are only a setting of their own at the level `custom`. */
function allocation<Prefix extends "cpu" | "memory">(
  prefix: Prefix,
  info: XmlElement | undefined,
  recordedShares: number | undefined,
) {
  const level = info?.string("shares.level") ?? "normal";
  const shares = level === "custom" ? info?.number("shares.shares") : recordedShares;
  return {
    [`${prefix}ShareLevel`]: level,
    [`${prefix}Shares`]: shares,
    [`${prefix}Reservation`]: info?.number("reservation") ?? 0,
    [`${prefix}Expandable`]: info?.boolean("expandableReservation") ?? true,
    [`${prefix}Limit`]: info?.number("limit") ?? -1,
  } as Pick<
    Inputs,
    | `${Prefix}ShareLevel`
    | `${Prefix}Shares`
    | `${Prefix}Reservation`
    | `${Prefix}Expandable`
    | `${Prefix}Limit`
  >;
}
