import { z } from "zod";
import { DeviceError } from "../../bed/errors";
import { withMark } from "../../bed/mark";
import {
  isPoolBuilder,
  type BlockArray,
  type PoolBuilder,
  type Scope,
} from "../devices/block-array";
import { resource, type ResourceCall } from "../kit/handler";
import type { BedContext } from "./context";

const inputs = z.object({
  device: z.string().describe("Name of the array in the bed."),
  name: z.string().min(1).describe("Name of the pool; the mark is added where it is missing."),
  controller: z.string().min(1).describe("Controller that owns it."),
  driveCount: z.int().min(1).describe("Number of drives."),
  raid: z.string().min(1).describe("RAID kind in the array's own word, for instance `raid_dp`."),
});

const state = inputs.extend({
  poolName: z
    .string()
    .describe("Name on the array, with the mark: what volumes name as their pool."),
  sizeBytes: z.string().describe("Usable size in bytes."),
});

type Inputs = z.infer<typeof inputs>;

/** A pool of drives of ours, on arrays that let a client make one. */
export const pool = resource<BedContext, typeof inputs, typeof state>({
  token: "sanbed:array:Pool",
  description: "Pool of drives, on arrays that let a client make one. Else use `getPool`.",
  inputs,
  state,
  replaceOn: ["device", "name", "controller", "driveCount", "raid"],
  deleteBeforeReplace: true,
  async create(call, args) {
    const id = `${args.device}/${args.name}`;
    const builder = builderOf(call, args);
    const poolName = withMark(call.context.bedId, args.name);
    const onWrite = (): void => {
      call.began(id, { ...args, poolName, sizeBytes: "0" });
    };
    const made = await builder.ensurePool({ ...call, onWrite }, scopeOf(call), args);
    return {
      id,
      state: { ...args, poolName: made.name, sizeBytes: made.sizeBytes.toString() },
    };
  },
  async read(call, id, recorded) {
    const [device = "", name = ""] = id.split("/");
    // Drives and RAID kind of an imported pool are not told by every array: they stay to be given.
    const known = recorded ?? {
      device,
      name,
      poolName: withMark(call.context.bedId, name),
      controller: "",
      driveCount: 1,
      raid: "",
    };
    const pools = await call.context.array(known.device).pools(call);
    const found = pools.find((one) => one.name === known.poolName);
    // A pool of somebody else is looked up with getPool and never becomes ours.
    if (found?.bedId !== call.context.bedId) return undefined;
    const args: Inputs = {
      device: known.device,
      name: known.name,
      controller: found.controller ?? known.controller,
      driveCount: known.driveCount,
      raid: known.raid,
    };
    const outputs = { poolName: found.name, sizeBytes: found.sizeBytes.toString() };
    return { id, inputs: args, state: { ...args, ...outputs } };
  },
  async delete(call, _id, olds) {
    await builderOf(call, olds).removePool(call, scopeOf(call), olds.poolName);
  },
});

function builderOf(call: ResourceCall<BedContext>, args: Inputs): BlockArray & PoolBuilder {
  const array = call.context.array(args.device);
  if (isPoolBuilder(array)) return array;
  throw new DeviceError({
    kind: "unsupported",
    device: args.device,
    operation: "create pool",
    object: args.name,
    reason: "this array lets no client make pools",
    remedy: "Make it on the array and look it up with getPool.",
  });
}

function scopeOf(call: ResourceCall<BedContext>): Scope {
  return { bedId: call.context.bedId, target: "" };
}
