import { z } from "zod";
import { ConfigError } from "../../bed/errors";
import type { BedId } from "../../bed/identities";
import { bedOfName, markName } from "../../bed/mark";
import { resource } from "../kit/handler";
import type { BedContext } from "./context";
import { noteTouched, plannedMachineClass, plannedMachines } from "./ledger";

const inputs = z.object({
  device: z.string().describe("The vCenter, by its name in the bed."),
  folder: z.string().describe("Folder of the bed's machines; its own name carries the mark."),
  machines: z
    .array(z.string())
    .describe(
      "Names of the machines that are made in it: a machine that was cut off before it got its mark is known by its name.",
    ),
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
    notePlanned(call.context.folder, args);
    return Promise.resolve({ id: `${args.device}/${args.folder}`, state: args });
  },
  update(call, _id, _olds, news) {
    refuseUnmarked(call.context.bedId, news.folder);
    notePlanned(call.context.folder, news);
    return Promise.resolve(news);
  },
  async delete(call, _id, olds) {
    const { bedId, folder } = call.context;
    const { remains } = call.context.hosts(olds.device);
    const planned = [...olds.machines, ...plannedMachines(folder)];
    const removed = await remains.machines(call, bedId, ownName(olds.folder), planned);
    for (const name of removed) call.log("info", `destroyed ${name}, which was in no state`);
  },
});

/** The names go into the ledger: a sweep without a state needs them too. */
function notePlanned(folder: string, { device, machines }: z.infer<typeof inputs>): void {
  noteTouched(
    folder,
    machines.map((name) => ({ device, class: plannedMachineClass, name })),
  );
}

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
