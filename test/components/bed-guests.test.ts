import * as pulumi from "@pulumi/pulumi";
import * as vsphere from "@pulumi/vsphere";
import { planBed } from "../../bed/plan";
import { parseSettings, type Scale } from "../../bed/settings";
import type { Site } from "../../bed/site";
import { TestBed } from "../../components/test-bed";
import { Provider } from "../../provider/sdk/provider";
import { affA250 } from "../../stacks/beds/aff-a250";
import { planSite } from "../support/plan-sites";
import { comesAfter, recordProgram, type RecordedProgram } from "../support/recorded-program";

const bedId = "abcdefghij";
const overFcp = affA250({ protocol: "fcp" });
const machineType = "vsphere:index/virtualMachine:VirtualMachine";
const small: Scale = {
  clusters: 1,
  cases: [2, 4],
  guests: { sysbench: { disks: { boot: "16 GiB", prebuilt: null, test: "2 GiB" } } },
  sysbench: { tables: 4, rows: 88000, bufferPool: "8 MiB" },
  volumeGroups: { sysbench: { count: 4, size: "4 GiB" } },
};

/** The A250 bed over FCP on its example site, one phase of it. */
function program(
  phase: string,
  change: (site: Site) => Site = (site) => site,
): Promise<RecordedProgram> {
  const site = change(planSite(overFcp));
  const measured = phase === "sysbench";
  const settings = parseSettings({
    bedId,
    stack: "lab",
    phase,
    runId: "1",
    measure: measured,
    scale: measured ? small : {},
  });
  const plan = planBed(overFcp, site, settings);
  return recordProgram((opts) => {
    const sanbed = new Provider("sanbed", { bedId, folder: "/bed", devices: site.devices });
    const vcenter = new vsphere.Provider("vcenter", { user: "u", password: "p" });
    const providers = { sanbed, vsphere: vcenter };
    new TestBed("bed", { plan, guestKey: pulumi.secret("key") }, { ...opts, providers });
  });
}

describe("guests of other workloads, without cases", () => {
  it("gives each Vdbench worker four disks, each on a datastore and a controller of its own", async () => {
    const bed = await program("vdbench");
    const stores = new Set<unknown>();
    for (const { name } of bed.ofType(machineType)) {
      const inputs = await bed.inputs(name);
      expect(inputs).toMatchObject({
        scsiType: "pvscsi",
        scsiControllerCount: 4,
        enableDiskUuid: true,
      });
      const disks = inputs["disks"] as {
        label: string;
        unitNumber: number;
        eagerlyScrub: boolean;
        datastoreId?: string;
      }[];
      expect(disks.map(({ label, unitNumber }) => [label, unitNumber])).toEqual([
        ["boot", 0],
        ["data1", 1],
        ["data2", 15],
        ["data3", 30],
        ["data4", 45],
      ]);
      for (const { datastoreId, eagerlyScrub } of disks.slice(1)) {
        stores.add(datastoreId);
        expect(eagerlyScrub).toBe(true);
      }
    }
    expect(bed.ofType(machineType)).toHaveLength(8);
    expect(stores.size).toBe(32);
    expect(bed.ofType("sanbed:bench:Run")).toEqual([]);
  });

  it("tells a worker its disks by the UUIDs that its machine got, and proves where they lie", async () => {
    const bed = await program("vdbench");
    const { stdin } = await bed.inputs("bed-guests-vdb01-bootstrap");
    for (const label of ["data1", "data4"]) {
      expect(stdin).toMatch(new RegExp(`^look ${label} /dev/disk/by-id/wwn-0x6000c29`, "m"));
    }
    expect(await bed.inputs("bed-guests-vdb01-ready")).toMatchObject({
      machine: {
        device: "vcenter",
        host: "esx01.example",
        disks: {
          boot: { controller: 0, unit: 0 },
          data1: { controller: 0, unit: 1, blockDevice: "naa.a250_fcp_lab_vdbench_01" },
          data4: { controller: 3, unit: 0, blockDevice: "naa.a250_fcp_lab_vdbench_04" },
        },
      },
    });
  });

  it("names a Windows guest within 15 characters and hands it no password and no key", async () => {
    const bed = await program("sqlserver", (site) => ({
      ...site,
      templates: {
        ...site.templates,
        sqlserver: { ...site.templates["sqlserver"]!, system: "windows" },
      },
    }));
    for (const { name } of bed.ofType(machineType)) {
      const { clone } = (await bed.inputs(name)) as {
        clone: { customize: { windowsOptions?: object; linuxOptions?: object } };
      };
      const { windowsOptions, linuxOptions } = clone.customize;
      if (name.includes("-drv")) expect(linuxOptions).toBeDefined();
      else {
        expect(windowsOptions).toEqual({
          computerName: `${name.slice(-5)}-abcdefghi`,
          workgroup: "SANBED",
        });
      }
    }
  });
});

describe("guests stay where the plan has them", () => {
  const type = (name: string): string =>
    `vsphere:index/${(name[0] ?? "").toLowerCase()}${name.slice(1)}:${name}`;

  it("ties the guests of each host to it by a marked rule, and freezes each machine", async () => {
    const bed = await program("sysbench");
    const rules = bed.ofType(type("ComputeClusterVmHostRule"));
    expect(rules).toHaveLength(4);
    for (const { name } of rules) {
      const rule = await bed.inputs(name);
      expect(rule["mandatory"]).toBe(false);
      for (const field of ["name", "vmGroupName", "affinityHostGroupName"]) {
        expect(rule[field]).toMatch(new RegExp(`^sanbed_${bedId}_`));
      }
    }
    const groups = bed.ofType(type("ComputeClusterVmGroup"));
    const members = await Promise.all(
      groups.map(async ({ name }) => (await bed.inputs(name))["virtualMachineIds"]),
    );
    expect(members.flat()).toHaveLength(4);
    const frozen = bed.ofType(type("DrsVmOverride"));
    for (const { name } of frozen)
      expect(await bed.inputs(name)).toMatchObject({ drsEnabled: false });
    expect(frozen).toHaveLength(4);
  });

  it("measures only what is tied and frozen, and says where it must be", async () => {
    const bed = await program("sysbench");
    const needs = await bed.needs();
    for (const pin of ["bed-guests-esx01.example-stay", "bed-guests-g01-frozen"]) {
      expect(comesAfter(needs, "bed-suite-sysbench-2vm", pin)).toBe(true);
    }
    const run = (await bed.inputs("bed-suite-sysbench-2vm")) as {
      hypervisor: string;
      guests: Record<string, { host: string }>;
    };
    expect(run.hypervisor).toBe("vcenter");
    expect(run.guests["g02"]?.host).toBe("esx02.example");
  });

  it.each([
    ["must", true, 4],
    ["none", undefined, 0],
  ] as const)("as the site wants it: %s", async (placement, mandatory, count) => {
    const bed = await program("sysbench", (site) => ({
      ...site,
      hypervisor: { ...site.hypervisor, placement },
    }));
    const rules = bed.ofType(type("ComputeClusterVmHostRule"));
    expect(rules).toHaveLength(count);
    for (const { name } of rules) expect((await bed.inputs(name))["mandatory"]).toBe(mandatory);
    expect(bed.ofType(type("DrsVmOverride"))).toHaveLength(count);
  });
});
