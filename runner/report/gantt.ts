import { escapeXml, niceTicks } from "./line-chart";

/** One request to a device, as the provider logs it. */
export interface RequestSpan {
  readonly device: string;
  readonly operation: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly write: boolean;
  readonly outcome?: string | undefined;
}

const geometry = { width: 720, left: 110, right: 14, top: 24, row: 14 };

/**
 * What the devices were busy with, one line for each device and lane; writes dark, reads light. An
 * empty log draws nothing.
 */
export function gantt(spans: readonly RequestSpan[]): string {
  const known = spans.filter((span) => Number.isFinite(Date.parse(span.startedAt)));
  if (known.length === 0) return "";
  const begin = Math.min(...known.map((span) => Date.parse(span.startedAt)));
  const end = Math.max(...known.map((span) => Date.parse(span.startedAt) + span.durationMs));
  const ticks = niceTicks(0, (end - begin) / 1000);
  const widest = geometry.width - geometry.left - geometry.right;
  const x = (ms: number): number => geometry.left + (ms / 1000 / (ticks.at(-1) ?? 1)) * widest;
  const lanes = lanesOf(known);
  const height = geometry.top + lanes.length * geometry.row + 26;
  const bottom = geometry.top + lanes.length * geometry.row;
  const rows = lanes.flatMap((lane, i) => {
    const top = geometry.top + i * geometry.row;
    const first = i === 0 || lanes[i - 1]?.device !== lane.device;
    const label = first
      ? `<text x="${(geometry.left - 6).toString()}" y="${(top + 10).toString()}" text-anchor="end" class="label">${escapeXml(lane.device)}</text>`
      : "";
    return [
      label,
      ...lane.spans.map((span) => bar(span, x(Date.parse(span.startedAt) - begin), top, x)),
    ];
  });
  const axis = ticks.map(
    (tick) =>
      `<line x1="${x(tick * 1000).toFixed(1)}" x2="${x(tick * 1000).toFixed(1)}" y1="${geometry.top.toString()}" y2="${bottom.toString()}" class="grid"/><text x="${x(tick * 1000).toFixed(1)}" y="${(bottom + 14).toString()}" text-anchor="middle" class="label">${tick.toString()} s</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${geometry.width.toString()} ${height.toString()}" role="img"><title>Requests to the devices</title>${axis.join("")}${rows.join("")}</svg>`;
}

function bar(span: RequestSpan, left: number, top: number, x: (ms: number) => number): string {
  const width = Math.max(0.8, x(span.durationMs) - geometry.left);
  const title = `${span.operation}: ${span.durationMs.toFixed(0)} ms, ${span.outcome ?? "no answer"}`;
  return `<rect x="${left.toFixed(1)}" y="${(top + 2).toString()}" width="${width.toFixed(1)}" height="${(geometry.row - 4).toString()}" class="${span.write ? "write" : "read"}"><title>${escapeXml(title)}</title></rect>`;
}

interface Lane {
  readonly device: string;
  readonly spans: RequestSpan[];
  freeAt: number;
}

/** Requests that overlap go into lanes below each other. */
function lanesOf(spans: readonly RequestSpan[]): Lane[] {
  const lanes: Lane[] = [];
  const devices = [...new Set(spans.map((span) => span.device))].sort();
  for (const device of devices) {
    const own: Lane[] = [];
    const sorted = spans
      .filter((span) => span.device === device)
      .sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
    for (const span of sorted) {
      const start = Date.parse(span.startedAt);
      let lane = own.find((candidate) => candidate.freeAt <= start);
      if (lane === undefined) own.push((lane = { device, spans: [], freeAt: 0 }));
      lane.spans.push(span);
      lane.freeAt = start + span.durationMs;
    }
    lanes.push(...own);
  }
  return lanes;
}
