import type { BedPlan } from "../../bed/bed-plan";
import { sizesOf } from "./sizes";
import { svgText, type Picture, type Shape } from "./svg";
import { drawArray } from "./topology-array";
import { canvas, fabricBox, trunkX } from "./topology-frame";
import { drawHosts } from "./topology-hosts";

/**
 * The bed as a picture: guests in hosts in clusters on top, the two fabrics, the array with target ports,
 * pools and volumes below. Ports hang on the bus of their fabric, so that no line crosses a box however
 * many hosts there are. With many hosts or volumes boxes shrink and lose their labels; what they are is
 * then said when the pointer rests on them.
 */
export function topologySvg(plan: BedPlan): string {
  return svgText(topology(plan), styles);
}

/** Shapes of the picture, later ones on top. Pure. */
export function topology(plan: BedPlan): Picture {
  const { bed, settings, site } = plan;
  const left = canvas.margin;
  const title = `${bed.title}: phase ${settings.phase}`;
  const heading: Shape[] = [
    { kind: "text", at: { x: left, y: 34 }, text: title, style: "title" },
    {
      kind: "text",
      at: { x: left, y: 54 },
      text: `stack ${settings.stack}, bed ${settings.bedId}, site ${site.name}`,
      style: "note",
    },
  ];
  const hosts = drawHosts(plan, 72);
  const fabrics = drawFabrics(plan, hosts.bottom + 24, hosts.trunkTops);
  const array = drawArray(plan, fabrics.bottom + 20, sizesOf(plan));
  const paths = plan.zoning[0]?.expectedPaths ?? 0;
  const volumes = plan.volumeGroups.reduce((sum, group) => sum + group.volumes.length, 0);
  const description =
    `${plan.hosts.length.toString()} hosts, ${plan.guests.length.toString()} guests, ` +
    `${volumes.toString()} volumes with a datastore each, ${paths.toString()} paths to each volume`;
  return {
    width: canvas.width,
    height: array.bottom + 44,
    title,
    description,
    shapes: [
      { kind: "rect", x: 0, y: 0, width: canvas.width, height: array.bottom + 44, style: "page" },
      ...heading,
      ...hosts.shapes,
      ...fabrics.shapes,
      ...array.shapes,
      { kind: "text", at: { x: left, y: array.bottom + 26 }, text: description, style: "note" },
    ],
  };
}

function drawFabrics(
  plan: BedPlan,
  top: number,
  trunkTops: Readonly<Record<"A" | "B", number>>,
): { readonly shapes: readonly Shape[]; readonly bottom: number } {
  const height = 40;
  const middle = top + height / 2;
  const shapes = (["A", "B"] as const).flatMap((fabric): Shape[] => {
    const { x, width } = fabricBox(fabric);
    const zones = plan.zoning.reduce(
      (sum, host) => sum + Object.keys(host.fabrics[fabric].initiators).length,
      0,
    );
    const edge = fabric === "A" ? x : x + width;
    const device = plan.site.fabrics[fabric].device;
    const line = `link${fabric}`;
    return [
      {
        kind: "line",
        from: { x: trunkX(fabric), y: trunkTops[fabric] },
        to: { x: trunkX(fabric), y: middle },
        style: line,
      },
      {
        kind: "line",
        from: { x: trunkX(fabric), y: middle },
        to: { x: edge, y: middle },
        style: line,
      },
      { kind: "rect", x, y: top, width, height, style: `fabric${fabric}` },
      {
        kind: "text",
        at: { x: x + 12, y: middle + 4 },
        text: `fabric ${fabric} (${device}): ${zones.toString()} zones of one initiator`,
        style: "label",
      },
    ];
  });
  return { shapes, bottom: top + height };
}

const colourA = "#1d4ed8";
const colourB = "#b45309";

const styles: Readonly<Record<string, string>> = {
  page: "fill:#ffffff",
  title: "font:600 20px sans-serif;fill:#0f172a",
  note: "font:12px sans-serif;fill:#475569",
  label: "font:13px sans-serif;fill:#0f172a",
  small: "font:11px sans-serif;fill:#0f172a",
  tiny: "font:9px sans-serif;fill:#334155",
  cluster: "fill:#f8fafc;stroke:#cbd5e1;rx:6px",
  host: "fill:#ffffff;stroke:#64748b;rx:4px",
  guest: "fill:#e2e8f0;stroke:#94a3b8;rx:2px",
  driver: "fill:#fef9c3;stroke:#ca8a04;rx:2px",
  fabricA: `fill:#eff6ff;stroke:${colourA};rx:6px`,
  fabricB: `fill:#fffbeb;stroke:${colourB};rx:6px`,
  linkA: `stroke:${colourA};stroke-width:1.6;fill:none`,
  linkB: `stroke:${colourB};stroke-width:1.6;fill:none`,
  portA: `fill:${colourA}`,
  portB: `fill:${colourB}`,
  targetA: `fill:#dbeafe;stroke:${colourA};rx:3px`,
  targetB: `fill:#fef3c7;stroke:${colourB};rx:3px`,
  unused: "fill:#f1f5f9;stroke:#94a3b8;stroke-dasharray:3 2;rx:3px",
  array: "fill:#f8fafc;stroke:#475569;rx:6px",
  controller: "fill:#ffffff;stroke:#94a3b8;rx:4px",
  pool: "fill:#f1f5f9;stroke:#cbd5e1;rx:4px",
  volume0: "fill:#dcfce7;stroke:#16a34a;rx:2px",
  volume1: "fill:#ede9fe;stroke:#7c3aed;rx:2px",
  volume2: "fill:#ffe4e6;stroke:#e11d48;rx:2px",
  volume3: "fill:#cffafe;stroke:#0891b2;rx:2px",
};
