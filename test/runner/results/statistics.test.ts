import fc from "fast-check";
import {
  confidence95,
  fairness,
  isSteady,
  littleRatio,
  mean,
  median,
  pooledMean,
} from "../../../runner/results/statistics";

const rate = fc.double({ min: 1, max: 1e5, noNaN: true });

it("the plain mean of guests' means is never below the pooled one in a closed loop (property)", () => {
  // A guest with T transactions a second and 32 threads has a mean latency of 32 / T.
  fc.assert(
    fc.property(fc.array(rate, { minLength: 1, maxLength: 32 }), (rates) => {
      const parts = rates.map((tps) => ({ sumMs: 32_000 * 100, events: tps * 100 }));
      const means = rates.map((tps) => 32_000 / tps);
      expect(mean(means)!).toBeGreaterThanOrEqual(pooledMean(parts)! * (1 - 1e-9));
    }),
  );
});

it("the law gives 1 for any synthetic closed loop (property)", () => {
  fc.assert(
    fc.property(rate, fc.integer({ min: 1, max: 1024 }), (tps, threads) => {
      expect(littleRatio(tps, (threads * 1000) / tps, threads)).toBeCloseTo(1, 9);
    }),
  );
});

it("explains the published XCubeSAN figure: uneven guests lift the mean of means", () => {
  expect(littleRatio(26_810.4, 41, 1024)).toBeGreaterThan(1.07);
  expect(littleRatio(13_135, 19.49, 256)).toBeCloseTo(1, 3);
});

it("fairness is 1 and without variation for equal guests, and symmetric (property)", () => {
  expect(fairness([5, 5, 5])).toEqual({ minToMax: 1, variation: 0 });
  expect(fairness([7])).toBeUndefined();
  fc.assert(
    fc.property(fc.array(rate, { minLength: 2 }), (rates) => {
      const one = fairness(rates)!;
      const other = fairness([...rates].reverse())!;
      expect(one.minToMax).toBe(other.minToMax);
      expect(one.variation).toBeCloseTo(other.variation, 9);
    }),
  );
});

it("missing is missing", () => {
  expect(mean([])).toBeUndefined();
  expect(median([])).toBeUndefined();
  expect(pooledMean([])).toBeUndefined();
  expect(isSteady([1, 2, 3])).toBeUndefined();
  expect(confidence95([1, 2, 3])).toBeUndefined();
});

it("a level series is steady; a drift of more than 10 % or a range of more than 20 % is not", () => {
  const series = (f: (i: number) => number): number[] => Array.from({ length: 50 }, (_, i) => f(i));
  expect(isSteady(series(() => 100))).toBe(true);
  expect(isSteady(series((i) => 100 + (i % 2)))).toBe(true);
  expect(isSteady(series((i) => 100 + i / 2))).toBe(false);
  expect(isSteady(series((i) => (i >= 20 && i < 30 ? 130 : 100)))).toBe(false);
  expect(isSteady(series(() => 0))).toBe(false);
});

it("the interval is 0 for a constant series and grows with its spread", () => {
  const flat = Array.from({ length: 120 }, () => 10);
  const wavy = flat.map((v, i) => v + Math.floor(i / 10));
  expect(confidence95(flat)).toBe(0);
  expect(confidence95(wavy)).toBeGreaterThan(1);
});
