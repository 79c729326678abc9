/** One sample as it is stored; a latency that was not measured is undefined. */
export interface SampleRow {
  readonly guest: string;
  readonly second: number;
  readonly part: string;
  readonly tps: number;
  readonly latencyMs: number | undefined;
}

export interface HistogramRow {
  /** `*` is all guests together. */
  readonly guest: string;
  readonly valueMs: number;
  readonly count: number;
}

/** Reads samples.csv of a run folder by its column names. */
export function readSampleRows(csv: string): SampleRow[] {
  return readCsv(csv).map((row) => ({
    guest: row["guest"] ?? "",
    second: Number(row["second"]),
    part: row["part"] ?? "",
    tps: Number(row["tps"]),
    latencyMs: row["latency_p99_ms"] === "" ? undefined : Number(row["latency_p99_ms"]),
  }));
}

/** Reads histogram.csv of a run folder. */
export function readHistogramRows(csv: string): HistogramRow[] {
  return readCsv(csv).map((row) => ({
    guest: row["guest"] ?? "",
    valueMs: Number(row["value_ms"]),
    count: Number(row["count"]),
  }));
}

/** RFC 4180. */
function readCsv(text: string): Record<string, string>[] {
  const [header = [], ...rows] = records(text);
  return rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i] ?? ""])));
}

function records(text: string): string[][] {
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy;
  const found: string[][] = [];
  let row: string[] = [];
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (match === null) break;
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
    if (match[3] !== ",") {
      found.push(row);
      row = [];
    }
  }
  return found;
}
