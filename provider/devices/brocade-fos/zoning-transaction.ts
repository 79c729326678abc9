import { DeviceError, isDeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../call";
import type { Clock } from "../clock";
import type { ZoningChange, ZoningState, ZoningTransaction } from "../fabric-switch";
import { clientName, isSessionLost, type FosPatience } from "./fos-session";
import { lockedError, type FosZoning } from "./fos-zoning";
import type { FosDatabase } from "./zoning-database";
import { isCarriedOut, lostZones, type ZoningEdit } from "../zoning-edit";
import { editOrRefusal } from "../zoning-refusal";

export type ZoningPlan = (state: ZoningState) => ZoningChange;

interface Staged {
  readonly before: ZoningState;
  readonly change: ZoningChange;
  readonly edit: ZoningEdit;
}

/** How a commit went, judged by what the switch shows afterwards. */
type Outcome = "done" | "staged anew" | "nothing left to do";

/**
 * One transaction on one switch. FOS binds it to the REST session and accepts the commit only with the
 * checksum that was read before the first edit (YANG brocade-zone, effective-configuration).
 */
export class FosTransaction implements ZoningTransaction {
  readonly #zoning: FosZoning;
  readonly #plan: ZoningPlan;
  readonly #clock: Clock;
  readonly #patience: FosPatience;
  readonly #finish: () => void;
  #staged: Staged;
  #open = true;
  /** What is staged is ours for certain: no commit of it may have been carried out unseen. */
  #certain = true;

  private constructor(
    tools: { zoning: FosZoning; clock: Clock; patience: FosPatience; finish: () => void },
    plan: ZoningPlan,
    staged: Staged,
  ) {
    this.#zoning = tools.zoning;
    this.#clock = tools.clock;
    this.#patience = tools.patience;
    this.#finish = tools.finish;
    this.#plan = plan;
    this.#staged = staged;
  }

  /** Opens a transaction with the planned change in it; undefined when nothing is to be changed. */
  static async open(
    call: DeviceCall,
    tools: { zoning: FosZoning; clock: Clock; patience: FosPatience; finish: () => void },
    plan: ZoningPlan,
  ): Promise<FosTransaction | undefined> {
    try {
      const staged = await stagePatiently(call, tools, plan);
      if (staged !== undefined) return new FosTransaction(tools, plan, staged);
    } catch (error) {
      tools.finish();
      throw error;
    }
    tools.finish();
    return undefined;
  }

  get before(): ZoningState {
    return this.#staged.before;
  }

  async commit(call: DeviceCall): Promise<ZoningState> {
    try {
      for (let attempt = 0; attempt < 5; attempt++) {
        let outcome = await this.#tryCommit(call);
        if (outcome === "done") {
          const proven = await this.#verified(call);
          if (proven !== undefined) return proven;
          outcome = await this.#stageAnew(call);
        }
        if (outcome === "nothing left to do") return (await this.#zoning.database(call)).state;
      }
      throw this.#error(
        "others changed the database or dropped the change at every attempt",
        "busy",
      );
    } catch (error) {
      await this.abort();
      throw error;
    } finally {
      this.#close();
    }
  }

  async abort(_call?: DeviceCall): Promise<void> {
    if (!this.#open) return;
    await dropStaged(this.#zoning, this.#certain);
    this.#close();
  }

  #close(): void {
    this.#open = false;
    this.#finish();
  }

  async #tryCommit(call: DeviceCall): Promise<Outcome> {
    const { edit, before, change } = this.#staged;
    this.#certain = false;
    try {
      await this.#zoning.commit(call, edit.enable, before.version);
      return "done";
    } catch (error) {
      if (call.signal.aborted) throw error;
      const after = await this.#zoning.database(call);
      // The answer was lost on the way, the work was not.
      if (isCommitted(after, before, change)) return "done";
      const noAnswer = isDeviceError(error, "unreachable", "timeout");
      const moved = after.state.version !== before.version;
      const refused = !noAnswer && !isSessionLost(error);
      // "Not the owner" is a refusal too, but then the open transaction is another's.
      this.#certain = refused && !isDeviceError(error, "locked");
      if (refused && !moved) throw error;
      if (noAnswer && !moved && after.transactionToken !== 0) return "staged anew";
      return await this.#stageAnew(call);
    }
  }

  async #stageAnew(call: DeviceCall): Promise<Outcome> {
    await dropStaged(this.#zoning, this.#certain);
    const tools = { zoning: this.#zoning, clock: this.#clock, patience: this.#patience };
    const staged = await stagePatiently(call, tools, this.#plan);
    if (staged === undefined) return "nothing left to do";
    this.#staged = staged;
    this.#certain = true;
    return "staged anew";
  }

  /**
   * Fresh reads until the change shows; a switch has answered yes and forgotten (brocade/ansible #114).
   * Undefined: nothing was committed, the staged change had been dropped before (cfgTransAbort by
   * somebody, an expired transaction).
   */
  async #verified(call: DeviceCall): Promise<ZoningState | undefined> {
    const { before, change, edit } = this.#staged;
    const until = this.#clock.now() + this.#patience.verifyMs;
    let repeated = false;
    for (let look = 0; ; look++) {
      const { state, transactionToken } = await this.#zoning.database(call);
      if (isCommitted({ state, transactionToken }, before, change)) {
        const lost = lostZones(before, state, change);
        if (lost.length === 0) return state;
        throw this.#error(`it answered success, but ${lost.join(", ")} left the effective set too`);
      }
      if (this.#clock.now() >= until) {
        throw this.#error("it answered success, but fresh reads do not show the change");
      }
      const unmoved = state.version === before.version;
      if (transactionToken === 0 && unmoved && look >= 2) return undefined;
      if (transactionToken !== 0 && unmoved && !repeated) {
        repeated = true;
        await this.#zoning.commit(call, edit.enable, before.version);
      } else {
        call.status?.(`${this.#zoning.device}: waiting for the zone configuration to take effect`);
        await this.#clock.sleep(this.#patience.pollMs, call.signal);
      }
    }
  }

  #error(reason: string, kind: "protocol" | "busy" = "protocol"): DeviceError {
    return new DeviceError({
      kind,
      device: this.#zoning.device,
      operation: "enable the zone configuration",
      object: this.#staged.edit.enable,
      reason,
      remedy: "Compare cfgshow and cfgactvshow on the switch, then run again.",
    });
  }
}

/** A staged view may look finished to its owner; a closed transaction or a new checksum does not lie. */
function isCommitted(
  now: Pick<FosDatabase, "state" | "transactionToken">,
  before: ZoningState,
  change: ZoningChange,
): boolean {
  const closed = now.transactionToken === 0 || now.state.version !== before.version;
  return closed && isCarriedOut(now.state, change);
}

/**
 * Stages on a base that nobody else is editing. Waits for another's transaction, begins anew when an
 * answer or the session was lost on the way, and leaves nothing staged behind when it fails.
 */
async function stagePatiently(
  call: DeviceCall,
  tools: { zoning: FosZoning; clock: Clock; patience: FosPatience },
  plan: ZoningPlan,
): Promise<Staged | undefined> {
  const { zoning, clock, patience } = tools;
  const until = clock.now() + patience.lockWaitMs;
  for (let losses = 0; ;) {
    const base = await freeBase(call, tools, until);
    const change = plan(base.state);
    const edit = checkedEdit(zoning.device, base, change);
    if (edit === undefined) return undefined;
    const failure = await tryStage(call, zoning, edit);
    if (failure === undefined) return { before: base.state, change, edit };
    if (failure.why === "locked") {
      if (clock.now() >= until) throw lockedError(zoning.device, await zoning.lock(call), 0);
      await clock.sleep(patience.pollMs, call.signal);
    } else if (failure.why === "refused" || call.signal.aborted || ++losses > 3) {
      throw failure.error;
    }
  }
}

/** Undefined: everything is staged. Else nothing of ours is, and `why` tells whether to try again. */
async function tryStage(
  call: DeviceCall,
  zoning: FosZoning,
  edit: ZoningEdit,
): Promise<{ readonly why: "locked" | "lost" | "refused"; readonly error: unknown } | undefined> {
  const progress = { opened: false };
  try {
    await zoning.stage(call, edit, () => {
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
 * The database as soon as no transaction is open; `locked` with the holder's name when time is up. A
 * transaction that a killed process of ours left behind is waited for until the switch drops it.
 */
async function freeBase(
  call: DeviceCall,
  tools: { zoning: FosZoning; clock: Clock; patience: FosPatience },
  until: number,
): Promise<FosDatabase> {
  const { zoning, clock, patience } = tools;
  let patientUntil = until;
  for (let look = 0; ; look++) {
    const [base, lock] = await Promise.all([zoning.database(call), zoning.lock(call)]);
    if (base.transactionToken === 0 && lock === undefined) return base;
    if (look === 0 && lock?.["client-application-name"] === clientName) {
      const leftMs = ((lock["remaining-time"] ?? 0) + 5) * 1000;
      patientUntil = Math.max(until, clock.now() + leftMs);
    }
    const locked = lockedError(zoning.device, lock, base.transactionToken);
    if (clock.now() >= patientUntil) throw locked;
    call.status?.(`${locked.message} Waiting.`);
    await clock.sleep(patience.pollMs, call.signal);
  }
}

function checkedEdit(
  device: string,
  base: FosDatabase,
  change: ZoningChange,
): ZoningEdit | undefined {
  const edit = editOrRefusal(device, base.state, change);
  if (edit === undefined) return undefined;
  const needed = estimatedBytes(edit);
  if (base.availableBytes !== undefined && needed > base.availableBytes) {
    throw new DeviceError({
      kind: "refused",
      device,
      operation: "change the zoning in",
      object: edit.enable,
      reason: `the zoning database has ${base.availableBytes.toString()} bytes left`,
      expected: `about ${needed.toString()} bytes`,
      remedy: "Remove aliases and zones that nobody uses.",
    });
  }
  return edit;
}

/** Names and members as text with separators: what the database keeps, roughly. */
function estimatedBytes(edit: ZoningEdit): number {
  return [...edit.createAliases, ...edit.createZones]
    .map(([name, members]) => name.length + 8 + members.join(";").length)
    .reduce((sum, bytes) => sum + bytes, 0);
}

/**
 * Drops what our session has staged. Works without the caller's signal, which may be the reason why.
 * Where it is not certain that the open transaction is ours, the session is ended: that drops ours and
 * can never drop another's, which an abort may.
 */
async function dropStaged(zoning: FosZoning, certain: boolean): Promise<void> {
  if (zoning.session.token === undefined) return;
  try {
    if (certain) await zoning.abort({ signal: AbortSignal.timeout(30_000) });
    else await zoning.session.logout();
  } catch {
    await zoning.session.logout();
  }
}
