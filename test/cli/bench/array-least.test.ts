import { leastTime } from "../../../cli/bench/array-least";
import type { DeviceRequest } from "../../../cli/bench/critical-path";

const request = (write: boolean, durationMs: number): DeviceRequest => ({
  device: "array",
  method: write ? "POST" : "GET",
  path: "/",
  startedAtMs: 0,
  durationMs,
  write,
});
const writes = (count: number, durationMs: number): DeviceRequest[] =>
  Array.from({ length: count }, () => request(true, durationMs));
const step = { name: "volumes", readRounds: 2, readsForEach: 0 };

test("writes are spread over what may be in flight, reads in series are not", () => {
  const requests = [request(false, 200), request(false, 210), ...writes(32, 200)];
  expect(leastTime(step, requests, 6)).toBeCloseTo(2 * 200 + (32 * 200) / 6);
});

test("more places do not help beyond the longest single request", () => {
  const requests = [request(false, 200), ...writes(3, 100), request(true, 5000)];
  expect(leastTime(step, requests, 100)).toBe(2 * 200 + 5000);
});

test("reads that are needed for each object are work too; others are the driver's own and count as its loss", () => {
  const reads = Array.from({ length: 40 }, () => request(false, 100));
  expect(leastTime(step, reads, 6)).toBe(200);
  expect(leastTime({ ...step, readsForEach: 33 }, reads, 6)).toBeCloseTo(200 + 3300 / 6);
});
