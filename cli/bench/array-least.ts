import type { DeviceRequest } from "./critical-path";

/** One step of a bed on an array, and what of it must be asked one after the other. */
export interface ArrayStep {
  readonly name: string;
  /** Rounds of reads in series that the rules ask for: the look before the first write, the proof after the last. */
  readonly readRounds: number;
  /** Reads that are needed once for each object and may be in flight together. */
  readonly readsForEach: number;
}

/**
 * The least time for one step, in milliseconds, given what its requests took on the array: rounds of reads
 * in series, then work on objects of their own, which is spread over the requests that may be in flight. All writes are
 * needed, for each one names one object; reads are needed as far as the step says.
 * @param inFlight requests that the array takes at once, by its documentation
 */
export function leastTime(
  step: ArrayStep,
  requests: readonly DeviceRequest[],
  inFlight: number,
): number {
  const reads = requests.filter(({ write }) => !write);
  const writes = requests.filter(({ write }) => write);
  const read = shortest(reads);
  const spread = spreadOver(inFlight, Array<number>(step.readsForEach).fill(read));
  const times = writes.map(({ durationMs }) => durationMs);
  return step.readRounds * read + spread + spreadOver(inFlight, times);
}

/** No schedule is shorter: not than the work through all places, nor than the longest piece of it. */
function spreadOver(inFlight: number, times: readonly number[]): number {
  return Math.max(sum(times) / inFlight, 0, ...times);
}

function shortest(requests: readonly DeviceRequest[]): number {
  return requests.length === 0 ? 0 : Math.min(...requests.map(({ durationMs }) => durationMs));
}

function sum(times: readonly number[]): number {
  return times.reduce((total, time) => total + time, 0);
}
