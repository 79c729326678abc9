import { DeviceError } from "../../../bed/errors";
import { bedOfName } from "../../../bed/mark";
import type { DeviceCall } from "../call";
import type { Clock } from "../clock";
import type { ZoningChange } from "../fabric-switch";
import type { MdsEdit } from "./mds-commands";
import type { MdsDatabase } from "./mds-database";
import type { MdsZoning } from "./mds-zoning";
import { nxosError } from "./nxos-errors";
import { holdsOnly, isOfBeds, pendingAliases, pendingObjects, type Ours } from "./pending-diff";

/** How patient the driver is. Times in milliseconds. */
export interface MdsPatience {
  /** For another administrator's session to end. */
  readonly lockWaitMs: number;
  /** For a commit or an activation to end and to show in fresh reads. */
  readonly verifyMs: number;
  /** Between two looks while one of the above lasts. */
  readonly pollMs: number;
  /** After the switch was too busy, or the fabric not settled. */
  readonly busyMs: number;
}

/** What a transaction works with. */
export interface MdsTools {
  readonly zoning: MdsZoning;
  readonly clock: Clock;
  readonly patience: MdsPatience;
}

/** Who stands in the way of this edit: the zoning session's holder, or that of the device aliases. */
export function holderOf(database: MdsDatabase, edit: MdsEdit): string | undefined {
  const zoning = edit.zoning.length > 0 || edit.activate !== undefined;
  const aliases = edit.aliasesFirst.length + edit.aliasesAnew.length + edit.aliasesLast.length > 0;
  const { session } = database.status;
  if (zoning && session !== undefined) return `the zoning session is held by ${session}`;
  const { holder } = database.aliasStatus;
  return aliases && holder !== undefined ? `the device aliases are locked by ${holder}` : undefined;
}

export function lockedError(device: string, holder: string): DeviceError {
  const refusal = { code: "400", text: `the fabric is locked: ${holder}`, input: "" };
  return nxosError({ device, operation: "change the zoning" }, refusal);
}

/**
 * The database once the zone server has ended what it is at: until then reads may be of before it or of
 * after, and it refuses to discard.
 */
export async function settledDatabase(call: DeviceCall, tools: MdsTools): Promise<MdsDatabase> {
  const { zoning, clock, patience } = tools;
  const until = clock.now() + patience.verifyMs;
  for (;;) {
    const database = await zoning.database(call);
    const { working, operation } = database.status;
    if (!working) return database;
    if (clock.now() >= until) {
      throw new DeviceError({
        kind: "busy",
        device: zoning.device,
        operation: "change the zoning",
        reason: `the zone server does not come to an end: ${operation}`,
      });
    }
    call.status?.(`${zoning.device}: ${operation}`);
    await clock.sleep(patience.pollMs, call.signal);
  }
}

/** What this change may take for its own in a session: what it names, and what carries its bed's mark. */
export function oursIn(
  change: ZoningChange,
  edit: MdsEdit | undefined,
  beds: readonly string[] = [],
): Ours {
  const aliases = [...change.upsertAliases.keys(), ...change.removeAliases];
  return {
    touched: edit?.touched ?? new Set(),
    beds: new Set([...beds, ...aliases.flatMap((name) => bedOfName(name) ?? [])]),
  };
}

/**
 * Drops what a killed process of ours left pending: sessions that hold nothing but what is ours. Answers
 * whether it dropped anything. What anybody else has pending, even beside ours, stays.
 */
export async function dropLeftovers(
  call: DeviceCall,
  zoning: MdsZoning,
  database: MdsDatabase,
  ours: Ours,
): Promise<boolean> {
  let dropped = false;
  if (database.status.session !== undefined) {
    const pending = await zoning.pending(call);
    if (pending !== undefined && holdsOnly(pendingObjects(pending), ours)) {
      await zoning.discard(call);
      dropped = true;
    }
  }
  if (database.aliasStatus.holder !== undefined && (await holdsOurAliases(call, zoning, ours))) {
    await zoning.discardAliases(call);
    dropped = true;
  }
  return dropped;
}

async function holdsOurAliases(call: DeviceCall, zoning: MdsZoning, ours: Ours): Promise<boolean> {
  const text = await zoning.pendingAliases(call);
  const pending = text === undefined ? [] : pendingAliases(text);
  return pending.length > 0 && pending.every((name) => isOfBeds(name, ours.beds));
}

/** Waits as long as patience allows; then the holder is named. */
export async function waitForHolder(
  call: DeviceCall,
  tools: MdsTools,
  holder: string,
  until: number,
): Promise<void> {
  const error = lockedError(tools.zoning.device, holder);
  if (tools.clock.now() >= until) throw error;
  call.status?.(`${error.message} Waiting.`);
  await tools.clock.sleep(tools.patience.pollMs, call.signal);
}
