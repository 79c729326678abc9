import type { Platform, StoredRun } from "../results/run-folder";
import type { CaseSummary } from "../results/summary";
import { compareProtocol, type Comparability } from "./comparability";
import { publishedCases, publishedSysbench, type PublishedCase } from "./published";
import {
  readHistogramRows,
  readSampleRows,
  type HistogramRow,
  type SampleRow,
} from "./stored-rows";

/** The bed as the report names it. */
export interface ReportBed {
  readonly bedId: string;
  readonly title: string;
  /** Used for runs that do not say it themselves. */
  readonly platform: Platform;
}

/** A run that could not be read, or is no longer what was harvested. */
export interface UnreadableRun {
  readonly folder: string;
  readonly problem: string;
}

export interface ReportCase {
  readonly name: string;
  readonly runId: string;
  readonly id: string;
  readonly folder: string;
  readonly startAt: string | undefined;
  readonly platform: Platform;
  readonly tools: Readonly<Record<string, string>>;
  readonly summary: CaseSummary;
  /** Published figures for the same number of guests, where there are any. */
  readonly published: PublishedCase | undefined;
  readonly comparability: Comparability;
  readonly samples: readonly SampleRow[];
  readonly histogram: readonly HistogramRow[];
}

/** Everything that a report shows, as data: the JSON report is this. */
export interface ReportModel {
  readonly format: "sanbed-report-1";
  readonly bed: ReportBed;
  readonly createdAt: string;
  readonly cases: readonly ReportCase[];
  readonly unreadable: readonly UnreadableRun[];
  /** Published cases of the bed's array and protocol, also those that were not measured. */
  readonly published: readonly PublishedCase[];
}

export function reportModel(
  bed: ReportBed,
  runs: readonly StoredRun[],
  unreadable: readonly UnreadableRun[],
  createdAt: string,
): ReportModel {
  const published = publishedSysbench();
  const cases = runs.map((run): ReportCase => {
    const platform = run.declaration.platform ?? bed.platform;
    const own = publishedCases(published, platform.array, platform.protocol);
    return {
      name: run.declaration.caseName,
      runId: run.declaration.runId,
      id: run.manifest.id,
      folder: run.folder,
      startAt: run.manifest.startAt,
      platform,
      tools: run.environment.tools,
      summary: run.summary,
      published: own.find((p) => p.guests === run.summary.guests),
      comparability: compareProtocol(published, platform, run.declaration, run.environment),
      samples: readSampleRows(run.samplesCsv),
      histogram: readHistogramRows(run.histogramCsv),
    };
  });
  cases.sort((a, b) => a.summary.guests - b.summary.guests || a.name.localeCompare(b.name));
  return {
    format: "sanbed-report-1",
    bed,
    createdAt,
    cases,
    unreadable,
    published: publishedCases(published, bed.platform.array, bed.platform.protocol),
  };
}
