import { IoLedger, type VolumeIo } from "../../lab/io-ledger";
import { type IoTotals, noIo } from "../../lab/world/io";
import { first, makeLun, makeSvm, type Rig, startRig } from "./ontap/rig";

const host = "esx01.lab.invalid";
const gib = 2 ** 30;
const io = (reads: bigint, more: Partial<IoTotals> = {}): IoTotals => ({
  ...noIo,
  ...{ reads, readBytes: reads * 4096n, readMicros: reads * 100n },
  ...more,
});

describe("counters of an array", () => {
  let rig: Rig;
  let lunId: string;
  let counted: VolumeIo[] = [];

  beforeEach(async () => {
    rig = await startRig({ profile: "9.9.1" });
    counted = [];
    rig.world.measureIoWith(new IoLedger(rig.world, () => Promise.resolve(counted)));
    const svm = await makeSvm(rig);
    lunId = (await makeLun(rig, "svm_bed", "v1", gib)).uuid;
    const names = ["10:00:00:10:9b:aa:01:01", "10:00:00:10:9b:aa:01:02"];
    await rig.post("/api/protocols/san/igroups", {
      ...{ svm: { uuid: svm }, name: "ig", os_type: "vmware", protocol: "fcp" },
      initiators: names.map((name) => ({ name })),
    });
    await rig.post("/api/protocols/san/lun-maps", {
      ...{ svm: { uuid: svm }, lun: { name: "/vol/v1/lun0" }, igroup: { name: "ig" } },
    });
    rig.world.change((state) => {
      const lifs = Object.values(state.arrays["array"]!.targetPorts);
      const members = [...names, ...lifs.map((lif) => lif.wwpn)];
      for (const fabric of Object.values(state.fabrics)) {
        fabric.zoning.effective!.zones["bed"] = { type: 0, members, principals: [] };
      }
    });
  });
  afterEach(() => rig.close());

  const statistics = async (path: string): Promise<unknown> =>
    ((await rig.get(`${path}?fields=statistics`)).body as unknown as { statistics: unknown })
      .statistics;
  const lun = (): Promise<unknown> => statistics(`/api/storage/luns/${lunId}`);

  test("are those of the hosts' disks, and come only when named", async () => {
    counted = [{ volumeId: lunId, host, io: io(10n, { writes: 3n, writeBytes: 3n, others: 2n }) }];
    expect(await lun()).toMatchObject({
      status: "ok",
      iops_raw: { read: 10, write: 3, other: 2, total: 15 },
      latency_raw: { read: 1000, total: 1000 },
      throughput_raw: { read: 40960, write: 3, total: 40963 },
    });
    const plain = await rig.get(`/api/storage/luns/${lunId}?fields=*`);
    expect(plain.body).not.toHaveProperty("statistics");
    const volume = first(await rig.get("/api/storage/volumes?name=v1&fields=statistics"));
    expect(volume).toMatchObject({ statistics: { iops_raw: { total: 15 } } });
  });

  test("are spread over the optimized paths of the moment, and stay where they were counted", async () => {
    counted = [{ volumeId: lunId, host, io: io(11n) }];
    const interfaces = async (): Promise<Record<string, number>> => {
      const answer = await rig.get(
        "/api/network/fc/interfaces?svm.name=svm_bed&fields=statistics.iops_raw.read",
      );
      return Object.fromEntries(
        answer.body.records.map((one) => [
          one.name,
          (one as unknown as { statistics: { iops_raw: { read: number } } }).statistics.iops_raw
            .read,
        ]),
      );
    };
    expect(await interfaces()).toEqual({
      ...{ "fc_a250-01_2a": 6, "fc_a250-01_2b": 5, "fc_a250-02_2a": 0, "fc_a250-02_2b": 0 },
    });
    rig.world.change((state) => {
      delete state.fabrics["A"]!.zoning.effective!.zones["bed"];
    });
    counted = [{ volumeId: lunId, host, io: io(21n) }];
    expect(await interfaces()).toMatchObject({ "fc_a250-01_2a": 6, "fc_a250-01_2b": 15 });
    const ports = await rig.get("/api/network/fc/ports?name=2b&fields=statistics.iops_raw.total");
    expect(JSON.stringify(ports.body.records)).toContain('"total":15');
    expect(
      await statistics(
        `/api/protocols/san/fcp/services/${first(await rig.get("/api/svm/svms?name=svm_bed")).uuid}`,
      ),
    ).toMatchObject({ iops_raw: { read: 21 } });
  });

  test("go on when the disks begin to count anew", async () => {
    counted = [{ volumeId: lunId, host, io: io(10n) }];
    await lun();
    counted = [{ volumeId: lunId, host, io: io(4n) }];
    expect(await lun()).toMatchObject({ iops_raw: { read: 14 } });
  });

  test("are zero where the lab carries no I/O", async () => {
    const silent = await startRig({ profile: "9.8" });
    const answer = await silent.get("/api/network/fc/ports?fields=statistics");
    expect(first(answer)).toMatchObject({ statistics: { iops_raw: { total: 0 } } });
    await silent.close();
  });
});
