import { changes } from "../support/pulumi-cli";
import { deleted, E2eBed, expectOrder, lines, oneMoreGroup, smallScale } from "../support/e2e-bed";

jest.setTimeout(120_000);

describe("a bed that is changed by up", () => {
  let bed: E2eBed;
  let hosts: string[];

  beforeAll(async () => {
    bed = await E2eBed.start("change", "D");
    hosts = bed.lab.site().hosts.map((host) => host.name);
  });

  afterAll(() => bed.dispose());

  it("takes a host and a volume group in, and lets them go again in the safe order", async () => {
    const small = { scale: { hosts: hosts.slice(0, 3) } };
    const large = { scale: { hosts: hosts.slice(0, 4), ...oneMoreGroup } };
    await bed.stands(small);
    const before = await bed.inventory();
    const grown = await bed.up(large);
    expect(changes(grown)).not.toHaveProperty("replace");
    expect(deleted(grown)).toEqual([]);
    // Everything that was there is still there: what is new comes in between.
    const after = new Set(lines(await bed.inventory()));
    expect(lines(before).filter((line) => !after.has(line))).toEqual([]);
    const gone = deleted(await bed.up(small));
    const [host = ""] = hosts.slice(3);
    expectOrder(
      gone,
      /-datastores-extra-01$/,
      /-datastores-extra-esx/,
      /-storage-extra-map$/,
      /-storage-extra-rescan$/,
      /-storage-extra$/,
    );
    const taken = (part: string): RegExp => new RegExp(`-${part}-${host}$`);
    expectOrder(gone, taken("datastores-(extra|sysbench)"), taken("storage"), taken("zoning"));
    expect(gone.filter((name) => /-guests-|sysbench-0\d$|-sysbench-map$/.test(name))).toEqual([]);
    expect(await bed.inventory()).toBe(before);
  });

  it("previews a further host, volume group or guest as what it is, and nothing made anew", async () => {
    const three = hosts.slice(0, 3);
    const small = { scale: { hosts: three } };
    await bed.stands(small);
    expect(await bed.preview(small)).toEqual([]);
    const [host = ""] = hosts.slice(3);
    const withHost = await bed.preview({ scale: { hosts: hosts.slice(0, 4) } });
    expect(new Set(withHost.filter((step) => step.startsWith("create")))).toEqual(
      new Set([
        `create bed-zoning-${host}`,
        `create bed-storage-${host}-rescan`,
        `create bed-storage-${host}`,
        `create bed-datastores-sysbench-${host}`,
      ]),
    );
    // The guard and the gate of a volume group know all hosts.
    const others = withHost.filter((step) => !step.startsWith("create"));
    expect(others.sort()).toEqual([
      "update bed-gate-sysbench",
      "update bed-storage-sysbench-rescan",
    ]);
    const withGroup = await bed.preview({ scale: { hosts: three, ...oneMoreGroup } });
    expect(withGroup.filter((step) => !/^create .*-extra/.test(step))).toEqual(
      // The guard of a host knows all its devices.
      expect.arrayContaining(three.map((one) => `update bed-storage-${one}-rescan`)),
    );
    const count = { volumeGroups: { sysbench: { count: 3, size: "4 GiB" } } };
    const withGuest = await bed.preview({ scale: { hosts: three, ...count, cases: [2, 3] } });
    expect(withGuest).toContain("create bed-guests-g03");
    expect(withGuest.filter((step) => /replace|delete|-zoning-|-g0[12]/.test(step))).toEqual([]);
  });

  it("takes machines and datastores before a volume group that is made anew", async () => {
    await bed.stands();
    const { devices } = await bed.outputsOf<{ devices: Record<string, string> }>(
      "sanbed:array:VolumeSet",
    );
    const { sysbench } = smallScale.volumeGroups;
    const anew = { scale: { volumeGroups: { sysbench: { ...sysbench, generation: 2 } } } };
    const gone = deleted(await bed.up(anew));
    expectOrder(
      gone,
      /-guests-g0\d$/,
      /-datastores-sysbench-0\d$/,
      /-datastores-sysbench-esx/,
      /-storage-sysbench-map$/,
      /-storage-sysbench-rescan$/,
      /-storage-sysbench$/,
    );
    expect(gone.filter((name) => /-zoning-|-targets$|-hosts$|-storage-esx/.test(name))).toEqual([]);
    const inventory = await bed.inventory();
    for (const lost of Object.values(devices)) expect(inventory).not.toContain(lost);
    await bed.destroyToNothing();
  });

  it("refuses to shrink a volume, and says what to do instead, before anything is touched", async () => {
    await bed.stands();
    const writes = await bed.watchWrites();
    const output = await bed.upFails({
      scale: { volumeGroups: { sysbench: { count: 2, size: "3 GiB" } } },
    });
    expect(output).toMatch(/volume \S+_sysbench_01 has 4 GiB and cannot shrink to 3 GiB/);
    expect(output).toMatch(/raise `generation`/);
    expect(await writes()).toEqual([]);
  });
});
