import { XMLParser, XMLValidator } from "fast-xml-parser";
import fc from "fast-check";
import type { BedPlan } from "../../../bed/bed-plan";
import { findPlan } from "../../../bed/plan";
import { parseSettings } from "../../../bed/settings";
import type { Rect, Shape } from "../../../cli/plan/svg";
import { fitting } from "../../../cli/plan/svg";
import { topology, topologySvg } from "../../../cli/plan/topology";
import { reviewBeds } from "../../../stacks/beds/catalogue";
import { planSite } from "../../support/plan-sites";

function planOf(bedId: string, phase: string, hosts = 8, scale: object = {}): BedPlan {
  const bed = reviewBeds[bedId]!;
  const site = planSite(bed, hosts);
  const settings = parseSettings({
    bedId: "abcdefghij",
    stack: "test",
    phase,
    runId: "1",
    scale: { hosts: site.hosts.map(({ name }) => name), ...scale },
  });
  return findPlan(bed, site, settings).plan!;
}

const phases = Object.values(reviewBeds).flatMap((bed) =>
  Object.keys(bed.phases).map((phase): [string, string] => [bed.id, phase]),
);

const rects = (shapes: readonly Shape[], style: RegExp): Rect[] =>
  shapes.filter((shape): shape is Rect => shape.kind === "rect" && style.test(shape.style));

function overlap(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

const within = (inner: Rect, outer: Rect): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;

/** What any picture must keep, whatever the bed. */
function expectSound(plan: BedPlan): void {
  const { width, height, shapes } = topology(plan);
  const page: Rect = { kind: "rect", x: 0, y: 0, width, height, style: "page" };
  const boxes = shapes.filter((shape): shape is Rect => shape.kind === "rect");
  expect(boxes.filter((box) => !within(box, page))).toEqual([]);
  const kinds: [style: RegExp, inside: RegExp | undefined][] = [
    [/^cluster$/, undefined],
    [/^host$/, /^cluster$/],
    [/^(guest|driver)$/, /^host$/],
    [/^fabric/, undefined],
    [/^controller$/, /^array$/],
    [/^(target.|unused)$/, /^controller$/],
    [/^volume/, /^pool$/],
  ];
  for (const [style, inside] of kinds) {
    const own = rects(shapes, style);
    const sorted = own.toSorted((a, b) => a.y - b.y);
    sorted.forEach((box, index) => {
      for (let next = index + 1; (sorted[next]?.y ?? Infinity) < box.y + box.height; next++) {
        expect(overlap(box, sorted[next]!)).toBe(false);
      }
    });
    if (inside !== undefined) {
      const outer = rects(shapes, inside);
      expect(own.filter((box) => !outer.some((one) => within(box, one)))).toEqual([]);
    }
  }
  const initiators = plan.zoning.flatMap(({ fabrics }) => [
    ...Object.keys(fabrics.A.initiators),
    ...Object.keys(fabrics.B.initiators),
  ]);
  expect(shapes.filter(({ kind }) => kind === "dot")).toHaveLength(initiators.length);
  expect(rects(shapes, /^host$/)).toHaveLength(plan.hosts.length);
  expect(rects(shapes, /^(guest|driver)$/)).toHaveLength(plan.guests.length);
  expect(rects(shapes, /^(target.|unused)$/)).toHaveLength(plan.site.array.ports.length);
  expect(rects(shapes, /^unused$/)).toHaveLength(plan.unusedTargetPorts.length);
  const volumes = plan.volumeGroups.flatMap(({ volumes: all }) => all);
  expect(rects(shapes, /^volume/)).toHaveLength(volumes.length);
}

describe("the picture of a bed", () => {
  it.each(phases)(
    "of %s, %s: everything is in it once, in its box, and nothing covers another",
    (bed, phase) => {
      expectSound(planOf(bed, phase));
    },
  );

  it.each([1, 9, 33, 128])("stays whole and within the page with %s hosts", (hosts) => {
    const plan = planOf("aff-a250-fcp", "sysbench", hosts, {
      guests: { sysbench: { count: Math.min(hosts * 2, 64) } },
      volumeGroups: { sysbench: { count: 32 + hosts } },
    });
    expect(plan.hosts).toHaveLength(hosts);
    expectSound(plan);
  });

  it("leads from every port to the bus of its own fabric, and colours it so", () => {
    const { shapes } = topology(planOf("aff-a250-fcp", "sysbench"));
    for (const fabric of ["A", "B"]) {
      const dots = shapes.filter((one) => one.kind === "dot" && one.style === `port${fabric}`);
      expect(dots).toHaveLength(8);
      const lines = shapes.filter((one) => one.kind === "line" && one.style === `link${fabric}`);
      const bus = lines.find(
        (one) => one.kind === "line" && one.from.y === one.to.y && one.to.x - one.from.x > 900,
      );
      for (const dot of dots) {
        if (dot.kind !== "dot" || bus?.kind !== "line") throw new Error("no dot or no bus");
        expect(dot.title).toMatch(fabric === "A" ? /vmhba2/ : /vmhba3/);
        const drop = {
          kind: "line",
          from: dot.at,
          to: { x: dot.at.x, y: bus.from.y },
          style: `link${fabric}`,
        };
        expect(lines).toContainEqual(drop);
      }
    }
  });

  it("names volume, LUN, datastore and guests where there is room for it", () => {
    const svg = topologySvg(planOf("aff-a250-fcp", "sysbench"));
    for (const text of [
      "sysbench/01, LUN 10",
      "g01",
      "esx08.example",
      "fabric B (fabricB): 8 zones",
    ]) {
      expect(svg).toContain(text);
    }
    expect(svg).toContain(
      "8 hosts, 16 guests, 32 volumes with a datastore each, 4 paths to each volume",
    );
  });

  it("is one file that needs nothing from outside and that any XML reader takes", () => {
    for (const [bed, phase] of phases) {
      const svg = topologySvg(planOf(bed, phase));
      expect(XMLValidator.validate(svg)).toBe(true);
      expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(
        /https?:|<script|@import|url\(|href/,
      );
    }
  });

  it("carries any text as text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 20 }), (text) => {
        const plan = planOf("ef570", "vdbench");
        const svg = topologySvg({ ...plan, bed: { ...plan.bed, title: `<b a="1">&amp;${text}` } });
        expect(XMLValidator.validate(svg)).toBe(true);
        const parsed = new XMLParser({ trimValues: false }).parse(svg) as {
          svg: { title: string };
        };
        expect(parsed.svg.title).toContain('<b a="1">&amp;');
      }),
      { numRuns: 30 },
    );
  });

  it("cuts labels to the room that they have", () => {
    expect(fitting("short", 100, 10)).toBe("short");
    expect(fitting("a much longer text", 60, 10)).toBe("a much lo…");
    expect(fitting("anything", 5, 10)).toBe("");
  });
});
