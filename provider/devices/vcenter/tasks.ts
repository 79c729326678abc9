import type { DeviceCall } from "../call";
import type { VimClient } from "./client";
import type { Attempt } from "./faults";
import { faultError, readFault } from "./faults";
import { readOne } from "./properties";
import { watch } from "./updates";
import type { MoRef, VimValue } from "./values";
import { refOf } from "./values";
import type { XmlElement } from "../xml";

/**
 * Calls a `..._Task` method and waits until the task has ended.
 * @returns the task's result, if it has one.
 * @throws {DeviceError} for the task's own fault. On abort the task is cancelled, as far as the
 * vCenter lets it; what it has already done stays.
 */
export async function runTask(
  client: VimClient,
  call: DeviceCall,
  attempt: Attempt,
  method: string,
  self: MoRef,
  args: Readonly<Record<string, VimValue>>,
): Promise<XmlElement | undefined> {
  const task = await startTask(client, call, attempt, method, self, args);
  return waitForTask(client, call, attempt, task);
}

/** Starts a task without waiting for it. */
export async function startTask(
  client: VimClient,
  call: DeviceCall,
  attempt: Attempt,
  method: string,
  self: MoRef,
  args: Readonly<Record<string, VimValue>>,
): Promise<MoRef> {
  const answer = await client.invoke(call, attempt, method, self, args);
  const task = refOf(answer.find("returnval"));
  if (task === undefined) throw client.protocolError(attempt, `${method} gave no task`);
  return task;
}

/** Waits for a task that was started earlier; see {@link runTask}. */
export async function waitForTask(
  client: VimClient,
  call: DeviceCall,
  attempt: Attempt,
  task: MoRef,
): Promise<XmlElement | undefined> {
  try {
    await watch(client, call, attempt, { refs: [task], paths: ["info.state"] }, (seen) => {
      const state = seen.get(task.value)?.get("info.state")?.text;
      return state === "success" || state === "error" ? state : undefined;
    });
  } catch (error) {
    if (call.signal.aborted) await client.invokeQuietly("CancelTask", task);
    throw error;
  }
  // State, error and result may reach a watcher in separate updates; one read has them together.
  const info = (await readOne(client, call, attempt, task, ["info"])).get("info");
  if (info?.string("state") === "success") return info.find("result");
  const message = info?.string("error.localizedMessage");
  throw faultError(client.device, attempt, readFault(message, info?.find("error.fault")));
}
