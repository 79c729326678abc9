import { z } from "zod";
import { parseDeviceName } from "../../bed/identities";
import { resource } from "../kit/handler";
import type { BedContext } from "./context";
import { deviceNameSchema } from "./host-block-devices";

const inputs = z.object({
  device: z.string().describe("The vCenter, by its name in the bed."),
  group: z.string().describe("The volume group whose datastores it stands before."),
  devices: z.record(z.string(), deviceNameSchema).describe("Devices of the group by stable key."),
});

/**
 * Does nothing on create. Created after the block devices of a volume group and the folder of its
 * datastores, before the datastores, it is deleted when all datastores that the stack knows of are
 * gone: then it removes what still lies on the group's devices and on nothing else, a datastore that
 * never reached the state (a killed engine or plugin). One with machines on it, or one that reaches
 * further, is refused by name.
 */
export const datastoreGuard = resource<BedContext, typeof inputs, typeof inputs>({
  token: "sanbed:host:DatastoreGuard",
  description: "After the datastores: what still lies on the bed's devices alone is removed.",
  inputs,
  state: inputs,
  // Other devices replace the datastores by themselves; the guard only learns of them.
  replaceOn: [],
  deleteBeforeReplace: true,
  create: (_call, args) => Promise.resolve({ id: `${args.device}/${args.group}`, state: args }),
  update: (_call, _id, _olds, news) => Promise.resolve(news),
  async delete(call, _id, olds) {
    const devices = Object.values(olds.devices).flatMap((text) => parseDeviceName(text) ?? []);
    const removed = await call.context.hosts(olds.device).remains.datastores(call, devices);
    for (const name of removed)
      call.log("info", `removed datastore ${name}, which was in no state`);
  },
});
