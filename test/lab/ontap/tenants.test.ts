import { code, first, makeSvm, startRig, type Rig } from "./rig";

const fcPort = (node: string, port: string): object => ({
  home_port: { name: port, node: { name: node } },
});

/** REST API reference 9.8: SVMs, FC protocol services, FC ports and interfaces, cluster, nodes. */
describe("ONTAP SVMs and FC objects", () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig();
  });
  afterEach(() => rig.close());

  test("tells release and model as numbers and words", async () => {
    const cluster = await rig.get("/api/cluster?fields=name,uuid,version,san_optimized");
    expect(cluster.body).toMatchObject({
      name: "a250",
      version: { generation: 9, major: 8, minor: 0 },
      san_optimized: false,
    });
    const nodes = await rig.get("/api/cluster/nodes?fields=model,state,ha,membership");
    expect(nodes.body.records).toHaveLength(2);
    expect(first(nodes)).toMatchObject({ model: "AFF-A250", state: "up" });
    rig.tamper("takeOver", { node: "a250-02" });
    const failed = await rig.get("/api/cluster/nodes?state=!up");
    expect(failed.body.records.map((n) => n.name)).toEqual(["a250-02"]);
    const event = await rig.get("/api/support/ems/events?fields=*");
    expect(first(event).message.name).toBe("cf.fsm.takeoverStarted");
  });

  test("makes an SVM as a job: 202, poll, then the object with its root volume", async () => {
    rig.tamper("behave", { jobSlowness: 50 });
    const answer = await rig.post("/api/svm/svms", { name: "svm_bed", comment: "mine" });
    expect(answer.status).toBe(202);
    expect(answer.headers["location"]).toMatch(/^\/api\/svm\/svms\/[0-9a-f-]{36}$/);
    expect(answer.body.job._links.self.href).toBe(`/api/cluster/jobs/${answer.body.job.uuid}`);
    expect((await rig.get("/api/svm/svms?name=svm_bed")).body.num_records).toBe(0);
    const job = await rig.job(answer);
    expect(job).toMatchObject({ state: "success", code: 0 });
    const svm = first(await rig.get("/api/svm/svms?name=svm_bed&fields=*"));
    expect(job.description).toBe(`POST /api/svm/svms/${svm.uuid}`);
    expect(svm).toMatchObject({
      state: "running",
      subtype: "default",
      language: "c.utf_8",
      comment: "mine",
      ipspace: { name: "Default" },
      fcp: { enabled: false },
    });
    const root = await rig.get("/api/storage/volumes?svm.name=svm_bed&fields=is_svm_root,size");
    expect(first(root)).toMatchObject({ is_svm_root: true, size: 2 ** 30 });
  });

  test("runs at most five SVM jobs and says so in the documented words", async () => {
    await rig.close();
    rig = await startRig({ timing: { svmMs: 20_000 } });
    const posts = Array.from({ length: 6 }, (_, i) =>
      rig.post("/api/svm/svms", { name: `svm_${i.toString()}` }),
    );
    const answers = await Promise.all(posts);
    expect(answers.filter((a) => a.status === 202)).toHaveLength(5);
    expect(answers.find((a) => a.status !== 202)).toMatchObject({
      status: 409,
      body: {
        error: {
          code: "13434894",
          message:
            "Maximum allowed SVM jobs exceeded. Wait for the existing SVM jobs to complete and try again.",
        },
      },
    });
  });

  test.each([
    ["13434908", { name: "svm_erp" }],
    ["13434908", { name: "a250" }],
    ["13434911", { name: "s".repeat(48) }],
    ["13434912", { name: "x", ipspace: { name: "other" } }],
    ["917508", { name: "x", aggregates: [{ name: "aggr_z" }] }],
    ["917551", { name: "x", snapshot_policy: { name: "weekly" } }],
  ])("refuses an SVM with %s", async (expected, body) => {
    expect(code(await rig.post("/api/svm/svms", body))).toBe(expected);
  });

  test("refuses the name while an SVM of that name is being created, also after a failed job", async () => {
    rig.tamper("behave", { jobSlowness: 50 });
    const running = await rig.post("/api/svm/svms", { name: "svm_bed" });
    expect(code(await rig.post("/api/svm/svms", { name: "svm_bed" }))).toBe("13434915");
    await rig.job(running);
    rig.tamper("behave", { jobSlowness: 1, failJobs: { code: "13434914", times: 1 } });
    const failing = await rig.job(await rig.post("/api/svm/svms", { name: "svm_two" }));
    expect(failing).toMatchObject({ state: "failure", code: 13434914 });
    expect((await rig.job(await rig.post("/api/svm/svms", { name: "svm_two" }))).state).toBe(
      "success",
    );
  });

  test("deletes an SVM only without data volumes; interfaces go with it", async () => {
    const svm = await makeSvm(rig);
    await rig.post("/api/storage/volumes?return_timeout=5", {
      svm: { name: "svm_bed" },
      name: "data",
      aggregates: [{ name: "aggr_a" }],
      guarantee: { type: "none" },
    });
    const refused = await rig.job(await rig.del(`/api/svm/svms/${svm}`));
    expect(refused.state).toBe("failure");
    expect(refused.message).toContain("data");
    const volume = first(await rig.get("/api/storage/volumes?name=data"));
    await rig.del(`/api/storage/volumes/${volume.uuid}?return_timeout=5`);
    expect((await rig.job(await rig.del(`/api/svm/svms/${svm}`))).state).toBe("success");
    expect((await rig.get("/api/network/fc/interfaces?svm.name=svm_bed")).body.num_records).toBe(0);
    // An SVM takes its recovery queue along (NetAppDocs/ontap#1958).
    expect((await rig.get("/api/private/cli/volume/recovery-queue")).body.num_records).toBe(0);
  });

  test("has one FC protocol service per SVM; it is disabled before it is deleted", async () => {
    await rig.job(await rig.post("/api/svm/svms", { name: "svm_bed" }));
    const body = { svm: { name: "svm_bed" } };
    expect((await rig.post("/api/protocols/san/fcp/services", body)).status).toBe(201);
    expect(code(await rig.post("/api/protocols/san/fcp/services", body))).toBe("5374082");
    const found = await rig.get("/api/protocols/san/fcp/services?svm.name=svm_bed&fields=*");
    const service = first(found);
    expect(service.enabled).toBe(true);
    expect(service.target.name).toMatch(/^20:[0-9a-f]{2}:00:a0:98(:[0-9a-f]{2}){3}$/);
    const path = `/api/protocols/san/fcp/services/${service.svm.uuid}`;
    expect(code(await rig.del(path))).toBe("5373960");
    await rig.patch(path, { enabled: false });
    expect((await rig.del(path)).status).toBe(200);
    expect(code(await rig.get(path))).toBe("5374083");
  });

  test("refuses the service without a licence, and lists what is licensed only", async () => {
    rig.tamper("removeLicence", { name: "fcp" });
    const listed = await rig.get("/api/cluster/licensing/licenses");
    expect(listed.body.records.map((l) => l.name)).not.toContain("fcp");
    const asked = await rig.get("/api/cluster/licensing/licenses?state=unlicensed");
    expect(asked.body.records.map((l) => l.name)).toEqual(["fcp"]);
    await rig.job(await rig.post("/api/svm/svms", { name: "svm_bed" }));
    const answer = await rig.post("/api/protocols/san/fcp/services", { svm: { name: "svm_bed" } });
    expect(code(answer)).toBe("1115127");
  });

  test("gives every interface its own WWPN, the SVM's WWNN and an address on the right fabric", async () => {
    await makeSvm(rig);
    const found = await rig.get("/api/network/fc/interfaces?svm.name=svm_bed&fields=*");
    const lifs = found.body.records;
    expect(new Set(lifs.map((l) => l.wwpn)).size).toBe(4);
    const service = await rig.get("/api/protocols/san/fcp/services?svm.name=svm_bed&fields=target");
    for (const lif of lifs) {
      expect(lif.wwnn).toBe(first(service).target.name);
      expect(lif.state).toBe("up");
      // 2a is on fabric A (domain 1), 2b on fabric B (domain 2); an NPIV login never ends in 00.
      const domain = lif.location.home_port.name === "2a" ? "01" : "02";
      expect(lif.port_address).toMatch(new RegExp(`^${domain}[0-9a-f]{2}(?!00)`));
    }
    const ports = await rig.get(
      "/api/network/fc/ports?fields=wwpn,fabric.switch_port,state&name=2a",
    );
    expect(first(ports)).toMatchObject({
      state: "online",
      fabric: { switch_port: "g620-a:16" },
    });
    expect(lifs.map((l) => l.wwpn)).not.toContain(first(ports).wwpn);
  });

  test("deletes and moves an interface only when it is disabled", async () => {
    await makeSvm(rig);
    const lif = first(await rig.get("/api/network/fc/interfaces?svm.name=svm_bed"));
    const path = `/api/network/fc/interfaces/${lif.uuid}`;
    expect(code(await rig.del(path))).toBe("53280992");
    const move = { location: fcPort("a250-01", "2c") };
    expect(code(await rig.patch(path, move))).toBe("1966238");
    await rig.patch(path, { enabled: false });
    const down = await rig.get(path);
    expect(down.body.state).toBe("down");
    expect(down.body.port_address).toBeUndefined();
    expect((await rig.patch(path, move)).status).toBe(200);
    expect((await rig.del(path)).status).toBe(200);
    expect(code(await rig.get(path))).toBe("4");
  });

  test.each([
    ["1966140", { name: "fc_a250-01_2a", location: fcPort("a250-01", "2a") }],
    ["1966217", { name: "x", location: fcPort("a250-01", "9z") }],
    ["2425736", { name: "x", location: fcPort("a250-09", "2a") }],
    ["5374871", { name: "x", location: { home_port: { name: "2a" } } }],
    ["5375057", { name: "x", location: { home_port: { uuid: "nothing" } } }],
  ])("refuses an interface with %s", async (expected, body) => {
    await makeSvm(rig);
    const answer = await rig.post("/api/network/fc/interfaces", {
      svm: { name: "svm_bed" },
      data_protocol: "fcp",
      ...body,
    });
    expect(code(answer)).toBe(expected);
  });

  test("takes the port in the older form too, and does not let home_node alone be set", async () => {
    await makeSvm(rig);
    const common = { svm: { name: "svm_bed" }, data_protocol: "fcp" };
    const older = await rig.post("/api/network/fc/interfaces", {
      ...common,
      name: "old",
      location: { port: { name: "2c", node: { name: "a250-01" } } },
    });
    expect(older.status).toBe(201);
    const home = await rig.post("/api/network/fc/interfaces", {
      ...common,
      name: "home",
      location: { home_node: { name: "a250-01" } },
    });
    expect(code(home)).toBe("262196");
  });

  test("keeps a physical port that has active interfaces", async () => {
    await makeSvm(rig);
    const port = first(await rig.get("/api/network/fc/ports?name=2b&node.name=a250-01"));
    const path = `/api/network/fc/ports/${port.uuid}`;
    expect(code(await rig.patch(path, { enabled: false }))).toBe("5374087");
  });

  test("knows other people's SVM of the preset with its interfaces, service, LUN and map", async () => {
    const maps = await rig.get("/api/protocols/san/lun-maps?svm.name=svm_erp&fields=*");
    expect(first(maps)).toMatchObject({
      lun: { name: "/vol/erp_data01/lun0" },
      igroup: { name: "ig_erp_db" },
      logical_unit_number: 0,
    });
    const services = await rig.get(
      "/api/protocols/san/fcp/services?svm.name=svm_erp&fields=enabled",
    );
    expect(first(services).enabled).toBe(true);
  });
});
