/** A point of the chart: hosts, and what the plan took. */
export interface PlanPoint {
  readonly hosts: number;
  readonly planMs: number;
  readonly budgetMs: number;
}

const width = 640;
const height = 360;
const margin = { left: 64, right: 24, top: 40, bottom: 56 };

/**
 * Time of a plan over hosts as SVG, with the budget as a dashed line. Both axes are linear, so a cost
 * that grows with the size of the bed and no faster is a straight line.
 */
export function planChart(points: readonly PlanPoint[]): string {
  const mostHosts = Math.max(1, ...points.map((point) => point.hosts));
  const mostMs = Math.max(1, ...points.flatMap((point) => [point.planMs, point.budgetMs]));
  const x = (hosts: number): number =>
    margin.left + (hosts / mostHosts) * (width - margin.left - margin.right);
  const y = (ms: number): number =>
    height - margin.bottom - (ms / mostMs) * (height - margin.top - margin.bottom);
  const line = (value: (point: PlanPoint) => number): string =>
    points.map((point) => `${at(x(point.hosts))},${at(y(value(point)))}`).join(" ");
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width.toString()}" height="${height.toString()}" viewBox="0 0 ${width.toString()} ${height.toString()}" font-family="sans-serif" font-size="12">`,
    `<title>Time of a plan over hosts, with 32 volumes for each host</title>`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    ...ticks.map((share) => {
      const ms = mostMs * share;
      return `<path d="M${margin.left.toString()} ${at(y(ms))}H${(width - margin.right).toString()}" stroke="#dddddd"/><text x="${(margin.left - 8).toString()}" y="${at(y(ms) + 4)}" text-anchor="end">${Math.round(ms).toString()}</text>`;
    }),
    ...points.map(
      (point) =>
        `<text x="${at(x(point.hosts))}" y="${(height - margin.bottom + 18).toString()}" text-anchor="middle">${point.hosts.toString()}</text>`,
    ),
    `<polyline points="${line((point) => point.budgetMs)}" fill="none" stroke="#b00020" stroke-dasharray="6 4"/>`,
    `<polyline points="${line((point) => point.planMs)}" fill="none" stroke="#00509e" stroke-width="2"/>`,
    ...points.map(
      (point) =>
        `<circle cx="${at(x(point.hosts))}" cy="${at(y(point.planMs))}" r="3" fill="#00509e"/>`,
    ),
    `<text x="${(width / 2).toString()}" y="${(height - 12).toString()}" text-anchor="middle">hosts (32 volumes and 4 guests each)</text>`,
    `<text x="${margin.left.toString()}" y="24">plan, ms (solid); budget (dashed)</text>`,
    `</svg>`,
    "",
  ].join("\n");
}

const at = (value: number): string => (Math.round(value * 10) / 10).toString();
