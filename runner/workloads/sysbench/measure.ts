import { histogramOf } from "../../results/histogram";
import type { Expectation, GuestMeasurement, PartTotals, Sample } from "../../results/measurement";
import { explainFailure, mainFailure } from "./failures";
import { parseSysbench, type SysbenchOutput } from "./parse";
import type { SysbenchCase } from "./plan";
import type { SysbenchReport } from "./report-block";

/** What was harvested from one guest, as text. */
export interface RawRun {
  readonly guest: string;
  readonly stdout: string;
  readonly stderr: string;
  /** One line for each thread: seconds since the epoch on the guest's clock. */
  readonly started: string;
  readonly end: GuestMeasurement["end"];
  readonly clock: GuestMeasurement["clock"];
}

/** `oltp_read_write` of sysbench 1.0: 10 point selects and 4 ranges, 4 writes, BEGIN and COMMIT. */
const mix = { reads: 14, writes: 4, others: 2 };

export function sysbenchExpectation(spec: SysbenchCase, guests: readonly string[]): Expectation {
  return {
    guests,
    threads: spec.threads,
    preconditionSeconds: spec.preconditionSeconds,
    measureSeconds: spec.measureSeconds,
    intervalSeconds: spec.reportIntervalSeconds,
    mix,
    maxRetryShare: spec.maxRetryShare,
  };
}

/** Reads what a guest left, whole or cut off anywhere. Never throws. */
export function measureSysbench(spec: SysbenchCase, raw: RawRun): GuestMeasurement {
  const output = parseSysbench(raw.stdout, raw.stderr);
  const failure = mainFailure(output.failures);
  const checkpoint = output.checkpoints.at(-1);
  const reached = spec.preconditionSeconds === 0 || checkpoint !== undefined;
  const final = reached ? output.final : undefined;
  return {
    guest: raw.guest,
    end: raw.end,
    failure: failure === undefined ? undefined : explainFailure(failure),
    startedAtMs: startOf(raw),
    clock: raw.clock,
    samples: samplesOf(spec, output),
    precondition: checkpoint === undefined ? undefined : totals(checkpoint, 0),
    measured: final === undefined ? undefined : totals(final, checkpoint?.totalTimeSeconds ?? 0),
    histogram: histogramOf(output.histogram),
  };
}

/** The load begins with the first transaction: then all threads are ready and the tool's clock starts. */
function startOf(raw: RawRun): number | undefined {
  const times = raw.started
    .split("\n")
    .filter((line) => /^\d+\.\d{3}$/.test(line))
    .map((line) => Number(line) * 1000);
  if (times.length === 0) return undefined;
  const { offsetMs = 0, uncertaintyMs = 0 } = raw.clock ?? {};
  // An offset below its own uncertainty is no offset.
  return Math.min(...times) - (Math.abs(offsetMs) > uncertaintyMs ? offsetMs : 0);
}

function samplesOf(spec: SysbenchCase, output: SysbenchOutput): Sample[] {
  return output.intervals.map((interval) => ({
    second: interval.second,
    part: interval.second <= spec.preconditionSeconds ? "precondition" : "measured",
    threads: interval.threads,
    tps: interval.tps,
    qps: interval.qps,
    reads: interval.reads,
    writes: interval.writes,
    others: interval.others,
    latencyMs: interval.latencyMs,
    errors: interval.errors,
    reconnects: interval.reconnects,
  }));
}

/** `total time` counts from the start of the run, so the part's own time is the difference. */
function totals(report: SysbenchReport, beganSeconds: number): PartTotals {
  const { totalTimeSeconds } = report;
  return {
    seconds: totalTimeSeconds === undefined ? undefined : totalTimeSeconds - beganSeconds,
    transactions: report.transactions,
    events: report.events,
    tps: report.tps,
    qps: report.qps,
    reads: report.reads,
    writes: report.writes,
    others: report.others,
    ignoredErrors: report.ignoredErrors,
    reconnects: report.reconnects,
    minMs: report.minMs,
    avgMs: report.avgMs,
    maxMs: report.maxMs,
    sumMs: report.sumMs,
    percentile: report.percentile,
  };
}
