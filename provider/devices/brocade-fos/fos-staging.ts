import { isDeviceError, type DeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../call";
import type { Clock } from "../clock";
import type { ZoningChange, ZoningState } from "../fabric-switch";
import type { ZoningEdit } from "../zoning-edit";
import { sleepOrTell } from "../wait";
import { editOrRefusal } from "../zoning-refusal";
import { clientName } from "./fos-http";
import type { FosPatience } from "./fos-patience";
import { isSessionLost } from "./fos-session";
import { refuseOversize } from "./fos-size";
import { lockedError, type FosZoning } from "./fos-zoning";
import type { WireLock } from "./wire";
import type { FosDatabase } from "./zoning-database";

export type ZoningPlan = (state: ZoningState) => ZoningChange;

export interface StagingTools {
  readonly zoning: FosZoning;
  readonly clock: Clock;
  readonly patience: FosPatience;
}

/** A change that is staged, with the base that it was planned on. */
export interface Staged {
  readonly before: ZoningState;
  readonly change: ZoningChange;
  readonly edit: ZoningEdit;
}

/**
 * Objects in one request. 2,000 members in one have been lost without an error (brocade/pyfos issue 17), so
 * a commit that turns out to have lost some is repeated with few.
 */
export const manyPerRequest = 500;
export const fewPerRequest = 100;

/**
 * Stages on a base that nobody else is editing. Waits for another's transaction only where there is
 * something to change, begins anew when an answer or the session was lost on the way, and leaves nothing
 * staged behind when it fails. Undefined: there is nothing to change.
 */
export async function stagePatiently(
  call: DeviceCall,
  tools: StagingTools,
  plan: ZoningPlan,
  perRequest: number,
): Promise<Staged | undefined> {
  const { zoning } = tools;
  const queue = new LockQueue(tools);
  for (let losses = 0; ;) {
    const base = await queue.telling(call, zoning.database(call));
    const planned = planOn(zoning.device, base, plan);
    if (planned === undefined) return undefined;
    const lock = await queue.telling(call, zoning.lock(call));
    if (base.transactionToken !== 0 || lock !== undefined) {
      await queue.wait(call, lock, base.transactionToken);
      continue;
    }
    queue.free();
    if ("refusal" in planned) throw planned.refusal;
    const failure = await tryStage(call, zoning, planned.edit, perRequest);
    if (failure === undefined) return { before: base.state, ...planned };
    if (failure.why === "locked")
      await queue.wait(call, await queue.telling(call, zoning.lock(call)), 0);
    else if (failure.why === "refused" || call.signal.aborted || ++losses > 3) throw failure.error;
  }
}

/**
 * What is to be done on this base; undefined for nothing. A refusal counts only where nobody is editing:
 * what is in the way may be what he has pending.
 */
function planOn(
  device: string,
  base: FosDatabase,
  plan: ZoningPlan,
): Omit<Staged, "before"> | { readonly refusal: Error } | undefined {
  try {
    const change = plan(base.state);
    const edit = editOrRefusal(device, base.state, change);
    if (edit === undefined) return undefined;
    refuseOversize(device, base, edit);
    return { change, edit };
  } catch (error) {
    if (base.transactionToken === 0 || !isDeviceError(error, "refused")) throw error;
    return { refusal: error };
  }
}

/** Waits for the transaction of another to end, until time is up: then its holder is named. */
class LockQueue {
  readonly #tools: StagingTools;
  readonly #began: number;
  #until: number;
  #looks = 0;
  /** What was last in the way. */
  #inTheWay: (() => DeviceError) | undefined;

  constructor(tools: StagingTools) {
    this.#tools = tools;
    this.#began = tools.clock.now();
    this.#until = this.#began + tools.patience.lockWaitMs;
  }

  async wait(call: DeviceCall, lock: WireLock | undefined, token: number): Promise<void> {
    const { zoning, clock, patience } = this.#tools;
    // One that a killed process of ours left behind: the switch itself drops it when its time is up.
    if (this.#looks++ === 0 && lock?.["client-application-name"] === clientName) {
      const leftMs = ((lock["remaining-time"] ?? 0) + 5) * 1000;
      this.#until = Math.max(this.#until, clock.now() + leftMs);
    }
    const locked = (): DeviceError =>
      lockedError(zoning.device, lock, token, clock.now() - this.#began);
    this.#inTheWay = locked;
    const leftMs = this.#until - clock.now();
    if (leftMs <= 0) throw locked();
    call.status?.(`${locked().message} Waiting.`);
    await sleepOrTell(clock, Math.min(patience.pollMs, leftMs), call.signal, locked);
  }

  /** Nobody is in the way any more. */
  free(): void {
    this.#inTheWay = undefined;
  }

  /** The operation's own time may be up in the middle of a look: then too the holder is named. */
  async telling<T>(call: DeviceCall, look: Promise<T>): Promise<T> {
    try {
      return await look;
    } catch (error) {
      const late = call.signal.aborted && isDeviceError(error, "timeout");
      throw late && this.#inTheWay !== undefined ? this.#inTheWay() : error;
    }
  }
}

/** Undefined: everything is staged. Else nothing of ours is, and `why` tells whether to try again. */
async function tryStage(
  call: DeviceCall,
  zoning: FosZoning,
  edit: ZoningEdit,
  perRequest: number,
): Promise<{ readonly why: "locked" | "lost" | "refused"; readonly error: unknown } | undefined> {
  const progress = { opened: false };
  try {
    await zoning.stage(call, edit, perRequest, () => {
      progress.opened = true;
    });
    return undefined;
  } catch (error) {
    // With the session its transaction is gone too.
    if (isSessionLost(error)) return { why: "lost", error };
    const noAnswer = isDeviceError(error, "unreachable", "timeout", "aborted");
    const locked = isDeviceError(error, "locked");
    // Another's transaction is never dropped: nothing is done unless a write of ours was accepted, and
    // "not the owner" after that says that ours is gone and the open one is somebody else's.
    const certain = progress.opened && !noAnswer && !locked;
    if (progress.opened || noAnswer) await dropStaged(zoning, certain);
    if (locked) return { why: "locked", error };
    return { why: noAnswer ? "lost" : "refused", error };
  }
}

/**
 * Drops what our session has staged. Works without the caller's signal, which may be the reason why.
 * Where it is not certain that the open transaction is ours, the session is ended: that drops ours and
 * can never drop another's, which an abort may.
 */
export async function dropStaged(zoning: FosZoning, certain: boolean): Promise<void> {
  if (zoning.session.token === undefined) return;
  try {
    if (certain) await zoning.abort({ signal: AbortSignal.timeout(30_000) });
    else await zoning.session.logout();
  } catch {
    await zoning.session.logout();
  }
}
