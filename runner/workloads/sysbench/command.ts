import type { SysbenchCase, SysbenchPlan } from "./plan";

/** Files of one run on the guest, all absolute. */
export interface RunFiles {
  /** Lua script that holds the threads back until the common start (templates/workloads/sysbench). */
  readonly barrierScript: string;
  /** Option file with user and password (mode 0600). */
  readonly connectionFile: string;
  /** Where each thread writes when it started. */
  readonly startedFile: string;
}

/**
 * Argument vector of the measured run. `startAtMs` is the guest's own clock, milliseconds since the
 * epoch. No secret is in it: process lists are public on a guest.
 */
export function runArgv(plan: SysbenchPlan, files: RunFiles, startAtMs: number): string[] {
  return [
    "env",
    `SANBED_START_AT_MS=${Math.round(startAtMs).toString()}`,
    `SANBED_STARTED_FILE=${files.startedFile}`,
    "sysbench",
    files.barrierScript,
    `--config-file=${files.connectionFile}`,
    ...plan.options,
    "run",
  ];
}

/** Argument vector that creates and fills the tables, in parallel over tables. */
export function prepareArgv(
  spec: Pick<SysbenchCase, "tables" | "rows">,
  connectionFile: string,
  threads: number,
): string[] {
  return [
    "sysbench",
    "oltp_read_write",
    `--config-file=${connectionFile}`,
    `--tables=${spec.tables.toString()}`,
    `--table-size=${spec.rows.toString()}`,
    `--threads=${Math.min(threads, spec.tables).toString()}`,
    "prepare",
  ];
}
