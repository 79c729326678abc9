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
    dataset: z.string().describe("Fingerprint of the guest's data set."),
    socket: z.string().default(defaultSocket).describe("Socket of the database server."),
  })
  .meta({ id: "RunGuest" });

const workload = sysbenchCaseSchema
  .extend({
    kind: z
      .enum(["sysbench-oltp"])
      .meta({ id: "WorkloadKind" })
      .describe("`sysbench-oltp`: oltp_read_write of sysbench 1.0."),
  })
  .meta({ id: "SysbenchWorkload" });

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
  guests: z
    .record(z.string(), runGuest)
    .describe("Guests that carry the load, started together, by stable key."),
  workload: workload.describe("The case, the same on every guest."),
  platform: platform
    .optional()
    .describe("What the case measures, kept with the run for reports and comparability."),
});

const state = inputs.extend({
  verdict: z
    .enum(["valid", "invalid", "partial", "unfinished"])
    .meta({ id: "RunVerdict" })
    .describe("Only a valid run is evidence."),
  valid: z.boolean().describe("True for the verdict `valid`."),
  reasons: z.array(z.string()).describe("Why it is not valid, with the guest."),
  folder: z.string().describe("Run folder with raw output, samples and manifest."),
  warnings: z.array(z.string()).optional().describe("What to know of a valid run."),
  tps: z.number().optional().describe("Transactions per second, all guests."),
  avgMs: z.number().optional().describe("Mean latency of all transactions, in ms."),
  p99Ms: z.number().optional().describe("99th percentile of the merged histograms, in ms."),
  startSkewMs: z.number().optional().describe("Latest start minus earliest, in ms."),
  littleRatio: z
    .number()
    .optional()
    .describe("TPS x mean latency / threads; 1 when nothing was lost or misread."),
  sha256: z.string().optional().describe("SHA-256 of the run's manifest."),
  origin: z
    .enum(["measured", "attached", "kept"])
    .meta({ id: "RunOrigin" })
    .optional()
    .describe("Measured now, continued, or kept from before."),
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
  check: (args) => (args.guests === undefined ? [] : guestProblems(args.guests)),
  diff: (changes, olds, news) => changes.map((change) => harmless(change, olds, news)),
  async create(call, args) {
    const order = orderOf(call, args);
    call.began(order.id, unfinished(args, order));
    return { id: order.id, state: await execute(call, args, order) };
  },
  async update(call, id, olds, news) {
    if (olds.verdict !== "unfinished") return { ...olds, ...news };
    const order = { ...orderOf(call, news), id };
    call.began(id, unfinished(news, order));
    return execute(call, news, order);
  },
  async delete(call, id, olds) {
    // A finished run keeps its results, and nothing of it is left on a guest.
    if (olds.verdict !== "unfinished") return;
    call.status("stopping the run");
    const notes = await stopCase(runContext(call), { ...orderOf(call, olds), id });
    for (const note of notes) call.log("warning", note);
  },
});

function unfinished(args: Inputs, order: CaseOrder): State {
  const reasons = ["the run is not finished"];
  return { ...args, verdict: "unfinished", valid: false, reasons, folder: order.folder };
}

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
  return finished(args, done);
}

function tell(call: ResourceCall<BedContext>, done: CaseResult): void {
  const { summary, origin } = done;
  if (origin === "kept") call.log("info", `kept the valid run in ${done.folder}`);
  if (origin === "attached") call.log("info", "continued the run that was going on");
  for (const reason of summary.reasons) call.log("warning", `${summary.verdict}: ${reason}`);
}

/** Figures as the state keeps them: few and small. The rest lies in the run folder. */
function finished(args: Inputs, { summary, sha256, folder, origin }: CaseResult): State {
  const { tps, avgMs, p99Ms, startSkewMs, littleRatio } = summary;
  const figures = Object.entries({ tps, avgMs, p99Ms, startSkewMs, littleRatio });
  return {
    ...args,
    verdict: summary.verdict,
    valid: summary.verdict === "valid",
    reasons: summary.reasons,
    warnings: summary.warnings,
    ...Object.fromEntries(figures.filter(([, value]) => value !== undefined)),
    folder,
    sha256,
    origin,
  };
}

/** Known before anything is done, so that every failure is answered with it. */
function runIdentity(args: Pick<Inputs, "case" | "runId" | "guests" | "workload">): string {
  const guests = Object.values(args.guests)
    .map(({ vmUuid, guest, dataset }) => [guest.name, vmUuid, dataset])
    .sort();
  const settings = Object.entries(args.workload).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([args.case, args.runId, guests, settings]);
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 10);
  return `${args.case}.${args.runId}.${hash}`;
}

function orderOf(call: ResourceCall<BedContext>, args: Inputs): CaseOrder {
  const id = runIdentity(args);
  const { bedId } = call.context;
  const spec = sysbenchCaseSchema.strip().parse(args.workload);
  const guests = Object.values(args.guests);
  return {
    id,
    bedId,
    spec,
    folder: `${runsFolder(call.context)}/${id}`,
    guests: guests.map(({ vmUuid, guest, socket }) => ({
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
      spec,
      guests: guests.map(({ vmUuid, guest }) => ({ name: guest.name, vmUuid })),
      ...(args.platform === undefined ? {} : { platform: args.platform }),
    },
  };
}

function guestProblems(guests: Inputs["guests"]): { path: string; message: string }[] {
  const names = Object.values(guests).map(({ guest }) => guest.name);
  if (names.length === 0) return [{ path: "guests", message: "a run needs at least one guest" }];
  return Object.keys(guests).flatMap((key, i) =>
    names.indexOf(names[i] ?? "") === i
      ? []
      : [{ path: `guests.${key}.guest.name`, message: `"${names[i] ?? ""}" is listed twice` }],
  );
}

/** The same machines reached in another way are the same guests. */
function harmless(change: PropertyChange, olds: State, news: Inputs): PropertyChange {
  if (!change.path.startsWith("guests") || !change.replace) return change;
  const replace = runIdentity({ ...olds, guests: news.guests }) !== runIdentity(olds);
  return { ...change, replace };
}
