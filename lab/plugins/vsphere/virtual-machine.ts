import { ConfigError, type Problem } from "../../../bed/errors";
import type { DeviceCall } from "../../../provider/devices/call";
import type { VimClient } from "../../../provider/devices/vcenter/client";
import { isFault } from "../../../provider/devices/vcenter/faults";
import { destroyMachine, powerOff, powerOn } from "../../../provider/devices/vcenter/machines";
import { runTask } from "../../../provider/devices/vcenter/tasks";
import { object, ref } from "../../../provider/devices/vcenter/values";
import type { PropertyChange } from "../../../provider/kit/handler";
import { resource } from "../../../provider/kit/handler";
import { findMachine } from "./cluster-members";
import type { VsphereContext } from "./context";
import { folderBeside } from "./folder";
import { autoName } from "./names";
import { attachTags, tagsOf } from "./tagging";
import { createMachine } from "./vm-create";
import type { LiveMachine } from "./vm-live";
import { folderOf, readMachine } from "./vm-live";
import { liveInputs, stateOf } from "./vm-read";
import type { VmInputs, VmState } from "./vm-schema";
import { checkVm, vmInputs, vmState } from "./vm-schema";
import { changeSpec } from "./vm-spec";
import { waitForGuest } from "./vm-wait";

/** A machine, made from nothing or cloned from a template. Its id is its BIOS uuid. */
export const virtualMachine = resource<VsphereContext, typeof vmInputs, typeof vmState>({
  token: "vsphere:index/virtualMachine:VirtualMachine",
  description: "A virtual machine.",
  inputs: vmInputs,
  state: vmState,
  replaceOn: ["replaceTrigger"],
  deleteBeforeReplace: false,
  stables: ["uuid", "moid"],
  check: checkVm,
  diff: (changes) => changes.map(replaceWhenCloned),
  refuse: impossibleDisks,
  async create(call, args) {
    const { client } = call.context;
    const name = autoName(args.name, call.name);
    const keep = (machine: LiveMachine): void => {
      call.began(machine.uuid, stateOf(machine, { ...args, name }));
    };
    const made = await createMachine(client, call, name, args, keep);
    keep(made);
    await attachTags(call, made.ref, [], args.tags ?? []);
    await waitForGuest(client, call, made.ref, name, args);
    const live = await readMachine(client, call, made.ref);
    return { id: live.uuid, state: stateOf(live, { ...args, name }) };
  },
  async read(call, id, _olds, recorded) {
    const { client } = call.context;
    const vm = await findMachine(client, call, id);
    if (vm === undefined) return undefined;
    try {
      const live = await readMachine(client, call, vm);
      const folder = await folderOf(client, call, live);
      const given = recorded === undefined ? undefined : vmInputs.safeParse(recorded).data;
      const tags = given?.tags === undefined ? undefined : await tagsOf(call, vm, given.tags);
      const inputs = { ...liveInputs(live, given, folder), tags };
      return { id, inputs, state: stateOf(live, { ...inputs, name: live.name }) };
    } catch (error) {
      if (isFault(error, "ManagedObjectNotFound")) return undefined;
      throw error;
    }
  },
  async update(call, id, olds, news) {
    const { client } = call.context;
    const vm = await findMachine(client, call, id);
    if (vm === undefined) {
      const message = `the machine of uuid ${id} is gone`;
      throw new ConfigError([
        { path: "", message, remedy: "refresh the stack, then run up again" },
      ]);
    }
    const name = news.name ?? olds.name ?? "";
    await change(client, call, await readMachine(client, call, vm), name, news);
    await attachTags(call, vm, olds.tags ?? [], news.tags ?? []);
    return stateOf(await readMachine(client, call, vm), { ...news, name });
  },
  async delete(call, id, olds) {
    const { client } = call.context;
    const vm = await findMachine(client, call, id);
    if (vm === undefined) return;
    await destroyMachine(client, call, vm, {
      name: olds.name ?? id,
      shutdownSeconds: olds.shutdownWaitTimeout * 60,
      force: olds.forcePowerOff,
    });
  },
});

/** Brings a machine to what is wanted, whatever it was: also after a create that did not end. */
async function change(
  client: VimClient,
  call: DeviceCall,
  live: LiveMachine,
  name: string,
  args: VmInputs,
): Promise<void> {
  const attempt = { operation: "change machine", object: name };
  await place(client, call, live, args);
  const { spec, needsPowerOff } = await changeSpec(client, call, live, name, args);
  const restart = needsPowerOff && spec !== undefined && live.powerState !== "off";
  if (restart) {
    const shutdownSeconds = args.shutdownWaitTimeout * 60;
    await powerOff(client, call, live.ref, { name, shutdownSeconds, force: args.forcePowerOff });
  }
  if (spec !== undefined) {
    await runTask(client, call, attempt, "ReconfigVM_Task", live.ref, { spec });
  }
  if (!restart && live.powerState === "on") return;
  await powerOn(client, call, live.ref, { name, timeoutSeconds: args.poweronTimeout });
  await waitForGuest(client, call, live.ref, name, args);
}

/** Folder, host, pool and datastores: moved where they differ. */
async function place(
  client: VimClient,
  call: DeviceCall,
  live: LiveMachine,
  args: VmInputs,
): Promise<void> {
  const folder = await folderBeside(client, call, live.ref, "vm", args.folder ?? "");
  if (folder.value !== live.parent?.value) {
    const attempt = { operation: "move machine to folder", object: args.folder };
    await runTask(client, call, attempt, "MoveIntoFolder_Task", folder, { list: live.ref });
  }
  const host = args.hostSystemId !== undefined && args.hostSystemId !== live.hostSystemId;
  const pool = args.resourcePoolId !== live.resourcePoolId;
  const disks = live.devices.disks.flatMap((disk) => {
    const wanted = args.disks?.find((d) => d.unitNumber === disk.unitNumber)?.datastoreId;
    return wanted === undefined || wanted === disk.datastoreId
      ? []
      : [{ diskId: disk.key, datastore: ref("Datastore", wanted) }];
  });
  const home = args.datastoreId !== undefined && args.datastoreId !== live.datastoreId;
  if (!host && !pool && !home && disks.length === 0) return;
  const limit = AbortSignal.timeout(args.migrateWaitTimeout * 60_000);
  const limited = { ...call, signal: AbortSignal.any([call.signal, limit]) };
  const attempt = { operation: "migrate machine", object: live.name };
  await runTask(client, limited, attempt, "RelocateVM_Task", live.ref, {
    spec: object("VirtualMachineRelocateSpec", {
      datastore: home ? ref("Datastore", args.datastoreId ?? "") : undefined,
      pool: ref("ResourcePool", args.resourcePoolId),
      host: args.hostSystemId === undefined ? undefined : ref("HostSystem", args.hostSystemId),
      disk: disks.map((fields) => object("VirtualMachineRelocateSpecDiskLocator", fields)),
    }),
    priority: "defaultPriority",
  });
}

/** What a machine was cloned from and made into at its start cannot be changed later. */
function replaceWhenCloned(change: PropertyChange): PropertyChange {
  const inClone = /^clone(?:\.|\[|$)/.test(change.path);
  return inClone && !change.path.endsWith("timeout") ? { ...change, replace: true } : change;
}

/** What a virtual disk cannot become in place; the official provider refuses it too. */
function impossibleDisks(olds: VmState, news: VmInputs): readonly Problem[] {
  return (news.disks ?? []).flatMap((disk, index) => {
    const old = olds.disks?.find((d) => d.unitNumber === disk.unitNumber);
    if (old === undefined) return [];
    const problem = (field: string, message: string) => ({
      path: `disks[${index.toString()}].${field}`,
      message,
      remedy: "replace the disk",
    });
    const shrinks = old.size !== undefined && disk.size !== undefined && disk.size < old.size;
    return [
      ...(shrinks ? [problem("size", "virtual disks cannot be shrunk")] : []),
      ...(old.thinProvisioned === disk.thinProvisioned
        ? []
        : [problem("thinProvisioned", "cannot be changed")]),
      ...(old.eagerlyScrub === disk.eagerlyScrub
        ? []
        : [problem("eagerlyScrub", "cannot be changed")]),
    ];
  });
}
