import { lineChart, type Series } from "./line-chart";
import type { ReportCase, ReportModel } from "./report-model";

const colors = [
  "#1f6f8b",
  "#c2571a",
  "#4b7f35",
  "#7b4b94",
  "#a8852a",
  "#3d5a80",
  "#9b2c4e",
  "#5f6b6d",
];
const total = "#16324f";

/** Throughput, tail latency and distribution of one case. */
export function caseCharts(one: ReportCase): string[] {
  const guests = [...new Set(one.samples.map((s) => s.guest))].sort();
  const { preconditionSeconds: from } = one.summary;
  const shade = from > 0 ? { shade: { from: 0, to: from, label: "precondition" } } : {};
  const perGuest = (value: "tps" | "latencyMs", thin: boolean): Series[] =>
    guests.map((guest, i) => ({
      name: guest,
      color: colors[i % colors.length] ?? total,
      thin,
      points: one.samples
        .filter((s) => s.guest === guest)
        .map((s) => [s.second, s[value]] as const),
    }));
  const sums: Series = {
    name: "all guests",
    color: total,
    points: totalPoints(one, guests.length),
  };
  return [
    lineChart({
      title: `${one.name}: transactions per second, all guests (bold) and each`,
      xLabel: "seconds since the common start",
      yLabel: "TPS",
      series: [sums, ...(guests.length > 1 ? perGuest("tps", true) : [])],
      ...shade,
    }),
    lineChart({
      title: `${one.name}: 99th percentile of each interval, each guest`,
      xLabel: "seconds since the common start",
      yLabel: "ms",
      series: perGuest("latencyMs", guests.length > 1),
      ...shade,
    }),
    lineChart({
      title: `${one.name}: latency of the measured part, all guests`,
      xLabel: "percentile",
      yLabel: "ms",
      series: [{ name: "all guests", color: total, points: distribution(one) }],
    }),
  ];
}

/** Throughput and latency over the number of guests, with what was published. */
export function suiteCharts(model: ReportModel): string[] {
  const valid = model.cases.filter((c) => c.summary.verdict === "valid");
  if (valid.length < 2) return [];
  const own = (value: (c: ReportCase) => number | undefined): Series => ({
    name: "measured",
    color: total,
    marks: true,
    points: valid.map((c) => [c.summary.guests, value(c)] as const),
  });
  const curve = (yLabel: string, series: Series[]): string =>
    lineChart({ title: `${yLabel} over guests`, xLabel: "guests", yLabel, series });
  return [
    curve("TPS", [own((c) => c.summary.tps)]),
    curve("mean latency, ms", [own((c) => c.summary.avgMs)]),
  ];
}

/** Sum over the guests at each second that all of them have. */
function totalPoints(one: ReportCase, guests: number): (readonly [number, number])[] {
  const bySecond = new Map<number, { sum: number; count: number }>();
  for (const sample of one.samples) {
    const at = bySecond.get(sample.second) ?? { sum: 0, count: 0 };
    bySecond.set(sample.second, { sum: at.sum + sample.tps, count: at.count + 1 });
  }
  return [...bySecond]
    .filter(([, at]) => at.count === guests)
    .sort(([a], [b]) => a - b)
    .map(([second, at]) => [second, at.sum] as const);
}

/** Latency at each percentile, from the merged histogram. */
function distribution(one: ReportCase): (readonly [number, number])[] {
  const bins = one.histogram.filter((bin) => bin.guest === "*");
  const events = bins.reduce((sum, bin) => sum + bin.count, 0);
  let reached = 0;
  return bins.map((bin) => {
    reached += bin.count;
    return [(100 * reached) / events, bin.valueMs] as const;
  });
}
