import { formatProblem } from "../../bed/errors";
import { findPlan } from "../../bed/plan";
import { parseSettings, type Scale } from "../../bed/settings";
import type { Site } from "../../bed/site";
import { reviewBeds } from "../../stacks/beds/catalogue";
import { planSite } from "../support/plan-sites";

const GiB = 1024n ** 3n;

function planned(
  id: string,
  phase: string,
  change: (site: Site) => void = () => undefined,
  scale: Scale = {},
) {
  const bed = reviewBeds[id]!;
  const site = structuredClone(planSite(bed));
  change(site);
  const settings = parseSettings({ bedId: "abcdefghij", stack: "t", phase, runId: "1", scale });
  const { plan, problems } = findPlan(bed, site, settings);
  return {
    plan: plan!,
    problems: problems.map(formatProblem),
    remarks: plan!.remarks.map(({ path, message }) => `${path}: ${message}`),
    unchecked: plan!.unchecked.map(({ path, message }) => `${path}: ${message}`),
  };
}

describe("the site's own datastore", () => {
  it("has the need of 32 guests in the plan, disks and swap files, whether it is known to hold them or not", () => {
    const { plan, remarks, problems } = planned("ef570", "sysbench");
    const { disksBytes, swapBytes, freeBytes } = plan.estimates.siteDatastore;
    // 92 and 447 GB each, in whole GiB; 60 GiB of memory each, none of it reserved.
    expect(disksBytes).toBe(32n * (86n + 417n) * GiB);
    expect(swapBytes).toBe(32n * 60n * GiB);
    expect(freeBytes).toBeUndefined();
    expect(problems).toEqual([]);
    expect(remarks.join("\n")).toMatch(
      /the site does not say what is free on site: whether the disks/,
    );
  });

  it("is refused by what is missing, and the remark is gone where the site says what is free", () => {
    const free = (bytes: bigint) =>
      planned("ef570", "sysbench", (site) => {
        site.hypervisor.datastores = [{ name: "site", freeBytes: bytes.toString() }];
      });
    const needed = 32n * (86n + 417n + 60n) * GiB;
    expect(free(needed).problems).toEqual([]);
    expect(free(needed).remarks.join()).not.toMatch(/what is free on site/);
    expect(free(needed - 1n).problems.join()).toMatch(/swap files 1\.87 TiB, 1 B more/);
    expect(free(needed - 512n * GiB).problems.join()).toMatch(
      /datastore site has 17\.09 TiB free, the guests' disks on it need up to 15\.71 TiB and their swap files 1\.87 TiB, 512 GiB more/,
    );
  });
});

describe("a site that differs from the bed, or its hosts from each other", () => {
  it("is told by target ports, host ports and paths", () => {
    const { remarks } = planned("aff-a800", "sysbench", (site) => {
      site.array.ports = site.array.ports.filter(({ key }) => /_[12]$/.test(key));
      site.hosts[1]!.hbas.push({ ...site.hosts[1]!.hbas[0]!, adapter: "vmhba4" });
    });
    expect(remarks).toEqual(
      expect.arrayContaining([
        "site.array.ports: the bed's array has 8 target ports in use, the plan uses 4 of the 4 that the site lists",
        "site.hosts: a host of the bed has 2 ports, esx02.example 3",
        expect.stringMatching(
          /^site\.hosts: hosts have different numbers of paths to a volume: 4 on esx01\.example, .* and 4 more, 6 on esx02\.example/,
        ),
      ]),
    );
  });

  it("is not told where it does not", () => {
    const { remarks } = planned("aff-a800", "sysbench");
    expect(remarks.join()).not.toMatch(/target ports|host of the bed|different numbers/);
  });
});

describe("the snapshot of what is on the array", () => {
  const taken = (hostEntries: string[]): Site["occupancy"] => ({
    takenAt: "2026-11-30T12:00:00Z",
    luns: {},
    hostEntries,
    addresses: [],
  });

  it("must know an entry that is to be used, with its tenant or without", () => {
    const using = (entries: string[]) =>
      planned("aff-a250-fcp", "sysbench", (site) => {
        site.hosts[0]!.entry = { mode: "use", name: "ig_prod" };
        site.occupancy = taken(entries);
      }).problems.join();
    expect(using(["svm_erp/ig_prod"])).toBe("");
    expect(using(["ig_prod"])).toBe("");
    expect(using([])).toBe("");
    expect(using(["svm_erp/ig_other"])).toMatch(
      /esx01\.example\.entry: .*the entry ig_prod, which the snapshot of 2026-11-30T12:00:00Z does not know/,
    );
  });

  it("must not hold the bed's own group: then the bed stands, and would plan around itself", () => {
    const { plan } = planned("aff-a250-fcp", "sysbench");
    const { problems } = planned("aff-a250-fcp", "sysbench", (site) => {
      site.occupancy = taken([`a250/${plan.hostGroups[0]!.name}`]);
    });
    expect(problems.join()).toMatch(/own host group .* sanbed discover --bed abcdefghij/);
  });
});

describe("limits", () => {
  it("are said where they are not known, or where others' share of them is not", () => {
    const { unchecked } = planned("ef570", "sysbench");
    expect(unchecked.join("\n")).toMatch(
      /santricity\): not known .*: .*requests that a target port/,
    );
    expect(unchecked.join("\n")).toMatch(
      /site\.fabrics: what others have in the zoning of fabricA/,
    );
    const nvme = planned("aff-a250-nvme-fc", "vdbench").unchecked.join("\n");
    expect(nvme).toMatch(/paths over NVMe on a host/);
    expect(nvme).toMatch(/namespaces that hosts have already, of the 32/);
    expect(nvme).not.toMatch(/requests that a target port/);
  });

  it("of LUN numbers are those that the hosts look at: 255 before ESXi 6.7, 1,023 after", () => {
    const first = (firstLun: number): Scale => ({ volumeGroups: { vdbench: { firstLun } } });
    expect(planned("aff-a800", "vdbench", undefined, first(224)).problems).toEqual([]);
    expect(planned("aff-a800", "vdbench", undefined, first(225)).problems.join()).toMatch(
      /the last LUN of the group is 256, at most 255 can be used \(ESXi before 6\.7/,
    );
    // One that is taken goes to the other end of what the host finds.
    const { plan } = planned("aff-a800", "vdbench", (site) => {
      site.hosts[0]!.lunsTaken = [100];
    });
    expect(plan.volumeGroups[0]!.volumes[0]!.lun).toBe(155);
    expect(planned("aff-a250-fcp", "vdbench", undefined, first(992)).problems).toEqual([]);
    expect(planned("aff-a250-fcp", "vdbench", undefined, first(993)).problems.join()).toMatch(
      /is 1024, at most 1023 can be used \(.*Disk\.MaxLUN/,
    );
  });

  it.each([
    ["ef570", "200 TiB", "at most 64 TiB"],
    ["xcubesan-xs5226d", "200 TiB", "at most 64 TiB"],
    ["aff-a250-fcp", "200 TiB", "at most 16 TiB"],
  ])("of %s refuse a volume of %s: %s", (id, size, words) => {
    const { problems } = planned(id, "sqlserver", undefined, {
      volumeGroups: { sqlserver: { size } },
    });
    expect(problems.join("\n")).toMatch(new RegExp(`volumes of 200 TiB, .* too large: ${words}`));
  });

  it("of a virtual disk and of memory are vSphere's", () => {
    const { problems } = planned("aff-a250-fcp", "sysbench", undefined, {
      guests: { sysbench: { memory: "60 GB", disks: { test: "63 TiB" } } },
    });
    expect(problems.join("\n")).toMatch(/disks\.test: a disk of 63 TiB, at most 62 TiB/);
    expect(problems.join("\n")).toMatch(
      /memory: 60 GB are no multiple of 4 MiB, .* \(57220 MiB or 57224 MiB; "GB" are 10\^9 bytes/,
    );
  });

  it("of an MDS fabric count members of zones", () => {
    const bed = reviewBeds["aff-a250-fcp"]!;
    const hosts = 1024;
    const large = { ...bed, hosts: { perCluster: 4, clusters: hosts / 4 } };
    const site = structuredClone(planSite({ ...bed, array: { ...bed.array, targetPorts: 32 } }));
    for (const name of ["fabricA", "fabricB"]) {
      Object.assign(site.devices[name]!, { kind: "cisco-mds", vsan: 10 });
    }
    site.hypervisor.clusters = Array.from({ length: hosts / 4 }, (_, index) => `c${index}`);
    site.hosts = Array.from({ length: hosts }, (_, index) => ({
      ...site.hosts[0]!,
      name: `esx${index}.example`,
      cluster: `c${Math.floor(index / 4)}`,
    }));
    const settings = parseSettings({
      bedId: "abcdefghij",
      stack: "t",
      phase: "sysbench",
      runId: "1",
      scale: {},
    });
    // A zone has its initiator and 16 target ports of its fabric: 1,024 of them.
    expect(findPlan(large, site, settings).problems.map(formatProblem).join("\n")).toMatch(
      /site\.fabrics\.A: the zones of the bed have 17408 members on fabricA, 1408 more than the 16000/,
    );
  });
});

test.each([
  [{ sysbench: { measure: "0s" } }, /measure: is shorter than a second/],
  [{ sysbench: { precondition: "10000h" } }, /precondition: is longer than 30 days/],
  [{ sysbench: { reportInterval: "0s" } }, /reportInterval: is shorter than a second/],
  [{ vdbench: { measure: "0s", reportInterval: "0s" } }, /vdbench\.measure: is shorter/],
  [{ volumeGroups: { sysbench: { size: "0 GB" } } }, /size: a size of nothing/],
  [{ guests: { sysbench: { memory: "0 MiB" } } }, /memory: a size of nothing/],
])("a scale of %j is refused for what it is", (scale, words) => {
  const read = () =>
    parseSettings({ bedId: "abcdefghij", stack: "t", phase: "sysbench", runId: "1", scale });
  expect(read).toThrow(words);
});
