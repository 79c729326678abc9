import { existsSync } from "node:fs";
import { join } from "node:path";
import { GuestError } from "../bed/errors";
import type { BedId } from "../bed/identities";
import type { RunContext } from "./case-order";
import { GuestJobs, type Workplace } from "./jobs/guest-jobs";
import { Journal } from "./journal";
import { readManifest } from "./results/run-folder";
import { guestFolder, harvestGuest, readDeclaration } from "./stages/harvest";
import { sealCase } from "./stages/seal";
import type { JobDeclaration } from "./stages/launch";
import { sysbenchCaseSchema } from "./workloads/sysbench/plan";

/** Runs are sealed one after the other: guests of one case are swept at the same time. */
const sealing = new Map<string, Promise<unknown>>();

/**
 * Stops and harvests every job of the bed on a guest, recorded or not: a run that was in flight when
 * the plugin or the engine was killed is in no state. Answers one sentence for each job found.
 * @throws {GuestError} when the guest cannot be reached or a job does not end.
 */
export async function sweepGuest(
  context: RunContext,
  place: Workplace,
  bedId: BedId,
  runsFolder: string,
): Promise<string[]> {
  const jobs = new GuestJobs(place, bedId);
  const found: string[] = [];
  for (const jobId of await jobs.list(context.call)) {
    context.call.status?.(`stopping job ${jobId}`);
    const state = await jobs.stop(context.call, jobId);
    const path = `${jobs.jobFolder(jobId)}/job.json`;
    const { stdout } = await place.shell.exec(context.call, ["cat", path]);
    const declared = readDeclaration(stdout);
    if (declared === undefined) {
      found.push(`${jobId}: ${state.kind}`);
    } else {
      const folder = join(runsFolder, jobId);
      await keepRun(context, place, jobs, jobId, folder, declared);
      found.push(`${jobId}: ${state.kind}, harvested to ${folder}`);
    }
    await jobs.remove(context.call, jobId);
  }
  return found;
}

async function keepRun(
  context: RunContext,
  { shell }: Workplace,
  jobs: GuestJobs,
  jobId: string,
  folder: string,
  declared: JobDeclaration,
): Promise<void> {
  // A sealed run that already holds this guest has been harvested before.
  if (readManifest(folder) !== undefined && existsSync(guestFolder(folder, shell.guest))) return;
  if (!(await harvestGuest(context, jobId, shell, jobs, folder))) {
    const reason = "the guest was lost while the files were fetched";
    throw new GuestError(
      shell.guest,
      `harvest ${jobId}`,
      reason,
      undefined,
      undefined,
      "unreachable",
    );
  }
  const before = sealing.get(folder) ?? Promise.resolve();
  const seal = before.then(() => sealRemains(jobId, folder, declared));
  sealing.set(
    folder,
    seal.catch(() => undefined),
  );
  await seal;
}

/** Whole when every guest's job ended by itself; else it stays partial until the last one is swept. */
async function sealRemains(id: string, folder: string, declared: JobDeclaration): Promise<void> {
  const { declaration } = declared;
  const spec = sysbenchCaseSchema.parse(declaration.spec);
  const harvested = declaration.guests.every(({ name }) =>
    existsSync(join(guestFolder(folder, name), "exit")),
  );
  const run = { id, folder, declaration, spec };
  const first = await sealCase(run, new Map(), !harvested);
  const stopped = first.summary.perGuest.some((guest) => guest.end === "stopped");
  const sealed = stopped && harvested ? await sealCase(run, new Map(), true) : first;
  const journal = new Journal(join(folder, "journal.jsonl"));
  journal.add("swept", { verdict: sealed.summary.verdict, sha256: sealed.sha256 });
}
