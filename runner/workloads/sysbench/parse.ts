import type { HistogramBin } from "../../results/histogram";
import { readFailure, type SysbenchFailure } from "./failures";
import { ReportReader, type SysbenchReport } from "./report-block";

/** One `--report-interval` line. Rates are per second. */
export interface SysbenchInterval {
  /** Seconds since the threads started, end of the interval. */
  readonly second: number;
  readonly threads: number;
  readonly tps: number;
  readonly qps: number;
  readonly reads: number;
  readonly writes: number;
  readonly others: number;
  /** Rank of the percentile, 1 to 99. */
  readonly percentile: number;
  /** Undefined on the line that follows a checkpoint: its counters were reset a moment before. */
  readonly latencyMs: number | undefined;
  readonly errors: number;
  readonly reconnects: number;
}

export interface SysbenchOutput {
  readonly version: string | undefined;
  readonly threads: number | undefined;
  /** The threads began to work. */
  readonly started: boolean;
  readonly intervals: readonly SysbenchInterval[];
  /** Full reports at checkpoints; each covers the time since the one before. */
  readonly checkpoints: readonly SysbenchReport[];
  /** Final report, covering the time since the last checkpoint. Undefined: it never came whole. */
  readonly final: SysbenchReport | undefined;
  /** Of the final report. Empty when none was printed. */
  readonly histogram: readonly HistogramBin[];
  readonly failures: readonly SysbenchFailure[];
}

// [ 5s ] thds: 4 tps: 768.68 qps: 15383.27 (r/w/o: 10770.37/3074.73/1538.17) lat (ms,99%): 15.83 err/s: 0.00 reconn/s: 0.00
const intervalLine =
  /^\[\s*(\d+)s ?\] thds: (\d+) tps: ([\d.]+) qps: ([\d.]+) \(r\/w\/o: ([\d.]+)\/([\d.]+)\/([\d.]+)\) lat \(ms,(\d+)%\): ([\d.]+) err\/s:? ([\d.]+) reconn\/s: ([\d.]+)$/;
// [ 7200s ] Checkpoint report:
const checkpointLine = /^\[\s*(\d+)s ?\] Checkpoint report:$/;
//        1.925 |**************************************** 206
const histogramLine = /^\s*(\d+\.\d+) \|\**\s+(\d+)$/;

/**
 * Reads the text output of sysbench 1.0 as it grows. Only whole lines count, so output that was cut
 * anywhere is read as far as it is certain; it never throws.
 */
export class SysbenchParser {
  private rest = "";
  private version: string | undefined;
  private threads: number | undefined;
  private started = false;
  private readonly intervals: SysbenchInterval[] = [];
  private readonly checkpoints: SysbenchReport[] = [];
  private final: SysbenchReport | undefined;
  private histogram: HistogramBin[] = [];
  private readonly failures = new Map<string, SysbenchFailure>();
  private block: ReportReader | undefined;

  /** Takes the next piece of standard output (or of standard error, in a parser of its own). */
  feed(chunk: string): void {
    const lines = (this.rest + chunk).split("\n");
    this.rest = lines.pop() ?? "";
    for (const line of lines) this.line(line.endsWith("\r") ? line.slice(0, -1) : line);
  }

  /** What is certain so far. */
  output(): SysbenchOutput {
    return {
      version: this.version,
      threads: this.threads,
      started: this.started,
      intervals: [...this.intervals],
      checkpoints: [...this.checkpoints],
      final: this.final,
      histogram: [...this.histogram],
      failures: [...this.failures.values()],
    };
  }

  private line(line: string): void {
    if (this.interval(line) || this.heading(line) || this.bin(line)) return;
    const failure = readFailure(line);
    if (failure !== undefined) {
      const known = this.failures.get(failure.text);
      const count = (known?.count ?? 0) + 1;
      this.failures.set(failure.text, { ...failure, count });
      return;
    }
    const report = this.block?.line(line);
    if (report === undefined) return;
    if (report.checkpointSeconds === undefined) this.final = report;
    else this.checkpoints.push(report);
    this.block = undefined;
  }

  private interval(line: string): boolean {
    const match = intervalLine.exec(line);
    if (match === null) return false;
    const number = (group: number): number => Number(match[group]);
    const second = number(1);
    const afterCheckpoint = this.checkpoints.at(-1)?.checkpointSeconds === second;
    this.intervals.push({
      second,
      threads: number(2),
      tps: number(3),
      qps: number(4),
      reads: number(5),
      writes: number(6),
      others: number(7),
      percentile: number(8),
      latencyMs: afterCheckpoint ? undefined : number(9),
      errors: number(10),
      reconnects: number(11),
    });
    return true;
  }

  /** Lines that tell what follows. */
  private heading(line: string): boolean {
    const checkpoint = checkpointLine.exec(line);
    if (checkpoint !== null) {
      this.block = new ReportReader(Number(checkpoint[1]));
      return true;
    }
    if (line === "SQL statistics:") {
      this.block ??= new ReportReader(undefined);
      return true;
    }
    if (line === "Threads started!") {
      this.started = true;
      return true;
    }
    if (line.startsWith("Latency histogram ")) {
      this.histogram = [];
      return true;
    }
    const version = /^sysbench (\S+)/.exec(line)?.[1];
    if (version !== undefined) this.version ??= version;
    const threads = /^Number of threads: (\d+)$/.exec(line)?.[1];
    if (threads !== undefined) this.threads = Number(threads);
    return version !== undefined || threads !== undefined;
  }

  private bin(line: string): boolean {
    const match = histogramLine.exec(line);
    if (match === null) return false;
    this.histogram.push({ valueMs: Number(match[1]), count: Number(match[2]) });
    return true;
  }
}

/** Reads a whole output; standard error, where sysbench prints its fatal errors, apart. */
export function parseSysbench(stdout: string, stderr = ""): SysbenchOutput {
  const out = new SysbenchParser();
  out.feed(stdout);
  const err = new SysbenchParser();
  // The reason of a failure is worth reading even when its line was cut.
  err.feed(stderr.endsWith("\n") ? stderr : `${stderr}\n`);
  const read = out.output();
  return { ...read, failures: [...read.failures, ...err.output().failures] };
}
