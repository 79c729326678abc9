import { changes } from "../support/pulumi-cli";
import { deleted, E2eBed, expectDone, expectOrder, oneMoreGroup } from "../support/e2e-bed";

jest.setTimeout(180_000);

describe.each([
  ["FCP on ONTAP 9.8", "aff-a250-fcp", "9.8"],
  ["FCP over ONTAPI, 9.5", "aff-a800", "9.5"],
  ["NVMe/FC on ONTAP 9.9.1", "aff-a250", "9.9.1"],
])("a bed without guests, %s", (_, stack, release) => {
  let bed: E2eBed;

  beforeAll(async () => {
    bed = await E2eBed.start("still", "D", { stack, release });
  });

  afterAll(() => bed.dispose());

  it("stands still: a second up and a refresh change nothing and write to no device", async () => {
    await bed.stands();
    const writes = await bed.watchWrites();
    expect(changes(expectDone(await bed.cli.up("--expect-no-changes")))).toEqual({});
    expect(changes(expectDone(await bed.cli.refresh("--expect-no-changes")))).toEqual({});
    expect(await writes()).toEqual([]);
  });

  it("previews without touching a device, also a bed that is not there", async () => {
    await bed.stands();
    const writes = await bed.watchWrites();
    bed.declare({ scale: oneMoreGroup });
    const preview = expectDone(await bed.cli.preview());
    expect(Object.keys(changes(preview)).sort()).toEqual(["create", "update"]);
    expect(await writes()).toEqual([]);
  });

  it("leaves nothing after destroy", async () => {
    await bed.stands();
    const gone = deleted(await bed.destroyToNothing());
    expectOrder(
      gone,
      /-guests-g0\d$/,
      /-datastores-sysbench-0\d$/,
      /-datastores-sysbench-esx/,
      /-storage-sysbench-map$/,
      /-storage-sysbench-rescan$/,
      /-storage-sysbench$/,
      /-targets$/,
      /-certificate$/,
    );
    expectOrder(gone, /-datastores-sysbench-esx/, /-zoning-esx/, /-targets$/);
  });
});
