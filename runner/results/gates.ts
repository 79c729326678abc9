import type { Expectation, GuestMeasurement, PartTotals } from "./measurement";
import { littleRatio, pooledMean } from "./statistics";

/** Why a case is no evidence. */
export interface Finding {
  readonly gate:
    | "missingGuest"
    | "jobEnd"
    | "noSamples"
    | "noFinalReport"
    | "lostSamples"
    | "stall"
    | "duration"
    | "start"
    | "overlap"
    | "errors"
    | "threads"
    | "queryMix"
    | "histogram"
    | "littlesLaw";
  /** Undefined: the case as a whole. */
  readonly guest: string | undefined;
  readonly message: string;
}

/**
 * How much of the window may be missing: a hundredth, and at least half a second. sysbench closes the
 * precondition part by a thread of its own, which a busy guest starts up to some 0.2 s late (measured
 * with four guests on two cores); on a window of seconds a hundredth is less than that.
 */
function slackSeconds(measureSeconds: number): number {
  return Math.max(measureSeconds * 0.01, 0.5);
}

const lawLimits = { low: 0.98, high: 1.02 };

/**
 * Judges a case. An empty answer means that the case is valid. It never throws, however little the
 * guests delivered: an invalid case is a result, not an error.
 */
export function judge(expected: Expectation, guests: readonly GuestMeasurement[]): Finding[] {
  const missing = expected.guests
    .filter((name) => !guests.some((g) => g.guest === name))
    .map((name): Finding => ({
      gate: "missingGuest",
      guest: name,
      message: `it delivered nothing; ${guests.length.toString()} of ${expected.guests.length.toString()} guests did`,
    }));
  return [
    ...missing,
    ...guests.flatMap((guest) => judgeGuest(expected, guest)),
    ...judgeTogether(expected, guests),
  ];
}

function judgeGuest(expected: Expectation, guest: GuestMeasurement): Finding[] {
  const findings: Finding[] = [];
  const add = (gate: Finding["gate"], message: string): void => {
    findings.push({ gate, guest: guest.guest, message });
  };
  const cause = guest.failure === undefined ? "" : `: ${guest.failure}`;
  if (guest.end.kind !== "exited") add("jobEnd", `${endText[guest.end.kind]}${cause}`);
  else if (guest.end.exitCode !== 0) {
    add("jobEnd", `the job ended with exit code ${guest.end.exitCode.toString()}${cause}`);
  }
  if (guest.samples.length === 0) add("noSamples", "it printed no interval at all");
  if (guest.startedAtMs === undefined) add("start", "the time at which its load began is unknown");
  if (guest.measured === undefined) {
    add("noFinalReport", `the final report is missing, so nothing was measured${cause}`);
    return findings;
  }
  findings.push(
    ...judgeStall(expected, guest),
    ...judgeSamples(expected, guest),
    ...judgeDuration(expected, guest.guest, guest.measured),
    ...judgeErrors(expected, guest.guest, guest.measured),
    ...judgeMix(expected, guest, guest.measured),
    ...judgeHistogram(expected, guest, guest.measured),
    ...judgeLaw(expected, guest.guest, [guest.measured]),
  );
  return findings;
}

/**
 * How long a guest may commit nothing: a tenth of the window, at least three intervals, at most 30 s,
 * after which Linux takes a SCSI command for lost (sd(4), default time-out).
 */
function stallLimitSeconds({ intervalSeconds, measureSeconds }: Expectation): number {
  return Math.max(3 * intervalSeconds, Math.min(30, measureSeconds / 10));
}

/** Longest time without a transaction in the measured part; undefined: each interval had some. */
function longestStall(expected: Expectation, { samples }: GuestMeasurement): Stall | undefined {
  let from = expected.preconditionSeconds;
  let longest: Stall | undefined;
  for (const { part, second, tps } of samples) {
    if (part !== "measured") continue;
    if (tps > 0) from = second;
    else if (second - from > (longest?.seconds ?? 0)) longest = { from, seconds: second - from };
  }
  return longest;
}

interface Stall {
  /** Second of the run, the precondition included. */
  readonly from: number;
  readonly seconds: number;
}

function stallText({ from, seconds }: Stall): string {
  return `no transaction for ${seconds.toString()} s from second ${from.toString()} on: its storage or machine stood still`;
}

/** Says what the broken laws behind it do not: that storage or machine stood still. */
function judgeStall(expected: Expectation, guest: GuestMeasurement): Finding[] {
  const stall = longestStall(expected, guest);
  if (stall === undefined || stall.seconds < stallLimitSeconds(expected)) return [];
  return [{ gate: "stall", guest: guest.guest, message: stallText(stall) }];
}

const endText = {
  lost: "the job vanished without an exit code (guest restarted or job killed)",
  stopped: "the job was stopped",
  unreachable: "the guest could not be reached any more",
  timeLimit: "the job did not end within its time limit",
} as const;

function judgeSamples(expected: Expectation, { guest, samples }: GuestMeasurement): Finding[] {
  const total = expected.preconditionSeconds + expected.measureSeconds;
  const due = Math.floor(total / expected.intervalSeconds);
  const findings: Finding[] = [];
  // The interval that ends with the run races with the end: sysbench may leave it out, and some
  // threads may have finished when it is printed.
  if (samples.length < (due - 1) * 0.95) {
    const message = `${samples.length.toString()} of ${due.toString()} intervals were printed`;
    findings.push({ gate: "lostSamples", guest, message });
  }
  const short = samples.find((s) => s.threads !== expected.threads && s.second < total);
  if (short !== undefined) {
    const message = `${short.threads.toString()} of ${expected.threads.toString()} threads ran at ${short.second.toString()} s`;
    findings.push({ gate: "threads", guest, message });
  }
  return findings;
}

function judgeDuration(expected: Expectation, guest: string, part: PartTotals): Finding[] {
  const { measureSeconds } = expected;
  if (part.seconds === undefined) {
    return [{ gate: "duration", guest, message: "the measured time is unknown" }];
  }
  // Transactions in flight at the end are finished: the longest of them may come on top.
  const slack = slackSeconds(measureSeconds);
  const longest = measureSeconds + slack + (part.maxMs ?? 0) / 1000;
  if (part.seconds >= measureSeconds - slack && part.seconds <= longest) return [];
  const message = `${part.seconds.toFixed(2)} s were measured instead of ${measureSeconds.toString()} s`;
  return [{ gate: "duration", guest, message }];
}

function judgeErrors(expected: Expectation, guest: string, part: PartTotals): Finding[] {
  const findings: Finding[] = [];
  if (part.reconnects !== 0) {
    const count = part.reconnects?.toString() ?? "an unknown number of";
    findings.push({ gate: "errors", guest, message: `${count} reconnects to the server` });
  }
  const share = (part.ignoredErrors ?? Infinity) / Math.max(1, part.transactions ?? 0);
  if (share > expected.maxRetryShare) {
    const message = `${percent(share)} of the transactions were repeated after deadlocks or lock time-outs, more than ${percent(expected.maxRetryShare)}`;
    findings.push({ gate: "errors", guest, message });
  }
  return findings;
}

/** Transactions cut at the start of the count may make up this much of all. */
const maxEdge = 0.03;

/** Reads that miss and writes that drop show data which is not what the case says. */
function judgeMix(expected: Expectation, guest: GuestMeasurement, part: PartTotals): Finding[] {
  const { transactions } = part;
  const stall = longestStall(expected, guest);
  const add = (message: string): Finding => ({ gate: "queryMix", guest: guest.guest, message });
  if (transactions === undefined || transactions === 0) {
    return [add(`no transaction was counted${stall === undefined ? "" : `; ${stallText(stall)}`}`)];
  }
  // Each thread has one transaction cut by the start of the count; repeats run their queries again.
  const edge = Math.min(maxEdge, expected.threads / transactions);
  const tolerance = 0.01 + edge + (part.ignoredErrors ?? 0) / transactions;
  const cause = mixCause(expected, transactions, stall);
  const kinds = ["reads", "writes", "others"] as const;
  return kinds.flatMap((kind): Finding[] => {
    const per = (part[kind] ?? NaN) / transactions;
    if (Math.abs(per / expected.mix[kind] - 1) <= tolerance) return [];
    const due = expected.mix[kind].toString();
    return [add(`${per.toFixed(2)} ${kind} in a transaction instead of ${due}: ${cause}`)];
  });
}

/** The tables are to blame only where transactions were many and came all the time. */
function mixCause(expected: Expectation, transactions: number, stall: Stall | undefined): string {
  if (stall !== undefined) return `${stallText(stall)}, so that many transactions count in part`;
  if (expected.threads / transactions <= maxEdge) return "the tables are not what the case says";
  return `only ${transactions.toString()} transactions of ${expected.threads.toString()} threads were counted, too few to tell; measure longer, or on a less busy machine`;
}

function judgeHistogram(
  expected: Expectation,
  guest: GuestMeasurement,
  part: PartTotals,
): Finding[] {
  // Counters and histogram are reset one after the other: a few events may fall between.
  const difference = Math.abs(guest.histogram.total - (part.events ?? NaN));
  if (difference <= expected.threads) return [];
  const message = `the histogram holds ${guest.histogram.total.toString()} of ${part.events?.toString() ?? "an unknown number of"} events`;
  return [{ gate: "histogram", guest: guest.guest, message }];
}

/** Little's law, for one guest or for all of them. */
function judgeLaw(
  expected: Expectation,
  guest: string | undefined,
  parts: readonly PartTotals[],
): Finding[] {
  const sums = parts.map((part) => ({ sumMs: part.sumMs ?? NaN, events: part.events ?? NaN }));
  const tps = parts.reduce((total, part) => total + (part.tps ?? NaN), 0);
  const meanMs = pooledMean(sums) ?? NaN;
  const ratio = littleRatio(tps, meanMs, expected.threads * parts.length);
  // Requests in flight at both ends of the window blur the law by their own length. That is nothing
  // in an hour, but counts in a short run. What lasts longer than a stall may is the stall gate's.
  const longestSeconds = Math.max(...parts.map((part) => part.maxMs ?? 0)) / 1000;
  const blur = Math.min(longestSeconds, stallLimitSeconds(expected)) / expected.measureSeconds;
  const low = lawLimits.low - blur;
  const high = lawLimits.high + blur;
  if (ratio >= low && ratio <= high) return [];
  const message = `TPS x mean latency is ${ratio.toFixed(3)} times the threads, expected ${low.toFixed(2)} to ${high.toFixed(2)}: output was lost, or the load was not the one declared`;
  return [{ gate: "littlesLaw", guest, message }];
}

function judgeTogether(expected: Expectation, guests: readonly GuestMeasurement[]): Finding[] {
  const parts = guests.flatMap((g) => (g.measured === undefined ? [] : [g.measured]));
  if (parts.length === 0) return [];
  const overlap = overlapShare(expected, guests);
  const findings = guests.length > 1 ? judgeLaw(expected, undefined, parts) : [];
  const minOverlap = 1 - slackSeconds(expected.measureSeconds) / expected.measureSeconds;
  if (overlap !== undefined && overlap < minOverlap) {
    const message = `the guests were measured together for ${percent(overlap)} of the time, less than ${percent(minOverlap)}`;
    findings.push({ gate: "overlap", guest: undefined, message });
  }
  return findings;
}

/** Share of the declared window in which all guests were measured. Undefined: starts unknown. */
export function overlapShare(
  expected: Expectation,
  guests: readonly GuestMeasurement[],
): number | undefined {
  const windows = guests.map(({ startedAtMs, measured }) => {
    if (startedAtMs === undefined || measured?.seconds === undefined) return undefined;
    const from = startedAtMs + expected.preconditionSeconds * 1000;
    return { from, to: from + Math.min(measured.seconds, expected.measureSeconds) * 1000 };
  });
  if (windows.length === 0 || windows.includes(undefined)) return undefined;
  const known = windows.filter((w) => w !== undefined);
  const from = Math.max(...known.map((w) => w.from));
  const to = Math.min(...known.map((w) => w.to));
  return Math.max(0, to - from) / (expected.measureSeconds * 1000);
}

/** Latest start minus earliest, in milliseconds. Undefined: fewer than two starts are known. */
export function startSkewMs(guests: readonly GuestMeasurement[]): number | undefined {
  const starts = guests.flatMap((g) => (g.startedAtMs === undefined ? [] : [g.startedAtMs]));
  return starts.length < 2 ? undefined : Math.max(...starts) - Math.min(...starts);
}

function percent(share: number): string {
  return Number.isFinite(share) ? `${(share * 100).toFixed(2)} %` : "an unknown share";
}
