import { changes } from "../support/pulumi-cli";
import { deletedTypes, expectDone, smallScale, withBed } from "../support/e2e-bed";

jest.setTimeout(240_000);

const oneMore = {
  volumeGroups: {
    ...smallScale.volumeGroups,
    extra: { count: 1, size: "2 GiB", thin: true, firstLun: 50 },
  },
};

describe("a bed on the lab without guests", () => {
  it.each(["9.8", "9.9.1"])(
    "is built, stands still, is refreshed and leaves nothing (ONTAP %s)",
    async (release) => {
      await withBed(
        "life",
        "D",
        async (bed) => {
          expectDone(await bed.cli.up());
          const sequence = await bed.sequence();
          const second = expectDone(await bed.cli.up("--expect-no-changes"));
          expect(changes(second)).toEqual({});
          expect(await bed.writesSince(sequence)).toEqual([]);
          expect(changes(expectDone(await bed.cli.refresh("--expect-no-changes")))).toEqual({});
          expectDone(await bed.cli.destroy());
          expect(await bed.isAsBefore()).toBe(true);
          expect(await bed.cli.resources()).toEqual([]);
        },
        { array: release },
      );
    },
  );

  it("sees by refresh what was changed behind its back, and repairs it by up", async () => {
    await withBed("drift", "D", async (bed) => {
      expectDone(await bed.cli.up());
      const built = await bed.inventoryDigest();
      const inventory = JSON.stringify(await bed.lab.inventory());
      const group = /sanbed_[a-z2-7]{10}_[a-z0-9_]+/.exec(inventory)?.[0] ?? "";
      const zone = await zoneOf(bed.cli);
      await bed.lab.tamper("fabricB", "remove", { name: zone });
      await bed.lab.tamper("array", "removeMap", {
        lun: await lunOf(bed.cli, "01"),
        igroup: group,
      });
      await bed.lab.tamper("array", "removeInitiator", {
        igroup: group,
        initiator: await initiatorOf(bed.cli),
      });
      const seen = expectDone(await bed.cli.refresh());
      const kinds = Object.keys(changes(seen));
      expect(kinds).toContain("update");
      expectDone(await bed.cli.up());
      expect(await bed.inventoryDigest()).toBe(built);
      expectDone(await bed.cli.destroy());
      expect(await bed.isAsBefore()).toBe(true);
    });
  });

  it("adds and removes a host and a volume group, touching nothing else", async () => {
    await withBed("grow", "D", async (bed) => {
      const hosts = bed.lab
        .site()
        .hosts.slice(0, 4)
        .map((host) => host.name);
      bed.configure({ hosts: hosts.slice(0, 3) });
      expectDone(await bed.cli.up());
      const small = await bed.inventoryDigest();
      bed.configure({ hosts, ...oneMore });
      const grown = expectDone(await bed.cli.up());
      expect(changes(grown)).not.toHaveProperty("replace");
      expect(deletedTypes(grown)).toEqual([]);
      bed.configure({ hosts: hosts.slice(0, 3) });
      const shrunk = deletedTypes(expectDone(await bed.cli.up()));
      const before = (first: string, second: string): void => {
        expect(shrunk.lastIndexOf(first)).toBeGreaterThanOrEqual(0);
        expect(shrunk.lastIndexOf(first)).toBeLessThan(shrunk.indexOf(second));
      };
      before("vsphere:index/vmfsDatastore:VmfsDatastore", "sanbed:array:VolumeMap");
      before("sanbed:host:BlockDevices", "sanbed:array:VolumeMap");
      before("sanbed:host:BlockDevices", "sanbed:fabric:HostZones");
      before("sanbed:array:VolumeMap", "sanbed:array:VolumeSet");
      expect(await bed.inventoryDigest()).toBe(small);
      expectDone(await bed.cli.destroy());
      expect(await bed.isAsBefore()).toBe(true);
    });
  });

  it("takes machines and datastores first when a volume group is replaced", async () => {
    await withBed("replace", "D", async (bed) => {
      expectDone(await bed.cli.up());
      bed.configure({ volumeGroups: { sysbench: { count: 2, size: "4 GiB", generation: 2 } } });
      const order = deletedTypes(expectDone(await bed.cli.up()));
      const at = (type: string): number => order.indexOf(type);
      const last = (type: string): number => order.lastIndexOf(type);
      expect(at("sanbed:array:VolumeSet")).toBeGreaterThan(last("sanbed:array:VolumeMap"));
      expect(at("sanbed:array:VolumeMap")).toBeGreaterThan(last("sanbed:host:BlockDevices"));
      expect(at("sanbed:host:BlockDevices")).toBeGreaterThan(
        last("vsphere:index/vmfsDatastore:VmfsDatastore"),
      );
      expect(at("vsphere:index/vmfsDatastore:VmfsDatastore")).toBeGreaterThan(
        last("vsphere:index/virtualMachine:VirtualMachine"),
      );
      expect(last("vsphere:index/virtualMachine:VirtualMachine")).toBeGreaterThanOrEqual(0);
      expectDone(await bed.cli.destroy());
      expect(await bed.isAsBefore()).toBe(true);
    });
  });
});

type Cli = import("../support/pulumi-cli").PulumiCli;

async function outputs(cli: Cli, type: string): Promise<Record<string, unknown>> {
  const found = (await cli.resources()).find((resource) => resource.type === type);
  return found?.outputs ?? {};
}

async function zoneOf(cli: Cli): Promise<string> {
  const { host, fabrics } = (await outputs(cli, "sanbed:fabric:HostZones")) as {
    host: string;
    fabrics: Record<string, { zonePrefix: string; initiators: Record<string, string> }>;
  };
  const adapter = Object.keys(fabrics["B"]!.initiators)[0]!;
  return `${fabrics["B"]!.zonePrefix}_${host}_${adapter}`.replace(/[^A-Za-z0-9_]/g, "_");
}

async function lunOf(cli: Cli, key: string): Promise<string> {
  const { volumes } = (await outputs(cli, "sanbed:array:VolumeSet")) as {
    volumes: Record<string, { name: string }>;
  };
  return volumes[key]!.name;
}

async function initiatorOf(cli: Cli): Promise<string> {
  const { initiators } = (await outputs(cli, "sanbed:array:HostEntry")) as { initiators: string[] };
  return initiators[0]!;
}
