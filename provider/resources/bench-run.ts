import { createHash } from "node:crypto";
import { z } from "zod";
import { ConfigError } from "../../bed/errors";
import type { CaseOrder } from "../../runner/case-order";
import { runCase, stopCase, type CaseResult } from "../../runner/run-case";
import { planSysbench, sysbenchCaseSchema } from "../../runner/workloads/sysbench/plan";
import { resource, type PropertyChange, type ResourceCall } from "../kit/handler";
import type { BedContext } from "./context";
import { defaultSocket, guestSchema, runContext, runsFolder, workplaceOf } from "./guest-schema";

const runGuest = z
  .object({
    vmUuid: z.string().describe("UUID of the machine: another machine is another run."),
    guest: guestSchema.describe("How the guest is reached."),
    socket: z.string().default(defaultSocket).describe("Socket of the database server."),
  })
  .meta({ id: "RunGuest" });

const platform = z
  .object({
    kind: z
      .enum(["lab", "hardware"])
      .meta({ id: "PlatformKind" })
      .describe("`lab`: emulated, so that figures say nothing about an array."),
    label: z.string().describe("Site and level in one phrase, for reports."),
    array: z.string().describe("Vendor and model."),
    protocol: z.string().describe("How hosts are attached, `fcp` or `nvme-fc`."),
    software: z.string().describe("Version of the array's software."),
  })
  .meta({ id: "RunPlatform" });

const inputs = z.object({
  case: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,39}$/, "small letters, digits, dot, dash, underscore")
    .describe("Name of the case in its suite, for instance `oltp-8vm`."),
  runId: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,23}$/, "small letters, digits, dot, dash, underscore")
    .describe(
      "Another run id asks for a new measurement; the same one continues or keeps the old.",
    ),
  guests: z.array(runGuest).min(1).describe("Guests that carry the load, started together."),
  datasets: z
    .record(z.string(), z.string())
    .default({})
    .describe("Fingerprint of each guest's data set; orders the two."),
  workload: sysbenchCaseSchema.describe("The Sysbench case, the same on every guest."),
  platform: platform.describe("What the case measures, for reports and comparability."),
});

const runResult = z
  .object({
    verdict: z
      .enum(["valid", "invalid", "partial"])
      .meta({ id: "RunVerdict" })
      .describe("Only a valid run is evidence."),
    reasons: z.array(z.string()).describe("Why it is not valid, with the guest."),
    warnings: z.array(z.string()),
    tps: z.number().optional().describe("Transactions per second, all guests."),
    avgMs: z.number().optional().describe("Mean latency of all transactions, in ms."),
    p99Ms: z.number().optional().describe("99th percentile of the merged histograms, in ms."),
    startSkewMs: z.number().optional().describe("Latest start minus earliest, in ms."),
    littleRatio: z
      .number()
      .optional()
      .describe("TPS x mean latency / threads; 1 when all is well."),
    folder: z.string().describe("Run folder with raw output, samples and manifest."),
    sha256: z.string().describe("SHA-256 of the run's manifest."),
    origin: z
      .enum(["measured", "attached", "kept"])
      .meta({ id: "RunOrigin" })
      .describe("Measured now, continued, or kept from before."),
  })
  .meta({ id: "RunResult" });

const state = inputs.extend({
  result: runResult.optional().describe("Absent while the run is not finished."),
});
type Inputs = z.infer<typeof inputs>;
type State = z.infer<typeof state>;

/**
 * One case. Jobs run detached on the guests: on Cancel the create answers at once and leaves them
 * running; the next `up` continues; only a delete stops them. An invalid case is an output.
 */
export const run = resource<BedContext, typeof inputs, typeof state>({
  token: "sanbed:bench:Run",
  description:
    "One benchmark case on a set of guests: started together, watched, harvested, judged.",
  inputs,
  state,
  replaceOn: ["case", "runId", "guests", "workload"],
  deleteBeforeReplace: true,
  check: (args) => (args.guests === undefined ? [] : doubleGuests(args.guests)),
  diff: (changes, olds, news) => changes.map((change) => harmless(change, olds, news)),
  async create(call, args) {
    const order = orderOf(call, args);
    call.began(order.id, args);
    return { id: order.id, state: await execute(call, args, order) };
  },
  async update(call, id, olds, news) {
    if (olds.result !== undefined) return { ...news, result: olds.result };
    call.began(id, news);
    return execute(call, news, { ...orderOf(call, news), id });
  },
  async delete(call, id, olds) {
    // A finished run keeps its results, and nothing of it is left on a guest.
    if (olds.result !== undefined) return;
    call.status("stopping the run");
    const notes = await stopCase(runContext(call), { ...orderOf(call, olds), id });
    for (const note of notes) call.log("warning", note);
  },
});

async function execute(
  call: ResourceCall<BedContext>,
  args: Inputs,
  order: CaseOrder,
): Promise<State> {
  const { totalSeconds } = planSysbench(args.workload);
  const seconds = (call.deadline ?? Infinity) - Date.now();
  if (seconds / 1000 < totalSeconds) {
    throw new ConfigError([
      {
        path: "customTimeouts.create",
        message: `the time-out is shorter than the run of ${totalSeconds.toString()} s`,
        remedy: "raise it; the run continues detached and the next up attaches to it",
      },
    ]);
  }
  const done = await runCase(runContext(call), order);
  tell(call, done);
  return { ...args, result: resultOf(done) };
}

function tell(call: ResourceCall<BedContext>, done: CaseResult): void {
  const { summary, origin } = done;
  if (origin === "kept") call.log("info", `kept the valid run in ${done.folder}`);
  if (origin === "attached") call.log("info", "continued the run that was going on");
  for (const reason of summary.reasons) call.log("warning", `${summary.verdict}: ${reason}`);
}

function resultOf({ summary, sha256, folder, origin }: CaseResult): z.infer<typeof runResult> {
  return {
    verdict: summary.verdict,
    reasons: summary.reasons,
    warnings: summary.warnings,
    ...(summary.tps === undefined ? {} : { tps: summary.tps }),
    ...(summary.avgMs === undefined ? {} : { avgMs: summary.avgMs }),
    ...(summary.p99Ms === undefined ? {} : { p99Ms: summary.p99Ms }),
    ...(summary.startSkewMs === undefined ? {} : { startSkewMs: summary.startSkewMs }),
    ...(summary.littleRatio === undefined ? {} : { littleRatio: summary.littleRatio }),
    folder,
    sha256,
    origin,
  };
}

/** Known before anything is done, so that every failure is answered with it. */
export function runIdentity(args: Pick<Inputs, "case" | "runId" | "guests" | "workload">): string {
  const guests = args.guests.map(({ vmUuid, guest }) => [guest.name, vmUuid]).sort();
  const workload = Object.entries(args.workload).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([args.case, args.runId, guests, workload]);
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 10);
  return `${args.case}.${args.runId}.${hash}`;
}

function orderOf(call: ResourceCall<BedContext>, args: Inputs): CaseOrder {
  const id = runIdentity(args);
  const { bedId } = call.context;
  return {
    id,
    bedId,
    spec: args.workload,
    folder: `${runsFolder(call.context)}/${id}`,
    guests: args.guests.map(({ vmUuid, guest, socket }) => ({
      name: guest.name,
      vmUuid,
      place: workplaceOf(call.context, guest),
      socket,
    })),
    declaration: {
      caseName: args.case,
      runId: args.runId,
      bedId,
      workload: "sysbench",
      spec: args.workload,
      guests: args.guests.map(({ vmUuid, guest }) => ({ name: guest.name, vmUuid })),
      platform: args.platform,
    },
  };
}

function doubleGuests(guests: Inputs["guests"]): { path: string; message: string }[] {
  const names = guests.map(({ guest }) => guest.name);
  return names.flatMap((name, i) =>
    names.indexOf(name) === i
      ? []
      : [{ path: `guests[${i.toString()}].guest.name`, message: `"${name}" is listed twice` }],
  );
}

/** The same machines reached in another way are the same guests. */
function harmless(change: PropertyChange, olds: State, news: Inputs): PropertyChange {
  if (!change.path.startsWith("guests") || !change.replace) return change;
  const replace = runIdentity({ ...olds, guests: news.guests }) !== runIdentity(olds);
  return { ...change, replace };
}
