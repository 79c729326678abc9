import { z } from "zod";
import { isGuestError } from "../../bed/errors";
import { renderTemplate } from "../../templates/render";
import { connectionFile, type CaseSeat, type CaseSetup, type RunContext } from "../case-order";
import type { JobState } from "../jobs/guest-jobs";
import type { Journal } from "../journal";
import { declarationSchema } from "../results/run-folder";
import { runArgv } from "../workloads/sysbench/command";
import { checkGuest, guestFactsSchema, type GuestFacts } from "./check-guest";

/** What a job says about itself on its guest: enough to harvest the run from anywhere. */
export const jobDeclarationSchema = z.object({
  kind: z.literal("run"),
  declaration: declarationSchema,
  guest: z.string(),
  /** Common start on our clock, milliseconds since the epoch. */
  startAtMs: z.number(),
  limitSeconds: z.number(),
  facts: guestFactsSchema,
});
export type JobDeclaration = z.infer<typeof jobDeclarationSchema>;

/** What the jobs found on the guests mean for a case that is about to run. */
export type Standing = "start" | "attach" | "restart";

/** Seconds after which a job that was handed over and has not begun never will. */
const launchGraceSeconds = 10;

/**
 * None was launched: start. All were: attach. Some were: those are remains of a start that was cut
 * off; they have no common start with the others, so they are ended and all begin anew.
 */
export function standingOf(states: readonly JobState[]): Standing {
  const begun = states.map(
    (state) =>
      state.kind === "running" ||
      state.kind === "exited" ||
      state.kind === "lost" ||
      (state.kind === "launched" && state.seconds <= launchGraceSeconds),
  );
  if (begun.every(Boolean)) return "attach";
  const untouched = states.every((state) => state.kind === "absent" || state.kind === "prepared");
  return untouched ? "start" : "restart";
}

/**
 * Checks every guest, writes the job files and starts all jobs for one instant.
 * @throws {GuestError} when a guest is not fit or does not start its job; then no job is left running.
 */
export async function launchCase(
  context: RunContext,
  setup: CaseSetup,
  journal: Journal,
): Promise<number> {
  const { call, clock } = context;
  call.status?.(`checking ${setup.seats.length.toString()} guests`);
  const facts = await all(setup.seats, (seat) => checkGuest(call, setup, seat));
  const startAtMs = startTime(clock.now(), setup);
  await all(setup.seats, (seat, index) =>
    prepareJob(context, setup, seat, facts[index], startAtMs),
  );
  journal.add("launching", { startAtMs });
  try {
    await all(setup.seats, (seat, index) =>
      launchJob(context, setup, seat, facts[index], startAtMs),
    );
  } catch (error) {
    // Aborted: the jobs that began go on, and whoever comes next sees that some are missing.
    if (!isGuestError(error, "aborted") && !call.signal.aborted) {
      await Promise.allSettled(setup.seats.map((s) => s.jobs.stop(call, setup.order.id)));
      await Promise.allSettled(setup.seats.map((s) => s.jobs.remove(call, setup.order.id)));
    }
    throw error;
  }
  journal.add("launched", { guests: setup.seats.map((s) => s.guest.name) });
  return startAtMs;
}

/** Far enough ahead for every guest to be handed its job: two seconds, and more for many guests. */
function startTime(nowMs: number, setup: CaseSetup): number {
  const handOverMs = 2000 + 100 * setup.seats.length;
  return Math.ceil((nowMs + handOverMs + setup.plan.leadSeconds * 1000) / 1000) * 1000;
}

async function prepareJob(
  { call }: RunContext,
  setup: CaseSetup,
  { guest, jobs }: CaseSeat,
  facts: GuestFacts | undefined,
  startAtMs: number,
): Promise<void> {
  if (facts === undefined) throw new RangeError(`no facts of ${guest.name}`);
  const declaration: JobDeclaration = {
    kind: "run",
    declaration: setup.order.declaration,
    guest: guest.name,
    startAtMs,
    limitSeconds: setup.plan.limitSeconds,
    facts,
  };
  const barrier = renderTemplate("workloads/sysbench/barrier.lua", {}, (value) => value);
  await jobs.prepare(call, setup.order.id, declaration, [
    { name: "barrier.lua", content: barrier },
  ]);
}

async function launchJob(
  { call }: RunContext,
  setup: CaseSetup,
  { jobs }: CaseSeat,
  facts: GuestFacts | undefined,
  startAtMs: number,
): Promise<void> {
  const folder = jobs.jobFolder(setup.order.id);
  const { offsetMs = 0, uncertaintyMs = 0 } = facts?.clock ?? {};
  // An offset below its own uncertainty is no offset.
  const guestStartMs = startAtMs + (Math.abs(offsetMs) > uncertaintyMs ? offsetMs : 0);
  const files = {
    barrierScript: `${folder}/barrier.lua`,
    connectionFile: connectionFile(jobs),
    startedFile: `${folder}/started`,
  };
  await jobs.launch(call, setup.order.id, {
    launchAtMs: guestStartMs - setup.plan.leadSeconds * 1000,
    limitSeconds: setup.plan.limitSeconds,
    argv: runArgv(setup.plan, files, guestStartMs),
  });
}

/** All at once; waits for all, so that nothing goes on behind a failure. */
async function all<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = await Promise.allSettled(items.map(work));
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
}
