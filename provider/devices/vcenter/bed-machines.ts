import { DeviceError } from "../../../bed/errors";
import type { BedId } from "../../../bed/identities";
import { bedOfComment, bedOfName } from "../../../bed/mark";
import type { DeviceCall } from "../call";
import { BedTree, nameOf, tryEach } from "./bed-tree";
import type { VimClient } from "./client";
import { awaitMakingTasks, neverStarted } from "./machine-history";
import { destroyMachine } from "./machines";
import type { ObjectProperties } from "./properties";
import { readAll } from "./properties";

const types = {
  Folder: ["name", "parent"],
  VirtualMachine: ["name", "parent", "config.annotation", "config.template", "runtime.powerState"],
};

/**
 * Destroys the bed's machines, in all folders that carry its mark or in one of them. A machine is the
 * bed's when it lies in such a folder and carries our annotation, or when it lies directly in it, has
 * a name that the bed planned, and was never started: a clone that was cut off before it got its annotation (until then it has the
 * template's). An annotation alone says nothing: a clone that somebody makes of our machine has it too.
 * Clones that still run are waited for: nobody else would remove what they make.
 * @returns names of those destroyed, and of those in the folders that are not the bed's.
 */
export async function removeBedMachines(
  client: VimClient,
  call: DeviceCall,
  bedId: BedId,
  planned: readonly string[],
  folder?: string,
): Promise<{ readonly removed: readonly string[]; readonly foreign: readonly string[] }> {
  await awaitMakingTasks(client, call);
  const { rootFolder } = await client.content(call);
  const attempt = { operation: "look for machines of bed", object: bedId };
  const tree = new BedTree(await readAll(client, call, attempt, rootFolder, types), bedId);
  const isPlace = (item: ObjectProperties): boolean =>
    tree.isMarked(item) && (folder === undefined || nameOf(item) === folder);
  const removed: string[] = [];
  const foreign: string[] = [];
  const inside = tree.ofType("VirtualMachine").filter((vm) => tree.ancestors(vm).some(isPlace));
  await tryEach(inside, async (vm) => {
    const name = nameOf(vm);
    const parent = tree.parent(vm);
    const annotated = bedOfComment(vm.values.get("config.annotation")?.text) === bedId;
    const unfinished =
      !annotated &&
      planned.includes(name) &&
      parent !== undefined &&
      isPlace(parent) &&
      isIdle(vm) &&
      (await neverStarted(client, call, vm.ref, name));
    if (!annotated && !unfinished) {
      foreign.push(name);
      return;
    }
    await destroyMachine(client, call, vm.ref, { name, shutdownSeconds: 0, force: true });
    removed.push(name);
  });
  return { removed: removed.sort(), foreign: foreign.sort() };
}

function isIdle({ values }: ObjectProperties): boolean {
  return (
    values.get("runtime.powerState")?.text === "poweredOff" &&
    values.get("config.template")?.text === "false"
  );
}

/**
 * {@link removeBedMachines} for one folder by its name, before it is removed.
 * @throws {DeviceError} `refused`, naming them, when machines of others lie in it.
 */
export async function clearMachineFolder(
  client: VimClient,
  call: DeviceCall,
  bedId: BedId,
  planned: readonly string[],
  folder: string,
): Promise<readonly string[]> {
  const attempt = { operation: "clear folder", object: folder };
  if (bedOfName(folder) !== bedId) {
    throw new DeviceError({
      kind: "refused",
      device: client.device,
      ...attempt,
      reason: "its name does not carry the bed's mark",
    });
  }
  const { removed, foreign } = await removeBedMachines(client, call, bedId, planned, folder);
  if (foreign.length === 0) return removed;
  throw new DeviceError({
    kind: "refused",
    device: client.device,
    ...attempt,
    reason: `machines lie in it that are not the bed's: ${foreign.join(", ")}`,
    remedy: "Move them elsewhere, then run again.",
  });
}
