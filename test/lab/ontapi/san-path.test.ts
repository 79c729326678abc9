import { worldInventory } from "../../../lab/world/inventory";
import { hostDevices } from "../../../lab/world/visibility";
import {
  leaf,
  makeIgroup,
  makeLun,
  makeVolume,
  makeVserver,
  only,
  passed,
  records,
  type Rig,
  startRig,
  type Tree,
} from "./rig";

let rig: Rig;
beforeEach(async () => {
  rig = await startRig();
  await makeVserver(rig);
});
afterEach(() => rig.close());

const host = "esx01.lab.invalid";
const initiators = ["10:00:00:10:9b:aa:01:01", "10:00:00:10:9b:aa:01:02"];
const path = "<path>/vol/v/lun0</path>";

/** Zones the host's ports with every interface of the vserver on their fabric. */
async function zone(): Promise<void> {
  const lifs = records(await rig.bed("fcp-interface-get-iter"), "fcp-interface-info");
  const targets = lifs.map((lif) => lif["port-name"] as string);
  rig.world.change((state) => {
    Object.values(state.fabrics).forEach((fabric, index) => {
      const zones = fabric.zoning.effective?.zones ?? {};
      const members = [initiators[index] ?? "", ...targets];
      zones["z"] = { type: 0, members, principals: [] };
    });
  });
}

async function lunInGroup(): Promise<void> {
  await makeVolume(rig, "v");
  await makeLun(rig, "/vol/v/lun0");
  await makeIgroup(rig, "ig", initiators);
}

const map = (more = ""): ReturnType<Rig["bed"]> =>
  rig.bed("lun-map", `${path}<initiator-group>ig</initiator-group>${more}`);

test("a host sees the LUN once it is zoned and mapped, under the name of its serial number", async () => {
  await lunInGroup();
  await zone();
  expect(hostDevices(rig.world.view, host)).toEqual([]);
  const mapped = await map("<lun-id>7</lun-id>");
  expect(leaf(mapped.results, "lun-id-assigned")).toBe("7");
  const lun = only(await rig.bed("lun-get-iter"), "lun-info");
  const serial = lun["serial-number"] as string;
  const [device] = hostDevices(rig.world.view, host);
  expect(device).toMatchObject({
    name: `naa.600a0980${Buffer.from(serial, "latin1").toString("hex")}`,
    lun: 7,
    capacityBytes: 1_073_741_824n,
    revision: "9500",
  });
  // Two interfaces per fabric; those on the node of aggr_a are optimized.
  expect(device?.paths.map((one) => one.optimized).sort()).toEqual([false, false, true, true]);
  const logins = records(await rig.bed("fcp-initiator-get-iter"), "fcp-adapter-initiators-info");
  expect(logins).toHaveLength(4);
});

test("offline, unmapped or without service the LUN is not there", async () => {
  await lunInGroup();
  await zone();
  await passed(map());
  const sees = (): number => hostDevices(rig.world.view, host).length;
  expect(sees()).toBe(1);
  await passed(rig.bed("lun-offline", path));
  expect(sees()).toBe(0);
  await passed(rig.bed("lun-online", path));
  await passed(rig.bed("fcp-service-stop"));
  expect(sees()).toBe(0);
  await passed(rig.bed("fcp-service-start"));
  expect(sees()).toBe(1);
  await passed(rig.bed("lun-unmap", `${path}<initiator-group>ig</initiator-group>`));
  expect(sees()).toBe(0);
});

test("everything can be taken down again, and nothing is left but the deleted volume's space", async () => {
  await rig.close();
  rig = await startRig();
  const before = JSON.stringify(worldInventory(rig.world.view));
  await makeVserver(rig);
  await lunInGroup();
  await passed(map());
  await passed(rig.bed("lun-unmap", `${path}<initiator-group>ig</initiator-group>`));
  await passed(rig.bed("lun-destroy", path));
  await passed(rig.bed("igroup-destroy", "<initiator-group-name>ig</initiator-group-name>"));
  await passed(rig.bed("volume-offline", "<name>v</name>"));
  await passed(rig.bed("volume-destroy", "<name>v</name>"));
  const queued = only(
    await rig.bed("volume-recovery-queue-get-iter"),
    "volume-recovery-queue-info",
  );
  expect(queued["volume-name"]).toMatch(/^v_\d+$/);
  await passed(
    rig.bed(
      "volume-recovery-queue-purge",
      `<vserver-name>svm_bed</vserver-name><volume-name>${queued["volume-name"] as string}</volume-name>`,
    ),
  );
  for (const lif of records(await rig.bed("net-interface-get-iter"), "net-interface-info")) {
    const which = `<interface-name>${lif["interface-name"] as string}</interface-name><vserver>svm_bed</vserver>`;
    expect((await rig.zapi("net-interface-delete", which)).status).toBe("failed");
    const down = `${which}<administrative-status>down</administrative-status>`;
    await passed(rig.zapi("net-interface-modify", down));
    await passed(rig.zapi("net-interface-delete", which));
  }
  expect((await rig.bed("fcp-service-destroy")).errno).toBe("13015");
  await passed(rig.bed("fcp-service-stop"));
  await passed(rig.bed("fcp-service-destroy"));
  await passed(rig.zapi("vserver-destroy", "<vserver-name>svm_bed</vserver-name>"));
  expect(JSON.stringify(worldInventory(rig.world.view))).toBe(before);
});

test("what is there already has the number of its kind", async () => {
  await lunInGroup();
  await passed(map("<lun-id>3</lun-id>"));
  const errno = async (answer: ReturnType<Rig["bed"]>): Promise<string | undefined> =>
    (await answer).errno;
  expect(await errno(map("<lun-id>3</lun-id>"))).toBe("9023");
  const lun =
    "<path>/vol/v/lun0</path><size>4096</size><ostype>vmware</ostype><use-exact-size>true</use-exact-size>";
  expect(await errno(rig.bed("lun-create-by-size", lun))).toBe("9012");
  const group =
    "<initiator-group-name>ig</initiator-group-name><initiator-group-type>fcp</initiator-group-type>";
  expect(await errno(rig.bed("igroup-create", group))).toBe("9004");
  const add = `<initiator-group-name>ig</initiator-group-name><initiator>${initiators[0] ?? ""}</initiator>`;
  expect(await errno(rig.bed("igroup-add", add))).toBe("9008");
  const volume =
    "<volume>v</volume><containing-aggr-name>aggr_a</containing-aggr-name><size>1g</size>";
  expect(await errno(rig.bed("volume-create", volume))).toBe("17");
  expect(await errno(rig.bed("fcp-service-create"))).toBe("13130");
  expect(await errno(rig.bed("fcp-service-start"))).toBe("13013");
  expect(await errno(rig.zapi("vserver-create", "<vserver-name>svm_bed</vserver-name>"))).toBe(
    "14922",
  );
  const lif =
    "<interface-name>fc_a800-01_5a</interface-name><vserver>svm_bed</vserver><home-node>a800-01</home-node>" +
    "<home-port>5a</home-port><data-protocols><data-protocol>fcp</data-protocol></data-protocols>";
  expect(await errno(rig.zapi("net-interface-create", lif))).toBe("17");
  await makeLun(rig, "/vol/v/lun1");
  const second = "<path>/vol/v/lun1</path><initiator-group>ig</initiator-group><lun-id>3</lun-id>";
  expect(await errno(rig.bed("lun-map", second))).toBe("9024");
});

test.each([
  ["a LUN", "lun-offline", path, "9017"],
  ["a LUN map", "lun-unmap", `${path}<initiator-group>ig</initiator-group>`, "9017"],
  ["an igroup", "igroup-destroy", "<initiator-group-name>ig</initiator-group-name>", "9003"],
  ["a volume", "volume-offline", "<name>v</name>", "13040"],
  ["a job", "job-get", "<job-id>4711</job-id>", "15661"],
])("%s that is not there is answered by its own number", async (_what, api, inside, errno) => {
  expect((await rig.bed(api, inside)).errno).toBe(errno);
});

test("nothing in use is removed, unless forced", async () => {
  await lunInGroup();
  await passed(map());
  const group = "<initiator-group-name>ig</initiator-group-name>";
  const member = `${group}<initiator>${initiators[0] ?? ""}</initiator>`;
  const errno = async (api: string, inside: string): Promise<string | undefined> =>
    (await rig.bed(api, inside)).errno;
  expect(await errno("igroup-destroy", group)).toBe("9029");
  expect(await errno("igroup-remove", member)).toBe("9029");
  expect(await errno("lun-destroy", path)).toBe("9013");
  expect(await errno("volume-destroy", "<name>v</name>")).toBe("13058");
  await passed(rig.bed("volume-offline", "<name>v</name>"));
  expect(await errno("volume-destroy", "<name>v</name>")).toBe("13156");
  await passed(rig.bed("volume-online", "<name>v</name>"));
  await passed(rig.bed("igroup-remove", `${member}<force>true</force>`));
  await passed(rig.bed("lun-destroy", `${path}<force>true</force>`));
  expect(records(await rig.bed("lun-map-get-iter"), "lun-map-info")).toEqual([]);
});

test("the size of a LUN is exact when asked so, else whole cylinders; it shrinks only by force", async () => {
  await makeVolume(rig, "v", "4g");
  const rounded = await passed(
    rig.bed(
      "lun-create-by-size",
      `${path}<size>1073741824</size><ostype>vmware</ostype><space-reservation-enabled>false</space-reservation-enabled>`,
    ),
  );
  const size = Number(leaf(rounded.results, "actual-size"));
  expect(size).toBeGreaterThan(1_073_741_824);
  const resize = (bytes: number, force = ""): ReturnType<Rig["bed"]> =>
    rig.bed("lun-resize", `${path}<size>${bytes.toString()}</size>${force}`);
  expect((await resize(size)).errno).toBe("9042");
  expect((await resize(4096)).errno).toBe("9033");
  expect(leaf((await resize(1_073_741_824, "<force>true</force>")).results, "actual-size")).toBe(
    "1073741824",
  );
  expect(leaf((await resize(2_147_483_648)).results, "actual-size")).toBe("2147483648");
});

test("asynchronous twins answer a job, whose end tells the outcome", async () => {
  const inside =
    "<volume-name>v</volume-name><containing-aggr-name>aggr_a</containing-aggr-name>" +
    "<size>1g</size><space-reserve>none</space-reserve>";
  const answer = await passed(rig.bed("volume-create-async", inside));
  expect(leaf(answer.results, "result-status")).toBe("in_progress");
  const id = leaf(answer.results, "result-jobid") ?? "";
  const job = async (): Promise<Tree> => {
    const got = await passed(rig.bed("job-get", `<job-id>${id}</job-id>`));
    return (got.results["attributes"] as { "job-info": Tree[] })["job-info"][0] ?? {};
  };
  let record = await job();
  while (record["job-state"] === "running" || record["job-state"] === "queued")
    record = await job();
  expect(record).toMatchObject({ "job-state": "success", "job-vserver": "svm_bed" });
  expect(records(await rig.bed("volume-get-iter"), "volume-attributes")).toHaveLength(2);
});

test("a volume without room is refused with the text that names the shortage", async () => {
  const inside =
    "<volume>v</volume><containing-aggr-name>aggr_a</containing-aggr-name><size>90t</size>";
  const answer = await rig.bed("volume-create", inside);
  expect([answer.errno, answer.reason]).toEqual(["28", expect.stringMatching(/not enough space/)]);
  expect(records(await rig.bed("volume-get-iter"), "volume-attributes")).toHaveLength(1);
});

test("volumes grow by amount or to a size and show what they guarantee", async () => {
  await makeVolume(rig, "v", "2g");
  const grown = await passed(rig.bed("volume-size", "<volume>v</volume><new-size>+1g</new-size>"));
  expect(leaf(grown.results, "volume-size")).toBe((3 * 1024 ** 3).toString());
  const query =
    "<query><volume-attributes><volume-id-attributes><name>v</name></volume-id-attributes></volume-attributes></query>";
  const volume = only(await rig.bed("volume-get-iter", query), "volume-attributes");
  expect(volume["volume-space-attributes"]).toMatchObject({
    size: (3 * 1024 ** 3).toString(),
    "space-guarantee": "none",
    "percentage-snapshot-reserve": "0",
  });
});

test("aggregates show their owner, space and RAID; those that nodes boot from are marked", async () => {
  const aggregates = records(await rig.zapi("aggr-get-iter"), "aggr-attributes");
  const roots = aggregates.filter(
    (one) => leaf(one, "aggr-raid-attributes", "is-root-aggregate") === "true",
  );
  expect([aggregates.length, roots.length]).toEqual([4, 2]);
  const data = aggregates.find((one) => one["aggregate-name"] === "aggr_a");
  expect(data?.["aggr-ownership-attributes"]).toMatchObject({ "home-name": "a800-01" });
  expect(leaf(data ?? {}, "aggr-raid-attributes", "raid-type")).toBe("raid_dp");
});

test("reporting nodes are the owner and its partner, and those that were added", async () => {
  await lunInGroup();
  await passed(map());
  const info = only(await rig.bed("lun-map-get-iter"), "lun-map-info");
  expect(info["reporting-nodes"]).toEqual({ "node-name": ["a800-01", "a800-02"] });
  expect(info["node"]).toBe("a800-01");
  const add = `${path}<igroup>ig</igroup><nodes><filer-id>a800-09</filer-id></nodes>`;
  expect((await rig.bed("lun-map-add-reporting-nodes", add)).errno).toBe("13115");
});

test("volume-modify-iter passes and counts the volumes that it could not change", async () => {
  await makeVolume(rig, "v1", "1g");
  await makeVolume(rig, "v2", "20m");
  const modify = (name: string, attributes: string): ReturnType<Rig["bed"]> =>
    rig.bed(
      "volume-modify-iter",
      `<query><volume-attributes><volume-id-attributes><name>${name}</name></volume-id-attributes></volume-attributes></query>` +
        `<attributes><volume-attributes>${attributes}</volume-attributes></attributes>`,
    );
  const policy = (name: string): string =>
    `<volume-snapshot-attributes><snapshot-policy>${name}</snapshot-policy></volume-snapshot-attributes>`;
  const done = await passed(modify("v1|v2", policy("default")));
  expect([done.results["num-succeeded"], done.results["num-failed"]]).toEqual(["2", "0"]);
  const not = await passed(modify("v1", policy("hourly-and-more")));
  expect([not.results["num-succeeded"], not.results["num-failed"]]).toEqual(["0", "1"]);
  expect(leaf(not.results, "failure-list", "volume-modify-iter-info", "error-code")).toBe("13115");
});

test("efficiency of a volume is on from the start, changes, and says so when asked twice", async () => {
  await makeVolume(rig, "v");
  const state = async (): Promise<Tree> => only(await rig.bed("sis-get-iter"), "sis-status-info");
  expect(await state()).toMatchObject({
    path: "/vol/v",
    state: "enabled",
    "is-inline-compression-enabled": "true",
    "is-data-compaction-enabled": "true",
  });
  expect((await rig.bed("sis-enable", "<path>/vol/v</path>")).errno).toBe("40043");
  await passed(
    rig.bed(
      "sis-set-config",
      "<path>/vol/v</path><enable-compression>false</enable-compression>" +
        "<enable-inline-compression>false</enable-inline-compression>" +
        "<enable-data-compaction>false</enable-data-compaction>",
    ),
  );
  expect(await state()).toMatchObject({
    "is-compression-enabled": "false",
    "is-inline-compression-enabled": "false",
    "is-data-compaction-enabled": "false",
    "is-inline-dedupe-enabled": "true",
  });
});

test("a takeover leaves its event and the owner of the aggregate changes", async () => {
  rig.tamper("takeOver", { node: "a800-01" });
  const [event] = records(await rig.zapi("ems-message-get-iter"), "ems-message-info");
  expect(event).toMatchObject({ "message-name": "cf.fsm.takeoverStarted", severity: "alert" });
  const aggregates = records(await rig.zapi("aggr-get-iter"), "aggr-attributes");
  const mine = aggregates.find((one) => one["aggregate-name"] === "aggr_a");
  expect(mine?.["aggr-ownership-attributes"]).toEqual({
    "home-name": "a800-01",
    "owner-name": "a800-02",
  });
  const nodes = records(await rig.zapi("system-node-get-iter"), "node-details-info");
  expect(nodes.map((node) => node["is-node-healthy"])).toEqual(["false", "true"]);
});
