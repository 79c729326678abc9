import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { affA250 } from "../../stacks/beds/aff-a250";
import type { RequestSpan } from "../../runner/report/gantt";
import { writeReport } from "../../runner/report/write-report";
import type { Terminal } from "../terminal";

export interface MeasuredBed {
  readonly bedId: string;
  readonly bedFolder: string;
  readonly level: string;
  /** Folders of the runs of this stack, from its outputs. */
  readonly runFolders: readonly string[];
}

/**
 * Writes the report and prints its table and where it is. Answers whether every case is valid. Where
 * nothing was measured (the lab at level D) it says so.
 */
export async function printResults(terminal: Terminal, measured: MeasuredBed): Promise<boolean> {
  const { bedFolder, level, runFolders } = measured;
  if (runFolders.length === 0) {
    terminal.line(`  nothing was measured: the lab runs at level ${level}, without real guests`);
    return true;
  }
  const { array, title } = affA250({ protocol: "fcp" });
  const report = await writeReport({
    runFolders,
    bed: {
      bedId: measured.bedId,
      title,
      platform: {
        kind: "lab",
        label: `embedded lab, level ${level}`,
        array: array.model,
        protocol: array.protocol,
        software: array.software ?? "not stated",
      },
    },
    outDir: path.join(bedFolder, "report"),
    requests: readRequests(path.join(bedFolder, "requests.jsonl")),
  });
  for (const line of report.table) terminal.line(`  ${line}`);
  terminal.line("");
  for (const file of [report.html, report.json, report.csv]) terminal.line(`  ${file}`);
  const { cases, unreadable } = report.model;
  return unreadable.length === 0 && cases.every((one) => one.summary.verdict === "valid");
}

function readRequests(file: string): RequestSpan[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as RequestSpan);
}
