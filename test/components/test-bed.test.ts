import * as pulumi from "@pulumi/pulumi";
import * as vsphere from "@pulumi/vsphere";
import { planBed } from "../../bed/plan";
import type { ReviewBed } from "../../bed/review-bed";
import { parseSettings, type Scale } from "../../bed/settings";
import type { Site } from "../../bed/site";
import { TestBed } from "../../components/test-bed";
import { Provider } from "../../provider/sdk/provider";
import { affA250 } from "../../stacks/beds/aff-a250";
import { ef570 } from "../../stacks/beds/ef570";
import { exampleHostKey, exampleSite } from "../support/example-site";
import { planSite } from "../support/plan-sites";
import {
  comesAfter,
  recordProgram,
  type Declared,
  type Needs,
  type RecordedProgram,
} from "../support/recorded-program";

const bedId = "abcdefghij";
const plantedKey = "-----BEGIN OPENSSH PRIVATE KEY----- planted";
const small: Scale = {
  clusters: 1,
  cases: [2, 4],
  guests: { sysbench: { disks: { boot: "16 GiB", prebuilt: null, test: "2 GiB" } } },
  sysbench: { tables: 4, rows: 88000, bufferPool: "8 MiB" },
  volumeGroups: { sysbench: { count: 4, size: "4 GiB" } },
};

const overFcp = affA250({ protocol: "fcp" });
const overNvme = affA250({ protocol: "nvme-fc" });

function program(
  scale: Scale = small,
  site: Site = exampleSite(),
  review: ReviewBed = overFcp,
): Promise<RecordedProgram> {
  const settings = parseSettings({ bedId, stack: "lab", phase: "sysbench", runId: "1", scale });
  const plan = planBed(review, site, settings);
  return recordProgram((opts) => {
    const sanbed = new Provider("sanbed", { bedId, folder: "/bed", devices: site.devices });
    const vcenter = new vsphere.Provider("vcenter", { user: "u", password: "p" });
    const providers = { sanbed, vsphere: vcenter };
    new TestBed("bed", { plan, guestKey: pulumi.secret(plantedKey) }, { ...opts, providers });
  });
}

/** Each resource of one type comes after each of another. */
function expectAllAfter(needs: Needs, later: readonly Declared[], earlier: readonly Declared[]) {
  expect(later.length).toBeGreaterThan(0);
  expect(earlier.length).toBeGreaterThan(0);
  for (const { name } of later) {
    for (const other of earlier) {
      expect({ name, after: other.name, is: comesAfter(needs, name, other.name) }).toEqual({
        name,
        after: other.name,
        is: true,
      });
    }
  }
}

const machineType = "vsphere:index/virtualMachine:VirtualMachine";
const datastoreType = "vsphere:index/vmfsDatastore:VmfsDatastore";
const bootstrapType = "command:remote:Command";

describe("the order of a bed, which destroy reverses", () => {
  let bed: RecordedProgram;
  let needs: Needs;
  beforeAll(async () => {
    bed = await program();
    needs = await bed.needs();
  });

  it("takes the certificate first, so that it is proven last", () => {
    const others = bed.declared.filter(
      ({ type }) => !/^sanbed:bench:Certificate$|^sanbed:components:TestBed$|^pulumi:/.test(type),
    );
    expectAllAfter(needs, others, bed.ofType("sanbed:bench:Certificate"));
  });

  it.each([
    ["sanbed:fabric:HostZones", "sanbed:array:Targets"],
    ["sanbed:array:VolumeSet", "sanbed:array:Targets"],
    ["sanbed:array:HostEntry", "sanbed:array:HostGroup"],
    // A host's entry goes before its guard, which proves that the host forgot the devices.
    ["sanbed:array:HostEntry", "sanbed:array:VolumeSet"],
    ["sanbed:array:VolumeMap", "sanbed:array:HostEntry"],
    ["sanbed:array:VolumeMap", "sanbed:array:VolumeSet"],
    ["sanbed:host:BlockDevices", "sanbed:array:VolumeMap"],
    [datastoreType, "sanbed:host:BlockDevices"],
    // Guards are deleted after what they guard: what nobody recorded goes then.
    [datastoreType, "sanbed:host:DatastoreGuard"],
    ["sanbed:host:DatastoreGuard", "sanbed:host:BlockDevices"],
    [machineType, "sanbed:host:MachineGuard"],
    ["sanbed:host:MachineGuard", datastoreType],
    ["sanbed:bench:Verdict", "sanbed:bench:Run"],
    ["sanbed:bench:Verdict", datastoreType],
    ["sanbed:bench:Run", "sanbed:fabric:HostZones"],
  ])("puts every %s after every %s", (later, earlier) => {
    expectAllAfter(needs, bed.ofType(later), bed.ofType(earlier));
  });

  it("needs the zones of its own host for the devices of a host, and no other's", async () => {
    for (const devices of bed.ofType("sanbed:host:BlockDevices")) {
      const { host } = (await bed.inputs(devices.name)) as { host: string };
      for (const zones of bed.ofType("sanbed:fabric:HostZones")) {
        const own = zones.name.endsWith(host);
        expect(needs.get(devices.name)?.has(zones.name)).toBe(own);
      }
    }
  });

  it("runs one case after the other", () => {
    const [first, second] = bed.ofType("sanbed:bench:Run").map(({ name }) => name);
    expect([first, second]).toEqual(["bed-suite-sysbench-2vm", "bed-suite-sysbench-4vm"]);
    expect(comesAfter(needs, second ?? "", first ?? "")).toBe(true);
  });

  it.each(["g01", "g04"])("builds up guest %s: machine, bootstrap, ready, data", (guest) => {
    const [machine, ...chain] = ["", "-bootstrap", "-ready"].map(
      (end) => `bed-guests-${guest}${end}`,
    );
    let before = machine ?? "";
    for (const next of [...chain, `bed-suite-${guest}-data`]) {
      expect(comesAfter(needs, next, before)).toBe(true);
      before = next;
    }
    expect(comesAfter(needs, machine ?? "", `bed-datastores-sysbench-0${guest.slice(-1)}`)).toBe(
      true,
    );
  });
});

describe("ties that keep a replacement right", () => {
  let bed: RecordedProgram;
  beforeAll(async () => {
    bed = await program();
  });

  it("replaces a datastore with the devices under it, the old one first", () => {
    for (const { opts } of bed.ofType(datastoreType)) {
      expect(opts).toMatchObject({ deleteBeforeReplace: true, replaceOnChanges: ["disks"] });
    }
  });

  it("replaces a machine with the datastore that its disk lies on, the old one first", async () => {
    for (const { name, props, opts } of bed.ofType(machineType)) {
      expect(opts.deleteBeforeReplace).toBe(true);
      const trigger = await bed.madeOf(props["replaceTrigger"]);
      expect(trigger).toContain(`bed-datastores-sysbench-${name.slice(-2)}`);
    }
  });

  it("takes the disks of a datastore from the outputs of the devices on its host", async () => {
    for (const { name, props } of bed.ofType(datastoreType)) {
      const from = [...(await bed.madeOf(props["disks"]))];
      expect(from.map((one) => bed.named(one).type)).toEqual(["sanbed:host:BlockDevices"]);
      const key = name.slice(-2);
      const { disks } = (await bed.inputs(name)) as { disks: string[] };
      expect(disks).toEqual([`naa.a250_fcp_lab_sysbench_${key}`]);
    }
  });

  it("ties a map to its guard and the guard to the volumes", async () => {
    const [map] = bed.ofType("sanbed:array:VolumeMap");
    const [guard = ""] = await bed.madeOf(map?.props["guard"]);
    expect(bed.named(guard).type).toBe("sanbed:host:RescanGuard");
    const volumes = new Set(bed.ofType("sanbed:array:VolumeSet").map(({ name }) => name));
    for (const input of ["devices", "volumes"]) {
      expect(await bed.madeOf(bed.named(guard).props[input])).toEqual(volumes);
    }
  });

  it("starts over with a new machine: bootstrap, readiness, data and runs follow its uuid", async () => {
    const machine = "bed-guests-g02";
    const bootstrap = bed.named("bed-guests-g02-bootstrap");
    expect(await bed.madeOf(bootstrap.props["triggers"])).toContain(machine);
    for (const name of ["bed-guests-g02-ready", "bed-suite-g02-data"]) {
      expect(await bed.madeOf(bed.named(name).props["vmUuid"])).toEqual(new Set([machine]));
    }
    const { guests } = bed.named("bed-suite-sysbench-2vm").props as {
      guests: Record<string, { vmUuid: unknown; dataset: unknown }>;
    };
    expect(await bed.madeOf(guests["g02"]?.vmUuid)).toEqual(new Set([machine]));
    expect(await bed.madeOf(guests["g02"]?.dataset)).toContain("bed-suite-g02-data");
    expect(Object.keys(guests)).toEqual(["g01", "g02"]);
  });

  it("forgets a bootstrap with its machine, which has nothing else to log in to", () => {
    for (const { opts, name } of bed.ofType(bootstrapType)) {
      const machine = bed.named(name.replace("-bootstrap", "")).resource;
      expect(opts.deletedWith).toBe(machine);
    }
  });
});

describe("a bed over NVMe", () => {
  let bed: RecordedProgram;
  let needs: Needs;
  beforeAll(async () => {
    bed = await program(small, planSite(overNvme), overNvme);
    needs = await bed.needs();
  });

  it.each([
    ["sanbed:fabric:HostZones", "sanbed:array:Targets"],
    ["sanbed:array:NamespaceSet", "sanbed:array:Targets"],
    ["sanbed:array:HostEntry", "sanbed:array:HostGroup"],
    ["sanbed:array:HostEntry", "sanbed:array:NamespaceSet"],
    ["sanbed:array:NamespaceMap", "sanbed:array:HostEntry"],
    ["sanbed:array:NamespaceMap", "sanbed:host:RescanGuard"],
    ["sanbed:host:BlockDevices", "sanbed:array:NamespaceMap"],
    [datastoreType, "sanbed:host:BlockDevices"],
    // Guards end connections to the subsystem: they go before it does.
    ["sanbed:host:RescanGuard", "sanbed:array:HostGroup"],
  ])("puts every %s after every %s", (later, earlier) => {
    expectAllAfter(needs, bed.ofType(later), bed.ofType(earlier));
  });

  it("has nothing of SCSI in it: no LUN, no WWPN as a host's name, no policy of NMP", async () => {
    for (const type of ["sanbed:array:VolumeSet", "sanbed:array:VolumeMap"]) {
      expect(bed.ofType(type)).toEqual([]);
    }
    expect(await bed.inputs("bed-targets")).toMatchObject({ protocol: "nvme-fc" });
    expect(await bed.inputs("bed-storage-hosts")).toMatchObject({ protocol: "nvme-fc" });
    expect(await bed.inputs("bed-storage-esx02.example")).toMatchObject({
      protocol: "nvme-fc",
      initiators: ["nqn.2014-08.com.vmware:nvme:esx02"],
    });
    expect(await bed.inputs("bed-datastores-sysbench-esx02.example")).toMatchObject({
      policy: "LB-RR",
      expectedPaths: 4,
      devices: { "01": "uuid.a250_nvme_lab_sysbench_01" },
    });
  });

  it("hands hosts the ports that they are zoned with, and guards the subsystem", async () => {
    const { targets } = (await bed.inputs("bed-datastores-sysbench-esx01.example")) as {
      targets: Record<string, { wwpn: string; wwnn: string }>;
    };
    const { fabrics } = (await bed.inputs("bed-zoning-esx01.example")) as {
      fabrics: Record<"A" | "B", { targets: string[] }>;
    };
    expect(Object.values(targets).map(({ wwpn }) => wwpn)).toEqual([
      ...fabrics.A.targets,
      ...fabrics.B.targets,
    ]);
    expect(targets["node1_1"]).toEqual({ wwpn: "wwpn of node1_1", wwnn: "wwnn of node1_1" });
    const { name } = await bed.inputs("bed-storage-hosts");
    for (const guard of bed.ofType("sanbed:host:RescanGuard")) {
      expect(await bed.inputs(guard.name)).toMatchObject({ subsystem: `nqn of ${String(name)}` });
    }
  });

  it("takes the disks of a datastore from the outputs of the devices on its host", async () => {
    expect(await bed.inputs("bed-datastores-sysbench-02")).toMatchObject({
      disks: ["uuid.a250_nvme_lab_sysbench_02"],
    });
  });
});

test("a bed over FCP says nothing of NVMe", async () => {
  const bed = await program();
  const storage = bed.declared.filter(({ type }) => /^sanbed:(array|host):/.test(type));
  for (const { name } of storage) {
    const { protocol = "fcp", subsystem, targets } = await bed.inputs(name);
    expect({ name, protocol, subsystem, targets }).toEqual({ name, protocol: "fcp" });
  }
});

describe("a plan that cannot be built yet", () => {
  it.each([
    [ef570(), "sysbench", /an array of the family santricity can be planned, but not be built/],
    [overNvme, "sqlserver", /the workload sqlserver can be planned, but not/],
    [overFcp, "sqlserver", /the workload sqlserver can be planned, but not/],
    [overFcp, "vdbench", /several SCSI controllers can be planned, but not/],
  ])("%#: is refused before anything is declared", async (bed, phase, message) => {
    const settings = parseSettings({ bedId, stack: "lab", phase, runId: "1", scale: {} });
    const plan = planBed(bed, planSite(bed), settings);
    const recorded = await recordProgram((opts) => {
      expect(() => new TestBed("bed", { plan, guestKey: "key" }, opts)).toThrow(message);
    });
    expect(recorded.declared).toEqual([]);
  });
});

describe("what a bed declares", () => {
  it("renames and changes nothing when a host, volumes or guests are added", async () => {
    const names = ["esx01.example", "esx02.example", "esx03.example"];
    const scale = (hosts: string[], count: number): Scale => ({
      ...small,
      hosts,
      cases: [count],
      volumeGroups: { sysbench: { count, size: "4 GiB" } },
    });
    const less = await program(scale(names.slice(0, 2), 2));
    const more = await program(scale(names, 4));
    const kept = less.declared.map(({ name }) => name);
    const added = more.declared.map(({ name }) => name).filter((name) => !kept.includes(name));
    expect(added).toEqual(
      expect.arrayContaining([
        "bed-zoning-esx03.example",
        "bed-storage-esx03.example",
        "bed-datastores-sysbench-esx03.example",
        "bed-datastores-sysbench-04",
      ]),
    );
    for (const name of kept.filter((one) =>
      /zoning|storage-esx0\d.example$|datastores-sysbench-0/.test(one),
    )) {
      expect(await more.inputs(name)).toEqual(await less.inputs(name));
    }
  });

  it("never mixes fabrics: each port is zoned with the targets of its own", async () => {
    const bed = await program();
    for (const { name } of bed.ofType("sanbed:fabric:HostZones")) {
      const { fabrics } = (await bed.inputs(name)) as {
        fabrics: Record<"A" | "B", { device: string; initiators: object; targets: string[] }>;
      };
      expect(fabrics.A).toMatchObject({
        device: "fabricA",
        targets: ["wwpn of n1_a", "wwpn of n2_a"],
      });
      expect(fabrics.B).toMatchObject({
        device: "fabricB",
        targets: ["wwpn of n1_b", "wwpn of n2_b"],
      });
      expect(Object.values(fabrics.A.initiators)).toEqual([expect.stringMatching(/:0a$/)]);
      expect(Object.values(fabrics.B.initiators)).toEqual([expect.stringMatching(/:0b$/)]);
    }
  });

  it("puts the mark on what people see in vCenter and on the array", async () => {
    const bed = await program();
    const marked = [
      ...bed.ofType("vsphere:index/folder:Folder").map(({ props }) => props["path"] as unknown),
      ...bed.ofType(machineType).map(({ props }) => props["annotation"] as unknown),
      ...bed.ofType("sanbed:array:HostGroup").map(({ props }) => props["name"] as unknown),
    ];
    expect(marked).toHaveLength(2 + 4 + 1);
    for (const text of marked) expect(text).toContain(bedId);
  });

  it("hands the guests' key to the bootstrap alone, as a secret", async () => {
    const bed = await program();
    for (const { name, type, props } of bed.declared) {
      const text = JSON.stringify(type.startsWith("pulumi:") ? {} : await bed.inputs(name));
      expect({ name, holdsKey: text.includes("planted") }).toEqual({
        name,
        holdsKey: type === bootstrapType,
      });
      if (type !== bootstrapType) continue;
      expect(await bed.isSecret((props["connection"] as { privateKey: unknown }).privateKey)).toBe(
        true,
      );
      expect(await bed.inputs(name)).toMatchObject({ connection: { hostKey: exampleHostKey } });
    }
  });

  it("measures nothing where guests are emulated, and still builds the rest", async () => {
    const site = { ...exampleSite(), lab: { level: "D" as const, guests: "emulated" as const } };
    const bed = await program(small, site);
    expect(bed.ofType(machineType)).toHaveLength(4);
    const types = new Set(bed.declared.map(({ type }) => type));
    for (const type of [
      bootstrapType,
      "sanbed:guest:Ready",
      "sanbed:bench:Run",
      "sanbed:bench:Verdict",
    ]) {
      expect(types).not.toContain(type);
    }
  });

  it("stays small: a full bed's storage takes no resource for each path, zone or alias", async () => {
    const bed = await program({});
    const storage = bed.declared.filter(({ type }) => /^sanbed:(array|fabric|host):/.test(type));
    expect(bed.ofType("sanbed:fabric:HostZones")).toHaveLength(8);
    expect(storage.length).toBeLessThanOrEqual(40);
  });
});
