import { IoLedger } from "../../../lab/io-ledger";
import { noIo } from "../../../lab/world/io";
import { type Rig, startRig } from "./rig";

const lun = "0b0e7a10-0000-4000-8000-00000000f003";

describe("ONTAPI counters and drives", () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig();
    const io = { ...noIo, reads: 7n, readBytes: 28672n, readMicros: 2100n };
    rig.world.measureIoWith(
      new IoLedger(rig.world, () => Promise.resolve([{ volumeId: lun, host: "esx01", io }])),
    );
  });
  afterEach(() => rig.close());

  const get = (inside: string): ReturnType<Rig["zapi"]> =>
    rig.zapi("perf-object-get-instances", inside);

  test("answers the counters asked for, sums for averages", async () => {
    const names = ["read_ops", "read_data", "avg_read_latency", "vserver_name"];
    const counters = names.map((name) => `<counter>${name}</counter>`).join("");
    const answer = await get(
      `<objectname>lun</objectname><counters>${counters}</counters>` +
        `<instance-uuids><instance-uuid>${lun}</instance-uuid></instance-uuids>`,
    );
    expect(answer.results["instances"]).toEqual({
      "instance-data": [
        {
          counters: {
            "counter-data": [
              { name: "read_ops", value: "7" },
              { name: "read_data", value: "28672" },
              { name: "avg_read_latency", value: "2100" },
              { name: "vserver_name", value: "svm_erp" },
            ],
          },
          name: "/vol/erp_data01/lun0",
          uuid: lun,
        },
      ],
    });
    expect(Number(answer.results["timestamp"])).toBeGreaterThan(1_600_000_000);
  });

  test.each([
    ["no instances", "<objectname>lun</objectname>"],
    [
      "an unknown object",
      "<objectname>disk:x</objectname><instances><instance>a</instance></instances>",
    ],
    [
      "an unknown counter",
      "<objectname>lun</objectname><counters><counter>speed</counter></counters><instances><instance>a</instance></instances>",
    ],
  ])("refuses %s", async (_what, inside) => {
    expect((await get(inside)).errno).toBe("13115");
  });

  test("lists objects, counters with their base, and instances", async () => {
    const counters = await rig.zapi(
      "perf-object-counter-list-info",
      "<objectname>volume</objectname>",
    );
    expect(counters.text).toContain(
      "<base-counter>read_ops</base-counter><name>read_latency</name>",
    );
    const ports = await rig.zapi(
      "perf-object-instance-list-info-iter",
      "<objectname>fcp_port</objectname><max-records>100</max-records>",
    );
    expect(ports.results["num-records"]).toBe("8");
    expect(ports.text).toContain("<name>a800-01:5a</name>");
  });

  test("lists drives with their aggregate and place in the RAID group", async () => {
    const answer = await rig.zapi(
      "storage-disk-get-iter",
      "<query><storage-disk-info><disk-raid-info><position>dparity</position></disk-raid-info></storage-disk-info></query>",
    );
    expect(answer.results["num-records"]).toBe("2");
    expect(answer.text).toContain("<aggregate-name>aggr_b</aggregate-name>");
    expect(answer.text).toContain("<disk-type>SSD-NVM</disk-type>");
  });

  test("refuses what a restricted role may not do", async () => {
    rig.tamper("denyCommands", { commands: ["perf-object-get-instances", "lun-destroy"] });
    const refused = await get("<objectname>lun</objectname>");
    expect(refused).toMatchObject({ errno: "13003" });
    expect(refused.reason).toContain("does not have read access to this resource");
    expect((await rig.zapi("system-get-version")).status).toBe("passed");
  });

  test("lists snapshots and clones of others", async () => {
    rig.tamper("createSnapshot", { volume: "erp_data01", name: "nightly" });
    rig.tamper("cloneVolume", { volume: "erp_data01", name: "erp_dev" });
    const snapshots = await rig.zapi(
      "snapshot-get-iter",
      "<query><snapshot-info><volume>erp_data01</volume></snapshot-info></query>",
    );
    expect(snapshots.results["num-records"]).toBe("2");
    expect(snapshots.text).toContain("<busy>true</busy><dependency>vclone</dependency>");
    const clones = await rig.zapi(
      "volume-clone-get-iter",
      "<query><volume-clone-info><parent-volume>erp_data01|other</parent-volume></volume-clone-info></query>",
    );
    expect(clones.results["num-records"]).toBe("1");
    expect(clones.text).toContain("<volume>erp_dev</volume>");
  });
});
