import { parquetWriteBuffer } from "hyparquet-writer";
import type { GuestMeasurement } from "./measurement";

/** Identity of a run, repeated in each row so that files of many runs can be queried together. */
export interface SampleKey {
  readonly runId: string;
  readonly caseName: string;
}

interface Column {
  readonly name: string;
  readonly type: "STRING" | "INT32" | "DOUBLE";
  readonly data: (string | number | null)[];
}

/**
 * Samples of all guests as columns: one row for each guest and report interval. Rates are per second,
 * latencies in milliseconds; a latency that was not measured is null.
 */
function columnsOf(key: SampleKey, guests: readonly GuestMeasurement[]): Column[] {
  const rows = guests.flatMap((guest) =>
    guest.samples.map((sample) => ({
      guest: guest.guest,
      startedAtMs: guest.startedAtMs,
      ...sample,
    })),
  );
  const column = (
    name: string,
    type: Column["type"],
    value: (row: (typeof rows)[number]) => string | number | undefined,
  ): Column => ({ name, type, data: rows.map((row) => value(row) ?? null) });
  return [
    column("run_id", "STRING", () => key.runId),
    column("case", "STRING", () => key.caseName),
    column("guest", "STRING", (row) => row.guest),
    column("second", "INT32", (row) => row.second),
    column("at_ms", "DOUBLE", (row) =>
      row.startedAtMs === undefined ? undefined : row.startedAtMs + row.second * 1000,
    ),
    column("part", "STRING", (row) => row.part),
    column("threads", "INT32", (row) => row.threads),
    column("tps", "DOUBLE", (row) => row.tps),
    column("qps", "DOUBLE", (row) => row.qps),
    column("reads_per_s", "DOUBLE", (row) => row.reads),
    column("writes_per_s", "DOUBLE", (row) => row.writes),
    column("others_per_s", "DOUBLE", (row) => row.others),
    column("latency_p99_ms", "DOUBLE", (row) => row.latencyMs),
    column("errors_per_s", "DOUBLE", (row) => row.errors),
    column("reconnects_per_s", "DOUBLE", (row) => row.reconnects),
  ];
}

/** Samples as a Parquet file. */
export function samplesParquet(key: SampleKey, guests: readonly GuestMeasurement[]): Uint8Array {
  const columnData = columnsOf(key, guests).map((column) => ({ ...column, nullable: true }));
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

/** The same samples as CSV (RFC 4180), a missing value as an empty field. */
export function samplesCsv(key: SampleKey, guests: readonly GuestMeasurement[]): string {
  const columns = columnsOf(key, guests);
  const rows = columns[0]?.data.length ?? 0;
  const lines = [columns.map((column) => column.name).join(",")];
  for (let row = 0; row < rows; row += 1) {
    lines.push(columns.map((column) => csvField(column.data[row] ?? "")).join(","));
  }
  return `${lines.join("\r\n")}\r\n`;
}

/** One CSV field, quoted where it has to be. */
export function csvField(value: string | number): string {
  const text = value.toString();
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
