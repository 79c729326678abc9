import { judge, startSkewMs, type Finding } from "../../../runner/results/gates";
import { histogramOf } from "../../../runner/results/histogram";
import type {
  Expectation,
  GuestMeasurement,
  PartTotals,
} from "../../../runner/results/measurement";

const expected: Expectation = {
  guests: ["g01", "g02"],
  threads: 32,
  preconditionSeconds: 7200,
  measureSeconds: 3600,
  intervalSeconds: 10,
  mix: { reads: 14, writes: 4, others: 2 },
  maxRetryShare: 0.001,
};

/** A guest with 1,000 TPS at 32 ms: 32 threads in flight. */
function guest(name: string, changes: Partial<GuestMeasurement> = {}): GuestMeasurement {
  const events = 3_600_000;
  return {
    guest: name,
    end: { kind: "exited", exitCode: 0 },
    failure: undefined,
    startedAtMs: 1_800_000_000_000,
    clock: { offsetMs: 0, uncertaintyMs: 1 },
    samples: Array.from({ length: 1080 }, (_, i) => ({
      second: (i + 1) * 10,
      part: (i + 1) * 10 <= 7200 ? ("precondition" as const) : ("measured" as const),
      threads: 32,
      tps: 1000,
      qps: 20_000,
      reads: 14_000,
      writes: 4000,
      others: 2000,
      latencyMs: 60,
      errors: 0,
      reconnects: 0,
    })),
    precondition: undefined,
    measured: totals({}),
    histogram: histogramOf([{ valueMs: 32, count: events }]),
    ...changes,
  };
}

function totals(changes: Partial<PartTotals>): PartTotals {
  const events = 3_600_000;
  return {
    seconds: 3600.02,
    transactions: events,
    events,
    tps: 1000,
    qps: 20_000,
    reads: events * 14,
    writes: events * 4,
    others: events * 2,
    ignoredErrors: 0,
    reconnects: 0,
    minMs: 1,
    avgMs: 32,
    maxMs: 400,
    sumMs: events * 32,
    percentile: { rank: 99, ms: 60 },
    ...changes,
  };
}

const gates = (findings: readonly Finding[]) => findings.map((f) => `${f.guest ?? "*"}:${f.gate}`);
const judged = (changes: Partial<GuestMeasurement>): string[] =>
  gates(judge(expected, [guest("g01"), guest("g02", changes)]));

it("a case in which all guests delivered what was declared is valid", () => {
  expect(judge(expected, [guest("g01"), guest("g02")])).toEqual([]);
});

describe("a case is no evidence", () => {
  it.each([
    ["precondition part", 7100, 7200, []],
    ["measured part, 20 s", 8000, 8020, []],
    ["measured part, 30 s", 8000, 8030, ["g02:stall"]],
    ["measured part, from its start", 7200, 7240, ["g02:stall"]],
    ["measured part, to its end", 10_700, 10_800, ["g02:stall"]],
  ])("when a guest stood still for long: %s", (_, from, to, found) => {
    const samples = guest("g02").samples.map((s) =>
      s.second > from && s.second <= to ? { ...s, tps: 0 } : s,
    );
    expect(judged({ samples })).toEqual(found);
  });

  it("when a guest is missing: it is never left out of the average", () => {
    expect(gates(judge(expected, [guest("g01")]))).toEqual(["g02:missingGuest"]);
  });

  it("when nothing came at all", () => {
    const empty = guest("g02", {
      end: { kind: "unreachable" },
      samples: [],
      measured: undefined,
      startedAtMs: undefined,
      histogram: histogramOf([]),
    });
    expect(gates(judge(expected, [empty, { ...empty, guest: "g01" }]))).toContain(
      "g02:noFinalReport",
    );
    expect(gates(judge(expected, []))).toEqual(["g01:missingGuest", "g02:missingGuest"]);
  });

  it("when the final report is missing, with the cause", () => {
    const findings = judge(expected, [
      guest("g01"),
      guest("g02", {
        end: { kind: "exited", exitCode: 1 },
        failure: "error 2013 (Lost connection to server during query)",
        measured: undefined,
      }),
    ]);
    expect(gates(findings)).toEqual(["g02:jobEnd", "g02:noFinalReport"]);
    expect(findings[0]?.message).toContain("exit code 1: error 2013");
  });

  it("when a job was stopped, although it printed everything", () => {
    expect(judged({ end: { kind: "stopped" } })).toEqual(["g02:jobEnd"]);
  });

  it("when the measured time is not the declared one", () => {
    expect(judged({ measured: totals({ seconds: 3550 }) })).toEqual(["g02:duration", "*:overlap"]);
    expect(judged({ measured: totals({ seconds: 3700 }) })).toEqual(["g02:duration"]);
  });

  it("when the guests were not measured together", () => {
    const late = 1_800_000_000_000 + 37_000;
    expect(judged({ startedAtMs: late })).toEqual(["*:overlap"]);
    expect(judged({ startedAtMs: late - 5000 })).toEqual([]);
  });

  it("when the server was connected to anew, or too much was repeated", () => {
    expect(judged({ measured: totals({ reconnects: 1 }) })).toEqual(["g02:errors"]);
    expect(judged({ measured: totals({ ignoredErrors: 3500 }) })).toEqual([]);
    expect(judged({ measured: totals({ ignoredErrors: 3700 }) })).toEqual(["g02:errors"]);
  });

  it("when the statements are not those of the workload", () => {
    expect(judged({ measured: totals({ writes: 3_600_000 * 1.9 }) })).toEqual(["g02:queryMix"]);
    expect(judged({ measured: totals({ reads: undefined }) })).toEqual(["g02:queryMix"]);
  });

  it("when statements are off, with the tables as the cause only where nothing stood still", () => {
    const off = totals({ reads: 3_600_000 * 12 });
    const said = (changes: Partial<GuestMeasurement>): string[] =>
      judge(expected, [guest("g01"), guest("g02", { measured: off, ...changes })])
        .filter((finding) => finding.gate === "queryMix")
        .map((finding) => finding.message);
    const begin = "12.00 reads in a transaction instead of 14: ";
    expect(said({})).toEqual([`${begin}the tables are not what the case says`]);
    const samples = guest("g02").samples.map((s) =>
      s.second > 8000 && s.second <= 8020 ? { ...s, tps: 0 } : s,
    );
    expect(said({ samples })).toEqual([
      `${begin}no transaction for 20 s from second 8000 on: its storage or machine stood still, so that many transactions count in part`,
    ]);
    const few = totals({ transactions: 320, reads: 320 * 12, writes: 320 * 4, others: 320 * 2 });
    expect(said({ measured: few })).toEqual([
      `${begin}only 320 transactions of 32 threads were counted, too few to tell; measure longer, or on a less busy machine`,
    ]);
  });

  it("when threads were lost", () => {
    const samples = guest("g02").samples.map((s, i) => (i === 500 ? { ...s, threads: 31 } : s));
    expect(judged({ samples })).toEqual(["g02:threads"]);
  });

  it("when intervals are missing, but not for the last one", () => {
    expect(judged({ samples: guest("g02").samples.slice(0, 1000) })).toEqual(["g02:lostSamples"]);
    expect(judged({ samples: guest("g02").samples.slice(0, -1) })).toEqual([]);
  });

  it("when the closed loop's law does not hold, for the guest and for all", () => {
    expect(judged({ measured: totals({ tps: 970 }) })).toEqual(["g02:littlesLaw"]);
    expect(judged({ measured: totals({ tps: 900 }) })).toEqual(["g02:littlesLaw", "*:littlesLaw"]);
    expect(judged({ measured: totals({ sumMs: undefined }) })).toContain("g02:littlesLaw");
  });

  it("when the histogram is not the measured part's", () => {
    expect(judged({ histogram: histogramOf([{ valueMs: 32, count: 100 }]) })).toEqual([
      "g02:histogram",
    ]);
  });
});

it("short runs get the blur of requests in flight, and no more", () => {
  const short: Expectation = {
    ...expected,
    guests: ["g01"],
    preconditionSeconds: 0,
    measureSeconds: 10,
  };
  const events = 1600;
  const of = (tps: number, maxMs = 300): GuestMeasurement =>
    guest("g01", {
      samples: guest("g01").samples.slice(0, 1),
      histogram: histogramOf([{ valueMs: 200, count: events }]),
      measured: totals({
        seconds: 10.2,
        events,
        transactions: events,
        reads: events * 14,
        writes: events * 4,
        others: events * 2,
        tps,
        avgMs: 200,
        sumMs: events * 200,
        maxMs,
      }),
    });
  expect(judge(short, [of(154)])).toEqual([]);
  expect(gates(judge(short, [of(145)]))).toEqual(["g01:littlesLaw"]);
  // Measured on a busy machine: 1.071 times the threads in 8 s, transactions of up to 0.6 s.
  expect(judge(short, [of(171.4, 600)])).toEqual([]);
  expect(gates(judge(short, [of(171.4)]))).toEqual(["g01:littlesLaw"]);
  // Three seconds are a stall: no request may blur the law by more.
  const finer = { ...short, intervalSeconds: 1 };
  expect(gates(judge(finer, [of(105, 9000)]))).toContain("g01:littlesLaw");
});

it("knows the skew only from starts that are known", () => {
  expect(startSkewMs([guest("g01"), guest("g02", { startedAtMs: 1_800_000_000_040 })])).toBe(40);
  expect(startSkewMs([guest("g01"), guest("g02", { startedAtMs: undefined })])).toBeUndefined();
});
