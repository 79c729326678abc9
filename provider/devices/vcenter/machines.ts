import type { DeviceCall } from "../call";
import type { VimClient } from "./client";
import { isFault } from "./faults";
import { readOne } from "./properties";
import { runTask } from "./tasks";
import { watch } from "./updates";
import type { MoRef } from "./values";

export interface PowerOffOptions {
  readonly name: string;
  /** How long the guest may take to shut down in order; 0 switches it off at once. */
  readonly shutdownSeconds: number;
  /** Switch off hard when the guest does not shut down in time. */
  readonly force: boolean;
}

/** Brings a machine down: in order where its tools run, else hard. Off already is done. */
export async function powerOff(
  client: VimClient,
  call: DeviceCall,
  vm: MoRef,
  options: PowerOffOptions,
): Promise<void> {
  const attempt = { operation: "power off machine", object: options.name };
  const values = await readOne(client, call, attempt, vm, [
    "runtime.powerState",
    "guest.toolsRunningStatus",
  ]);
  if (values.get("runtime.powerState")?.text === "poweredOff") return;
  const tools = values.get("guest.toolsRunningStatus")?.text === "guestToolsRunning";
  if (tools && options.shutdownSeconds > 0 && (await shutDown(client, call, vm, options))) return;
  if (tools && options.shutdownSeconds > 0 && !options.force) {
    throw client.protocolError(
      attempt,
      `the guest did not shut down within ${options.shutdownSeconds.toString()} s`,
    );
  }
  try {
    await runTask(client, call, attempt, "PowerOffVM_Task", vm, {});
  } catch (error) {
    // It went off by itself meanwhile.
    if (!isFault(error, "InvalidPowerState")) throw error;
  }
}

/** Starts a machine; on already is done. */
export async function powerOn(
  client: VimClient,
  call: DeviceCall,
  vm: MoRef,
  options: { readonly name: string; readonly timeoutSeconds: number },
): Promise<void> {
  const attempt = { operation: "power on machine", object: options.name };
  const limit = AbortSignal.timeout(options.timeoutSeconds * 1000);
  const limited = { ...call, signal: AbortSignal.any([call.signal, limit]) };
  try {
    await runTask(client, limited, attempt, "PowerOnVM_Task", vm, {});
  } catch (error) {
    if (!isFault(error, "InvalidPowerState")) throw error;
  }
}

/** Removes a machine with its files. Gone already is done. */
export async function destroyMachine(
  client: VimClient,
  call: DeviceCall,
  vm: MoRef,
  options: PowerOffOptions,
): Promise<void> {
  try {
    await powerOff(client, call, vm, options);
    const attempt = { operation: "destroy machine", object: options.name };
    await runTask(client, call, attempt, "Destroy_Task", vm, {});
  } catch (error) {
    if (!isFault(error, "ManagedObjectNotFound")) throw error;
  }
}

/** Asks the guest to shut down; false when it did not within the time. */
async function shutDown(
  client: VimClient,
  call: DeviceCall,
  vm: MoRef,
  options: PowerOffOptions,
): Promise<boolean> {
  const attempt = { operation: "shut down the guest of machine", object: options.name };
  const limit = AbortSignal.timeout(options.shutdownSeconds * 1000);
  const limited = { ...call, signal: AbortSignal.any([call.signal, limit]) };
  try {
    await client.invoke(limited, attempt, "ShutdownGuest", vm, {});
    const paths = ["runtime.powerState"];
    await watch(client, limited, attempt, { refs: [vm], paths }, (seen) =>
      seen.get(vm.value)?.get("runtime.powerState")?.text === "poweredOff" ? true : undefined,
    );
    return true;
  } catch (error) {
    if (call.signal.aborted || isFault(error, "ManagedObjectNotFound")) throw error;
    // No tools after all, or out of time: the caller goes on the hard way.
    if (limit.aborted || isFault(error, "ToolsUnavailable", "InvalidPowerState", "InvalidState")) {
      return false;
    }
    throw error;
  }
}
