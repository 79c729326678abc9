import { formatProblem } from "../../bed/errors";
import { findPlan, planBed } from "../../bed/plan";
import type { ReviewBed } from "../../bed/review-bed";
import { parseSettings, type Scale } from "../../bed/settings";
import type { Site } from "../../bed/site";
import { affA250 } from "../../stacks/beds/aff-a250";
import { planSite } from "../support/plan-sites";

const nvme = affA250({ protocol: "nvme-fc" });
const settings = (scale: Scale = {}, phase = "sysbench") =>
  parseSettings({ bedId: "abcdefghij", stack: "lab", phase, runId: "1", scale });
const problems = (bed: ReviewBed, site: Site, ...scaled: Parameters<typeof settings>): string =>
  findPlan(bed, site, settings(...scaled))
    .problems.map(formatProblem)
    .join("\n");

describe("the plan of the A250 NVMe bed", () => {
  it("has no LUN numbers, one port of a controller and fabric, and at most 32 namespaces", () => {
    const site = planSite({ ...nvme, array: { ...nvme.array, targetPorts: 8 } });
    const planned = planBed(nvme, site, settings({}, "vdbench"));
    const volumes = planned.volumeGroups.flatMap((group) => group.volumes);
    expect(volumes.every((volume) => volume.lun === undefined)).toBe(true);
    expect(planned.zoning.map((host) => host.expectedPaths)).toEqual(Array(8).fill(4));
    expect(planned.unusedTargetPorts).toHaveLength(4);
    expect(problems(nvme, site, { volumeGroups: { vdbench: { count: 33 } } }, "vdbench")).toMatch(
      /33 namespaces on host esx01.example, an ESXi host sees at most 32/,
    );
  });

  it("refuses hosts without a name for NVMe, a release without it, and a policy of the other plug-in", () => {
    const site = planSite(nvme);
    const unnamed = { ...site, hosts: site.hosts.map(({ nqn: _, ...host }) => host) };
    const old = {
      ...nvme,
      hypervisor: { ...nvme.hypervisor, version: "6.7" },
      host: { ...nvme.host, pathPolicy: "VMW_PSP_RR" },
    };
    const told = problems(old, unnamed);
    expect(told).toMatch(/vSphere 6.7 has no NVMe over Fibre Channel \(7.0 or later\)/);
    expect(told.match(/has no NQN/g)).toHaveLength(8);
    expect(told).toMatch(/host.pathPolicy: VMW_PSP_RR is no path policy of devices over nvme-fc/);
    const other = { ...nvme, host: { ...nvme.host, pathPolicy: "LB-Latency" } };
    expect(problems(other, site)).toBe("");
  });

  it.each([
    ["9.5RC1", true],
    ["9.6P12", true],
    ["9.7", false],
    ["9.10.1", false],
    ["10.1", false],
  ])(
    "asks for a release of the array that serves vSphere over NVMe: %s refused %s",
    (software, refused) => {
      const bed = { ...nvme, array: { ...nvme.array, software } };
      const told = problems(bed, planSite(nvme));
      expect(told.includes("serves no NVMe over Fibre Channel to vSphere")).toBe(refused);
      if (refused) expect(told).toContain("9.7 or later");
    },
  );

  it("leaves the policies of NVMe to NVMe", () => {
    const fcp = affA250({ protocol: "fcp" });
    const bed = { ...fcp, host: { ...fcp.host, pathPolicy: "LB-IOPS" } };
    expect(problems(bed, planSite(bed))).toMatch(/LB-IOPS is no path policy of devices over fcp/);
  });
});
