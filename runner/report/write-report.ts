import { join } from "node:path";
import { readRun, writeWhole, type StoredRun } from "../results/run-folder";
import type { RequestSpan } from "./gantt";
import { reportModel, type ReportBed, type ReportModel, type UnreadableRun } from "./report-model";
import { reportPage } from "./report-page";
import { casesCsv, junit, summaryTable } from "./report-tables";

export interface ReportInput {
  /** Folders of sealed runs. */
  readonly runFolders: readonly string[];
  readonly bed: ReportBed;
  readonly outDir: string;
  /** Requests to the devices while the bed was built, for the Gantt. */
  readonly requests?: readonly RequestSpan[];
  /** ISO 8601; default now. */
  readonly createdAt?: string;
}

export interface WrittenReport {
  readonly html: string;
  readonly json: string;
  readonly csv: string;
  readonly junit: string;
  readonly model: ReportModel;
  /** The cases as lines for a terminal. */
  readonly table: readonly string[];
}

/**
 * Writes a report from stored runs alone: HTML, JSON, CSV and JUnit. A run that is missing or no
 * longer what was harvested is shown as such and never counted.
 */
export async function writeReport(input: ReportInput): Promise<WrittenReport> {
  const runs: StoredRun[] = [];
  const unreadable: UnreadableRun[] = [];
  for (const folder of input.runFolders) {
    try {
      runs.push(await readRun(folder));
    } catch (error) {
      unreadable.push({ folder, problem: error instanceof Error ? error.message : String(error) });
    }
  }
  const createdAt = input.createdAt ?? new Date().toISOString();
  const model = reportModel(input.bed, runs, unreadable, createdAt);
  const files = {
    html: join(input.outDir, "report.html"),
    json: join(input.outDir, "report.json"),
    csv: join(input.outDir, "cases.csv"),
    junit: join(input.outDir, "junit.xml"),
  };
  writeWhole(files.html, reportPage(model, input.requests ?? []));
  writeWhole(files.json, `${JSON.stringify(model, null, 2)}\n`);
  writeWhole(files.csv, casesCsv(model));
  writeWhole(files.junit, junit(model));
  return { ...files, model, table: summaryTable(model) };
}
