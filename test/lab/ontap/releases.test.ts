import { createOntapEmulator } from "../../../lab/ontap/emulator";
import { a250Preset } from "../../../lab/presets/a250";
import { World } from "../../../lab/world/world";
import { code, first, makeLun, makeSvm, startRig, type Rig } from "./rig";

const group = { svm: { name: "svm_bed" }, name: "ig1", os_type: "vmware", comment: "mine" };

/** What the REST API references of 9.8 and 9.9.1 list, and what came later. */
describe("ONTAP releases and readings", () => {
  let rig: Rig | undefined;
  const start = async (options: Parameters<typeof startRig>[0]): Promise<Rig> => {
    rig = await startRig(options);
    return rig;
  };
  afterEach(async () => {
    await rig?.close();
    rig = undefined;
  });

  test("9.8 has no comment on initiator groups, 9.9.1 has one", async () => {
    const old = await start({ profile: "9.8" });
    await makeSvm(old);
    const refused = await old.post("/api/protocols/san/igroups", group);
    expect(refused.body.error).toMatchObject({ code: "262179", target: "comment" });
    expect(code(await old.get("/api/protocols/san/igroups?fields=comment"))).toBe("262197");
    await old.close();
    const newer = await start({ profile: "9.9.1" });
    await makeSvm(newer);
    expect((await newer.post("/api/protocols/san/igroups", group)).status).toBe(201);
    const found = await newer.get(
      "/api/protocols/san/igroups?name=ig1&fields=comment,supports_igroups",
    );
    expect(first(found)).toMatchObject({ comment: "mine", supports_igroups: true });
  });

  test("9.8 allows protocols of an SVM by the command line only", async () => {
    const old = await start({ profile: "9.8" });
    expect(code(await old.post("/api/svm/svms", { name: "x", fcp: { allowed: true } }))).toBe(
      "262179",
    );
    await old.job(await old.post("/api/svm/svms", { name: "svm_bed" }));
    const cli = "/api/private/cli/vserver";
    await old.patch(`${cli}/remove-protocols?vserver=svm_bed`, { protocols: ["fcp"] });
    const service = { svm: { name: "svm_bed" } };
    expect(code(await old.post("/api/protocols/san/fcp/services", service))).toBe("2621507");
    await old.patch(`${cli}/add-protocols?vserver=svm_bed`, { protocols: ["fcp"] });
    const shown = await old.get(`${cli}?vserver=svm_bed&fields=allowed_protocols`);
    expect(first(shown).allowed_protocols).toContain("fcp");
    expect((await old.post("/api/protocols/san/fcp/services", service)).status).toBe(201);
  });

  test("9.9.1 says which protocols are allowed and keeps SCSI and NVMe apart", async () => {
    const newer = await start({ profile: "9.9.1" });
    const both = { name: "x", fcp: { allowed: true }, nvme: { allowed: true } };
    expect(code(await newer.post("/api/svm/svms", both))).toBe("72089900");
    await newer.job(await newer.post("/api/svm/svms", { name: "svm_no", fcp: { allowed: false } }));
    const service = { svm: { name: "svm_no" } };
    expect(code(await newer.post("/api/protocols/san/fcp/services", service))).toBe("2621507");
  });

  test("a failed job has an error object from 9.9.1 on", async () => {
    const newer = await start({ profile: "9.9.1" });
    newer.tamper("behave", { failJobs: { code: "13434914", times: 1 } });
    const job = await newer.job(await newer.post("/api/svm/svms", { name: "svm_bed" }));
    expect(job).toMatchObject({ state: "failure", code: 13434914, error: { code: "13434914" } });
  });

  test.each([
    ["luns?fields=serial_number_hex"],
    ["luns?fields=attributes"],
    ["luns?fields=space.scsi_thin_provisioning_support_enabled"],
    ["volumes?fields=_tags"],
    ["volumes?fields=efficiency.storage_efficiency_mode"],
    ["aggregates?fields=volume-count"],
  ])("neither release knows storage/%s", async (path) => {
    const newer = await start({ profile: "9.9.1" });
    expect(code(await newer.get(`/api/storage/${path}`))).toBe("262197");
  });

  test("neither release knows reporting nodes in REST or force on a volume's delete", async () => {
    const newer = await start({ profile: "9.9.1" });
    expect(code(await newer.get("/api/protocols/san/lun-maps?fields=reporting_nodes"))).toBe(
      "262197",
    );
    const volume = first(await newer.get("/api/storage/volumes?name=erp_data01"));
    const forced = await newer.del(`/api/storage/volumes/${volume.uuid}?force=true`);
    expect(code(forced)).toBe("262179");
  });

  test("each reading of the documentation can be switched on", async () => {
    const other = await start({
      switches: {
        unauthorizedBody: "empty",
        lunNumberTaken: "1254324",
        lunSize: "geometry",
        failedInTime: "job",
        initiatorMatch: "canonical",
        mapNeedsInterface: "every",
      },
    });
    expect((await other.call("GET", "/api/cluster", { password: "x" })).body).toBe("");
    await makeSvm(other);
    // The reference's own example: 300 GB asked, this size made.
    const lun = await makeLun(other, "svm_bed", "v1", 300 * 2 ** 30);
    expect(lun.space.size).toBe(322163441664);
    await makeLun(other, "svm_bed", "v2", 2 ** 30);
    const made = await other.post("/api/protocols/san/igroups?return_records=true", {
      svm: { name: "svm_bed" },
      name: "ig1",
      os_type: "vmware",
      initiators: [{ name: "10:00:00:10:9b:aa:01:01" }],
    });
    const map = (volume: string): ReturnType<Rig["post"]> =>
      other.post("/api/protocols/san/lun-maps", {
        svm: { name: "svm_bed" },
        lun: { name: `/vol/${volume}/lun0` },
        igroup: { name: "ig1" },
        logical_unit_number: 4,
      });
    await map("v1");
    expect(code(await map("v2"))).toBe("1254324");
    const upper = encodeURIComponent("10:00:00:10:9B:AA:01:01");
    const path = `/api/protocols/san/igroups/${first(made).uuid}/initiators/${upper}`;
    expect((await other.del(`${path}?allow_delete_while_mapped=true`)).status).toBe(200);
    other.tamper("fillPool", { pool: "aggr_a", freeBytes: "1000" });
    const failed = await other.post("/api/storage/volumes?return_timeout=5", {
      svm: { name: "svm_bed" },
      name: "big",
      aggregates: [{ name: "aggr_a" }],
    });
    expect(failed.status).toBe(202);
    other.tamper("deleteInterface", { name: "fc_a250-02_2a" });
    other.tamper("deleteInterface", { name: "fc_a250-02_2b" });
    expect(code(await map("v2"))).toBe("5374583");
  });

  test("a reading can be chosen while the lab runs, a misspelt one is refused", async () => {
    const lab = await start({});
    lab.tamper("setSwitches", { unauthorizedBody: "empty" });
    expect((await lab.call("GET", "/api/cluster", { password: "x" })).body).toBe("");
    expect(() => {
      lab.tamper("setSwitches", { unauthorizedBody: "html" });
    }).toThrow("no reading");
    lab.emulator.reset();
    expect(code(await lab.call("GET", "/api/cluster", { password: "x" }))).toBe("6691623");
  });

  test("refuses a release that it was not written from", () => {
    const world = new World(() => a250Preset());
    const credentials = { user: "admin", password: "x" };
    expect(() =>
      createOntapEmulator({ device: "array", world, credentials, profile: "9.11.1" }),
    ).toThrow("no ONTAP 9.11.1");
  });

  test("two passwords, one account list: locked accounts get 401 although the password is right", async () => {
    const locked = await start({});
    locked.tamper("lockAccounts", {});
    expect((await locked.get("/api/cluster")).status).toBe(401);
    locked.tamper("lockAccounts", { locked: false });
    expect((await locked.get("/api/cluster")).status).toBe(200);
  });

  test("goes back to the preset on reset and forgets its jobs", async () => {
    const lab = await start({});
    const answer = await lab.post("/api/svm/svms", { name: "svm_bed" });
    lab.world.reset();
    lab.emulator.reset();
    expect((await lab.get(`/api/cluster/jobs/${answer.body.job.uuid}`)).status).toBe(404);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect((await lab.get("/api/svm/svms")).body.records.map((s) => s.name)).toEqual(["svm_erp"]);
  });

  test("tampering changes what clients see and refuses what is not there", async () => {
    const lab = await start({});
    await makeSvm(lab);
    const lun = await makeLun(lab, "svm_bed", "v1", 2 ** 30);
    lab.tamper("resizeLun", { name: "/vol/v1/lun0", sizeBytes: (3 * 2 ** 30).toString() });
    expect((await lab.get(`/api/storage/luns/${lun.uuid}`)).body.space.size).toBe(3 * 2 ** 30);
    lab.tamper("createLun", {
      svm: "svm_bed",
      volume: "foreign",
      lun: "x",
      sizeBytes: "1073741824",
    });
    expect((await lab.get("/api/storage/luns?name=/vol/foreign/x")).body.num_records).toBe(1);
    lab.tamper("deleteLun", { name: "/vol/v1/lun0" });
    expect(code(await lab.get(`/api/storage/luns/${lun.uuid}`))).toBe("5374875");
    expect(() => {
      lab.tamper("deleteLun", { name: "/vol/v1/lun0" });
    }).toThrow("has no /vol/v1/lun0");
    const map = { lun: "/vol/foreign/x", igroup: "ig_erp_db" };
    expect(() => {
      lab.tamper("removeMap", map);
    }).toThrow("has no map");
  });

  test("refuses what a restricted role may not do, and nothing else", async () => {
    const array = await start({ profile: "9.9.1" });
    array.tamper("denyCommands", { commands: ["POST /api/storage/luns", "* /api/svm/svms"] });
    const refused = await array.post("/api/storage/luns", {});
    expect(refused.status).toBe(403);
    expect(refused.body.error).toMatchObject({
      code: "6",
      message: "not authorized for that command",
    });
    expect((await array.get("/api/svm/svms/none")).status).toBe(403);
    expect((await array.get("/api/storage/luns")).status).toBe(200);
    array.tamper("denyCommands", { commands: [] });
    expect((await array.get("/api/svm/svms")).status).toBe(200);
  });

  test("lists drives with their aggregate", async () => {
    const array = await start({ profile: "9.9.1" });
    const disks = await array.get("/api/storage/disks?aggregates.name=aggr_a&fields=type,bay,node");
    expect(disks.body.num_records).toBe(12);
    expect(first(disks)).toMatchObject({ type: "ssd_nvm", node: { name: "a250-01" } });
  });

  test("9.12.1 deletes a volume past the recovery queue, names reporting nodes and a LUN's node", async () => {
    const later = await start({ profile: "9.12.1" });
    await makeSvm(later);
    const lun = await makeLun(later, "svm_bed", "v1", 2 ** 30);
    expect((await later.get(`/api/storage/luns/${lun.uuid}`)).body.location).toMatchObject({
      node: { name: "a250-01" },
    });
    const group9 = { svm: { name: "svm_bed" }, name: "ig1", os_type: "vmware" };
    await later.post("/api/protocols/san/igroups", group9);
    await later.post("/api/protocols/san/lun-maps", {
      ...{ svm: { name: "svm_bed" }, lun: { name: "/vol/v1/lun0" }, igroup: { name: "ig1" } },
    });
    const map = await later.get(
      "/api/protocols/san/lun-maps?igroup.name=ig1&fields=reporting_nodes",
    );
    expect(JSON.stringify(map.body.records)).toContain('"name":"a250-02"');
    await later.del("/api/protocols/san/lun-maps?igroup.name=ig1");
    await later.job(await later.del("/api/storage/volumes?name=v1&force=true"));
    expect(later.world.view.arrays["array"]!.records["recoveryQueue"] ?? {}).toEqual({});
    await later.close();
    const older = await start({ profile: "9.9.1" });
    expect(code(await older.del("/api/storage/volumes?name=erp_data01&force=true"))).toBe("262179");
  });

  test("takes the bare name of another object for it", async () => {
    const array = await start({ profile: "9.9.1" });
    const body = { name: "svm_x", snapshot_policy: "none", ipspace: "Default" };
    const made = await array.post("/api/svm/svms?return_timeout=5&return_records=true", body);
    expect(first(made)).toMatchObject({ snapshot_policy: { name: "none" } });
    expect(code(await array.post("/api/svm/svms", { ...body, name: "y", nvme: "yes" }))).toBe(
      "262197",
    );
  });
});
