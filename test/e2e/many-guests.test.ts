import { changes } from "../support/pulumi-cli";
import { deleted, E2eBed, expectDone, expectOrder, type Declared } from "../support/e2e-bed";

jest.setTimeout(300_000);

/** Beds at full width, with small disks: eight hosts in two clusters, and as many guests as a review has at most. */
const beds: readonly { kind: string; machines: number; release: string; declared: Declared }[] = [
  {
    kind: "sysbench",
    machines: 32,
    release: "6.5",
    declared: {
      phase: "sysbench",
      scale: {
        cases: [32],
        volumeGroups: { sysbench: { count: 8, size: "16 GiB" } },
        guests: {
          sysbench: {
            vcpus: 1,
            memory: "512 MiB",
            disks: { boot: "16 GiB", prebuilt: "1 GiB", test: "2 GiB" },
          },
        },
        sysbench: { tables: 2, rows: 10_000, threads: 4, bufferPool: "8 MiB" },
      },
    },
  },
  {
    kind: "vdbench",
    machines: 32,
    release: "7.0",
    declared: {
      phase: "vdbench",
      config: { measure: "false" },
      scale: {
        cases: [32],
        volumeGroups: { vdbench: { count: 32, size: "16 GiB" } },
        guests: {
          vdbench: {
            count: 32,
            vcpus: 1,
            memory: "512 MiB",
            disks: {
              boot: "16 GiB",
              ...Object.fromEntries([1, 2, 3, 4].map((n) => [`data${n.toString()}`, "2 GiB"])),
            },
          },
        },
        // 32 workers on the 32 volumes of eight: a profile that the queues take four times.
        vdbench: { profiles: ["seq-write-64k"] },
      },
    },
  },
  {
    // 16 servers and 16 load generators.
    kind: "sqlserver",
    machines: 32,
    release: "8.0",
    declared: {
      phase: "sqlserver",
      config: { measure: "false" },
      scale: {
        cases: [16],
        volumeGroups: { sqlserver: { count: 8, size: "128 GiB" } },
        guests: {
          sqlserver: { vcpus: 1, memory: "1 GiB", disks: { boot: "16 GiB", data: "8 GiB" } },
          drivers: { vcpus: 1, memory: "512 MiB", disks: { boot: "16 GiB" } },
        },
        sqlserver: { dataPerGuest: "2 GB", bufferPool: "512 MiB", scale: 10, usersPerGuest: 100 },
      },
    },
  },
];

describe.each(beds)("$kind on vSphere $release", ({ machines, declared, release }) => {
  let bed: E2eBed;

  beforeAll(async () => {
    bed = await E2eBed.start("wide", "D", { vcenter: release });
  });

  afterAll(() => bed.dispose());

  it(`${machines.toString()} machines on eight hosts in two clusters come up, stay, and go`, async () => {
    await bed.up(declared);
    const stood = (await bed.cli.resources()).filter(
      ({ type }) => type === "vsphere:index/virtualMachine:VirtualMachine",
    );
    expect(stood).toHaveLength(machines);
    expect(changes(expectDone(await bed.cli.up("--expect-no-changes")))).toEqual({});
    expect(changes(expectDone(await bed.cli.refresh("--expect-no-changes")))).toEqual({});
    expectOrder(
      deleted(await bed.destroyToNothing()),
      /-stay$/,
      /-guests-[a-z]+\d\d$/,
      /-datastores-[a-z]+-\d\d$/,
      /-certificate$/,
    );
  });
});
