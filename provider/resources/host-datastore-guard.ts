import { z } from "zod";
import { parseDeviceName } from "../../bed/identities";
import { resource } from "../kit/handler";
import type { BedContext } from "./context";
import { deviceNameSchema, replaceWithGroup } from "./host-block-devices";

const inputs = z.object({
  device: z.string().describe("The vCenter, by its name in the bed."),
  group: z.string().describe("The volume group whose datastores it stands before."),
  devices: z.record(z.string(), deviceNameSchema).describe("Devices of the group by stable key."),
  map: z
    .string()
    .optional()
    .describe("Id of the volume map: with another map all that lies on the devices is made anew."),
});

/**
 * Does nothing on create. Created after the block devices of a volume group and the folder of its
 * datastores, before the datastores, it is deleted when the stack has let go of all of them: then it
 * removes what lies on the group's devices and on nothing else, also a datastore that never reached the
 * state (a killed engine or plugin). The only one that removes datastores: removing one erases whatever
 * lies on it, so it looks first, and refuses, before any is removed, what others have there.
 */
export const datastoreGuard = resource<BedContext, typeof inputs, typeof inputs>({
  token: "sanbed:host:DatastoreGuard",
  description: "Removes the datastores on the bed's devices, once nothing of others lies on them.",
  inputs,
  state: inputs,
  // The datastores are let go of by their own replacement; this removes them.
  replaceOn: ["device", "group", "map"],
  replaceOnUnknown: ["devices"],
  deleteBeforeReplace: true,
  diff: (changes, olds) => changes.map((change) => replaceWithGroup(change, olds)),
  create: (_call, args) => Promise.resolve({ id: `${args.device}/${args.group}`, state: args }),
  update: (_call, _id, _olds, news) => Promise.resolve(news),
  async delete(call, _id, olds) {
    const devices = Object.values(olds.devices).flatMap((text) => parseDeviceName(text) ?? []);
    const removed = await call.context.hosts(olds.device).remains.datastores(call, devices);
    for (const name of removed) call.log("info", `removed datastore ${name}`);
  },
});
