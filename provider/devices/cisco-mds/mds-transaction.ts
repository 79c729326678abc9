import { DeviceError, isDeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../call";
import type { ZoningChange, ZoningState, ZoningTransaction } from "../fabric-switch";
import { isCarriedOut, lostZones, planEdit } from "../zoning-edit";
import { lines, type CliLine } from "./cli-line";
import { inverseChange, mdsEdit } from "./mds-commands";
import { changeAliases, cleanUp, tidyUp } from "./mds-alias-write";
import type { MdsDatabase } from "./mds-database";
import { foreignDigest, withoutLast } from "./mds-guard";
import {
  dropLeftovers,
  holderOf,
  lockedError,
  oursIn,
  settledDatabase,
  waitForHolder,
  type MdsTools,
} from "./mds-locks";
import {
  checkedEdit,
  dropStaged,
  stagePatiently,
  type Staged,
  type StageSettings,
  type ZoningPlan,
} from "./mds-stage";
import { foreignObjects, pendingObjects } from "./pending-diff";

/** How a commit went, judged by what the switch shows afterwards. */
type Outcome = "sent" | "again" | "wait" | "nothing left to do";

export interface TransactionSettings extends StageSettings {
  /** Save the running configuration after a commit. */
  readonly saveRunningConfig: boolean;
}

/**
 * One change of one VSAN. In enhanced mode it is staged in the zone server's session, whose lock keeps
 * everybody else out of the database until the commit. In basic mode there is no session: everything is sent
 * at the commit, right after the database was found to be what it was. NX-OS has no checksum of the zoning
 * database; a digest of it, read before and again before the commit, stands in for one.
 */
export class MdsTransaction implements ZoningTransaction {
  readonly #tools: MdsTools;
  readonly #plan: ZoningPlan;
  readonly #settings: TransactionSettings;
  readonly #finish: () => void;
  #staged: Staged;
  #open = true;
  /** The zone server's last operation before ours. */
  #operation = "";
  /** In basic mode: a request of this transaction has left us. */
  #sent = false;
  /** Somebody edits in our session. */
  #joined = false;

  private constructor(
    tools: MdsTools,
    plan: ZoningPlan,
    settings: TransactionSettings,
    staged: Staged,
    finish: () => void,
  ) {
    this.#tools = tools;
    this.#plan = plan;
    this.#settings = settings;
    this.#staged = staged;
    this.#finish = finish;
  }

  /** Opens a transaction with the planned change in it; undefined when nothing is to be changed. */
  static async open(
    call: DeviceCall,
    tools: MdsTools,
    plan: ZoningPlan,
    settings: TransactionSettings,
    finish: () => void,
  ): Promise<MdsTransaction | undefined> {
    try {
      const staged = await stagePatiently(call, tools, plan, settings);
      if (staged !== undefined) return new MdsTransaction(tools, plan, settings, staged, finish);
    } catch (error) {
      finish();
      throw error;
    }
    finish();
    return undefined;
  }

  get before(): ZoningState {
    return this.#staged.base.state;
  }

  get change(): ZoningChange {
    return this.#staged.change;
  }

  async commit(call: DeviceCall): Promise<ZoningState> {
    const { zoning, clock, patience } = this.#tools;
    const until = clock.now() + patience.lockWaitMs;
    try {
      for (let attempt = 0; attempt < 5;) {
        const outcome = await this.#attempt(call, until);
        if (outcome === "nothing left to do") return (await zoning.database(call)).state;
        const done = outcome === "sent" ? await this.#verified(call) : undefined;
        if (done !== undefined) return await this.#conclude(call, done);
        if (outcome !== "wait") attempt++;
        await clock.sleep(patience.busyMs, call.signal);
      }
      throw this.#error(
        "others changed the database or dropped the change at every attempt",
        "busy",
      );
    } catch (error) {
      await tidyUp(() => this.#undo());
      throw error;
    } finally {
      this.#close();
    }
  }

  async abort(_call?: DeviceCall): Promise<void> {
    if (!this.#open) return;
    try {
      await dropStaged(this.#tools, this.#staged);
    } finally {
      this.#close();
    }
  }

  #close(): void {
    this.#open = false;
    this.#finish();
  }

  /** Sends it once. What may be otherwise a moment later is tried again. */
  async #attempt(call: DeviceCall, until: number): Promise<Outcome> {
    const { enhanced } = this.#staged.base.status;
    try {
      return enhanced ? await this.#commitSession(call) : await this.#commitAtOnce(call);
    } catch (error) {
      if (call.signal.aborted || !isDeviceError(error)) throw error;
      // A lost answer is no failure: the next look shows what took effect.
      if (["unreachable", "timeout", "busy"].includes(error.kind)) return "again";
      const early = this.#tools.clock.now() < until;
      if (error.kind === "locked" && early && !this.#joined) return "wait";
      throw error;
    }
  }

  /** Enhanced mode: what is staged is checked against the base, activated and committed as one. */
  async #commitSession(call: DeviceCall): Promise<Outcome> {
    const { zoning } = this.#tools;
    const { base, change, edit } = this.#staged;
    const now = await settledDatabase(call, this.#tools);
    const cleared = edit.zoning.length > 0 && now.status.session === undefined;
    if (cleared || foreignDigest(now.state, change) !== foreignDigest(base.state, change)) {
      return await this.#stageAnew(call);
    }
    await this.#refuseJoined(call, now);
    await this.#renewAliases(call, now);
    this.#operation = now.status.operation;
    const activate =
      edit.activate === undefined ? [] : [lines.activate(edit.activate, zoning.vsan)];
    const commit = edit.zoning.length + activate.length === 0 ? [] : [lines.commit(zoning.vsan)];
    return await this.#send(() =>
      zoning.write(call, [], this.#purpose(), [...activate, ...commit]),
    );
  }

  /** Basic mode: planned again on the database as it is now, so that half of a lost request is completed. */
  async #commitAtOnce(call: DeviceCall): Promise<Outcome> {
    const { zoning } = this.#tools;
    const now = await settledDatabase(call, this.#tools);
    const change = this.#plan(now.state);
    const edit = checkedEdit(this.#tools, now, change, this.#settings.aliases);
    if (await dropLeftovers(call, zoning, now, oursIn(change, edit))) return "again";
    if (edit === undefined) return "nothing left to do";
    const holder = holderOf(now, edit);
    if (holder !== undefined) throw lockedError(zoning.device, holder);
    // What is put back later is what was there before anything was sent.
    this.#staged = this.#sent
      ? { ...this.#staged, edit }
      : { base: now, change, edit, openedSession: false };
    this.#sent = true;
    await this.#writeAliases(call, edit.aliasesFirst, now);
    await this.#renewAliases(call, now);
    this.#operation = now.status.operation;
    const last = edit.activate === undefined ? [] : [lines.activate(edit.activate, zoning.vsan)];
    return await this.#send(() => zoning.write(call, edit.zoning, this.#purpose(), last));
  }

  /** Nothing pending: somebody dropped or committed it; unchanged: it is in force. Both are looked at. */
  async #send(work: () => ReturnType<MdsTools["zoning"]["write"]>): Promise<Outcome> {
    try {
      const { refused } = await work();
      const settled = ["alreadyExists", "notFound"];
      if (refused !== undefined && !settled.includes(refused.kind)) throw refused;
      return "sent";
    } catch (error) {
      if (isDeviceError(error, "unreachable", "timeout")) return "sent";
      throw error;
    }
  }

  /** Another's edits in our session would come into force with ours: theirs stay, ours are taken back. */
  async #refuseJoined(call: DeviceCall, now: MdsDatabase): Promise<void> {
    if (this.#staged.edit.zoning.length === 0) return;
    const pending = await this.#tools.zoning.pending(call);
    if (pending === undefined) return;
    const ours = oursIn(this.#staged.change, this.#staged.edit);
    const others = foreignObjects(pendingObjects(pending), ours);
    if (others.length === 0) return;
    this.#joined = true;
    const holder = now.status.session ?? "somebody";
    throw lockedError(
      this.#tools.zoning.device,
      `${holder} has pending edits of ${others.join(", ")} beside ours in the session`,
    );
  }

  async #renewAliases(call: DeviceCall, now: MdsDatabase): Promise<void> {
    const { edit, change } = this.#staged;
    const done = [...change.upsertAliases].every(
      ([name, members]) => now.state.aliases.get(name)?.join() === members.join(),
    );
    if (!done) await this.#writeAliases(call, edit.aliasesAnew, now);
  }

  async #writeAliases(call: DeviceCall, list: readonly CliLine[], now: MdsDatabase): Promise<void> {
    const refusal = await changeAliases(call, this.#tools, list, now.aliasStatus.distributed);
    if (refusal !== undefined) throw refusal;
  }

  async #stageAnew(call: DeviceCall): Promise<Outcome> {
    await dropStaged(this.#tools, this.#staged);
    const staged = await stagePatiently(call, this.#tools, this.#plan, this.#settings);
    if (staged === undefined) return "nothing left to do";
    this.#staged = staged;
    return "again";
  }

  /**
   * Looks until the zone server is done and fresh reads show the change; answers what they show. Undefined:
   * it has done nothing since, the request was lost or the staged change had been dropped before.
   */
  async #verified(call: DeviceCall): Promise<MdsDatabase | undefined> {
    const { zoning, clock, patience } = this.#tools;
    const { base, change } = this.#staged;
    const until = clock.now() + patience.verifyMs;
    for (let look = 0; ; look++) {
      const { operation, working } = await zoning.status(call);
      this.#refuseFailed(operation);
      if (!working) {
        const database = await zoning.database(call);
        const { state } = database;
        if (isCarriedOut(state, withoutLast(change, base))) {
          const lost = lostZones(base.state, state, change);
          if (lost.length === 0) return database;
          throw this.#error(
            `it answered success, but ${lost.join(", ")} left the active zoneset too`,
          );
        }
        if (look >= 2 && operation === this.#operation) return undefined;
      }
      if (clock.now() >= until) {
        throw this.#error("it answered success, but fresh reads do not show the change");
      }
      call.status?.(`${zoning.device}: waiting for the zoneset to take effect`);
      await clock.sleep(patience.pollMs, call.signal);
    }
  }

  /** The zone server tells how its last operation ended; one from before ours says nothing of it. */
  #refuseFailed(operation: string): void {
    if (operation === this.#operation || !/fail|reject/i.test(operation)) return;
    throw new DeviceError({
      kind: "refused",
      device: this.#tools.zoning.device,
      ...this.#purpose(),
      reason: operation,
      remedy: "show zone analysis and show logging last 50 on the switch tell more.",
    });
  }

  /** After the zones: device aliases that no zone has any more, and the running configuration. */
  async #conclude(call: DeviceCall, done: MdsDatabase): Promise<ZoningState> {
    const state = await this.#removeAliases(call, done);
    if (this.#settings.saveRunningConfig) await this.#tools.zoning.saveRunningConfig(call);
    return state;
  }

  async #removeAliases(call: DeviceCall, done: MdsDatabase): Promise<ZoningState> {
    const { zoning, clock, patience } = this.#tools;
    const until = clock.now() + patience.lockWaitMs;
    for (let now = done; ; now = await zoning.database(call)) {
      const left = this.#staged.edit.aliasesLast.filter((line) =>
        now.state.aliases.has(line.split(" ").at(-1) ?? ""),
      );
      if (left.length === 0) return now.state;
      const { holder } = now.aliasStatus;
      if (holder !== undefined) {
        await waitForHolder(call, this.#tools, `the device aliases are locked by ${holder}`, until);
        continue;
      }
      try {
        await this.#writeAliases(call, left, now);
      } catch (error) {
        const again = isDeviceError(error, "unreachable", "timeout", "busy", "locked");
        if (!again || clock.now() >= until) throw error;
        await clock.sleep(patience.busyMs, call.signal);
      }
    }
  }

  /** After a failure: what is pending is dropped; in basic mode what was sent is put back. */
  async #undo(): Promise<void> {
    const { base, change } = this.#staged;
    if (base.status.enhanced) {
      await dropStaged(this.#tools, this.#staged);
      return;
    }
    const { zoning } = this.#tools;
    const call = cleanUp();
    const now = await settledDatabase(call, this.#tools);
    const back = planEdit(now.state, inverseChange(base.state, change));
    if (back === undefined || "refusal" in back) return;
    const edit = mdsEdit(now, back, zoning.vsan, this.#settings.aliases);
    await this.#writeAliases(call, [...edit.aliasesFirst, ...edit.aliasesAnew], now);
    const last = edit.activate === undefined ? [] : [lines.activate(edit.activate, zoning.vsan)];
    await zoning.write(call, edit.zoning, { operation: "put the zoning back" }, last);
    await this.#writeAliases(call, edit.aliasesLast, now);
  }

  #purpose(): { operation: string; object: string | undefined } {
    return { operation: "activate the zoneset", object: this.#staged.edit.activate };
  }

  #error(reason: string, kind: "protocol" | "busy" = "protocol"): DeviceError {
    return new DeviceError({
      kind,
      device: this.#tools.zoning.device,
      ...this.#purpose(),
      reason,
      remedy: "Compare show zoneset and show zoneset active on the switch, then run again.",
    });
  }
}
