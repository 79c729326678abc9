import { asArrayAdmin } from "../support/array-admin";
import { changes } from "../support/pulumi-cli";
import { E2eBed, expectDone, lines } from "../support/e2e-bed";

jest.setTimeout(120_000);

interface Zones {
  readonly owned: Readonly<
    Record<string, { readonly ports: Record<string, { alias: string; zone: string }[]> }>
  >;
}

const stranger = "10:00:00:10:9b:00:00:99";

/** What of the bed there is to change behind its back. */
async function partsOf(bed: E2eBed) {
  const { owned } = await bed.outputsOf<Zones>("sanbed:fabric:HostZones");
  const zone = (fabric: string) => {
    const [first] = Object.values(owned[fabric]?.ports ?? {})[0] ?? [];
    if (first === undefined) throw new Error(`the bed has no zone on fabric ${fabric}`);
    return first;
  };
  const { set } = await bed.outputsOf<{ set: Record<string, { name: string }> }>(
    "sanbed:array:VolumeSet",
  );
  const volume = set["01"]?.name ?? "";
  const entry = await bed.outputsOf<{ group: string; initiators: string[] }>(
    "sanbed:array:HostEntry",
  );
  return {
    zoneA: zone("A"),
    zoneB: zone("B"),
    lun: `/vol/${volume}/${volume}`,
    igroup: entry.group,
    initiator: entry.initiators[0] ?? "",
  };
}

type Parts = Awaited<ReturnType<typeof partsOf>>;

const exactly: readonly [
  string,
  string,
  string,
  (parts: Parts) => Record<string, string | string[]>,
][] = [
  ["a zone removed on fabric B", "fabricB", "remove-object", (p) => ({ name: p.zoneB.zone })],
  [
    "a zone without its targets",
    "fabricA",
    "set-zone",
    (p) => ({ name: p.zoneA.zone, members: [p.zoneA.alias] }),
  ],
  [
    "an alias with another port",
    "fabricA",
    "set-alias",
    (p) => ({ name: p.zoneA.alias, members: [stranger] }),
  ],
  ["a LUN taken offline", "array", "offlineLun", (p) => ({ name: p.lun })],
  ["a map removed", "array", "removeMap", (p) => ({ lun: p.lun, igroup: p.igroup })],
  [
    "an igroup member removed",
    "array",
    "removeInitiator",
    (p) => ({ igroup: p.igroup, initiator: p.initiator }),
  ],
];

describe("what others change behind the bed's back", () => {
  let bed: E2eBed;

  beforeAll(async () => {
    bed = await E2eBed.start("drift", "D");
  });

  afterAll(() => bed.dispose());

  it.each(exactly)(
    "%s: refresh shows it, up brings it back exactly",
    async (_, device, action, args) => {
      await bed.stands();
      const built = await bed.inventory();
      await bed.tamper(device, action, args(await partsOf(bed)));
      expect(await bed.inventory()).not.toBe(built);
      expect(changes(expectDone(await bed.cli.refresh()))).toHaveProperty("update");
      expect(changes(await bed.up())).toHaveProperty("update");
      expect(await bed.inventory()).toBe(built);
    },
  );

  it("a map under another LUN number: up will not take it from the hosts, and says what to do", async () => {
    await bed.stands();
    const built = await bed.inventory();
    const { lun, igroup } = await partsOf(bed);
    await renumber(bed, lun, igroup, 77);
    const moved = await bed.inventory();
    expect(changes(expectDone(await bed.cli.refresh()))).toHaveProperty("update");
    const output = await bed.upFails();
    expect(output).toMatch(/VolumeMap \(bed-storage-sysbench-map\)/);
    expect(output).toMatch(/_sysbench_01 is mapped as LUN 77, the program wants \S+_01 as LUN 10/);
    expect(output).toMatch(/map it back on the array if somebody moved it/);
    expect(await bed.inventory()).toBe(moved);
    await renumber(bed, lun, igroup, 10);
    expectDone(await bed.cli.refresh());
    await bed.up();
    expect(await bed.inventory()).toBe(built);
  });

  it("an igroup member exchanged: ours comes back, the stranger's stays as long as the igroup", async () => {
    await bed.stands();
    const { igroup, initiator } = await partsOf(bed);
    await bed.tamper("array", "removeInitiator", { igroup, initiator });
    await bed.tamper("array", "addInitiator", { igroup, initiator: stranger });
    expect(changes(expectDone(await bed.cli.refresh()))).toHaveProperty("update");
    await bed.up();
    const inventory = await bed.inventory();
    expect(inventory).toContain(stranger);
    expect(inventory.split(initiator).length).toBeGreaterThan(2);
    await bed.destroyToNothing();
  });

  it("a LUN deleted: up makes another, with all that lay on it, and nothing of the lost one stays", async () => {
    await bed.stands();
    const built = anonymous(await bed.inventory());
    const { lun } = await partsOf(bed);
    await bed.tamper("array", "deleteLun", { name: lun });
    expect(changes(expectDone(await bed.cli.refresh()))).toHaveProperty("update");
    await bed.up();
    expect(anonymous(await bed.inventory())).toEqual(built);
    await bed.destroyToNothing();
  });

  it("a LUN deleted, then destroy at once: nothing stays of it either", async () => {
    await bed.stands();
    const { lun } = await partsOf(bed);
    await bed.tamper("array", "deleteLun", { name: lun });
    await bed.destroyToNothing();
  });
});

/** As an administrator does it with the array's own API: unmapped, and mapped again under a number. */
async function renumber(bed: E2eBed, lun: string, igroup: string, lunId: number): Promise<void> {
  const lab = { site: bed.lab.site(), dir: bed.lab.folder.path };
  const maps = "/api/protocols/san/lun-maps";
  const query = `lun.name=${lun}&igroup.name=${igroup}&fields=svm.name,lun.uuid,igroup.uuid`;
  const found = JSON.parse(await asArrayAdmin(lab, "GET", `${maps}?${query}`)) as {
    records: { svm: { name: string }; lun: { uuid: string }; igroup: { uuid: string } }[];
  };
  const [map] = found.records;
  if (map === undefined) throw new Error(`${lun} is not mapped to ${igroup}`);
  await asArrayAdmin(lab, "DELETE", `${maps}/${map.lun.uuid}/${map.igroup.uuid}`);
  const svm = { name: map.svm.name };
  await asArrayAdmin(lab, "POST", maps, {
    svm,
    lun: { name: lun },
    igroup: { name: igroup },
    logical_unit_number: lunId,
  });
}

/** Lines of an inventory, sorted, without what is new of an object made again. */
function anonymous(inventory: string): string[] {
  const text = inventory
    .replace(/naa\.[0-9a-f]{32}/g, "naa")
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "uuid")
    .replace(/[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{12}/g, "vmfs")
    .replace(/"(serial|createTime|visibleFrom)": .*/g, "$1");
  return lines(text).sort();
}
