import { DeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../../../provider/devices/call";
import type { VimClient } from "../../../provider/devices/vcenter/client";
import type { Attempt } from "../../../provider/devices/vcenter/faults";
import { destroyMachine, powerOn } from "../../../provider/devices/vcenter/machines";
import { readOne } from "../../../provider/devices/vcenter/properties";
import { runTask, startTask, waitForTask } from "../../../provider/devices/vcenter/tasks";
import type { MoRef, VimValue } from "../../../provider/devices/vcenter/values";
import { object, ref, refOf } from "../../../provider/devices/vcenter/values";
import { machineByUuid } from "./cluster-members";
import { folderBeside } from "./folder";
import { customizationWaiter, customize } from "./vm-customize";
import { readDevices } from "./vm-devices";
import type { LiveMachine } from "./vm-live";
import { readMachine } from "./vm-live";
import type { VmInputs } from "./vm-schema";
import { changeSpec, createSpec } from "./vm-spec";

/** How long an undo may take after the call itself was told to stop. */
const rollbackMs = 60_000;

/**
 * Makes the machine and starts it. What fails on the way is undone: the machine is destroyed again,
 * as the official provider does, also when the call is aborted. Only where that fails too is the
 * caller told of the machine (`kept`), so that it stays in the stack.
 */
export async function createMachine(
  client: VimClient,
  call: DeviceCall,
  name: string,
  args: VmInputs,
  kept: (machine: LiveMachine) => void,
): Promise<LiveMachine> {
  const pool = ref("ResourcePool", args.resourcePoolId);
  const folder = await folderBeside(client, call, pool, "vm", args.folder ?? "");
  const vm =
    args.clone === undefined
      ? await createFromScratch(client, call, folder, name, args)
      : await cloneTemplate(client, call, folder, name, args, args.clone);
  try {
    await finish(client, call, vm, name, args);
    return await readMachine(client, call, vm);
  } catch (error) {
    const undo = { signal: AbortSignal.timeout(rollbackMs) };
    try {
      await destroyMachine(client, undo, vm, { name, shutdownSeconds: 0, force: true });
    } catch (second) {
      const left = { signal: AbortSignal.timeout(rollbackMs) };
      const live = await readMachine(client, left, vm).catch(() => undefined);
      if (live !== undefined) kept(live);
      throw leftBehind(client, name, error, second);
    }
    throw error;
  }
}

async function createFromScratch(
  client: VimClient,
  call: DeviceCall,
  folder: MoRef,
  name: string,
  args: VmInputs,
): Promise<MoRef> {
  const attempt = { operation: "create machine", object: name };
  return make(client, call, attempt, "CreateVM_Task", folder, {
    config: await createSpec(client, call, name, args),
    pool: ref("ResourcePool", args.resourcePoolId),
    host: args.hostSystemId === undefined ? undefined : ref("HostSystem", args.hostSystemId),
  });
}

async function cloneTemplate(
  client: VimClient,
  call: DeviceCall,
  folder: MoRef,
  name: string,
  args: VmInputs,
  clone: NonNullable<VmInputs["clone"]>,
): Promise<MoRef> {
  const attempt = { operation: "clone machine", object: name };
  const template = await machineByUuid(client, call, clone.templateUuid);
  const limit = AbortSignal.timeout(clone.timeout * 60_000);
  const limited = { ...call, signal: AbortSignal.any([call.signal, limit]) };
  const linked = clone.linkedClone === true;
  const spec = object("VirtualMachineCloneSpec", {
    location: object("VirtualMachineRelocateSpec", {
      datastore: args.datastoreId === undefined ? undefined : ref("Datastore", args.datastoreId),
      diskMoveType: linked ? "createNewChildDiskBacking" : undefined,
      pool: ref("ResourcePool", args.resourcePoolId),
      host: args.hostSystemId === undefined ? undefined : ref("HostSystem", args.hostSystemId),
      disk: await diskLocators(client, call, template, args),
    }),
    template: false,
    powerOn: false,
    snapshot: linked ? await currentSnapshot(client, call, template) : undefined,
  });
  return make(client, limited, attempt, "CloneVM_Task", template, { folder, name, spec });
}

/**
 * Runs a task that makes a machine. However the wait for it ends, aborted, out of time or with the
 * connection lost, the task may still end well: what it made then goes again, since nobody would know
 * of it.
 */
async function make(
  client: VimClient,
  call: DeviceCall,
  attempt: Attempt,
  method: string,
  self: MoRef,
  args: Readonly<Record<string, VimValue>>,
): Promise<MoRef> {
  const task = await startTask(client, call, attempt, method, self, args);
  try {
    const vm = refOf(await waitForTask(client, call, attempt, task));
    if (vm === undefined) throw client.protocolError(attempt, "the task gave no machine");
    return vm;
  } catch (error) {
    const undo = { signal: AbortSignal.timeout(rollbackMs) };
    // The fault of a task that failed is told at once, and there is nothing to undo.
    const vm = refOf(await waitForTask(client, undo, attempt, task).catch(() => undefined));
    const name = attempt.object ?? "";
    if (vm !== undefined) {
      await destroyMachine(client, undo, vm, { name, shutdownSeconds: 0, force: true });
    }
    throw error;
  }
}

/** Where the template's disks go when the program puts them elsewhere than the machine. */
async function diskLocators(
  client: VimClient,
  call: DeviceCall,
  template: MoRef,
  args: VmInputs,
): Promise<readonly VimValue[]> {
  const attempt = { operation: "read the disks of template", object: template.value };
  const path = "config.hardware.device";
  const values = await readOne(client, call, attempt, template, [path]);
  const { disks } = readDevices(values.get(path));
  return disks.flatMap((live) => {
    const wanted = args.disks?.find((disk) => disk.unitNumber === live.unitNumber);
    if (wanted?.datastoreId === undefined || wanted.datastoreId === args.datastoreId) return [];
    const datastore = ref("Datastore", wanted.datastoreId);
    return [object("VirtualMachineRelocateSpecDiskLocator", { diskId: live.key, datastore })];
  });
}

async function currentSnapshot(
  client: VimClient,
  call: DeviceCall,
  template: MoRef,
): Promise<MoRef | undefined> {
  const attempt = { operation: "find the snapshot of template", object: template.value };
  const path = "snapshot.currentSnapshot";
  return refOf((await readOne(client, call, attempt, template, [path])).get(path));
}

/** From the bare machine to one that runs: hardware as wanted, customized, started. */
async function finish(
  client: VimClient,
  call: DeviceCall,
  vm: MoRef,
  name: string,
  args: VmInputs,
): Promise<void> {
  const attempt = { operation: "configure machine", object: name };
  const live = await readMachine(client, call, vm);
  const { spec } = await changeSpec(client, call, live, name, args);
  if (spec !== undefined) await runTask(client, call, attempt, "ReconfigVM_Task", vm, { spec });
  const wanted = args.clone?.customize;
  const waitForEvent =
    wanted === undefined
      ? undefined
      : await customizationWaiter(client, call, vm, name, wanted.timeout);
  if (wanted !== undefined) await customize(client, call, vm, name, wanted);
  await powerOn(client, call, vm, { name, timeoutSeconds: args.poweronTimeout });
  await waitForEvent?.(call);
}

function leftBehind(client: VimClient, name: string, error: unknown, second: unknown): DeviceError {
  const text = (e: unknown): string => (e instanceof Error ? e.message : String(e));
  return new DeviceError({
    kind: error instanceof DeviceError ? error.kind : "protocol",
    device: client.device,
    operation: "make machine",
    object: name,
    reason: `${text(error)} It could not be destroyed again: ${text(second)}`,
    remedy: "Destroy it by hand, then run again.",
    cause: error,
  });
}
