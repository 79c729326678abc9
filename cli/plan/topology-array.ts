import type { BedPlan } from "../../bed/bed-plan";
import type { SizeText } from "./sizes";
import { fitting, type Shape } from "./svg";
import { canvas, fabricBox } from "./topology-frame";

interface ArrayDrawing {
  readonly shapes: readonly Shape[];
  readonly bottom: number;
}

interface Cell {
  readonly width: number;
  readonly height: number;
  readonly gap: number;
}

interface Volume {
  readonly label: string;
  readonly lun: number | undefined;
  readonly style: string;
  readonly datastore: string;
  readonly guests: readonly string[];
  readonly title: string;
}

const pad = 12;
const portHeight = 30;
const poolHead = 20;

/** Target ports on the buses of their fabrics, in controllers; below them pools with their volumes. */
export function drawArray(plan: BedPlan, top: number, size: SizeText): ArrayDrawing {
  const { site, bed } = plan;
  const bus = { A: top, B: top + 10 };
  const boxTop = top + 22;
  const controllers = [...new Set(site.array.ports.map((port) => port.controller))];
  const room = canvas.width - 2 * canvas.margin - 2 * pad;
  const width = (room - pad * (controllers.length - 1)) / Math.max(1, controllers.length);
  const cell = cellFor(plan);
  const inside = boxTop + pad;
  const drawn = controllers.map((controller, index) => {
    const x = canvas.margin + pad + index * (width + pad);
    return drawController(plan, { controller, x, y: inside, width, cell, bus, size });
  });
  const bottom = Math.max(inside + 60, ...drawn.map((one) => one.bottom)) + 28;
  const onSite = plan.guests.filter((guest) => guest.disks.some((disk) => !disk.volume)).length;
  const { siteDatastore } = site.hypervisor;
  return {
    bottom: onSite === 0 ? bottom : bottom + 44,
    shapes: [
      {
        kind: "rect",
        x: canvas.margin,
        y: boxTop,
        width: canvas.width - 2 * canvas.margin,
        height: bottom - boxTop,
        style: "array",
      },
      {
        kind: "text",
        at: { x: canvas.margin + pad, y: bottom - 10 },
        text: `${bed.array.vendor} ${bed.array.model} (${site.array.device}), ${bed.array.protocol}`,
        style: "label",
      },
      ...drawn.flatMap((one) => one.shapes),
      ...drawBuses(
        drawn.flatMap((one) => one.ports),
        bus,
      ),
      ...(onSite === 0 ? [] : siteBox(siteDatastore, onSite, bottom + 12)),
    ],
  };
}

function siteBox(name: string, guests: number, y: number): Shape[] {
  const text = `${name}, a datastore of the site: disks of ${guests.toString()} guests`;
  const x = canvas.margin;
  return [
    { kind: "rect", x, y, width: 460, height: 28, style: "pool" },
    { kind: "text", at: { x: x + 10, y: y + 18 }, text: fitting(text, 440, 12), style: "note" },
  ];
}

/** With labels for a screenful of volumes, as mere squares for thousands. */
function cellFor({ volumeGroups }: BedPlan): Cell {
  const count = volumeGroups.reduce((sum, group) => sum + group.volumes.length, 0);
  if (count <= 64) return { width: 148, height: 42, gap: 5 };
  return count <= 512 ? { width: 22, height: 14, gap: 3 } : { width: 8, height: 8, gap: 2 };
}

interface ControllerPlace {
  readonly controller: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly cell: Cell;
  readonly bus: Readonly<Record<"A" | "B", number>>;
  readonly size: SizeText;
}

interface PortPlace {
  readonly x: number;
  readonly fabric: "A" | "B";
}

function drawController(
  plan: BedPlan,
  place: ControllerPlace,
): ArrayDrawing & { readonly ports: readonly PortPlace[] } {
  const { controller, x, y, width, cell, bus } = place;
  const ports = plan.site.array.ports.filter((port) => port.controller === controller);
  const unused = new Map(plan.unusedTargetPorts.map(({ key, reason }) => [key, reason]));
  const portWidth = Math.min(96, (width - pad) / Math.max(1, ports.length) - 6);
  const shapes: Shape[] = [];
  const used: PortPlace[] = [];
  ports.forEach((port, index) => {
    const left = x + pad + index * (portWidth + 6);
    const middle = left + portWidth / 2;
    const reason = unused.get(port.key);
    if (reason === undefined) {
      used.push({ x: middle, fabric: port.fabric });
      shapes.push({
        kind: "line",
        from: { x: middle, y: bus[port.fabric] },
        to: { x: middle, y: y + 8 },
        style: `link${port.fabric}`,
      });
    }
    shapes.push(
      {
        kind: "rect",
        x: left,
        y: y + 8,
        width: portWidth,
        height: portHeight,
        style: reason === undefined ? `target${port.fabric}` : "unused",
        title: `${port.key}: ${port.port} of ${controller}, fabric ${port.fabric}${reason === undefined ? "" : `; stays out: ${reason}`}`,
      },
      {
        kind: "text",
        at: { x: left + 5, y: y + 27 },
        text: fitting(`${port.key} (${port.port})`, portWidth - 8, 11),
        style: "small",
      },
    );
  });
  const pools = drawPools(plan, { ...place, y: y + 8 + portHeight + 24, cell });
  const height = pools.bottom + pad - y;
  return {
    ports: used,
    bottom: y + height,
    shapes: [
      { kind: "rect", x, y, width, height, style: "controller" },
      {
        kind: "text",
        at: { x: x + pad, y: y + 8 + portHeight + 16 },
        text: `controller ${controller}`,
        style: "note",
      },
      ...shapes,
      ...pools.shapes,
    ],
  };
}

function drawPools(
  plan: BedPlan,
  { controller, x, y, width, cell, size }: ControllerPlace,
): ArrayDrawing {
  const pools = plan.pools.filter((pool) => pool.controller === controller);
  const poolWidth = (width - pad * (pools.length + 1)) / Math.max(1, pools.length);
  const columns = Math.max(1, Math.floor((poolWidth - 2 * 8 + cell.gap) / (cell.width + cell.gap)));
  const filled = pools.map((pool) => ({ pool, volumes: volumesOf(plan, pool.name, size) }));
  const rows = Math.max(1, ...filled.map(({ volumes }) => Math.ceil(volumes.length / columns)));
  const height = poolHead + 8 + rows * (cell.height + cell.gap) + 4;
  const shapes = filled.flatMap(({ pool, volumes }, index): Shape[] => {
    const left = x + pad + index * (poolWidth + pad);
    const estimate = plan.estimates.pools.find((one) => one.pool === pool.name);
    const text = `pool ${pool.name}: ${volumes.length.toString()} volumes, ${size(estimate?.expectedBytes)} of ${size(estimate?.capacityBytes)}`;
    return [
      { kind: "rect", x: left, y, width: poolWidth, height, style: "pool", title: text },
      {
        kind: "text",
        at: { x: left + 8, y: y + 14 },
        text: fitting(text, poolWidth - 14, 12),
        style: "note",
      },
      ...volumes.flatMap((volume, number) =>
        drawVolume(
          volume,
          left + 8 + (number % columns) * (cell.width + cell.gap),
          y + poolHead + 4 + Math.floor(number / columns) * (cell.height + cell.gap),
          cell,
        ),
      ),
    ];
  });
  return { shapes, bottom: y + height };
}

function volumesOf(plan: BedPlan, pool: string, size: SizeText): Volume[] {
  const datastores = new Map(plan.datastores.map((one) => [one.key, one]));
  return plan.volumeGroups.flatMap((group, groupIndex) =>
    group.volumes.flatMap((volume) => {
      if (volume.pool !== pool) return [];
      const label = `${group.name}/${volume.key}`;
      const guests = datastores.get(label)?.guests ?? [];
      const lun = volume.lun === undefined ? "" : `, LUN ${volume.lun.toString()}`;
      const of = guests.length === 0 ? "no guest" : guests.join(" ");
      return [
        {
          label,
          lun: volume.lun,
          style: `volume${(groupIndex % 4).toString()}`,
          datastore: volume.datastore,
          guests,
          title: `${label}: ${volume.name}, ${size(volume.sizeBytes)}${lun}; datastore ${volume.datastore}: ${of}`,
        },
      ];
    }),
  );
}

function drawVolume(volume: Volume, x: number, y: number, cell: Cell): Shape[] {
  const { width, height } = cell;
  const box: Shape = {
    kind: "rect",
    x,
    y,
    width,
    height,
    style: volume.style,
    title: volume.title,
  };
  if (width < 20) return [box];
  if (width < 100) {
    const key = fitting(volume.label.split("/")[1] ?? "", width - 4, 9);
    return [box, { kind: "text", at: { x: x + 3, y: y + 10 }, text: key, style: "tiny" }];
  }
  const lun = volume.lun === undefined ? "" : `, LUN ${volume.lun.toString()}`;
  const line = (text: string, offset: number, style: string, fontSize: number): Shape => ({
    kind: "text",
    at: { x: x + 4, y: y + offset },
    text: fitting(text, width - 6, fontSize),
    style,
  });
  return [
    box,
    line(`${volume.label}${lun}`, 13, "small", 11),
    line(volume.datastore, 25, "tiny", 9),
    line(volume.guests.join(" "), 36, "tiny", 9),
  ];
}

/** A bus spans the ports that hang on it and the line that comes down from its fabric. */
function drawBuses(ports: readonly PortPlace[], bus: Readonly<Record<"A" | "B", number>>): Shape[] {
  return (["A", "B"] as const).flatMap((fabric): Shape[] => {
    const box = fabricBox(fabric);
    const middle = box.x + box.width / 2;
    const places = [
      middle,
      ...ports.filter((port) => port.fabric === fabric).map((port) => port.x),
    ];
    const y = bus[fabric];
    const style = `link${fabric}`;
    const down: Shape = {
      kind: "line",
      from: { x: middle, y: bus.A - 20 },
      to: { x: middle, y },
      style,
    };
    const from = { x: Math.min(...places), y };
    return [down, { kind: "line", from, to: { x: Math.max(...places), y }, style }];
  });
}
