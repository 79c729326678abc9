import fc from "fast-check";
import { findPlan } from "../../bed/plan";
import { parseSettings } from "../../bed/settings";
import { zoneNames } from "../../bed/zone-names";
import { reviewBeds } from "../../stacks/beds/catalogue";
import { planSite } from "../support/plan-sites";

const bed = reviewBeds["aff-a250-fcp"]!;
const settings = parseSettings({
  bedId: "abcdefghij",
  stack: "test",
  phase: "sysbench",
  runId: "1",
  scale: { clusters: 1 },
});

/** Problems of a plan whose first two hosts have these names. */
function problemsOf(first: string, second: string): string[] {
  const site = structuredClone(planSite(bed, 4));
  site.hosts[0]!.name = first;
  site.hosts[1]!.name = second;
  return findPlan(bed, site, settings).problems.map(({ path, message }) => `${path}: ${message}`);
}

const aliasOf = (host: string): string =>
  zoneNames(settings.bedId, host, "vmhba2", "a250_fcp_test").alias;

describe("host names that meet on a switch", () => {
  it("are refused where only characters differ that a switch does not take", () => {
    expect(problemsOf("esx-01.example", "esx_01.example").join("\n")).toMatch(
      /esx[-_]01\.example vmhba2 and esx[-_]01\.example vmhba2 would both be alias sanbed_abcdefghij_esx_01_example_vmhba2/,
    );
  });

  it("stay apart when they are too long and differ only in what is cut off", () => {
    const long = "a".repeat(70);
    expect(aliasOf(`${long}1`)).not.toBe(aliasOf(`${long}2`));
    expect(problemsOf(`${long}1`, `${long}2`)).toEqual([]);
  });

  it("are never taken for one another in silence", () => {
    const name = fc.string({
      unit: fc.constantFrom("a", "A", "1", "-", "_", "."),
      minLength: 50,
      maxLength: 90,
    });
    fc.assert(
      fc.property(name, name, (first, second) => {
        fc.pre(first.toLowerCase() !== second.toLowerCase());
        const refused = problemsOf(first, second).some((one) => one.includes("would both be"));
        expect(refused || aliasOf(first) !== aliasOf(second)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
