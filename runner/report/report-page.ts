import { renderTemplate } from "../../templates/render";
import { caseCharts, suiteCharts } from "./case-charts";
import { gantt, type RequestSpan } from "./gantt";
import type { ReportCase, ReportModel } from "./report-model";
import { number } from "./report-tables";

const gradeText = {
  notComparable: "not comparable",
  indicative: "indicative only",
  comparable: "same protocol, another laboratory",
} as const;

/**
 * The report as one HTML file: no script, no reference to anything outside it, charts drawn already,
 * so that it opens offline and prints. All texts are escaped by the template.
 */
export function reportPage(model: ReportModel, requests: readonly RequestSpan[]): string {
  const { platform } = model.bed;
  return renderTemplate(
    "report/report.html",
    {
      title: model.bed.title,
      bedId: model.bed.bedId,
      createdAt: model.createdAt,
      platform,
      lab: platform.kind === "lab" || model.cases.some((c) => c.platform.kind === "lab"),
      cases: model.cases.map(caseView),
      unreadable: model.unreadable,
      hasUnreadable: model.unreadable.length > 0,
      published: model.published.map((p) => ({
        guests: p.guests,
        tps: number(p.tps, 0),
        avgMs: number(p.avgMs, 2),
        p99Ms: number(p.p99Ms, 2),
        source: p.source,
      })),
      hasPublished: model.published.length > 0,
      suiteCharts: suiteCharts(model),
      gantt: gantt(requests),
    },
    "html",
  );
}

function caseView(one: ReportCase) {
  const { summary, published, comparability } = one;
  return {
    name: one.name,
    runId: one.runId,
    id: one.id,
    folder: one.folder,
    startAt: one.startAt ?? "unknown",
    verdict: summary.verdict,
    reasons: summary.reasons,
    warnings: summary.warnings,
    delivered: `${summary.guestsDelivered.toString()} of ${summary.guests.toString()}`,
    threads: summary.threads,
    parts: `${summary.preconditionSeconds.toString()} s + ${summary.measureSeconds.toString()} s`,
    tps: withInterval(summary.tps, summary.tpsConfidence95),
    avgMs: number(summary.avgMs, 2),
    p50Ms: number(summary.p50Ms, 2),
    p95Ms: number(summary.p95Ms, 2),
    p99Ms: number(summary.p99Ms, 2),
    p999Ms: number(summary.p999Ms, 2),
    maxMs: number(summary.maxMs, 2),
    reviewAvgMs: number(summary.reviewStyle.avgMs, 2),
    reviewP99Ms: number(summary.reviewStyle.p99Ms, 2),
    littleRatio: number(summary.littleRatio, 3),
    skewMs: number(summary.startSkewMs, 1),
    overlap: summary.overlap === undefined ? "-" : `${number(summary.overlap * 100, 2)} %`,
    steady: summary.steady === undefined ? "too few intervals" : summary.steady ? "yes" : "no",
    fairness:
      summary.fairness === undefined
        ? "-"
        : `${number(summary.fairness.minToMax, 2)} (variation ${number(summary.fairness.variation * 100, 1)} %)`,
    retries: number(summary.retries, 0),
    tools: Object.entries(one.tools).map(([name, version]) => ({ name, version })),
    perGuest: summary.perGuest.map((g) => ({
      guest: g.guest,
      tps: number(g.tps, 0),
      avgMs: number(g.avgMs, 2),
      p99Ms: number(g.p99Ms, 2),
      littleRatio: number(g.littleRatio, 3),
      startedAt: g.startedAt ?? "-",
      end: g.end,
    })),
    published: {
      has: published !== undefined,
      tps: number(published?.tps, 0),
      avgMs: number(published?.avgMs, 2),
      p99Ms: number(published?.p99Ms, 2),
      source: published?.source ?? "",
      grade: gradeText[comparability.grade],
      differences: comparability.differences,
    },
    charts: caseCharts(one),
  };
}

function withInterval(value: number | undefined, half: number | undefined): string {
  const interval = half === undefined ? "" : ` ± ${number(half, 0)}`;
  return `${number(value, 0)}${interval}`;
}
