import fc from "fast-check";
import { ConfigError, formatProblem } from "../../bed/errors";
import type { BedId } from "../../bed/identities";
import { bedOfName } from "../../bed/mark";
import { findPlan, planBed } from "../../bed/plan";
import type { ReviewBed } from "../../bed/review-bed";
import { parseSettings, type Scale } from "../../bed/settings";
import type { Site } from "../../bed/site";
import { affA250 } from "../../stacks/beds/aff-a250";
import { ef570 } from "../../stacks/beds/ef570";
import { exampleSite } from "../support/example-site";
import { planSite } from "../support/plan-sites";

const bedId = "abcdefghij" as BedId;
const a250 = affA250({ protocol: "fcp" });
const settings = (scale: Scale = {}, phase = "sysbench", stack = "lab") =>
  parseSettings({ bedId, stack, phase, runId: "1", scale });
const plan = (scale: Scale = {}, hosts = 8) => planBed(a250, exampleSite(hosts), settings(scale));

function problemsOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(formatProblem).join("\n");
    throw error;
  }
  return "";
}

describe("the plan of the A250 FCP bed", () => {
  it("uses eight hosts, 32 volumes and 16 guests at full scale", () => {
    const full = plan();
    expect(full.hosts).toHaveLength(8);
    expect(full.volumeGroups.flatMap((g) => g.volumes)).toHaveLength(32);
    expect(full.guests).toHaveLength(16);
    expect(full.cases.map((c) => c.guests.length)).toEqual([8, 16]);
  });

  it("spreads guests evenly over hosts and gives each its own volume", () => {
    const full = plan();
    for (const host of full.hosts) {
      expect(full.guests.filter((g) => g.host === host.name)).toHaveLength(2);
    }
    const volumes = full.guests.map((g) =>
      JSON.stringify(g.disks.find((d) => d.label === "test")?.volume),
    );
    expect(new Set(volumes).size).toBe(16);
  });

  it("lays volumes over pools and controllers evenly, for any few of them", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), (count) => {
        const { volumeGroups } = plan({
          volumeGroups: { sysbench: { count, size: "3 TB" } },
          cases: [8],
        });
        const pools = volumeGroups.flatMap((g) => g.volumes.map((v) => v.pool));
        const first = pools.filter((pool) => pool === "aggr1").length;
        expect(Math.abs(first - (pools.length - first))).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("carries the mark in the names of host group and folder", () => {
    const { hostGroups, folder } = plan();
    expect(hostGroups.map((group) => bedOfName(group.name))).toEqual([bedId]);
    expect(bedOfName(folder)).toBe(bedId);
  });

  it("gives every object of a kind its own name and every volume its own LUN number", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), (count) => {
        const { volumeGroups, guests } = plan({
          volumeGroups: { sysbench: { count, size: "3 TB" } },
          cases: [8],
        });
        const volumes = volumeGroups.flatMap((g) => g.volumes);
        for (const member of ["name", "datastore", "lun"] as const) {
          expect(new Set(volumes.map((v) => v[member])).size).toBe(volumes.length);
        }
        expect(new Set(guests.map((g) => g.name)).size).toBe(guests.length);
        expect(new Set(guests.map((g) => g.address)).size).toBe(guests.length);
      }),
    );
  });

  it("ties every guest to its host", () => {
    const { placement, guests } = plan();
    expect(placement.flatMap((one) => one.guests).toSorted()).toEqual(
      guests.map((guest) => guest.key).toSorted(),
    );
    for (const one of placement) {
      for (const key of one.guests) {
        expect(guests.find((guest) => guest.key === key)?.host).toBe(one.host);
      }
    }
  });
});

describe("other phases", () => {
  it("puts SQL Server on one cluster and what drives it on the other, a driver for each", () => {
    const { guests, cases } = planBed(a250, planSite(a250), settings({}, "sqlserver"));
    const clusterOf = (role: string): Set<string> =>
      new Set(guests.filter((guest) => guest.role === role).map((guest) => guest.host.slice(0, 5)));
    expect(clusterOf("test")).toEqual(new Set(["esx05", "esx06", "esx07", "esx08"]));
    expect(clusterOf("driver")).toEqual(new Set(["esx01", "esx02", "esx03", "esx04"]));
    expect(cases.map(({ guests: tested, drivers }) => [tested.length, drivers.length])).toEqual([
      [4, 4],
      [8, 8],
    ]);
    const [first] = guests;
    expect(first?.disks.map((disk) => disk.volume?.key)).toEqual(["01", "01"]);
  });

  it("gives each Vdbench worker four volumes, on both pools, each disk with its own controller", () => {
    const { guests, volumeGroups, cases } = planBed(a250, planSite(a250), settings({}, "vdbench"));
    const poolOf = new Map(volumeGroups.flatMap((g) => g.volumes.map((v) => [v.key, v.pool])));
    const used = guests.flatMap((guest) => {
      const data = guest.disks.filter((disk) => disk.volume !== undefined);
      expect(data.map((disk) => disk.controller)).toEqual([0, 1, 2, 3]);
      expect(new Set(data.map((disk) => poolOf.get(disk.volume?.key ?? ""))).size).toBe(2);
      return data.map((disk) => disk.volume?.key);
    });
    expect(new Set(used).size).toBe(32);
    expect(new Set(guests.map((guest) => guest.host)).size).toBe(8);
    expect(cases).toHaveLength(16);
    expect(cases.every((bench) => bench.guests.length === 8)).toBe(true);
  });

  it("schedules cases one after another, each with its precondition, and a curve for each profile", () => {
    const { schedule, estimates } = plan();
    expect(schedule.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
      "load load the data",
      "precondition sysbench-8vm",
      "measure sysbench-8vm",
      "precondition sysbench-16vm",
      "measure sysbench-16vm",
    ]);
    expect(estimates.durationMs).toBe(6 * 3_600_000);
    const vdbench = planBed(a250, planSite(a250), settings({}, "vdbench"));
    // Thirteen rates of 30 + 60 s.
    expect(vdbench.schedule.at(-1)?.durationMs).toBe(13 * 90_000);
  });
});

describe("a plan that cannot fit", () => {
  it("names every problem at once, with figures and what would fit", () => {
    const problems = problemsOf(() =>
      plan({
        volumeGroups: {
          sysbench: { thin: false },
          extra: { count: 1, size: "1 GB", thin: true, firstLun: 12 },
        },
        sysbench: { rows: 100_000_000, bufferPool: "5 MiB" },
      }),
    );
    // 16 x 300 GB and a tenth.
    expect(problems).toMatch(
      /pool aggr1 has 2.72 TiB free, the thick volumes need 4.8 TiB \(a tenth for metadata included\), 2.07 TiB more \(.*9 of 279.39 GiB fit there, or 16 of 158.74 GiB\)/,
    );
    expect(problems).toMatch(/LUN 12 of extra\/01 is also that of sysbench\/03/);
    expect(problems).toMatch(/100 tables of 100000000 rows take about .*at most 10500000 rows/);
    expect(problems).toMatch(/a buffer pool of 5 MiB is below the 6 MiB/);
  });

  it("refuses thin volumes whose guests write more than the pool has", () => {
    // 32 databases of 252 GB on two pools of 3 TB.
    expect(problemsOf(() => plan({ cases: [32] }))).toMatch(
      /pool aggr1 has 2.72 TiB free, the guests' data will take 3.66 TiB, 961.12 GiB more \(.*data reduction of 1.35:1, counted with 1:1\)/,
    );
  });

  it("refuses guests that share a datastore which cannot hold their disks", () => {
    expect(
      problemsOf(() => plan({ volumeGroups: { sysbench: { count: 4 } }, cases: [8] })),
    ).toMatch(/the guests' disks on it need 502.91 GiB, .* more \(.*1 guests of 251.45 GiB fit/);
  });

  it("refuses hosts whose names are one to the switch", () => {
    const site = exampleSite();
    site.hosts[0]!.name = "esx-01";
    site.hosts[1]!.name = "esx_01";
    expect(problemsOf(() => planBed(a250, site, settings()))).toMatch(
      /esx_01 vmhba2 and esx-01 vmhba2 would both be alias sanbed_abcdefghij_esx_01_vmhba2/,
    );
  });

  it("names a host that the site does not have or that is named twice", () => {
    const problems = problemsOf(() =>
      plan({ hosts: ["esx01.example", "nobody", "esx01.example"] }),
    );
    expect(problems).toMatch(/scale.hosts\[1\]: the site has no host "nobody"/);
    expect(problems).toMatch(/scale.hosts\[2\]: host "esx01.example" is named twice/);
  });

  it("asks for all parts of a volume group that the bed does not have", () => {
    expect(problemsOf(() => plan({ volumeGroups: { more: { count: 1 } } }))).toMatch(
      /scale.volumeGroups.more: .*needs count, size, thin and firstLun/,
    );
  });

  it("refuses a scale for guests, disks, workloads and profiles that the phase does not have", () => {
    const problems = problemsOf(() =>
      plan({
        guests: { nobody: {}, sysbench: { disks: { tape: "1 GB" } } },
        sqlserver: { scale: 10 },
      }),
    );
    expect(problems).toMatch(/scale.guests.nobody: the bed has no such guests in this phase/);
    expect(problems).toMatch(/scale.guests.sysbench.disks.tape: .*boot, prebuilt, test/);
    expect(problems).toMatch(/scale.sqlserver: this phase runs sysbench/);
    expect(
      problemsOf(() =>
        planBed(a250, planSite(a250), settings({ vdbench: { profiles: ["tape"] } }, "vdbench")),
      ),
    ).toMatch(/scale.vdbench.profiles\[0\]: the bed has no profile "tape"/);
  });

  it("refuses a site of another family, of one controller, or with one fabric", () => {
    expect(problemsOf(() => planBed(ef570(), exampleSite(), settings()))).toMatch(
      /the bed is for santricity, the site's array is ontap/,
    );
    const site = exampleSite();
    const lame: Site = {
      ...site,
      array: { ...site.array, ports: site.array.ports.filter(({ key }) => key !== "n2_b") },
    };
    expect(problemsOf(() => planBed(a250, lame, settings()))).toMatch(
      /controller node2 has no target port on fabric B: hosts would lose its volumes/,
    );
  });

  it("checks every queue on the way against what the workload keeps in flight", () => {
    const deep = (change: Partial<ReviewBed["phases"][string]>): ReviewBed => ({
      ...a250,
      phases: { vdbench: { ...a250.phases["vdbench"]!, ...change } },
    });
    expect(
      problemsOf(() =>
        planBed(deep({ host: { queueDepth: 64 } }), planSite(a250), settings({}, "vdbench")),
      ),
    ).toMatch(
      /host.queueDepth: volume on a host .*vdbench keeps 128 requests in flight, 64 are taken, 64 wait/,
    );
    const { guests } = a250.phases["vdbench"]!;
    const slow = {
      vdbench: { ...guests["vdbench"]!, adapter: "lsilogic-sas" as const, queues: undefined },
    };
    expect(
      problemsOf(() => planBed(deep({ guests: slow }), planSite(a250), settings({}, "vdbench"))),
    ).toMatch(/guest disk vdbench, lsilogic-sas: .*128 requests in flight, 32 are taken/);
    const tested = problemsOf(() => plan({ sysbench: { threads: 64 } }));
    expect(tested).toMatch(/guest disk sysbench, lsilogic-sas: .*64 requests in flight, 32/);
  });

  it("counts memory against the hosts, and says how many guests fit", () => {
    const problems = problemsOf(() =>
      plan({ cases: [16], guests: { sysbench: { memory: "150 GiB" } } }),
    );
    expect(problems).toMatch(/2 guests on host esx01.example have 300 GiB .*1 such guests fit/);
  });

  it("answers with the plan as well as the problems where both are wanted", () => {
    const found = findPlan(a250, exampleSite(), settings({ cases: [32] }));
    expect(found.problems).not.toHaveLength(0);
    expect(found.plan?.guests).toHaveLength(32);
    expect(findPlan(a250, exampleSite(), settings({}, "nothing"))).toEqual({
      plan: undefined,
      problems: [expect.objectContaining({ path: "phase" })],
    });
  });
});

describe("what is taken at the site", () => {
  it("keeps LUN numbers of others, on the host or in the snapshot, and says what moved", () => {
    const site = exampleSite();
    site.hosts[2]!.lunsTaken = [17];
    site.occupancy = { luns: { "esx05.example": [20] }, hostEntries: [], addresses: [] };
    const planned = planBed(a250, site, settings());
    const luns = planned.volumeGroups[0]!.volumes.map((volume) => volume.lun);
    expect(luns.slice(6, 12)).toEqual([16, 1006, 18, 19, 1003, 21]);
    expect(planned.remarks.map(({ message }) => message)).toContain(
      "LUN 17 is in use on a host of the bed: sysbench/08 has LUN 1006",
    );
  });

  it("minds only hosts of the bed", () => {
    const site = exampleSite();
    site.hosts[7]!.lunsTaken = [17];
    const scale = { clusters: 1, cases: [4] };
    expect(planBed(a250, site, settings(scale)).volumeGroups[0]!.volumes[7]?.lun).toBe(17);
  });

  it("gives no address that is in use, and moves no other guest", () => {
    const site = exampleSite(8, 64);
    const before = planBed(a250, site, settings()).guests.map((guest) => guest.address);
    site.occupancy = { luns: {}, hostEntries: [], addresses: [before[3]!] };
    const after = planBed(a250, site, settings()).guests.map((guest) => guest.address);
    expect(after.filter((address, index) => address !== before[index])).toHaveLength(1);
    expect(after).not.toContain(before[3]);
    expect(new Set(after).size).toBe(16);
  });
});

test("zones that no zoning database holds are refused, per fabric", () => {
  const hosts = 4000;
  const large: ReviewBed = {
    ...a250,
    hosts: { perCluster: 4, clusters: hosts / 4 },
    phases: { sysbench: { ...a250.phases["sysbench"]!, cases: [8] } },
  };
  const site = exampleSite(8);
  const many: Site = {
    ...site,
    hypervisor: {
      ...site.hypervisor,
      clusters: Array.from({ length: hosts / 4 }, (_, index) => `c${index.toString()}`),
    },
    hosts: Array.from({ length: hosts }, (_, index) => ({
      ...site.hosts[0]!,
      name: `a-host-with-a-rather-long-name-${index.toString()}.example`,
      cluster: `c${Math.floor(index / 4).toString()}`,
    })),
  };
  const problems = findPlan(large, many, settings()).problems.map(formatProblem).join("\n");
  expect(problems).toMatch(/site.fabrics.A: the zones of the bed need about 1\.\d+ MiB/);
});

test("no LUN number left is a problem that names how many volumes and the first of them", () => {
  const site = exampleSite();
  const all = Array.from({ length: 1024 }, (_, lun) => lun);
  const full: Site = {
    ...site,
    occupancy: {
      takenAt: "2026-01-01T00:00:00Z",
      luns: { "esx01.example": all.filter((lun) => lun > 1) },
      hostEntries: [],
      addresses: [],
    },
  };
  expect(problemsOf(() => planBed(a250, full, settings()))).toMatch(
    /volumeGroups\.sysbench\.firstLun: 30 volumes of the group get no LUN number, the first of them 12: of 0 to 1023/,
  );
});

test.each([
  [["p9"], ["0"]],
  [
    ["p1", "p9", "p8"],
    ["1", "2"],
  ],
])(
  "pools %j of a volume group that the bed does not have are told with those it has",
  (pools, wrong) => {
    const problems = problemsOf(() => plan({ volumeGroups: { sysbench: { pools } } })).split("\n");
    expect(problems.filter((line) => line.startsWith("scale"))).toEqual(
      wrong.map((index): unknown =>
        expect.stringMatching(
          `scale.volumeGroups.sysbench.pools\\[${index}\\]: the bed has no pool "p[89]" in this phase.*its pools are p1, p2`,
        ),
      ),
    );
  },
);

test.each([
  [{ cases: [8, 1025] }, /scale\.cases\[1\]: at most 1,024 guests/],
  [{ cases: [1_000_000_000] }, /scale\.cases\[0\]: at most 1,024 guests/],
  [{ guests: { sysbench: { count: 1_000_000 } } }, /sysbench\.count: at most 1,024 guests/],
  [{ cases: [8, 8] }, /scale\.cases: a case is listed twice/],
  [{ vdbench: { profiles: ["sql", "sql"] } }, /profiles: a profile is listed twice/],
])("a scale of %j is refused before anything is planned", (scale, words) => {
  expect(problemsOf(() => settings(scale as Scale))).toMatch(words);
});

test.each([
  [992, undefined],
  [993, /1025 LUNs on host esx01\.example, 993 of them there already, .* at most 1024/],
])("LUNs that a host sees already count: %i with 32 of the bed", (seen, words) => {
  const site = exampleSite();
  const [first, ...others] = site.hosts;
  // From 4095 down: so many do not get in the way of the bed's numbers.
  const lunsTaken = Array.from({ length: seen }, (_, index) => 4095 - index);
  const crowded: Site = { ...site, hosts: [{ ...first!, lunsTaken }, ...others] };
  const problems = problemsOf(() => planBed(a250, crowded, settings()));
  if (words === undefined) expect(problems).toBe("");
  else expect(problems).toMatch(words);
});

test("a thick disk that vSphere rounds up beyond its volume does not fit", () => {
  const scale = (size: string): Scale => ({
    volumeGroups: { sysbench: { size } },
    guests: { sysbench: { disks: { test: "2.125 GiB" } } },
    sysbench: { tables: 1, rows: 1000 },
  });
  const rounded = /room for 2\.37 GiB, the guests' disks on it need 3 GiB: vSphere makes/;
  expect(problemsOf(() => plan(scale("2.5 GiB")))).toMatch(rounded);
  expect(problemsOf(() => plan(scale("3.25 GiB")))).not.toMatch(/vSphere makes/);
});

test("target ports of another array among those of the bed's are told by their controllers", () => {
  const site = exampleSite();
  const ports = (["A", "B"] as const).map((fabric) => ({
    key: `other_${fabric.toLowerCase()}`,
    controller: "other",
    port: "1a",
    fabric,
  }));
  const mixed: Site = { ...site, array: { ...site.array, ports: [...site.array.ports, ...ports] } };
  expect(problemsOf(() => planBed(a250, mixed, settings()))).toMatch(
    /site\.array\.ports: .*are of 3 controllers, the bed's array has 2 .*and of no other/,
  );
});
