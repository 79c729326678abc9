import { XMLParser } from "fast-xml-parser";
import { planChart } from "../../../cli/bench/plan-chart";
import { planOfHosts } from "../../../cli/bench/plan-scale";
import { findPlan } from "../../../bed/plan";

test.each([
  [8, 256, 32],
  [128, 4096, 512],
])(
  "the bed of %i hosts that is measured fits and has what the budget names",
  (hosts, volumes, guests) => {
    const { bed, site, settings } = planOfHosts(hosts);
    const { plan, problems } = findPlan(bed, site, settings);
    expect(problems).toEqual([]);
    expect(plan?.hosts).toHaveLength(hosts);
    expect(plan?.guests).toHaveLength(guests);
    expect(plan?.volumeGroups.flatMap((group) => group.volumes)).toHaveLength(volumes);
    // Every guest has its disk on a volume that its host sees.
    const onVolumes = plan?.guests.flatMap((guest) => guest.disks.filter((disk) => disk.volume));
    expect(onVolumes).toHaveLength(guests);
  },
);

test("a cost that grows with the hosts is a straight line in the chart", () => {
  const points = [8, 64, 256].map((hosts) => ({ hosts, planMs: hosts / 2, budgetMs: hosts * 8 }));
  const svg = planChart(points);
  const { svg: parsed } = new XMLParser({ ignoreAttributes: false }).parse(svg) as {
    svg: { polyline: Record<string, string>[]; circle: Record<string, string>[] };
  };
  const line = (parsed.polyline[1]?.["@_points"] ?? "")
    .split(" ")
    .map((point) => point.split(",").map(Number));
  expect(parsed.circle).toHaveLength(3);
  const slopes = [0, 1].map((index) => {
    const [[x1 = 0, y1 = 0] = [], [x2 = 0, y2 = 0] = []] = line.slice(index, index + 2);
    return (y2 - y1) / (x2 - x1);
  });
  expect(slopes[0]).toBeLessThan(0);
  expect(slopes[1]).toBeCloseTo(slopes[0] ?? 0, 2);
});
