import { isGuestError } from "../../bed/errors";
import { formatDuration } from "../../bed/units";
import type { CaseSeat, CaseSetup, RunContext } from "../case-order";
import type { JobLook, JobState } from "../jobs/guest-jobs";
import type { Journal } from "../journal";
import type { GuestMeasurement } from "../results/measurement";
import { SysbenchParser } from "../workloads/sysbench/parse";

export type JobEnd = GuestMeasurement["end"];

interface Watched {
  readonly seat: CaseSeat;
  /** What was seen last; undefined: never reached yet. */
  look?: JobLook;
  end?: JobEnd;
  unreachable?: string;
}

/** Time after a job's own limit within which a guest may come back. */
const graceMs = 30_000;

/**
 * Watches the jobs of a case until all have ended. A guest that cannot be reached is unknown, not
 * failed, until its job's time limit is over. When one job fails, the others are stopped: the case
 * cannot become valid any more, and a failed measurement should not take hours.
 */
export async function watchCase(
  context: RunContext,
  setup: CaseSetup,
  startAtMs: number,
  journal: Journal,
): Promise<ReadonlyMap<string, JobEnd>> {
  const { call, clock } = context;
  const watched: Watched[] = setup.seats.map((seat) => ({ seat }));
  const deadline = startAtMs + (setup.plan.limitSeconds - setup.plan.leadSeconds) * 1000 + graceMs;
  const pauseMs = Math.min(10_000, Math.max(1000, setup.plan.totalSeconds * 10));
  for (;;) {
    await Promise.all(
      watched.filter((w) => w.end === undefined).map((w) => look(context, setup, w)),
    );
    call.signal.throwIfAborted();
    call.status?.(statusLine(setup, startAtMs, clock.now(), watched));
    if (watched.some((w) => failed(w.end)) && watched.some((w) => w.end === undefined)) {
      await stopRest(context, setup, watched, journal);
    }
    if (watched.every((w) => w.end !== undefined)) break;
    if (clock.now() > deadline) {
      await endOverdue(context, setup, watched);
      break;
    }
    await clock.sleep(pauseMs, call.signal);
  }
  const ends = new Map<string, JobEnd>(
    watched.map((w) => [w.seat.guest.name, w.end ?? { kind: "lost" }]),
  );
  journal.add("ended", { ends: Object.fromEntries(ends) });
  return ends;
}

async function look({ call }: RunContext, setup: CaseSetup, watched: Watched): Promise<void> {
  try {
    watched.look = await watched.seat.jobs.look(call, setup.order.id);
    delete watched.unreachable;
    const end = endOf(watched.look.state);
    if (end !== undefined) watched.end = end;
  } catch (error) {
    if (!isGuestError(error, "unreachable")) throw error;
    watched.unreachable = error.message;
  }
}

/** How a job ended; undefined while it may still be going on. */
export function endOf(state: JobState): JobEnd | undefined {
  switch (state.kind) {
    case "exited":
      return endOfExit(state.exitCode);
    case "lost":
    case "absent":
      return { kind: "lost" };
    case "prepared":
    case "launched":
    case "running":
      return undefined;
  }
}

/** 143 is an end by SIGTERM, which is how jobs are asked to stop; 124 is `timeout`'s own. */
export function endOfExit(exitCode: number): JobEnd {
  if (exitCode === 143) return { kind: "stopped" };
  return exitCode === 124 ? { kind: "timeLimit" } : { kind: "exited", exitCode };
}

function failed(end: JobEnd | undefined): boolean {
  return end !== undefined && (end.kind !== "exited" || end.exitCode !== 0);
}

async function stopRest(
  { call }: RunContext,
  setup: CaseSetup,
  watched: readonly Watched[],
  journal: Journal,
): Promise<void> {
  const broken = watched.filter((w) => failed(w.end)).map((w) => w.seat.guest.name);
  call.status?.(`${broken.join(", ")} failed: stopping the other guests`);
  journal.add("stoppingRest", { failed: broken });
  const rest = watched.filter((w) => w.end === undefined);
  await Promise.all(
    rest.map(async (w) => {
      try {
        await w.seat.jobs.stop(call, setup.order.id);
        w.end = { kind: "stopped" };
      } catch (error) {
        if (!isGuestError(error, "unreachable")) throw error;
      }
    }),
  );
}

/** Jobs that hang beyond their own limit are ended; guests that stay away are given up. */
async function endOverdue(
  { call }: RunContext,
  setup: CaseSetup,
  watched: readonly Watched[],
): Promise<void> {
  const overdue = watched.filter((w) => w.end === undefined);
  await Promise.all(
    overdue.map(async (w) => {
      w.end = { kind: w.unreachable === undefined ? "timeLimit" : "unreachable" };
      if (w.unreachable !== undefined) return;
      await w.seat.jobs.stop(call, setup.order.id).catch((error: unknown) => {
        if (!isGuestError(error, "unreachable")) throw error;
      });
    }),
  );
}

/** For instance `measuring on 4 guests: 1,234 TPS, 12s of 20s, 8s left`. */
function statusLine(
  setup: CaseSetup,
  startAtMs: number,
  nowMs: number,
  watched: readonly Watched[],
): string {
  const elapsed = Math.max(0, nowMs - startAtMs);
  const total = setup.plan.totalSeconds * 1000;
  const gone = watched.filter((w) => w.unreachable !== undefined).map((w) => w.seat.guest.name);
  const missing = gone.length > 0 ? `, no contact with ${gone.join(", ")} (its job goes on)` : "";
  if (nowMs < startAtMs) return `common start in ${formatDuration(startAtMs - nowMs)}${missing}`;
  const part =
    elapsed < setup.order.spec.preconditionSeconds * 1000 ? "preconditioning" : "measuring";
  const rates = watched.flatMap((w) => latestRate(w.look?.tail ?? ""));
  const tps = rates.reduce((sum, rate) => sum + rate, 0).toFixed(0);
  const left = formatDuration(Math.max(0, total - elapsed));
  const time = `${formatDuration(Math.min(elapsed, total))} of ${formatDuration(total)}`;
  return `${part} on ${rates.length.toString()} guests: ${tps} TPS, ${time}, ${left} left${missing}`;
}

function latestRate(tail: string): number[] {
  const parser = new SysbenchParser();
  parser.feed(tail);
  const last = parser.output().intervals.at(-1);
  return last === undefined ? [] : [last.tps];
}
