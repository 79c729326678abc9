/** A full report of sysbench. What was not printed is undefined, never 0. Rates are per second. */
export interface SysbenchReport {
  /** Seconds at which the checkpoint was due; undefined for the final report. */
  readonly checkpointSeconds: number | undefined;
  readonly reads: number | undefined;
  readonly writes: number | undefined;
  readonly others: number | undefined;
  readonly queries: number | undefined;
  readonly transactions: number | undefined;
  /**
   * Transactions per second of the part that the report covers. Never events / total time: the total
   * time counts from the start of the run, also after a checkpoint.
   */
  readonly tps: number | undefined;
  readonly qps: number | undefined;
  readonly ignoredErrors: number | undefined;
  readonly reconnects: number | undefined;
  /** Since the start of the run, also after a checkpoint. */
  readonly totalTimeSeconds: number | undefined;
  readonly events: number | undefined;
  readonly minMs: number | undefined;
  readonly avgMs: number | undefined;
  readonly maxMs: number | undefined;
  readonly percentile: { readonly rank: number; readonly ms: number } | undefined;
  readonly sumMs: number | undefined;
}

type Field = Exclude<keyof SysbenchReport, "checkpointSeconds" | "percentile">;

interface Labelled {
  readonly label: RegExp;
  readonly fields: readonly Field[];
}

const labels: readonly Labelled[] = [
  { label: /^\s+read:\s+(\d+)$/, fields: ["reads"] },
  { label: /^\s+write:\s+(\d+)$/, fields: ["writes"] },
  { label: /^\s+other:\s+(\d+)$/, fields: ["others"] },
  { label: /^\s+transactions:\s+(\d+)\s+\(([\d.]+) per sec\.\)$/, fields: ["transactions", "tps"] },
  { label: /^\s+queries:\s+(\d+)\s+\(([\d.]+) per sec\.\)$/, fields: ["queries", "qps"] },
  { label: /^\s+ignored errors:\s+(\d+)\s/, fields: ["ignoredErrors"] },
  { label: /^\s+reconnects:\s+(\d+)\s/, fields: ["reconnects"] },
  { label: /^\s+total time:\s+([\d.]+)s$/, fields: ["totalTimeSeconds"] },
  { label: /^\s+total number of events:\s+(\d+)$/, fields: ["events"] },
  { label: /^\s+min:\s+([\d.]+)$/, fields: ["minMs"] },
  { label: /^\s+avg:\s+([\d.]+)$/, fields: ["avgMs"] },
  { label: /^\s+max:\s+([\d.]+)$/, fields: ["maxMs"] },
  { label: /^\s+sum:\s+([\d.]+)$/, fields: ["sumMs"] },
];
//          99th percentile:                        3.62
const percentileLine = /^\s+(\d+)(?:st|nd|rd|th) percentile:\s+([\d.]+)$/;
//     execution time (avg/stddev):   3.9964/0.00
const lastLine = /^\s+execution time \(avg\/stddev\):\s+[\d.]+\/[\d.]+$/;

/** Collects the lines of one report by their labels. */
export class ReportReader {
  private readonly values: Partial<Record<Field, number>> = {};
  private percentile: { rank: number; ms: number } | undefined;

  constructor(private readonly checkpointSeconds: number | undefined) {}

  /** Answers the report with its last line; until then undefined. */
  line(line: string): SysbenchReport | undefined {
    for (const { label, fields } of labels) {
      const match = label.exec(line);
      if (match === null) continue;
      fields.forEach((field, i) => (this.values[field] = Number(match[i + 1])));
      return undefined;
    }
    const percentile = percentileLine.exec(line);
    if (percentile !== null) {
      this.percentile = { rank: Number(percentile[1]), ms: Number(percentile[2]) };
    }
    return lastLine.test(line) ? this.report() : undefined;
  }

  private report(): SysbenchReport {
    const v = this.values;
    return {
      checkpointSeconds: this.checkpointSeconds,
      reads: v.reads,
      writes: v.writes,
      others: v.others,
      queries: v.queries,
      transactions: v.transactions,
      tps: v.tps,
      qps: v.qps,
      ignoredErrors: v.ignoredErrors,
      reconnects: v.reconnects,
      totalTimeSeconds: v.totalTimeSeconds,
      events: v.events,
      minMs: v.minMs,
      avgMs: v.avgMs,
      maxMs: v.maxMs,
      percentile: this.percentile,
      sumMs: v.sumMs,
    };
  }
}
