import { SanbedError } from "../../bed/errors";
import type { DeviceCall } from "../devices/call";
import type { MachineFacts } from "../devices/machine-view";
import type { BedContext } from "./context";

/** Where a guest's machine must be while it is measured. */
export interface ExpectedPlace {
  readonly guest: string;
  readonly vmUuid: string;
  readonly host: string;
}

/** Machines that are elsewhere, off or gone, each with what was expected. */
export function placeProblems(
  expected: readonly ExpectedPlace[],
  found: readonly MachineFacts[],
): string[] {
  return expected.flatMap(({ guest, vmUuid, host }) => {
    const machine = found.find((one) => one.uuid === vmUuid);
    if (machine === undefined) return [`${guest}: the vCenter has no machine of uuid ${vmUuid}`];
    if (!machine.poweredOn) return [`${guest}: machine ${machine.name} is not powered on`];
    if (machine.host === host) return [];
    return [`${guest}: machine ${machine.name} runs on ${machine.host}, expected ${host}`];
  });
}

/**
 * Looks where the machines are.
 * @throws {SanbedError} `guest.moved` with every machine that is not where the plan has it.
 */
export async function requirePlaces(
  call: DeviceCall & { readonly context: BedContext },
  device: string | undefined,
  expected: readonly ExpectedPlace[],
): Promise<void> {
  if (device === undefined || expected.length === 0) return;
  const uuids = expected.map(({ vmUuid }) => vmUuid);
  const problems = placeProblems(expected, await call.context.hosts(device).machines(call, uuids));
  if (problems.length === 0) return;
  throw new SanbedError(
    "guest.moved",
    `cannot measure: machines are not where the plan has them:\n- ${problems.join("\n- ")}\n` +
      "A run on other hosts measures another bed. `pulumi refresh`, then `pulumi up` moves them back.",
  );
}
