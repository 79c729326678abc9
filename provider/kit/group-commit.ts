import { setImmediate as nextMacrotask, setTimeout as sleep } from "node:timers/promises";

/** What became of one member of a batch. */
export type Outcome<Result> =
  { readonly ok: true; readonly value: Result } | { readonly ok: false; readonly error: unknown };

/** One batch on its way. */
export interface Batch<Item> {
  readonly key: string;
  /** In the order of the calls. Never empty. */
  readonly items: readonly Item[];
  /** Aborted when every member has been: one member's abort must not harm the others. */
  readonly signal: AbortSignal;
  /** The latest deadline of the members, milliseconds since the epoch; undefined when one has none. */
  readonly deadline: number | undefined;
}

export interface MemberOptions {
  /** Aborting takes this call out of a waiting batch, or lets the batch go on without answering it. */
  readonly signal?: AbortSignal;
  readonly deadline?: number | undefined;
  /**
   * Called before this call is rejected while its batch runs: what it asked for may still be carried out,
   * so it may not be answered as if nothing had begun.
   */
  readonly leftBehind?: () => void;
}

/**
 * Window for resources of one kind. What the engine begins at one moment reaches the plugin over some
 * tens of milliseconds, on a loaded machine over a hundred (`npm run bench`).
 */
export const engineWindowMs = 50;

export interface GroupCommitOptions {
  /**
   * The first batch leaves when so long, in milliseconds, nobody joined it; after four times as long it
   * leaves in any case. Default: one turn of the event loop.
   */
  readonly windowMs?: number;
  /** Largest batch; more calls form further ones. Default: no limit. */
  readonly maxItems?: number;
}

interface Member<Item, Result> {
  readonly item: Item;
  readonly options: MemberOptions;
  readonly settle: (outcome: Outcome<Result>) => void;
  gone: boolean;
  running: boolean;
}

interface Lane<Item, Result> {
  waiting: Member<Item, Result>[];
  running: boolean;
}

/**
 * Group commit: calls for one key that are in flight at the same time share one commit (a device
 * transaction, a bulk request, a rescan). While a commit runs, later calls gather for the next one;
 * there is never more than one commit per key at a time.
 *
 * `commit` answers one outcome per item, in their order; when it rejects, every member of that batch
 * gets its error.
 */
export class GroupCommit<Item, Result> {
  private readonly commit: (batch: Batch<Item>) => Promise<readonly Outcome<Result>[]>;
  private readonly options: GroupCommitOptions;
  private readonly lanes = new Map<string, Lane<Item, Result>>();

  constructor(
    commit: (batch: Batch<Item>) => Promise<readonly Outcome<Result>[]>,
    options: GroupCommitOptions = {},
  ) {
    this.commit = commit;
    this.options = options;
  }

  /** Joins the next batch for `key`. Rejects with the member's own error, or its signal's reason. */
  run(key: string, item: Item, options: MemberOptions = {}): Promise<Result> {
    const { signal } = options;
    /* eslint-disable @typescript-eslint/prefer-promise-reject-errors -- reasons are the callers' own */
    return new Promise<Result>((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason);
        return;
      }
      const leave = (): void => {
        member.gone = true;
        if (member.running) options.leftBehind?.();
        reject(signal?.reason);
      };
      const settle = (outcome: Outcome<Result>): void => {
        signal?.removeEventListener("abort", leave);
        if (outcome.ok) resolve(outcome.value);
        else reject(outcome.error);
      };
      const member: Member<Item, Result> = { item, options, settle, gone: false, running: false };
      signal?.addEventListener("abort", leave, { once: true });
      this.join(key, member);
    });
    /* eslint-enable @typescript-eslint/prefer-promise-reject-errors */
  }

  private join(key: string, member: Member<Item, Result>): void {
    const lane = this.lanes.get(key) ?? { waiting: [], running: false };
    this.lanes.set(key, lane);
    lane.waiting.push(member);
    if (!lane.running) void this.drain(key, lane);
  }

  private async drain(key: string, lane: Lane<Item, Result>): Promise<void> {
    lane.running = true;
    const { windowMs = 0, maxItems = Infinity } = this.options;
    await (windowMs > 0 ? gather(lane.waiting, windowMs) : nextMacrotask());
    for (;;) {
      lane.waiting = lane.waiting.filter((member) => !member.gone);
      const members = lane.waiting.splice(0, maxItems);
      if (members.length === 0) break;
      await this.runBatch(key, members);
    }
    lane.running = false;
    this.lanes.delete(key);
  }

  private async runBatch(key: string, members: readonly Member<Item, Result>[]): Promise<void> {
    for (const member of members) member.running = true;
    const { signal, release } = allAborted(members.map((member) => member.options.signal));
    const deadlines = members.map((member) => member.options.deadline);
    const deadline = deadlines.includes(undefined)
      ? undefined
      : Math.max(...deadlines.filter((time) => time !== undefined));
    try {
      const items = members.map((member) => member.item);
      const outcomes = await this.commit({ key, items, signal, deadline });
      for (const [i, member] of members.entries()) {
        const missing = new Error(`the commit for ${key} gave no outcome for one of its members`);
        member.settle(outcomes[i] ?? { ok: false, error: missing });
      }
    } catch (error) {
      for (const member of members) member.settle({ ok: false, error });
    } finally {
      release();
    }
  }
}

/** Waits until nobody has joined for one window. */
async function gather(waiting: readonly unknown[], windowMs: number): Promise<void> {
  for (let windows = 0; windows < 4; windows++) {
    const before = waiting.length;
    await sleep(windowMs);
    if (waiting.length === before) return;
  }
}

/** A signal that is aborted once all of the given ones are; without a signal a member never aborts. */
function allAborted(signals: readonly (AbortSignal | undefined)[]): {
  readonly signal: AbortSignal;
  readonly release: () => void;
} {
  const controller = new AbortController();
  const check = (): void => {
    if (signals.every((signal) => signal?.aborted === true)) {
      controller.abort(signals[signals.length - 1]?.reason);
    }
  };
  for (const signal of signals) signal?.addEventListener("abort", check, { once: true });
  check();
  return {
    signal: controller.signal,
    release: () => {
      for (const signal of signals) signal?.removeEventListener("abort", check);
    },
  };
}
