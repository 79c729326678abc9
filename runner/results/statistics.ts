/** Mean of a non-empty list; undefined for an empty one. */
export function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((a, b) => a + b, 0) / values.length;
}

export function median(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2;
}

/** Mean latency of all transactions together: sum of their times by their number. */
export function pooledMean(
  parts: readonly { readonly sumMs: number; readonly events: number }[],
): number | undefined {
  const events = parts.reduce((total, part) => total + part.events, 0);
  return events === 0 ? undefined : parts.reduce((total, part) => total + part.sumMs, 0) / events;
}

export interface Fairness {
  /** Slowest guest's rate divided by the fastest's. */
  readonly minToMax: number;
  /** Standard deviation (n - 1) divided by the mean. */
  readonly variation: number;
}

/** How evenly guests were served. Undefined for fewer than two. */
export function fairness(rates: readonly number[]): Fairness | undefined {
  const average = mean(rates);
  if (average === undefined || average === 0 || rates.length < 2) return undefined;
  const squares = rates.reduce((total, rate) => total + (rate - average) ** 2, 0);
  return {
    minToMax: Math.min(...rates) / Math.max(...rates),
    variation: Math.sqrt(squares / (rates.length - 1)) / average,
  };
}

/**
 * Little's law for a closed loop without think time: throughput x mean latency = threads in flight.
 * Answers the ratio of both sides; 1 means that nothing was lost or misread.
 */
export function littleRatio(tps: number, meanMs: number, threads: number): number {
  return (tps * meanMs) / 1000 / threads;
}

/**
 * Steady state by the rule of the SNIA Solid State Storage Performance Test Specification (Enterprise
 * v1.1): over five rounds the range is at most 20 % of the mean and the excursion of the
 * least-squares line at most 10 %. Rounds are five equal slices of the sample. Undefined when there
 * are fewer than ten values.
 */
export function isSteady(values: readonly number[]): boolean | undefined {
  if (values.length < 10) return undefined;
  const rounds = Array.from({ length: 5 }, (_, i) => {
    const from = Math.floor((i * values.length) / 5);
    return mean(values.slice(from, Math.floor(((i + 1) * values.length) / 5))) ?? 0;
  });
  const average = mean(rounds) ?? 0;
  if (average === 0) return false;
  const range = Math.max(...rounds) - Math.min(...rounds);
  // Slope of the least-squares line through x = -2..2, whose squares add up to 10.
  const slope = rounds.reduce((total, value, i) => total + (i - 2) * value, 0) / 10;
  return range <= 0.2 * average && Math.abs(slope) * 4 <= 0.1 * average;
}

/** Two-sided 97.5 % quantile of Student's t with 11 degrees of freedom. */
const t11 = 2.201;

/**
 * Half width of the 95 % confidence interval of the mean, by 12 batch means: neighbouring intervals
 * depend on each other, so they are no independent samples. Undefined for fewer than 60 values.
 */
export function confidence95(values: readonly number[]): number | undefined {
  if (values.length < 60) return undefined;
  const batches = Array.from({ length: 12 }, (_, i) => {
    const from = Math.floor((i * values.length) / 12);
    return mean(values.slice(from, Math.floor(((i + 1) * values.length) / 12))) ?? 0;
  });
  const average = mean(batches) ?? 0;
  const squares = batches.reduce((total, value) => total + (value - average) ** 2, 0);
  return (t11 * Math.sqrt(squares / 11)) / Math.sqrt(12);
}
