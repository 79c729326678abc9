/** What an array counts of the I/O that it has served. Only grows. */
export interface IoTotals {
  readonly reads: bigint;
  readonly readBytes: bigint;
  /** Sum of the times from request to answer, in microseconds. */
  readonly readMicros: bigint;
  readonly writes: bigint;
  readonly writeBytes: bigint;
  readonly writeMicros: bigint;
  /** Neither reads nor writes: trims, flushes. */
  readonly others: bigint;
}

export type IoObject = "volume" | "targetPort" | "port";

/** Where emulators read counters; {@link IoMeter.refresh} first brings them up to date. */
export interface IoMeter {
  refresh(): Promise<void>;
  /** By id of the object. */
  totals(kind: IoObject, id: string): IoTotals;
}

export const noIo: IoTotals = {
  ...{ reads: 0n, readBytes: 0n, readMicros: 0n },
  ...{ writes: 0n, writeBytes: 0n, writeMicros: 0n },
  others: 0n,
};

/** Of a lab without real I/O: its arrays have served none. */
export const silentMeter: IoMeter = { refresh: () => Promise.resolve(), totals: () => noIo };

const names = Object.keys(noIo) as (keyof IoTotals)[];

export function addIo(a: IoTotals, b: IoTotals): IoTotals {
  return combine(a, b, (x, y) => x + y);
}

/** What came on top of `before`; everything when the counting began anew in between. */
export function ioSince(now: IoTotals, before: IoTotals): IoTotals {
  const anew = names.some((name) => now[name] < before[name]);
  return anew ? now : combine(now, before, (x, y) => x - y);
}

/** Splits over `count` equal shares; what does not divide goes to the first. */
export function shareIo(io: IoTotals, count: number, index: number): IoTotals {
  const parts = BigInt(count);
  return combine(io, noIo, (x) => x / parts + (index === 0 ? x % parts : 0n));
}

function combine(a: IoTotals, b: IoTotals, by: (x: bigint, y: bigint) => bigint): IoTotals {
  const value = (name: keyof IoTotals): bigint => by(a[name], b[name]);
  return {
    ...{ reads: value("reads"), readBytes: value("readBytes"), readMicros: value("readMicros") },
    ...{ writes: value("writes"), writeBytes: value("writeBytes") },
    ...{ writeMicros: value("writeMicros"), others: value("others") },
  };
}
