import type { LatencyHistogram } from "./histogram";

/** What a case was meant to be; the evidence is judged against it. */
export interface Expectation {
  readonly guests: readonly string[];
  /** Threads of each guest, all in a closed loop without think time. */
  readonly threads: number;
  readonly preconditionSeconds: number;
  readonly measureSeconds: number;
  readonly intervalSeconds: number;
  /** Statements of one transaction. */
  readonly mix: { readonly reads: number; readonly writes: number; readonly others: number };
  /** Share of transactions that may have been repeated. */
  readonly maxRetryShare: number;
}

/** One report interval of one guest. Rates are per second. */
export interface Sample {
  /** Seconds since the guest's load began, end of the interval. */
  readonly second: number;
  readonly part: "precondition" | "measured";
  readonly threads: number;
  readonly tps: number;
  readonly qps: number;
  readonly reads: number;
  readonly writes: number;
  readonly others: number;
  /** Percentile of the interval; undefined where the tool printed none that means anything. */
  readonly latencyMs: number | undefined;
  readonly errors: number;
  readonly reconnects: number;
}

/** Totals of one part of a run as the tool reported them. What it did not print is undefined. */
export interface PartTotals {
  readonly seconds: number | undefined;
  readonly transactions: number | undefined;
  readonly events: number | undefined;
  readonly tps: number | undefined;
  readonly qps: number | undefined;
  readonly reads: number | undefined;
  readonly writes: number | undefined;
  readonly others: number | undefined;
  readonly ignoredErrors: number | undefined;
  readonly reconnects: number | undefined;
  readonly minMs: number | undefined;
  readonly avgMs: number | undefined;
  readonly maxMs: number | undefined;
  /** Sum of all latencies. */
  readonly sumMs: number | undefined;
  /** The tool's own percentile. */
  readonly percentile: { readonly rank: number; readonly ms: number } | undefined;
}

/** What one guest delivered. */
export interface GuestMeasurement {
  readonly guest: string;
  /** How its job ended: exit code, or why there is none. */
  readonly end:
    | { readonly kind: "exited"; readonly exitCode: number }
    | { readonly kind: "lost" | "stopped" | "unreachable" | "timeLimit" };
  /** First cause that the tool named, as one sentence. */
  readonly failure: string | undefined;
  /** When its load really began, milliseconds since the epoch on our clock. */
  readonly startedAtMs: number | undefined;
  /** Guest clock minus ours, when it was measured before the run. */
  readonly clock: { readonly offsetMs: number; readonly uncertaintyMs: number } | undefined;
  readonly samples: readonly Sample[];
  readonly precondition: PartTotals | undefined;
  /** Undefined: the final report never came, so nothing was measured. */
  readonly measured: PartTotals | undefined;
  /** Of the measured part. */
  readonly histogram: LatencyHistogram;
}
