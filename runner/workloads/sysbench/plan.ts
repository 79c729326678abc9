import { z } from "zod";

/**
 * One Sysbench OLTP case on one guest, the same on every guest. The defaults are the protocol of the
 * StorageReview array reviews: `oltp_read_write`, 32 threads, 2 h of preconditioning and 1 h of
 * sample in one uninterrupted run.
 */
export const sysbenchCaseSchema = z
  .strictObject({
    tables: z.int().min(1).max(1000),
    /** Rows of each table. */
    rows: z.int().min(100),
    threads: z.int().min(1).max(1024),
    preconditionSeconds: z.int().min(0),
    measureSeconds: z.int().min(1),
    reportIntervalSeconds: z.int().min(1),
    /**
     * Distribution of row numbers. `special` is the default of sysbench up to 1.0 (75 % of the picks
     * from 1 % of the rows); later versions default to `uniform`, so it is always set.
     */
    randType: z
      .enum(["special", "uniform", "gaussian", "pareto"])
      .meta({ id: "SysbenchRandType" })
      .default("special"),
    /** Percentile that sysbench itself prints. */
    percentile: z.int().min(1).max(99).default(99),
    /** `disable` sends plain SQL text, as sysbench 0.5 did. */
    preparedStatements: z
      .enum(["auto", "disable"])
      .meta({ id: "SysbenchPreparedStatements" })
      .default("auto"),
    /**
     * Share of transactions that may have been repeated after a deadlock or lock time-out. Small
     * tables with many threads need more than the default: their hot rows collide.
     */
    maxRetryShare: z.number().min(0).max(0.2).default(0.001),
  })
  .meta({ id: "SysbenchCase" });

export type SysbenchCase = z.infer<typeof sysbenchCaseSchema>;

/** What a case asks of the database server; see docs/workloads/sysbench.md for the arithmetic. */
export interface ServerNeeds {
  readonly preparedStatements: number;
  readonly connections: number;
  readonly openTables: number;
}

export interface SysbenchPlan {
  readonly totalSeconds: number;
  /** Seconds into the run at which counters and histogram start anew; undefined: at once. */
  readonly checkpointSeconds: number | undefined;
  /** Time that the threads get to connect and prepare their statements before the common start. */
  readonly leadSeconds: number;
  /** When the job is ended by force, counted from its launch. */
  readonly limitSeconds: number;
  readonly needs: ServerNeeds;
  /** Options of `sysbench ... run` that follow from the case alone. */
  readonly options: readonly string[];
}

/** sysbench 1.0 gives up when its threads are not ready after 30 s (sysbench.c, THREAD_INIT_TIMEOUT). */
const threadStartLimitSeconds = 25;
/** Statements that a slow guest prepares in a second. */
const preparedPerSecond = 3000;

export function planSysbench(spec: SysbenchCase): SysbenchPlan {
  const totalSeconds = spec.preconditionSeconds + spec.measureSeconds;
  const needs = serverNeeds(spec);
  const leadSeconds = Math.min(
    threadStartLimitSeconds,
    2 + Math.ceil(needs.preparedStatements / preparedPerSecond),
  );
  const checkpointSeconds = spec.preconditionSeconds > 0 ? spec.preconditionSeconds : undefined;
  return {
    totalSeconds,
    checkpointSeconds,
    leadSeconds,
    // A hung server keeps sysbench far beyond --time (akopytov/sysbench issues 280, 369).
    limitSeconds: leadSeconds + Math.ceil(totalSeconds * 1.1) + 60,
    needs,
    options: runOptions(spec, totalSeconds, checkpointSeconds),
  };
}

/** oltp_common.lua of sysbench 1.0 prepares 9 statements for each table and 2 more, in each thread. */
function serverNeeds(spec: SysbenchCase): ServerNeeds {
  const perThread = spec.preparedStatements === "auto" ? 9 * spec.tables + 2 : 0;
  return {
    preparedStatements: perThread * spec.threads,
    connections: spec.threads + 8,
    openTables: spec.tables * spec.threads + 200,
  };
}

function runOptions(spec: SysbenchCase, total: number, checkpoint: number | undefined): string[] {
  return [
    `--tables=${spec.tables.toString()}`,
    `--table-size=${spec.rows.toString()}`,
    `--threads=${spec.threads.toString()}`,
    `--time=${total.toString()}`,
    "--events=0",
    ...(checkpoint === undefined ? [] : [`--report-checkpoints=${checkpoint.toString()}`]),
    `--report-interval=${spec.reportIntervalSeconds.toString()}`,
    `--percentile=${spec.percentile.toString()}`,
    "--histogram=on",
    `--rand-type=${spec.randType}`,
    `--db-ps-mode=${spec.preparedStatements}`,
    "--forced-shutdown=60",
  ];
}
