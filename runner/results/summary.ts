import { z } from "zod";
import { mergeHistograms, percentileMs } from "./histogram";
import { judge, overlapShare, startSkewMs } from "./gates";
import type { Expectation, GuestMeasurement } from "./measurement";
import {
  confidence95,
  fairness,
  isSteady,
  littleRatio,
  mean,
  median,
  pooledMean,
} from "./statistics";

const optionalNumber = z.number().optional();

const guestSummarySchema = z.object({
  guest: z.string(),
  tps: optionalNumber,
  avgMs: optionalNumber,
  p99Ms: optionalNumber,
  maxMs: optionalNumber,
  littleRatio: optionalNumber,
  startedAt: z.string().optional(),
  samples: z.number(),
  end: z.string(),
});

/** Figures of one case. A figure that could not be had is absent, never 0. */
export const caseSummarySchema = z.object({
  verdict: z.enum(["valid", "invalid", "partial"]),
  /** Why it is not valid, one sentence each, with the guest. */
  reasons: z.array(z.string()),
  /** What a reader should know of a valid case. */
  warnings: z.array(z.string()),
  guests: z.number(),
  guestsDelivered: z.number(),
  threads: z.number(),
  preconditionSeconds: z.number(),
  measureSeconds: z.number(),
  /** Sum over the guests. */
  tps: optionalNumber,
  /** Half width of the 95 % confidence interval of the mean TPS over time. */
  tpsConfidence95: optionalNumber,
  qps: optionalNumber,
  /** All transactions of all guests together. */
  avgMs: optionalNumber,
  /** Of the merged histograms. */
  p50Ms: optionalNumber,
  p95Ms: optionalNumber,
  p99Ms: optionalNumber,
  p999Ms: optionalNumber,
  maxMs: optionalNumber,
  /** As the reviews print them: plain means of the guests' own figures. */
  reviewStyle: z.object({ avgMs: optionalNumber, p99Ms: optionalNumber }),
  littleRatio: optionalNumber,
  overlap: optionalNumber,
  startSkewMs: optionalNumber,
  steady: z.boolean().optional(),
  fairness: z.object({ minToMax: z.number(), variation: z.number() }).optional(),
  retries: optionalNumber,
  perGuest: z.array(guestSummarySchema),
});

export type CaseSummary = z.infer<typeof caseSummarySchema>;

/**
 * Makes the figures of a case. `partial` says that it was stopped on purpose before its end.
 * Percentiles come from merged histograms; means from all transactions together; the review-style
 * means stand beside them for comparison only.
 */
export function summarize(
  expected: Expectation,
  guests: readonly GuestMeasurement[],
  partial: boolean,
): CaseSummary {
  const findings = judge(expected, guests);
  const parts = guests.flatMap((g) => (g.measured === undefined ? [] : [g.measured]));
  const complete = parts.length === expected.guests.length;
  const histogram = mergeHistograms(guests.map((g) => g.histogram));
  const tps = complete ? total(parts.map((part) => part.tps)) : undefined;
  const avgMs = complete
    ? pooledMean(parts.map((p) => ({ sumMs: p.sumMs ?? NaN, events: p.events ?? NaN })))
    : undefined;
  const series = totalSeries(guests);
  const spread = complete ? fairness(parts.flatMap((part) => part.tps ?? [])) : undefined;
  const rank = (percent: number): number | undefined =>
    complete ? percentileMs(histogram, percent) : undefined;
  const verdict = partial ? "partial" : findings.length === 0 ? "valid" : "invalid";
  return withoutUndefined({
    verdict,
    reasons: findings.map((f) => (f.guest === undefined ? f.message : `${f.guest}: ${f.message}`)),
    warnings: warningsOf(series, spread, guests),
    guests: expected.guests.length,
    guestsDelivered: guests.filter((g) => g.measured !== undefined).length,
    threads: expected.threads,
    preconditionSeconds: expected.preconditionSeconds,
    measureSeconds: expected.measureSeconds,
    tps,
    tpsConfidence95: complete ? confidence95(series) : undefined,
    qps: complete ? total(parts.map((part) => part.qps)) : undefined,
    avgMs,
    p50Ms: rank(50),
    p95Ms: rank(95),
    p99Ms: rank(99),
    p999Ms: rank(99.9),
    maxMs: complete ? Math.max(...parts.map((part) => part.maxMs ?? NaN)) : undefined,
    reviewStyle: withoutUndefined({
      avgMs: complete ? meanOfAll(parts.map((part) => part.avgMs)) : undefined,
      p99Ms: complete ? meanOfAll(guests.map((g) => percentileMs(g.histogram, 99))) : undefined,
    }),
    littleRatio:
      tps === undefined || avgMs === undefined
        ? undefined
        : littleRatio(tps, avgMs, expected.threads * parts.length),
    overlap: overlapShare(expected, guests),
    startSkewMs: startSkewMs(guests),
    steady: complete ? isSteady(series) : undefined,
    fairness: spread,
    retries: complete ? total(parts.map((part) => part.ignoredErrors)) : undefined,
    perGuest: guests.map((guest) => guestSummary(expected, guest)),
  });
}

function guestSummary(
  expected: Expectation,
  guest: GuestMeasurement,
): z.infer<typeof guestSummarySchema> {
  const { measured } = guest;
  return withoutUndefined({
    guest: guest.guest,
    tps: measured?.tps,
    avgMs: measured?.avgMs,
    p99Ms: percentileMs(guest.histogram, 99),
    maxMs: measured?.maxMs,
    littleRatio: littleRatio(measured?.tps ?? NaN, measured?.avgMs ?? NaN, expected.threads),
    startedAt:
      guest.startedAtMs === undefined ? undefined : new Date(guest.startedAtMs).toISOString(),
    samples: guest.samples.length,
    end:
      guest.end.kind === "exited" ? `exit code ${guest.end.exitCode.toString()}` : guest.end.kind,
  });
}

/** TPS of all guests together in each measured interval that every guest printed. */
function totalSeries(guests: readonly GuestMeasurement[]): number[] {
  const bySecond = new Map<number, number[]>();
  for (const guest of guests) {
    for (const sample of guest.samples) {
      if (sample.part !== "measured") continue;
      bySecond.set(sample.second, [...(bySecond.get(sample.second) ?? []), sample.tps]);
    }
  }
  return [...bySecond]
    .filter(([, rates]) => rates.length === guests.length)
    .sort(([a], [b]) => a - b)
    .map(([, rates]) => rates.reduce((sum, rate) => sum + rate, 0));
}

function warningsOf(
  series: readonly number[],
  spread: { variation: number } | undefined,
  guests: readonly GuestMeasurement[],
): string[] {
  const warnings: string[] = [];
  const middle = median(series);
  const stalls = middle === undefined ? 0 : series.filter((tps) => tps < middle / 2).length;
  if (stalls > 0) {
    warnings.push(
      `${stalls.toString()} intervals below half of the median rate: percentiles of a closed loop understate a stall`,
    );
  }
  if (isSteady(series) === false) warnings.push("not steady over the measured part");
  if (spread !== undefined && spread.variation > 0.1) {
    warnings.push(
      `guests were served unevenly (variation ${(spread.variation * 100).toFixed(0)} %)`,
    );
  }
  for (const { guest, clock } of guests) {
    if (clock !== undefined && clock.uncertaintyMs > 50) {
      warnings.push(`${guest}: its clock is known to ${clock.uncertaintyMs.toFixed(0)} ms only`);
    }
  }
  return warnings;
}

/** Undefined as soon as one value is missing: a sum of some is not the sum. */
function total(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length ? known.reduce((sum, value) => sum + value, 0) : undefined;
}

function meanOfAll(values: readonly (number | undefined)[]): number | undefined {
  const sum = total(values);
  return sum === undefined ? undefined : mean([sum / values.length]);
}

/** Absent instead of undefined or not-a-number, as JSON and state keep it. */
function withoutUndefined<T extends object>(value: T): T {
  const known = Object.entries(value).filter(([, v]) => v !== undefined && !Number.isNaN(v));
  return Object.fromEntries(known) as T;
}
