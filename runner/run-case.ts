import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { GuestError, isGuestAway } from "../bed/errors";
import { setUpCase, type CaseOrder, type CaseSetup, type RunContext } from "./case-order";
import { withReconnect, type JobState } from "./jobs/guest-jobs";
import { Journal } from "./journal";
import { damagedFiles, readManifest, readRun } from "./results/run-folder";
import { harvestCase, readDeclaration } from "./stages/harvest";
import { launchCase, standingOf } from "./stages/launch";
import { sealCase, type SealedCase } from "./stages/seal";
import { endOf, watchCase, type JobEnd } from "./stages/watch";

export interface CaseResult extends SealedCase {
  readonly folder: string;
  /** How the run came about: measured now, continued, or kept from before. */
  readonly origin: "measured" | "attached" | "kept";
}

/** How long the guests of a case may be out of reach before it starts. */
const patienceMs = 120_000;

/**
 * Runs a case, or continues it: the same order finds its own run again, wherever it stands. A valid
 * run in the folder is kept as it is; jobs that run are attached to and lose no sample, as all of
 * their output lies on the guests; remains of a cut-off start are cleared away first.
 * An invalid case is an answer.
 * @throws {GuestError} when the case cannot be started, or `aborted`: then the jobs go on.
 */
export async function runCase(context: RunContext, order: CaseOrder): Promise<CaseResult> {
  const kept = await keptRun(order);
  if (kept !== undefined) return kept;
  const setup = setUpCase(order);
  const journal = new Journal(join(order.folder, "journal.jsonl"));
  const states = await lookAtAll(context, setup);
  const standing = standingOf(states);
  if (standing === "restart") await clearRemains(context, setup, journal);
  const attached = standing === "attach";
  const startAtMs = attached
    ? await startOfJobs(context, setup)
    : await launchCase(context, setup, journal);
  if (attached) journal.add("attached", { startAtMs });
  const ends = await watchCase(context, setup, startAtMs, journal);
  const away = await harvestCase(context, setup, journal);
  const sealed = await sealCase(order, ends, false);
  journal.add("sealed", { verdict: sealed.summary.verdict, sha256: sealed.sha256 });
  await removeJobs(context, setup, away);
  return { ...sealed, folder: order.folder, origin: attached ? "attached" : "measured" };
}

/**
 * Stops a case wherever it stands: jobs asked to end, waited for, ended by force; what they left is
 * harvested and marked partial. A sealed run keeps its results. Guests that are gone are noted.
 */
export async function stopCase(context: RunContext, order: CaseOrder): Promise<string[]> {
  const setup = setUpCase(order);
  const journal = new Journal(join(order.folder, "journal.jsonl"));
  const notes: string[] = [];
  const ends = new Map<string, JobEnd>();
  for (const { guest, jobs } of setup.seats) {
    try {
      const state = await jobs.stop(context.call, order.id);
      ends.set(guest.name, endOf(state) ?? { kind: "stopped" });
    } catch (error) {
      if (!isGuestAway(error)) throw error;
      notes.push(`${error.message} Nothing was stopped or harvested there.`);
      ends.set(guest.name, { kind: "unreachable" });
    }
  }
  journal.add("stopped", { ends: Object.fromEntries(ends) });
  if (readManifest(order.folder) === undefined) {
    const reachable = setup.seats.filter((s) => ends.get(s.guest.name)?.kind !== "unreachable");
    const away = await harvestCase(context, { ...setup, seats: reachable }, journal);
    if (existsSync(join(order.folder, "guests"))) await sealCase(order, ends, true);
    notes.push(...away.map((name) => `${name} was lost while its results were fetched`));
    await removeJobs(context, { ...setup, seats: reachable }, away);
    return notes;
  }
  await removeJobs(context, setup, []);
  return notes;
}

/** A valid run that is whole; one that is not is put aside under another name. */
async function keptRun(order: CaseOrder): Promise<CaseResult | undefined> {
  const found = readManifest(order.folder);
  if (found === undefined) return undefined;
  const whole = (await damagedFiles(order.folder, found.manifest)).length === 0;
  if (found.manifest.verdict !== "valid" || !whole) {
    putAside(order.folder, whole ? found.manifest.verdict : "damaged");
    return undefined;
  }
  const { summary } = await readRun(order.folder);
  return { summary, sha256: found.sha256, folder: order.folder, origin: "kept" };
}

function putAside(folder: string, reason: string): void {
  for (let n = 1; ; n += 1) {
    const aside = `${folder}.${reason}-${n.toString()}`;
    if (existsSync(aside)) continue;
    renameSync(folder, aside);
    return;
  }
}

async function lookAtAll({ call, clock }: RunContext, setup: CaseSetup): Promise<JobState[]> {
  const untilMs = clock.now() + patienceMs;
  return Promise.all(
    setup.seats.map(async ({ guest, jobs }) => {
      const look = await withReconnect(() => jobs.look(call, setup.order.id), {
        untilMs,
        now: () => clock.now(),
        sleep: (ms) => clock.sleep(ms, call.signal),
        onLoss: () => call.status?.(`${guest.name} cannot be reached, trying again`),
      });
      return look.state;
    }),
  );
}

/** The common start that the jobs were given, from their own declarations. */
async function startOfJobs({ call }: RunContext, setup: CaseSetup): Promise<number> {
  const starts = await Promise.all(
    setup.seats.map(async ({ guest, jobs }) => {
      const path = `${jobs.jobFolder(setup.order.id)}/job.json`;
      const { stdout } = await guest.place.shell.exec(call, ["cat", path]);
      const declared = readDeclaration(stdout);
      if (declared === undefined) {
        throw new GuestError(guest.name, "attach to the run", `${path} is no job declaration`);
      }
      return declared.startAtMs;
    }),
  );
  return Math.max(...starts);
}

async function clearRemains(
  { call }: RunContext,
  setup: CaseSetup,
  journal: Journal,
): Promise<void> {
  call.status?.("a start was cut off before: clearing its remains");
  journal.add("clearingRemains");
  for (const { jobs } of setup.seats) {
    await jobs.stop(call, setup.order.id);
    await jobs.remove(call, setup.order.id);
  }
  rmSync(join(setup.order.folder, "guests"), { recursive: true, force: true });
}

/** Frees the guests of what has been harvested. A guest that is away keeps it. */
async function removeJobs(
  { call }: RunContext,
  setup: CaseSetup,
  away: readonly string[],
): Promise<void> {
  const there = setup.seats.filter((seat) => !away.includes(seat.guest.name));
  await Promise.allSettled(there.map(({ jobs }) => jobs.remove(call, setup.order.id)));
}

/** Runs of a bed on disk: folders that hold a manifest. */
export function sealedRuns(runsFolder: string): string[] {
  if (!existsSync(runsFolder)) return [];
  return readdirSync(runsFolder)
    .map((name) => join(runsFolder, name))
    .filter((folder) => existsSync(join(folder, "manifest.json")))
    .sort();
}
