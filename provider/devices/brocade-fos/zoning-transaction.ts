import { DeviceError, isDeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../call";
import type { Clock } from "../clock";
import type { ZoningChange, ZoningState, ZoningTransaction } from "../fabric-switch";
import { isCarriedOut, isDefined, lostZones } from "../zoning-edit";
import type { FosPatience } from "./fos-patience";
import { isSessionLost } from "./fos-session";
import {
  dropStaged,
  fewPerRequest,
  manyPerRequest,
  stagePatiently,
  type Staged,
  type StagingTools,
  type ZoningPlan,
} from "./fos-staging";
import type { FosZoning } from "./fos-zoning";
import type { FosDatabase } from "./zoning-database";

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
  #perRequest = manyPerRequest;
  /** What is staged is ours for certain: no commit of it may have been carried out unseen. */
  #certain = true;

  private constructor(
    tools: StagingTools & { readonly finish: () => void },
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
    tools: StagingTools & { readonly finish: () => void },
    plan: ZoningPlan,
  ): Promise<FosTransaction | undefined> {
    try {
      const staged = await stagePatiently(call, tools, plan, manyPerRequest);
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

  get change(): ZoningChange {
    return this.#staged.change;
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
      const after = await this.#zoning.database(call, "proof");
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
    const staged = await stagePatiently(call, tools, this.#plan, this.#perRequest);
    if (staged === undefined) return "nothing left to do";
    this.#staged = staged;
    this.#certain = true;
    return "staged anew";
  }

  /**
   * Fresh reads until the change shows; a switch has answered yes and forgotten (brocade/ansible #114).
   * Undefined: nothing was committed, the staged change had been dropped before (cfgTransAbort by
   * somebody, an expired transaction), or a part of it got lost.
   */
  async #verified(call: DeviceCall): Promise<ZoningState | undefined> {
    const { before, change, edit } = this.#staged;
    const until = this.#clock.now() + this.#patience.verifyMs;
    let repeated = false;
    for (let look = 0; ; look++) {
      const { state, transactionToken } = await this.#zoning.database(call, "proof");
      if (isCommitted({ state, transactionToken }, before, change)) {
        const lost = lostZones(before, state, change);
        if (lost.length === 0) return state;
        throw this.#lostError(lost);
      }
      if (this.#clock.now() >= until) {
        throw this.#error("it answered success, but fresh reads do not show the change");
      }
      const unmoved = state.version === before.version;
      if (transactionToken === 0 && look >= 2) {
        // Where a part got lost before, it is lost again.
        if (unmoved && this.#perRequest === manyPerRequest) return undefined;
        if (!unmoved && this.#mayRepeat(before, state, change)) return undefined;
      }
      if (transactionToken !== 0 && unmoved && !repeated) {
        repeated = true;
        await this.#zoning.commit(call, edit.enable, before.version);
      } else {
        call.status?.(`${this.#zoning.device}: waiting for the zone configuration to take effect`);
        await this.#clock.sleep(this.#patience.pollMs, call.signal);
      }
    }
  }

  /**
   * True when a commit has lost a part of a large change: what is missing is staged anew, in small
   * requests. What it lost of others' cannot be known to be right again: that is an error.
   */
  #mayRepeat(before: ZoningState, after: ZoningState, change: ZoningChange): boolean {
    if (isDefined(after, change) || this.#perRequest === fewPerRequest) return false;
    const lost = lostZones(before, after, change);
    if (lost.length > 0) throw this.#lostError(lost);
    this.#perRequest = fewPerRequest;
    return true;
  }

  #lostError(lost: readonly string[]): DeviceError {
    return this.#error(`it answered success, but ${lost.join(", ")} left the effective set too`);
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
