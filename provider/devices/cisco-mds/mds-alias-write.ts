import { isDeviceError, type DeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../call";
import type { CliLine } from "./cli-line";
import type { MdsTools } from "./mds-locks";

/**
 * Changes the device aliases and commits them. Waits for a commit that is still under way, also one of ours.
 * Answers what the switch refused; nothing of it is pending then.
 */
export async function changeAliases(
  call: DeviceCall,
  { zoning, clock, patience }: MdsTools,
  list: readonly CliLine[],
  distributed: boolean,
): Promise<DeviceError | undefined> {
  if (list.length === 0) return undefined;
  const until = clock.now() + patience.lockWaitMs;
  for (;;) {
    const { refused, began } = await zoning.writeAliases(call, list, distributed);
    if (refused === undefined) return undefined;
    if (began && distributed) await tidyUp(() => zoning.discardAliases(cleanUp()));
    if (refused.kind !== "busy" || clock.now() >= until) return refused;
    await clock.sleep(patience.busyMs, call.signal);
  }
}

/** The reason to tidy up is told, not that it failed: what stays pending is known again by its names. */
export async function tidyUp(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isDeviceError(error)) throw error;
  }
}

/** Tidying up works without the caller's signal, which may be the reason for it. */
export function cleanUp(): DeviceCall {
  return { signal: AbortSignal.timeout(60_000) };
}
