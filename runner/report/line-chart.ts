export interface Series {
  readonly name: string;
  /** x and y in the units of the axes; undefined y leaves a gap. */
  readonly points: readonly (readonly [x: number, y: number | undefined])[];
  readonly color: string;
  /** Thin lines stand behind, for single guests. */
  readonly thin?: boolean;
  /** Marks on the points, for few of them. */
  readonly marks?: boolean;
}

export interface ChartSpec {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly series: readonly Series[];
  /** Range of x that is shaded and named, for instance the preconditioning. */
  readonly shade?: { readonly from: number; readonly to: number; readonly label: string };
  readonly legend?: readonly { readonly name: string; readonly color: string }[];
}

const size = { width: 720, height: 260, left: 62, right: 14, top: 30, bottom: 40 };
const plot = {
  width: size.width - size.left - size.right,
  height: size.height - size.top - size.bottom,
};

/** A line chart as SVG text, with axes from zero and no script: it is drawn once and prints. */
export function lineChart(spec: ChartSpec): string {
  const xs = spec.series.flatMap((s) => s.points.map(([x]) => x));
  const ys = spec.series.flatMap((s) => s.points.flatMap(([, y]) => (y === undefined ? [] : [y])));
  const label = `<title>${escapeXml(spec.title)}</title>`;
  const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width.toString()} ${size.height.toString()}" role="img">${label}`;
  const heading = text(size.left, 16, spec.title, "start", "chart-title");
  if (xs.length === 0 || ys.length === 0) {
    return `${open}${heading}${text(size.width / 2, size.height / 2, "no samples", "middle")}</svg>`;
  }
  const xTicks = niceTicks(Math.min(0, ...xs), Math.max(...xs));
  const yTicks = niceTicks(0, Math.max(...ys));
  const x = scale(xTicks, size.left, size.left + plot.width);
  const y = scale(yTicks, size.top + plot.height, size.top);
  const parts = [
    open,
    heading,
    shade(spec, x),
    ...yTicks.map((tick) => gridLine(y(tick), tick)),
    ...xTicks.map((tick) => text(x(tick), size.top + plot.height + 16, format(tick), "middle")),
    text(size.left + plot.width / 2, size.height - 6, spec.xLabel, "middle"),
    `<g transform="translate(14 ${(size.top + plot.height / 2).toString()}) rotate(-90)">${text(0, 0, spec.yLabel, "middle")}</g>`,
    ...[...spec.series]
      .sort((a, b) => Number(b.thin ?? false) - Number(a.thin ?? false))
      .map((series) => line(series, x, y)),
    legend(spec),
    "</svg>",
  ];
  return parts.join("");
}

/** About five round values that cover a range. */
export function niceTicks(low: number, high: number): number[] {
  const span = high > low ? high - low : Math.max(1, Math.abs(high));
  const rough = span / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((f) => f * power).find((s) => s >= rough * 0.999) ?? rough;
  const first = Math.floor(low / step);
  const last = Math.ceil((high > low ? high : low + span) / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  );
}

export function escapeXml(value: string): string {
  return value
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

type Scale = (value: number) => number;

function scale(ticks: readonly number[], from: number, to: number): Scale {
  const low = ticks[0] ?? 0;
  const high = ticks.at(-1) ?? 1;
  return (value) => from + ((value - low) / (high - low || 1)) * (to - from);
}

function line(series: Series, x: Scale, y: Scale): string {
  const runs: string[] = [];
  let pen = "M";
  for (const [px, py] of series.points) {
    if (py === undefined) {
      pen = "M";
      continue;
    }
    runs.push(`${pen}${x(px).toFixed(1)} ${y(py).toFixed(1)}`);
    pen = "L";
  }
  const width =
    series.thin === true ? 'stroke-width="0.7" stroke-opacity="0.55"' : 'stroke-width="1.8"';
  const path = `<path d="${runs.join("")}" fill="none" stroke="${series.color}" ${width}><title>${escapeXml(series.name)}</title></path>`;
  if (series.marks !== true) return path;
  const marks = series.points.map(([px, py]) =>
    py === undefined
      ? ""
      : `<circle cx="${x(px).toFixed(1)}" cy="${y(py).toFixed(1)}" r="3" fill="${series.color}"/>`,
  );
  return path + marks.join("");
}

function gridLine(y: number, tick: number): string {
  const right = (size.left + plot.width).toString();
  const at = y.toFixed(1);
  return `<line x1="${size.left.toString()}" x2="${right}" y1="${at}" y2="${at}" class="grid"/>${text(size.left - 6, y + 4, format(tick), "end")}`;
}

function shade({ shade: range }: ChartSpec, x: Scale): string {
  if (range === undefined) return "";
  const left = x(range.from);
  const width = Math.max(0, x(range.to) - left);
  const label = text(left + 4, size.top + 12, range.label, "start", "shade-label");
  return `<rect x="${left.toFixed(1)}" y="${size.top.toString()}" width="${width.toFixed(1)}" height="${plot.height.toString()}" class="shade"/>${label}`;
}

function legend(spec: ChartSpec): string {
  const entries = spec.legend ?? [];
  return entries
    .map((entry, i) => {
      const left = size.width - size.right - 150 * (entries.length - i);
      return `<rect x="${left.toString()}" y="9" width="14" height="4" fill="${entry.color}"/>${text(left + 18, 16, entry.name, "start")}`;
    })
    .join("");
}

function text(x: number, y: number, value: string, anchor: string, name = "label"): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" class="${name}">${escapeXml(value)}</text>`;
}

function format(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 3 });
}
