import fc from "fast-check";
import {
  binsOf,
  bucketIndex,
  bucketRatio,
  bucketValueMs,
  histogramOf,
  mergeHistograms,
  percentileMs,
  type LatencyHistogram,
} from "../../../runner/results/histogram";

const bins = fc.array(
  fc.record({ index: fc.integer({ min: 0, max: 1023 }), count: fc.integer({ min: 1, max: 1000 }) }),
  { minLength: 1, maxLength: 60 },
);
const histogram = bins.map((list) =>
  histogramOf(list.map(({ index, count }) => ({ valueMs: bucketValueMs(index), count }))),
);
const plain = (h: LatencyHistogram) => binsOf(h);

it("finds a bucket again from its value as printed with three decimals", () => {
  for (let index = 0; index < 1024; index += 1) {
    const printed = Number(bucketValueMs(index).toFixed(3));
    // Below 0.05 ms neighbouring buckets print alike.
    if (printed > 0.06) expect(bucketIndex(printed)).toBe(index);
  }
  expect(bucketRatio).toBeCloseTo(1.01817, 4);
});

it("merging neither loses nor moves a sample, in any order (property)", () => {
  fc.assert(
    fc.property(histogram, histogram, histogram, (a, b, c) => {
      const one = mergeHistograms([mergeHistograms([a, b]), c]);
      const other = mergeHistograms([c, mergeHistograms([b, a])]);
      expect(plain(one)).toEqual(plain(other));
      expect(one.total).toBe(a.total + b.total + c.total);
    }),
  );
});

it("a merged percentile lies between those of its parts (property)", () => {
  fc.assert(
    fc.property(histogram, histogram, fc.integer({ min: 1, max: 99 }), (a, b, p) => {
      const of = (h: LatencyHistogram): number => percentileMs(h, p)!;
      const merged = of(mergeHistograms([a, b]));
      // floor(n p / 100 + 0.5) rounds, so that one bucket of slack remains for tiny histograms.
      fc.pre(a.total > 200 && b.total > 200);
      expect(merged).toBeGreaterThanOrEqual(Math.min(of(a), of(b)) / bucketRatio - 1e-9);
      expect(merged).toBeLessThanOrEqual(Math.max(of(a), of(b)) * bucketRatio + 1e-9);
    }),
  );
});

it("percentiles grow with their rank (property)", () => {
  fc.assert(
    fc.property(histogram, (h) => {
      const values = [50, 75, 90, 95, 99].map((p) => percentileMs(h, p)!);
      expect([...values].sort((x, y) => x - y)).toEqual(values);
    }),
  );
});

it("refuses a percentile that too few samples bear", () => {
  const h = histogramOf([{ valueMs: 1, count: 9_999 }]);
  expect(percentileMs(h, 99)).toBeDefined();
  expect(percentileMs(h, 99.9)).toBeUndefined();
  expect(percentileMs(histogramOf([{ valueMs: 1, count: 10_000 }]), 99.9)).toBeDefined();
  expect(percentileMs(histogramOf([]), 50)).toBeUndefined();
});
