import { z } from "zod";
import { GuestError } from "../../bed/errors";
import type { DeviceCall } from "../../provider/devices/call";
import { datasetFile, type CaseSeat, type CaseSetup } from "../case-order";
import { globalVariables } from "../workloads/sysbench/server";
import type { ServerNeeds } from "../workloads/sysbench/plan";

/** Facts of a guest that a run is kept with. */
export const guestFactsSchema = z.object({
  clock: z.object({ offsetMs: z.number(), uncertaintyMs: z.number() }),
  kernel: z.string(),
  sysbench: z.string(),
  server: z.string(),
  datasetFingerprint: z.string().optional(),
  variables: z.record(z.string(), z.string()),
});
export type GuestFacts = z.infer<typeof guestFactsSchema>;

const minFreeKib = 64 * 1024;

/**
 * Looks at a guest before a case starts: no other job, tools there, data set there, the server's
 * limits as the case needs them, room for the output.
 * @throws {GuestError} with every problem of the guest.
 */
export async function checkGuest(
  call: DeviceCall,
  setup: CaseSetup,
  seat: CaseSeat,
): Promise<GuestFacts> {
  const { guest, jobs } = seat;
  const { shell } = guest.place;
  const text = async (argv: readonly string[]): Promise<string> =>
    (await shell.exec(call, argv, { allowFailure: true })).stdout.trim();
  const busy = await runningJobs(call, seat, setup.order.id);
  const [variables, sysbench, kernel, dataset, free, clock] = [
    await globalVariables(shell, call, guest.socket),
    await text(["sysbench", "--version"]),
    await text(["uname", "-r"]),
    await text(["cat", datasetFile(jobs)]),
    await text(["df", "--output=avail", "-k", jobs.folder]),
    await shell.clockOffset(call),
  ];
  const fingerprint = /"fingerprint":\s*"([0-9a-f]+)"/.exec(dataset)?.[1];
  const problems = [
    ...busy.map((job) => `job ${job} is still running on it`),
    ...(sysbench.startsWith("sysbench ") ? [] : ["sysbench is not installed"]),
    ...(fingerprint === undefined ? ["it has no data set"] : []),
    ...limitProblems(setup.plan.needs, variables),
    ...(Number(/(\d+)\s*$/.exec(free)?.[1] ?? 0) < minFreeKib
      ? [`less than 64 MiB are free in ${jobs.folder}`]
      : []),
  ];
  if (problems.length > 0) throw new GuestError(guest.name, "start a case", problems.join("; "));
  return {
    clock,
    kernel,
    sysbench,
    server: variables["version"] ?? "unknown",
    ...(fingerprint === undefined ? {} : { datasetFingerprint: fingerprint }),
    variables,
  };
}

async function runningJobs(call: DeviceCall, { jobs }: CaseSeat, own: string): Promise<string[]> {
  const running: string[] = [];
  for (const job of await jobs.list(call)) {
    if (job === own) continue;
    const { state } = await jobs.look(call, job);
    if (state.kind === "running") running.push(job);
  }
  return running;
}

/** Limits of the server that would end the run at its start (error 1461 and its like). */
function limitProblems(needs: ServerNeeds, variables: Readonly<Record<string, string>>): string[] {
  const limits: [variable: string, need: number][] = [
    ["max_prepared_stmt_count", needs.preparedStatements],
    ["max_connections", needs.connections],
  ];
  return limits.flatMap(([variable, need]) => {
    const value = Number(variables[variable] ?? NaN);
    if (value >= need) return [];
    const shown = variables[variable] ?? "unknown";
    return [`${variable} is ${shown}, the case needs ${need.toString()}`];
  });
}
