import { z } from "zod";
import { SanbedError } from "../../bed/errors";
import { parseDeviceName, type DeviceName } from "../../bed/identities";
import { tellsStorageUse } from "../devices/storage-use";
import { readTeardownFacts } from "../devices/teardown-facts";
import {
  obstacleError,
  teardownObstacles,
  type TeardownFacts,
} from "../devices/teardown-obstacles";
import { isArraySurveyor } from "../devices/array-survey";
import type { ResourceCall } from "../kit/handler";
import { resource } from "../kit/handler";
import type { BedContext } from "./context";
import { deviceNameSchema, replaceWithGroup } from "./host-block-devices";
import { plannedMachines } from "./ledger";

const inputs = z.object({
  device: z.string().describe("The vCenter, by its name in the bed."),
  group: z.string().describe("The volume group that it stands before."),
  hosts: z.array(z.string()).describe("Hosts that the devices are presented to."),
  devices: z.record(z.string(), deviceNameSchema).describe("Devices of the group by stable key."),
  map: z
    .string()
    .optional()
    .describe("Id of the volume map: with another map all that lies on the devices is made anew."),
});

/**
 * Does nothing on create. Created last, after the machines on a volume group's datastores, it is deleted
 * first: then it looks for everything that would be lost with the datastores or keep them from going
 * (machines, templates and files of others, what the hypervisor keeps there, hosts that do not answer)
 * and refuses all of it at once, while nothing has been changed.
 */
export const teardownGate = resource<BedContext, typeof inputs, typeof inputs>({
  token: "sanbed:host:TeardownGate",
  description:
    "Before anything is taken down: refuses while somebody else uses the group's datastores or devices.",
  inputs,
  state: inputs,
  replaceOn: ["device", "group", "map"],
  replaceOnUnknown: ["devices"],
  deleteBeforeReplace: true,
  // Devices that leave take datastores along: that is a teardown, too.
  diff: (changes, olds) => changes.map((change) => replaceWithGroup(change, olds)),
  create: (_call, args) => Promise.resolve({ id: `${args.device}/${args.group}`, state: args }),
  update: (_call, _id, _olds, news) => Promise.resolve(news),
  async delete(call, _id, olds) {
    const storage = call.context.hosts(olds.device);
    const devices = Object.values(olds.devices).flatMap((text) => parseDeviceName(text) ?? []);
    if (devices.length === 0) return;
    if (!tellsStorageUse(storage)) {
      throw new SanbedError("unsupported", `${olds.device} does not tell who uses a datastore`);
    }
    call.status("looking who else uses the datastores");
    const [facts, copies] = await Promise.all([
      readTeardownFacts(storage, call, devices),
      readCopies(call, devices),
    ]);
    const { bedId, folder } = call.context;
    const scope = { bedId, planned: plannedMachines(folder), devices, hosts: olds.hosts };
    const obstacles = teardownObstacles(scope, { ...facts, copies });
    if (obstacles.length === 0) return;
    throw obstacleError(olds.device, "take down volume group", olds.group, obstacles);
  },
});

/** What others hung on the volumes behind the devices; beds make neither snapshots nor clones. */
async function readCopies(
  call: ResourceCall<BedContext>,
  devices: readonly DeviceName[],
): Promise<NonNullable<TeardownFacts["copies"]>> {
  const found = await Promise.all(
    [...call.context.arrays].map(async ([name, array]) => {
      if (!isArraySurveyor(array)) return [];
      const { volumes } = await array.survey(call);
      const ours = volumes.filter(({ units }) => units.some((u) => devices.includes(u.device)));
      if (ours.length === 0) return [];
      const copies = await array.copies(call, ours);
      return copies.map((copy) => ({ array: name, ...copy }));
    }),
  );
  return found.flat();
}
