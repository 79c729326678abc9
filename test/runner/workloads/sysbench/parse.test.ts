import fc from "fast-check";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { histogramOf, percentileMs } from "../../../../runner/results/histogram";
import { explainFailure, mainFailure } from "../../../../runner/workloads/sysbench/failures";
import { parseSysbench, SysbenchParser } from "../../../../runner/workloads/sysbench/parse";
import { readCapture } from "./capture";

const names = readdirSync(join(__dirname, "captures")).map((file) => file.replace(/\.txt$/, ""));

describe("a run with precondition and measured part", () => {
  const { stdout, stderr } = readCapture("checkpoint-histogram");
  const run = parseSysbench(stdout, stderr);

  it("keeps the checkpoint as the precondition's record and the final report apart", () => {
    expect(run.version).toBe("1.0.20");
    expect(run.threads).toBe(32);
    expect(run.started).toBe(true);
    expect(run.checkpoints).toHaveLength(1);
    expect(run.checkpoints[0]).toMatchObject({ checkpointSeconds: 4 });
    expect(run.final?.checkpointSeconds).toBeUndefined();
    expect(run.failures).toEqual([]);
  });

  it("reads every value by its label", () => {
    const report = run.final!;
    const line = (label: string): number => {
      const final = stdout.slice(stdout.lastIndexOf("SQL statistics:"));
      return Number(new RegExp(`${label}:?\\s+([\\d.]+)`).exec(final)?.[1]);
    };
    expect(report.reads).toBe(line("read"));
    expect(report.writes).toBe(line("write"));
    expect(report.others).toBe(line("other"));
    expect(report.transactions).toBe(line("transactions"));
    expect(report.totalTimeSeconds).toBe(line("total time"));
    expect(report.sumMs).toBe(line("sum"));
    expect(report.percentile).toEqual({ rank: 99, ms: line("99th percentile") });
  });

  it("takes the rate that sysbench printed, not events by total time", () => {
    const { tps, events, totalTimeSeconds } = run.final!;
    const measured = totalTimeSeconds! - run.checkpoints[0]!.totalTimeSeconds!;
    expect(tps! / (events! / measured)).toBeCloseTo(1, 2);
    expect(tps! / (events! / totalTimeSeconds!)).toBeGreaterThan(1.5);
  });

  it("has a histogram of exactly the measured part, from which its percentile follows", () => {
    const histogram = histogramOf(run.histogram);
    // Counters and histogram are not reset in one step: with 32 threads one event may fall between.
    expect(Math.abs(histogram.total - run.final!.events!)).toBeLessThanOrEqual(1);
    expect(percentileMs(histogram, 99)!.toFixed(2)).toBe(run.final!.percentile!.ms.toFixed(2));
  });

  it("obeys the closed loop's law in both parts", () => {
    for (const report of [run.checkpoints[0]!, run.final!]) {
      expect((report.tps! * report.avgMs!) / 1000 / 32).toBeGreaterThan(0.98);
      expect((report.tps! * report.avgMs!) / 1000 / 32).toBeLessThan(1.02);
    }
  });

  it("has one interval for each second and no latency right after the checkpoint", () => {
    expect(run.intervals.map((i) => i.second)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(run.intervals.map((i) => i.latencyMs === undefined)).toEqual([
      false,
      false,
      false,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe("runs that failed say why", () => {
  const cases: [name: string, code: number | undefined, words: RegExp][] = [
    ["server-killed", 2013, /lost during a query; it was killed/],
    ["server-down", 2002, /not running/],
    ["missing-table", 1146, /fewer tables/],
    ["wrong-password", 1045, /refused/],
    ["prepared-statements", 1461, /max_prepared_stmt_count/],
    ["prepare-twice", 1050, /exist already/],
    ["disk-full", 1114, /disk of the database is full/],
    ["unknown-option", undefined, /invalid option: --warmup-time=3/],
  ];
  it.each(cases)("%s: error %s", (name, code, words) => {
    const { stdout, stderr } = readCapture(name);
    const run = parseSysbench(stdout, stderr);
    const failure = mainFailure(run.failures);
    expect(failure?.code).toBe(code);
    expect(explainFailure(failure!)).toMatch(words);
    expect(run.final).toBeUndefined();
  });

  it("keep the intervals that came before", () => {
    for (const name of ["server-killed", "terminated"]) {
      const { stdout } = readCapture(name);
      const run = parseSysbench(stdout);
      expect(run.intervals.length).toBeGreaterThan(1);
      expect(run.checkpoints).toHaveLength(1);
      expect(run.final).toBeUndefined();
      expect(run.histogram).toEqual([]);
    }
  });
});

it("sees a table size that the data does not have by the query mix", () => {
  const final = parseSysbench(readCapture("wrong-table-size").stdout).final!;
  expect(final.writes! / final.transactions!).toBeLessThan(3.9);
});

it("counts repeated transactions", () => {
  expect(parseSysbench(readCapture("deadlocks").stdout).final!.ignoredErrors).toBeGreaterThan(0);
});

describe("truncated output", () => {
  it.each(names)("%s: never throws and never invents, whatever byte it ends at", (name) => {
    const { stdout } = readCapture(name);
    const whole = parseSysbench(stdout);
    const parser = new SysbenchParser();
    let seen = "";
    for (const byte of stdout) {
      parser.feed(byte);
      const cut = parser.output();
      const lists = [cut.intervals, cut.checkpoints, cut.histogram].map((l) => l.length.toString());
      const state = [...lists, (cut.final !== undefined).toString()].join();
      if (state === seen) continue;
      seen = state;
      expect(whole.intervals.slice(0, cut.intervals.length)).toEqual(cut.intervals);
      expect(whole.checkpoints.slice(0, cut.checkpoints.length)).toEqual(cut.checkpoints);
      expect(whole.histogram.slice(0, cut.histogram.length)).toEqual(cut.histogram);
      if (cut.final !== undefined) expect(cut.final).toEqual(whole.final);
    }
    expect(parser.output()).toMatchObject({ final: whole.final, intervals: whole.intervals });
  });

  it("reads the same however it is cut into pieces (property)", () => {
    const { stdout } = readCapture("checkpoint-histogram");
    const whole = parseSysbench(stdout);
    fc.assert(
      fc.property(fc.array(fc.nat(stdout.length), { maxLength: 40 }), (cuts) => {
        const parser = new SysbenchParser();
        const at = [0, ...cuts.sort((a, b) => a - b), stdout.length];
        at.slice(1).forEach((end, i) => {
          parser.feed(stdout.slice(at[i], end));
        });
        expect(parser.output()).toEqual(whole);
      }),
      { numRuns: 50 },
    );
  });

  it("survives any text (property)", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(() => parseSysbench(text, text)).not.toThrow();
      }),
    );
  });
});

it("every capture says tool, version, date and command", () => {
  for (const name of names) {
    const { header } = readCapture(name);
    expect(header).toMatch(
      /^# tool: sysbench 1\.0\.20 .*\n# date: \d{4}-\S+\n# command: sysbench /,
    );
  }
});
