import { findPlan } from "../../../bed/plan";
import { parseSettings } from "../../../bed/settings";
import { columns, ranges, wrapped } from "../../../cli/plan/columns";
import { planText } from "../../../cli/plan/plan-text";
import { reviewBeds } from "../../../stacks/beds/catalogue";
import { planSite } from "../../support/plan-sites";

function textOf(id: string, phase: string, scale: object = {}): string {
  const bed = reviewBeds[id]!;
  const settings = parseSettings({ bedId: "abcdefghij", stack: "test", phase, runId: "1", scale });
  const { plan, problems } = findPlan(bed, planSite(bed), settings);
  return planText(plan, problems);
}

describe("a plan as text", () => {
  it("has every host, port, pool, volume, datastore, guest and step in it", () => {
    const text = textOf("aff-a250-fcp", "sysbench");
    for (const host of [1, 2, 3, 4, 5, 6, 7, 8]) expect(text).toContain(`esx0${host}.example`);
    expect(text).toMatch(
      /esx01\.example +cluster1 +vmhba2 10:00:\S+ +vmhba3 10:00:\S+ +4 +2 +32 +120 GiB/,
    );
    expect(text).toMatch(/node1_1 +node1 +p1 +A/);
    expect(text).toMatch(/aggr1 +node1 +3 TB +16 +/);
    expect(text).toMatch(/sysbench +32 +300 GB +thin +all +10-41 +a250_fcp_test_sysbench_01 to /);
    expect(text).toMatch(/sysbench\/16 +25 +aggr2 +a250_fcp_test-sysbench-16 +285 GB +270 GB +g16/);
    expect(text).toMatch(
      /g16 +a250-fcp-test-g16 +esx08\.example +127\.0\.21\.26 +16 +60 GiB +sysbench\/16/,
    );
    expect(text).toMatch(/test +270 GB +thick +0:2 +volumes sysbench/);
    expect(text).toMatch(/sysbench-16vm +measure +5h +1h/);
    expect(text).toMatch(/No problems: the bed fits\.\n$/);
  });

  it("names every assumption of the phase with its reason, and none of another phase", () => {
    const bed = reviewBeds["aff-a250-fcp"]!;
    const text = textOf("aff-a250-fcp", "sysbench").replace(/\s+/g, " ");
    const { plan } = findPlan(
      bed,
      planSite(bed),
      parseSettings({
        bedId: "abcdefghij",
        stack: "test",
        phase: "sysbench",
        runId: "1",
        scale: {},
      }),
    );
    expect(plan!.assumptions.length).toBeGreaterThan(5);
    for (const { what, value, reason } of plan!.assumptions) {
      expect(text).toContain(`- ${what}: ${value} because ${reason}`.replace(/\s+/g, " "));
    }
    for (const other of bed.assumptions.filter((one) => !plan!.assumptions.includes(one))) {
      expect(text).not.toContain(`- ${other.what}: ${other.value} because`.replace(/\s+/g, " "));
    }
  });

  it("has all problems with path and remedy at its end, beside the plan that does not fit", () => {
    const text = textOf("ef570-printed", "sysbench");
    expect(text).toMatch(/\n\d+ problems: the bed cannot be built so\n/);
    expect(text.replace(/\s+/g, " ")).toMatch(/- volumeGroups\.sysbench\.size: .* more \(.*\)/);
    expect(text).toContain("Hosts and zones");
    expect(text).not.toContain("No problems");
  });

  it("says what this version cannot build yet", () => {
    expect(textOf("ef570", "vdbench").replace(/\s+/g, " ")).toMatch(/cannot build it yet - /);
  });

  it("uses the bed's own kind of units, and one only", () => {
    const tables = (text: string): string => text.slice(text.indexOf("Hosts and zones"));
    // But for memory, which is in binary units everywhere.
    const decimal = tables(textOf("aff-a250-fcp", "sysbench"));
    expect(decimal.replace(/\b(?:120|60) GiB\b/g, "")).not.toMatch(/\d [KMGT]iB\b/);
    const lab = textOf("aff-a250-fcp", "sysbench", {
      cases: [4],
      volumeGroups: { sysbench: { count: 4, size: "4 GiB" } },
      guests: {
        sysbench: {
          vcpus: 1,
          memory: "512 MiB",
          disks: { boot: "16 GiB", prebuilt: null, test: "2 GiB" },
        },
      },
      sysbench: { tables: 4, rows: 1000, bufferPool: "8 MiB" },
    });
    expect(lab).toMatch(/sysbench +4 +4 GiB +thin/);
    expect(tables(lab)).not.toMatch(/\d [KMGT]B\b/);
  });

  it("fits terminals: no line longer than 170, prose within 110", () => {
    for (const bed of Object.values(reviewBeds)) {
      for (const phase of Object.keys(bed.phases)) {
        const lines = textOf(bed.id, phase).split("\n");
        expect(lines.filter((line) => line.length > 170)).toEqual([]);
        expect(
          lines.filter((line) => / (-|because) /.test(line.slice(0, 14)) && line.length > 115),
        ).toEqual([]);
      }
    }
  });
});

test("columns line up, figures to the right, and empty ones are left out", () => {
  const rows = [
    { a: "x", n: 1 },
    { a: "longer", n: 200 },
  ];
  expect(
    columns(rows, [
      { head: "name", cell: ({ a }) => a },
      { head: "none", cell: () => "" },
      { head: "n", cell: ({ n }) => n.toString(), right: true },
    ]),
  ).toEqual(["name      n", "x         1", "longer  200"]);
});

test("runs of keys are ranges; text is broken between words only", () => {
  expect(ranges(["01", "02", "03", "07", "09", "10"])).toBe("01-03 07 09-10");
  expect(ranges([])).toBe("");
  expect(wrapped("one two three", 9, "  ")).toEqual(["  one two", "  three"]);
  expect(wrapped("immeasurable", 5, "")).toEqual(["immeasurable"]);
});
