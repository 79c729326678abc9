/** One non-empty bucket as a tool prints it: its value in milliseconds and how many fell in it. */
export interface HistogramBin {
  readonly valueMs: number;
  readonly count: number;
}

/**
 * Latency histogram in the buckets of sysbench 1.0 (sb_histogram.c; OLTP tests use 1,024 buckets from
 * 0.001 to 100,000 ms): value(i) = exp(i / m + ln 0.001), m = 1023 / (ln 100000 - ln 0.001).
 * All guests have the same buckets, so histograms are merged by adding counts per index.
 */
export interface LatencyHistogram {
  /** Count by bucket index, 0 to 1023; only non-empty buckets. */
  readonly counts: ReadonlyMap<number, number>;
  readonly total: number;
}

const buckets = 1024;
const lowest = Math.log(0.001);
const perLog = (buckets - 1) / (Math.log(100_000) - lowest);

/** Neighbouring buckets differ by this factor, which bounds the error of any percentile: 1.8 %. */
export const bucketRatio = Math.exp(1 / perLog);

/** Value of a bucket in milliseconds. */
export function bucketValueMs(index: number): number {
  return Math.exp(index / perLog + lowest);
}

/** Bucket of a printed value: nearest index, as the value was rounded to three decimals. */
export function bucketIndex(valueMs: number): number {
  const index = Math.round((Math.log(Math.max(valueMs, 0.001)) - lowest) * perLog);
  return Math.min(buckets - 1, Math.max(0, index));
}

export function histogramOf(bins: readonly HistogramBin[]): LatencyHistogram {
  const counts = new Map<number, number>();
  for (const bin of bins) add(counts, bucketIndex(bin.valueMs), bin.count);
  return withTotal(counts);
}

/** Sum of histograms. Percentiles of several guests come from this, never from their percentiles. */
export function mergeHistograms(all: readonly LatencyHistogram[]): LatencyHistogram {
  const counts = new Map<number, number>();
  for (const histogram of all) {
    for (const [index, count] of histogram.counts) add(counts, index, count);
  }
  return withTotal(counts);
}

/**
 * Percentile by sysbench's own rule: the first bucket at which floor(n p / 100 + 0.5) samples are
 * reached. Undefined for an empty histogram, and where too few samples lie beyond it to mean
 * anything (p99.9 needs 10,000, p99.99 needs 100,000).
 */
export function percentileMs(histogram: LatencyHistogram, percent: number): number | undefined {
  if (histogram.total === 0) return undefined;
  if (percent > 99 && histogram.total * (1 - percent / 100) < 10 - 1e-9) return undefined;
  const wanted = Math.floor((histogram.total * percent) / 100 + 0.5);
  let reached = 0;
  for (const [index, count] of [...histogram.counts].sort(([a], [b]) => a - b)) {
    reached += count;
    if (reached >= wanted) return bucketValueMs(index);
  }
  return undefined;
}

/** Bins in order of value, for files and charts. */
export function binsOf(histogram: LatencyHistogram): HistogramBin[] {
  return [...histogram.counts]
    .sort(([a], [b]) => a - b)
    .map(([index, count]) => ({ valueMs: bucketValueMs(index), count }));
}

function add(counts: Map<number, number>, index: number, count: number): void {
  counts.set(index, (counts.get(index) ?? 0) + count);
}

function withTotal(counts: Map<number, number>): LatencyHistogram {
  let total = 0;
  for (const count of counts.values()) total += count;
  return { counts, total };
}
