import { csvField } from "../results/samples";
import { escapeXml } from "./line-chart";
import type { ReportCase, ReportModel } from "./report-model";

/** The cases as CSV (RFC 4180), one row each; a figure that could not be had is an empty field. */
export function casesCsv(model: ReportModel): string {
  const columns: [name: string, value: (c: ReportCase) => string | number | undefined][] = [
    ["case", (c) => c.name],
    ["run_id", (c) => c.runId],
    ["verdict", (c) => c.summary.verdict],
    ["guests", (c) => c.summary.guests],
    ["threads_per_guest", (c) => c.summary.threads],
    ["tps", (c) => c.summary.tps],
    ["tps_ci95", (c) => c.summary.tpsConfidence95],
    ["avg_ms_pooled", (c) => c.summary.avgMs],
    ["p99_ms_merged", (c) => c.summary.p99Ms],
    ["avg_ms_review_style", (c) => c.summary.reviewStyle.avgMs],
    ["p99_ms_review_style", (c) => c.summary.reviewStyle.p99Ms],
    ["little_ratio", (c) => c.summary.littleRatio],
    ["start_skew_ms", (c) => c.summary.startSkewMs],
    ["steady", (c) => c.summary.steady?.toString()],
    ["platform", (c) => c.platform.kind],
    ["comparability", (c) => c.comparability.grade],
    ["published_tps", (c) => c.published?.tps],
    ["published_avg_ms", (c) => c.published?.avgMs],
    ["published_p99_ms", (c) => c.published?.p99Ms],
    ["reasons", (c) => c.summary.reasons.join("; ")],
  ];
  const rows = model.cases.map((one) =>
    columns.map(([, value]) => csvField(value(one) ?? "")).join(","),
  );
  return `${[columns.map(([name]) => name).join(","), ...rows].join("\r\n")}\r\n`;
}

/** JUnit: one test for each case, failed with its reasons when the case is no evidence. */
export function junit(model: ReportModel): string {
  const cases = model.cases.map((one) => {
    const { summary } = one;
    const time = summary.preconditionSeconds + summary.measureSeconds;
    const head = `  <testcase classname="${escapeXml(model.bed.title)}" name="${escapeXml(one.name)}" time="${time.toString()}">`;
    if (summary.verdict === "valid") return `${head}</testcase>`;
    const reasons = summary.reasons.join("\n");
    return `${head}\n    <failure message="${escapeXml(summary.verdict)}">${escapeXml(reasons)}</failure>\n  </testcase>`;
  });
  const unreadable = model.unreadable.map(
    (run) =>
      `  <testcase classname="${escapeXml(model.bed.title)}" name="${escapeXml(run.folder)}">\n    <error message="unreadable run">${escapeXml(run.problem)}</error>\n  </testcase>`,
  );
  const failures = model.cases.filter((one) => one.summary.verdict !== "valid").length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${escapeXml(model.bed.bedId)}" tests="${(cases.length + unreadable.length).toString()}" failures="${failures.toString()}" errors="${unreadable.length.toString()}" timestamp="${model.createdAt}">`,
    ...cases,
    ...unreadable,
    "</testsuite>",
    "",
  ].join("\n");
}

/** The cases as lines of text for a terminal. */
export function summaryTable(model: ReportModel): string[] {
  const header = ["case", "verdict", "guests", "TPS", "mean ms", "p99 ms", "skew ms", "published"];
  const rows = model.cases.map((one) => {
    const { summary, published, comparability } = one;
    const beside =
      published?.tps === undefined
        ? "-"
        : `${number(published.tps, 0)} TPS (${comparability.grade === "notComparable" ? "not comparable" : comparability.grade})`;
    return [
      one.name,
      summary.verdict,
      summary.guests.toString(),
      number(summary.tps, 0),
      number(summary.avgMs, 2),
      number(summary.p99Ms, 2),
      number(summary.startSkewMs, 1),
      beside,
    ];
  });
  const widths = header.map((name, i) =>
    Math.max(name.length, ...rows.map((row) => row[i]?.length ?? 0)),
  );
  return [header, ...rows].map((row) =>
    row
      .map((cell, i) =>
        i < 2 || i === 7 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
}

/** A figure for people; a dash where there is none. */
export function number(value: number | undefined, digits: number): string {
  if (value === undefined) return "-";
  return value.toLocaleString("en-US", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
