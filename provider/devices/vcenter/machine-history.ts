import type { DeviceCall } from "../call";
import type { VimClient } from "./client";
import { isFault } from "./faults";
import { readOne, readProperties } from "./properties";
import { watch } from "./updates";
import type { MoRef } from "./values";
import { object, refsOf } from "./values";

/** Events that say how a machine came to be; the last one when it was deployed from a template. */
const made = ["VmCreatedEvent", "VmClonedEvent", "VmDeployedEvent"];
const started = ["VmStartingEvent", "VmPoweredOnEvent", "DrsVmPoweredOnEvent", "VmResumingEvent"];

/**
 * True when the vCenter's events hold how the machine was made and no start of it. Without the first
 * the second proves nothing: events are kept for a time only (30 days by default), and a machine that
 * was registered has a life before them.
 */
export async function neverStarted(
  client: VimClient,
  call: DeviceCall,
  vm: MoRef,
  name: string,
): Promise<boolean> {
  const { eventManager } = await client.content(call);
  if (eventManager === undefined) return false;
  const attempt = { operation: "read the history of machine", object: name };
  const answer = await client.invoke(call, attempt, "QueryEvents", eventManager, {
    filter: object("EventFilterSpec", {
      entity: object("EventFilterSpecByEntity", { entity: vm, recursion: "self" }),
      eventTypeId: [...made, ...started],
    }),
  });
  const seen = answer.all("returnval").map((event) => event.type ?? "");
  return seen.some((type) => made.includes(type)) && !seen.some((type) => started.includes(type));
}

/** TaskInfo.descriptionId of the tasks that make machines. */
const making = /^(?:VirtualMachine\.clone|Folder\.createVm)/i;

/**
 * Waits until the tasks that make machines and run now have ended, whoever began them: the caller of
 * a clone may have been killed, its task goes on. Later ones are not waited for.
 */
export async function awaitMakingTasks(client: VimClient, call: DeviceCall): Promise<void> {
  const attempt = { operation: "wait for machines that are being made" };
  const { taskManager } = await client.content(call);
  if (taskManager === undefined) return;
  const recent = refsOf(
    (await readOne(client, call, attempt, taskManager, ["recentTask"])).get("recentTask"),
  );
  for (let left = await running(client, call, recent); left.length > 0;) {
    call.status?.(`waiting for ${left.length.toString()} machines that are being made`);
    try {
      const what = { refs: left, paths: ["info.state"] };
      await watch(client, call, attempt, what, (seen) =>
        [...seen.values()].some((values) => hasEnded(values.get("info.state")?.text))
          ? true
          : undefined,
      );
    } catch (error) {
      // A task that ended long ago leaves the list.
      if (!isFault(error, "ManagedObjectNotFound")) throw error;
    }
    left = await running(client, call, left);
  }
}

async function running(
  client: VimClient,
  call: DeviceCall,
  tasks: readonly MoRef[],
): Promise<readonly MoRef[]> {
  const attempt = { operation: "read the tasks that run" };
  const found = await readProperties(client, call, attempt, tasks, ["info"]);
  return found
    .filter(({ values }) => making.test(values.get("info")?.string("descriptionId") ?? ""))
    .filter(({ values }) => !hasEnded(values.get("info")?.string("state")))
    .map((task) => task.ref);
}

function hasEnded(state: string | undefined): boolean {
  return state === "success" || state === "error";
}
