import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { formatProblem } from "../../bed/errors";
import { findPlan, planBed } from "../../bed/plan";
import { parseSettings } from "../../bed/settings";
import { reviewBeds } from "../../stacks/beds/catalogue";
import { planSite } from "../support/plan-sites";
import { planText } from "../support/plan-text";

const folder = path.resolve(__dirname, "..", "golden", "plans");
const beds = Object.values(reviewBeds);

/** Compares with the committed file; `UPDATE_GOLDEN=1` writes it instead, for a reader to look at. */
function expectGolden(name: string, text: string): void {
  const file = path.join(folder, name);
  if (process.env["UPDATE_GOLDEN"] === "1") {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, text);
  }
  expect(text).toBe(readFileSync(file, "utf8"));
}

const settings = (phase: string) =>
  parseSettings({ bedId: "abcdefghij", stack: "lab", phase, runId: "1", scale: {} });

/** One for each review and protocol; comparison arrays differ in names and published rates only. */
const reviewed = [
  "aff-a250-nvme-fc",
  "aff-a250-fcp",
  "ef570",
  "aff-a800",
  "eternus-af250-s2",
  "xcubesan-xs5226d",
];
const phases = reviewed.flatMap((id) =>
  Object.keys(reviewBeds[id]!.phases).map((phase) => [id, phase] as const),
);

test.each(phases)("the plan of %s, phase %s, is the committed one", (id, phase) => {
  const bed = reviewBeds[id]!;
  expectGolden(`${id}.${phase}.txt`, planText(planBed(bed, planSite(bed), settings(phase))));
});

test("the comparison arrays' beds fit as well", () => {
  const others = beds.filter(({ id }) => !id.endsWith("-printed") && !reviewed.includes(id));
  expect(others.map(({ id }) => id)).toEqual([
    "aff-a200-fcp",
    "aff-a300",
    "eternus-af250",
    "xcubesan-xs1226d",
  ]);
  for (const bed of others) {
    for (const phase of Object.keys(bed.phases)) {
      expect(findPlan(bed, planSite(bed), settings(phase)).problems).toEqual([]);
    }
  }
});

test("beds as their reviews print them are refused with the figures", () => {
  const lines = beds
    .filter(({ id }) => id.endsWith("-printed"))
    .flatMap((bed) =>
      Object.keys(bed.phases).flatMap((phase) => {
        const { problems } = findPlan(bed, planSite(bed), settings(phase));
        return [
          `${bed.id}, phase ${phase}: ${problems.length === 0 ? "fits" : "does not fit"}`,
          ...problems.map((problem) => `    ${formatProblem(problem)}`),
        ];
      }),
    );
  expectGolden("as-printed.txt", `${lines.join("\n")}\n`);
});
