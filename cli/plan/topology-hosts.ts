import type { BedPlan } from "../../bed/bed-plan";
import type { PlannedGuest } from "../../bed/guest-plan";
import { volumesOf } from "./storage-text";
import { canvas, trunkX } from "./topology-frame";
import { fitting, type Shape } from "./svg";

interface HostsDrawing {
  readonly shapes: readonly Shape[];
  readonly bottom: number;
  /** Where the lines to the fabrics begin: the heights of the first buses. */
  readonly trunkTops: Readonly<Record<"A" | "B", number>>;
}

interface Measures {
  readonly hostWidth: number;
  readonly hostHeight: number;
  readonly guest: {
    readonly width: number;
    readonly height: number;
    readonly gap: number;
    /** Between the edge of the host and the first one. */
    readonly pad: number;
    readonly perRow: number;
  };
}

const clusterPad = 8;
const clusterHead = 20;
const gap = 8;
const busHeight = 26;

/** Clusters in rows, each host with its guests; under each row the two buses that its ports hang on. */
export function drawHosts(plan: BedPlan, top: number): HostsDrawing {
  const guestsOf = new Map<string, PlannedGuest[]>(plan.hosts.map(({ name }) => [name, []]));
  for (const guest of plan.guests) guestsOf.get(guest.host)?.push(guest);
  const measures = measure(plan, Math.max(0, ...[...guestsOf.values()].map((one) => one.length)));
  const shapes: Shape[] = [];
  let y = top;
  let trunkTops: HostsDrawing["trunkTops"] | undefined;
  for (const row of clusterRows(plan, measures)) {
    let x = canvas.margin + canvas.gutter;
    const rowHeight = clusterHead + measures.hostHeight + clusterPad;
    const bus = { A: y + rowHeight + 10, B: y + rowHeight + 18 };
    trunkTops ??= bus;
    for (const cluster of row) {
      const width = clusterWidth(cluster.hosts.length, measures);
      shapes.push(
        { kind: "rect", x, y, width, height: rowHeight, style: "cluster", title: cluster.name },
        {
          kind: "text",
          at: { x: x + clusterPad, y: y + 14 },
          text: fitting(cluster.name, width - 2 * clusterPad, 12),
          style: "note",
        },
      );
      cluster.hosts.forEach((host, index) => {
        const at = { x: x + clusterPad + index * (measures.hostWidth + gap), y: y + clusterHead };
        shapes.push(...drawHost(plan, host, guestsOf.get(host) ?? [], at, measures));
        shapes.push(...drawPorts(plan, host, at, measures, bus));
      });
      x += width + gap;
    }
    shapes.push(...drawBus("A", bus.A, x - gap), ...drawBus("B", bus.B, x - gap));
    y += rowHeight + busHeight;
  }
  return { shapes, bottom: y, trunkTops: trunkTops ?? { A: top, B: top } };
}

/** Large enough to read for a few hosts, small enough to stay on one page for many. */
function measure({ hosts }: BedPlan, guests: number): Measures {
  const [hostWidth, guest] = sizes(hosts.length, guests);
  const rows = Math.ceil(guests / guest.perRow);
  return { hostWidth, hostHeight: 24 + rows * (guest.height + guest.gap) + 12, guest };
}

function sizes(hosts: number, guests: number): [number, Measures["guest"]] {
  if (hosts > 32) return [44, { width: 8, height: 8, gap: 2, pad: 4, perRow: 4 }];
  if (hosts > 8) return [70, { width: 13, height: 11, gap: 3, pad: 4, perRow: 4 }];
  const alone = guests <= 3;
  return [152, { width: alone ? 140 : 68, height: 30, gap: 4, pad: 6, perRow: alone ? 1 : 2 }];
}

interface ClusterOfHosts {
  readonly name: string;
  readonly hosts: readonly string[];
}

/** Clusters from left to right as far as they fit; one that is wider than the page goes on below. */
function clusterRows(plan: BedPlan, measures: Measures): ClusterOfHosts[][] {
  const room = canvas.width - 2 * (canvas.margin + canvas.gutter);
  const most = Math.max(1, Math.floor((room - 2 * clusterPad + gap) / (measures.hostWidth + gap)));
  const clusters = [...new Set(plan.hosts.map(({ cluster }) => cluster))].flatMap((name) => {
    const hosts = plan.hosts.filter(({ cluster }) => cluster === name).map((host) => host.name);
    return Array.from({ length: Math.ceil(hosts.length / most) }, (_, index) => ({
      name,
      hosts: hosts.slice(index * most, (index + 1) * most),
    }));
  });
  const rows: ClusterOfHosts[][] = [];
  let used = room + 1;
  for (const cluster of clusters) {
    const width = clusterWidth(cluster.hosts.length, measures) + gap;
    if (used + width - gap > room) {
      rows.push([]);
      used = 0;
    }
    rows.at(-1)?.push(cluster);
    used += width;
  }
  return rows;
}

function clusterWidth(hosts: number, { hostWidth }: Measures): number {
  return 2 * clusterPad + hosts * (hostWidth + gap) - gap;
}

function drawHost(
  plan: BedPlan,
  host: string,
  guests: readonly PlannedGuest[],
  at: { readonly x: number; readonly y: number },
  { hostWidth, hostHeight, guest: cell }: Measures,
): Shape[] {
  const labelled = cell.width >= 60;
  const shapes: Shape[] = [
    {
      kind: "rect",
      ...at,
      width: hostWidth,
      height: hostHeight,
      style: "host",
      title: `${host}: ${guests.length.toString()} guests`,
    },
    {
      kind: "text",
      at: { x: at.x + 6, y: at.y + 15 },
      text: fitting(hostWidth < 100 ? shortName(host) : host, hostWidth - 10, labelled ? 11 : 9),
      style: labelled ? "small" : "tiny",
    },
  ];
  guests.forEach((guest, index) => {
    const x = at.x + cell.pad + (index % cell.perRow) * (cell.width + cell.gap);
    const y = at.y + 22 + Math.floor(index / cell.perRow) * (cell.height + cell.gap);
    const lies = volumesOf(guest) || plan.site.hypervisor.siteDatastore;
    shapes.push({
      kind: "rect",
      x,
      y,
      width: cell.width,
      height: cell.height,
      style: guest.role === "driver" ? "driver" : "guest",
      title: `${guest.key}: ${guest.name}, ${guest.address}, on ${lies}`,
    });
    if (!labelled) return;
    shapes.push(
      { kind: "text", at: { x: x + 4, y: y + 12 }, text: guest.key, style: "small" },
      {
        kind: "text",
        at: { x: x + 4, y: y + 24 },
        text: fitting(lies, cell.width - 6, 9),
        style: "tiny",
      },
    );
  });
  return shapes;
}

function shortName(host: string): string {
  return host.split(".")[0] ?? host;
}

/** A dot for each port at the lower edge of its host, and the line down to the bus of its fabric. */
function drawPorts(
  plan: BedPlan,
  host: string,
  at: { readonly x: number; readonly y: number },
  { hostWidth, hostHeight }: Measures,
  bus: Readonly<Record<"A" | "B", number>>,
): Shape[] {
  const zoning = plan.zoning.find((one) => one.host === host);
  const ports = (["A", "B"] as const).flatMap((fabric) =>
    Object.entries(zoning?.fabrics[fabric].initiators ?? {}).map(([adapter, wwpn]) => ({
      fabric,
      title: `${adapter} of ${host}: ${wwpn}`,
    })),
  );
  const step = hostWidth / (ports.length + 1);
  return ports.flatMap(({ fabric, title }, index): Shape[] => {
    const dot = { x: at.x + step * (index + 1), y: at.y + hostHeight };
    return [
      { kind: "line", from: dot, to: { x: dot.x, y: bus[fabric] }, style: `link${fabric}` },
      { kind: "dot", at: dot, radius: hostWidth < 100 ? 2.5 : 4, style: `port${fabric}`, title },
    ];
  });
}

function drawBus(fabric: "A" | "B", y: number, right: number): Shape[] {
  const from = { x: fabric === "A" ? trunkX("A") : canvas.margin + canvas.gutter, y };
  const to = { x: fabric === "A" ? right : trunkX("B"), y };
  return [{ kind: "line", from, to, style: `link${fabric}` }];
}
