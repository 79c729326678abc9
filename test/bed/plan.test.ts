import fc from "fast-check";
import { ConfigError } from "../../bed/errors";
import type { BedId } from "../../bed/identities";
import { bedOfName } from "../../bed/mark";
import { planBed } from "../../bed/plan";
import { parseSettings, type Scale } from "../../bed/settings";
import { affA250Fcp } from "../../stacks/beds/aff-a250-fcp";
import { reviewBedSchema } from "../../bed/review-bed";
import { exampleSite } from "../support/example-site";

const bedId = "abcdefghij" as BedId;
const settings = (scale: Scale = {}, stack = "lab") =>
  parseSettings({ bedId, stack, phase: "sysbench", runId: "1", scale });
const plan = (scale: Scale = {}, hosts = 8) =>
  planBed(affA250Fcp, exampleSite(hosts), settings(scale));

function problemsOf(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map((p) => `${p.path}: ${p.message}`);
    throw error;
  }
  return [];
}

describe("the plan of the A250 FCP bed", () => {
  it("is declared by a bed that fits the schema", () => {
    expect(reviewBedSchema.parse(affA250Fcp)).toEqual(affA250Fcp);
  });

  it("uses eight hosts, 32 volumes and 32 guests at full scale", () => {
    const full = plan();
    expect(full.hosts).toHaveLength(8);
    expect(full.volumeGroups.flatMap((g) => g.volumes)).toHaveLength(32);
    expect(full.guests).toHaveLength(32);
    expect(full.cases.map((c) => c.guests.length)).toEqual([4, 8, 16, 24, 32]);
  });

  it("spreads guests evenly over hosts and gives each its own volume", () => {
    const full = plan();
    for (const host of full.hosts) {
      expect(full.guests.filter((g) => g.host === host.name)).toHaveLength(4);
    }
    const volumes = full.guests.map((g) =>
      JSON.stringify(g.disks.find((d) => d.label === "test")?.volume),
    );
    expect(new Set(volumes).size).toBe(32);
  });

  it("gives every initiator the same number of target ports of each controller, fabrics never mixed", () => {
    const site = exampleSite();
    for (const host of plan().zoning) {
      expect(host.expectedPaths).toBe(4);
      for (const fabric of ["A", "B"] as const) {
        const ports = host.fabrics[fabric].targetKeys.map((key) =>
          site.array.ports.find((p) => p.key === key),
        );
        expect(ports.every((port) => port?.fabric === fabric)).toBe(true);
        expect(new Set(ports.map((p) => p?.controller)).size).toBe(2);
      }
    }
  });

  it("carries the mark in the names of group and folder", () => {
    expect(bedOfName(plan().hostGroup)).toBe(bedId);
    expect(bedOfName(plan().folder)).toBe(bedId);
  });

  it("renumbers and renames nothing when volumes, guests or hosts are added at the end", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 4, max: 20 }),
        fc.integer({ min: 1, max: 8 }),
        (count, more) => {
          const small = plan({ volumeGroups: { sysbench: { count } }, cases: [count] });
          const large = plan({
            volumeGroups: { sysbench: { count: count + more } },
            cases: [count],
          });
          expect(large.volumeGroups[0]?.volumes.slice(0, count)).toEqual(
            small.volumeGroups[0]?.volumes,
          );
          expect(large.zoning).toEqual(small.zoning);
          expect(large.guests).toEqual(small.guests);
        },
      ),
    );
  });

  it("gives every object of a kind its own name and every volume its own LUN number", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), (count) => {
        const { volumeGroups, guests } = plan({
          volumeGroups: { sysbench: { count, size: "3 TB" } },
          cases: [8],
        });
        const volumes = volumeGroups.flatMap((g) => g.volumes);
        expect(new Set(volumes.map((v) => v.name)).size).toBe(volumes.length);
        expect(new Set(volumes.map((v) => v.datastore)).size).toBe(volumes.length);
        expect(new Set(volumes.map((v) => v.lun)).size).toBe(volumes.length);
        expect(new Set(guests.map((g) => g.name)).size).toBe(guests.length);
        expect(new Set(guests.map((g) => g.address)).size).toBe(guests.length);
      }),
    );
  });
});

describe("a plan that cannot fit", () => {
  it("names every problem at once, with figures", () => {
    const problems = problemsOf(() =>
      plan({
        volumeGroups: {
          sysbench: { thin: false },
          extra: { count: 1, size: "1 GB", thin: true, firstLun: 12 },
        },
        sysbench: { rows: 100_000_000, bufferPool: "5 MiB" },
      }),
    );
    expect(problems.join("\n")).toMatch(
      /pool aggr1 has 2.72 TiB free, the thick volumes need 4.36 TiB/,
    );
    expect(problems.join("\n")).toMatch(/LUN 12 of extra\/01 is also that of sysbench\/03/);
    expect(problems.join("\n")).toMatch(/100 tables of 100000000 rows take about/);
    expect(problems.join("\n")).toMatch(/a buffer pool of 5 MiB is below the 6 MiB/);
  });

  it("refuses guests that share a datastore which cannot hold their disks", () => {
    const problems = problemsOf(() =>
      plan({ volumeGroups: { sysbench: { count: 4 } }, cases: [8] }),
    );
    expect(problems.join("\n")).toMatch(/the guests' disks on it need 502.91 GiB/);
  });

  it("respects LUN numbers that a host already sees", () => {
    const site = exampleSite();
    site.hosts[2]!.lunsTaken = [17];
    expect(problemsOf(() => planBed(affA250Fcp, site, settings())).join()).toMatch(
      /host esx03.example already sees a LUN 17/,
    );
  });

  it("refuses hosts whose names are one to the switch", () => {
    const site = exampleSite();
    site.hosts[0]!.name = "esx-01";
    site.hosts[1]!.name = "esx_01";
    expect(problemsOf(() => planBed(affA250Fcp, site, settings())).join()).toMatch(
      /esx_01 vmhba2 and esx-01 vmhba2 would both be alias sanbed_abcdefghij_esx_01_vmhba2/,
    );
  });

  it("names a host that the site does not have, and those it has", () => {
    expect(problemsOf(() => plan({ hosts: ["esx01.example", "nobody"] })).join()).toMatch(
      /scale.hosts\[1\]: the site has no host "nobody"/,
    );
  });

  it("asks for all parts of a volume group that the bed does not have", () => {
    expect(problemsOf(() => plan({ volumeGroups: { more: { count: 1 } } })).join()).toMatch(
      /scale.volumeGroups.more: .*needs count, size, thin and firstLun/,
    );
  });
});
