import { z } from "zod";
import { ConfigError } from "../../bed/errors";
import type { BedId } from "../../bed/identities";
import { bedOfName, markName } from "../../bed/mark";
import { resource } from "../kit/handler";
import type { BedContext } from "./context";

const inputs = z.object({
  device: z.string().describe("The vCenter, by its name in the bed."),
  folder: z.string().describe("Folder of the bed's machines; its own name carries the mark."),
});

/**
 * Does nothing on create. Created after a folder of machines and before the machines, it is deleted
 * when all machines that the stack knows of are gone: then it destroys those that the bed began to
 * make and never heard of again (a killed engine or plugin), which would keep the folder from going.
 * Others' machines in the folder are refused by name. Nothing of it replaces it, and machines take its
 * id as a reason to be replaced: it is never deleted while they stay.
 */
export const machineGuard = resource<BedContext, typeof inputs, typeof inputs>({
  token: "sanbed:host:MachineGuard",
  description:
    "After the machines: those that the bed began to make and does not know are destroyed.",
  inputs,
  state: inputs,
  replaceOn: [],
  deleteBeforeReplace: true,
  async create(call, args) {
    refuseUnmarked(call.context.bedId, args.folder);
    return Promise.resolve({ id: `${args.device}/${args.folder}`, state: args });
  },
  update(call, _id, _olds, news) {
    refuseUnmarked(call.context.bedId, news.folder);
    return Promise.resolve(news);
  },
  async delete(call, _id, olds) {
    const { bedId } = call.context;
    const { remains } = call.context.hosts(olds.device);
    const removed = await remains.machines(call, bedId, ownName(olds.folder));
    for (const name of removed) call.log("info", `destroyed ${name}, which was in no state`);
  },
});

/** A folder's path may be given: `a/b` is the folder `b`. */
function ownName(folder: string): string {
  return folder.split("/").findLast((part) => part !== "") ?? "";
}

function refuseUnmarked(bedId: BedId, folder: string): void {
  if (bedOfName(ownName(folder)) === bedId) return;
  const message = `"${folder}" does not carry the bed's mark`;
  const remedy = `name it ${markName(bedId, "machines")}, for instance`;
  throw new ConfigError([{ path: "folder", message, remedy }]);
}
