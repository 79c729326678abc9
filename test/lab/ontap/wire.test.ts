import { type Answer, first, makeLun, makeSvm, startRig, type Rig } from "./rig";

/** "Getting started with the ONTAP REST API" and "ONTAP automation", REST implementation details. */
describe("the ONTAP wire", () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig({
      accounts: [{ user: "auditor", password: "leser", role: "readonly" }],
    });
  });
  afterEach(() => rig.close());

  test("refuses a request without, or with wrong, credentials", async () => {
    const none = await rig.call("GET", "/api/cluster", { user: undefined });
    expect(none.status).toBe(401);
    const wrong = await rig.call("GET", "/api/cluster", { password: "falsch" });
    expect(wrong.status).toBe(401);
    expect(wrong.body.error.code).toBe("6691623");
  });

  test("lets a restricted role read and answers 403 with code 6 to a write (netapp.ontap#139)", async () => {
    const account = { user: "auditor", password: "leser" };
    expect((await rig.call("GET", "/api/svm/svms", account)).status).toBe(200);
    const write = await rig.call("DELETE", "/api/svm/svms?name=svm_erp", account);
    expect(write.status).toBe(403);
    expect(write.body.error).toEqual({ message: "not authorized for that command", code: "6" });
    expect((await rig.get("/api/svm/svms?name=svm_erp")).body.num_records).toBe(1);
  });

  test("answers an unknown path with 404 and code 3, and counts it", async () => {
    const answer = await rig.get("/api/protocols/san/portsets");
    expect(answer.status).toBe(404);
    expect(answer.body.error.code).toBe("3");
    expect(rig.log.unknownRoutes("array")).toBe(1);
  });

  test("answers a verb that a path does not have with 405", async () => {
    expect((await rig.post("/api/network/fc/logins", {})).status).toBe(405);
    const options = await rig.call("OPTIONS", "/api/protocols/san/lun-maps");
    expect(options.headers["allow"]).toBe("GET, HEAD, OPTIONS, POST, DELETE");
  });

  test("links objects by default and drops every link but the next page's for plain JSON", async () => {
    const hal = await rig.get("/api/network/fc/ports?max_records=3");
    expect(hal.headers["content-type"]).toBe("application/hal+json");
    expect(first(hal)._links?.self.href).toMatch(/^\/api\/network\/fc\/ports\//);
    expect(first(hal).node._links.self.href).toMatch(/^\/api\/cluster\/nodes\//);
    const plain = await rig.call("GET", "/api/network/fc/ports?max_records=3", {
      headers: { accept: "application/json" },
    });
    expect(first(plain)._links).toBeUndefined();
    expect(Object.keys(plain.body._links ?? {})).toEqual(["next"]);
  });

  test("pages through a collection by the next link, each record once", async () => {
    const seen: string[] = [];
    let path: string | undefined = "/api/network/fc/ports?max_records=3&fields=wwpn";
    let pages = 0;
    while (path !== undefined) {
      const answer: Answer = await rig.get(path);
      seen.push(...answer.body.records.map((port) => port.wwpn));
      path = answer.body._links?.next?.href;
      pages += 1;
    }
    expect(pages).toBe(3);
    expect(new Set(seen).size).toBe(8);
    expect(seen).toHaveLength(8);
  });

  test("may return shorter pages than asked for", async () => {
    rig.tamper("behave", { pageLimit: 2 });
    const answer = await rig.get("/api/network/fc/ports?max_records=5");
    expect(answer.body.num_records).toBe(2);
    expect(answer.body._links?.next?.href).toContain("start.token");
  });

  test("answers an empty result with 200 and no records, a missing object with 404 and code 4", async () => {
    const none = await rig.get("/api/svm/svms?name=nobody");
    expect(none.status).toBe(200);
    expect(none.body).toMatchObject({ records: [], num_records: 0 });
    const gone = await rig.get("/api/svm/svms/00000000-0000-0000-0000-000000000000");
    expect(gone.status).toBe(404);
    expect(gone.body.error.code).toBe("4");
  });

  test.each([
    ["name=2a", 2],
    ["name=2a|2b", 4],
    ["name=!2a", 6],
    ["name=2*", 8],
    ['name="2*"', 0],
    ["node.name=a250-02&name=2*", 4],
    ["enabled=false", 0],
    ["fabric.connected_speed=>31", 8],
    ["fabric.connected_speed=>=33", 0],
    ["fabric.connected_speed=16..32", 8],
    ["description=null", 0],
    ["supported_protocols=fc_nvme", 8],
  ])("filters by %s", async (query, count) => {
    const answer = await rig.get(`/api/network/fc/ports?${query}`);
    expect(answer.body.num_records).toBe(count);
  });

  test("returns the property that was filtered by, and no other, beside the identity", async () => {
    const answer = await rig.get("/api/network/fc/ports?wwpn=50:0a:09:81*&max_records=1");
    const record = first(answer);
    expect(Object.keys(record).sort()).toEqual(["_links", "name", "node", "uuid", "wwpn"]);
  });

  test("orders by a property, downwards when told", async () => {
    const answer = await rig.get("/api/network/fc/ports?order_by=wwpn%20desc&fields=wwpn");
    const wwpns = answer.body.records.map((port) => port.wwpn);
    expect(wwpns).toEqual([...wwpns].sort().reverse());
    expect(wwpns).toHaveLength(8);
  });

  test("counts without returning records", async () => {
    expect((await rig.get("/api/network/fc/ports?return_records=false")).body).toEqual({
      num_records: 8,
    });
  });

  test("keeps expensive properties back until they are named", async () => {
    await makeSvm(rig);
    const lun = await makeLun(rig, "svm_bed", "v1", 2 ** 30);
    const cheap = await rig.get(`/api/storage/luns/${lun.uuid}`);
    expect(cheap.body.status.mapped).toBeUndefined();
    expect(cheap.body.auto_delete).toBeUndefined();
    expect(
      (await rig.get(`/api/storage/luns/${lun.uuid}?fields=*`)).body.status.mapped,
    ).toBeUndefined();
    expect(
      (await rig.get(`/api/storage/luns/${lun.uuid}?fields=status.mapped`)).body.status,
    ).toEqual({
      mapped: false,
    });
    expect((await rig.get(`/api/storage/luns/${lun.uuid}?fields=**`)).body.auto_delete).toBe(false);
  });

  test("names the field that it does not know, code 262197 (netapp.ontap#184)", async () => {
    const answer = await rig.get("/api/storage/luns?fields=name,location.node");
    expect(answer.status).toBe(400);
    expect(answer.body.error).toEqual({
      message: 'The value "location.node" is invalid for field "fields"',
      code: "262197",
      target: "fields",
    });
  });

  test("refuses an unknown query parameter with 262179", async () => {
    const answer = await rig.get("/api/storage/luns?nmae=x");
    expect(answer.status).toBe(400);
    expect(answer.body.error).toEqual({
      message: 'Unexpected argument "nmae".',
      code: "262179",
      target: "nmae",
    });
  });

  test.each([
    [{ name: "x", colour: "red" }, "262179", "colour"],
    [{ name: "x", uuid: "1" }, "262196", "uuid"],
    [{ name: 7 }, "262197", "name"],
    [{ name: "x", state: "sleeping" }, "262196", "state"],
  ])("refuses the body %j", async (body, code, target) => {
    const answer = await rig.post("/api/svm/svms", body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code, target });
  });

  test("names the first step that it does not know, and the whole path as target (netapp.ontap#178)", async () => {
    const answer = await rig.post("/api/svm/svms", { name: "x", ndmp: { allowed: false } });
    expect(answer.body.error).toEqual({
      message: 'Unexpected argument "ndmp".',
      code: "262179",
      target: "ndmp.allowed",
    });
  });

  test("takes what clients in use send: numbers and booleans as text, empty names in fields", async () => {
    await makeSvm(rig);
    await makeLun(rig, "svm_bed", "v1", 2 ** 30);
    const group = {
      svm: { name: "svm_bed" },
      name: "ig1",
      os_type: "vmware",
      delete_on_unmap: "true",
    };
    await rig.post("/api/protocols/san/igroups", group);
    const map = {
      svm: { name: "svm_bed" },
      lun: { name: "/vol/v1/lun0" },
      igroup: { name: "ig1" },
    };
    await rig.post("/api/protocols/san/lun-maps", { ...map, logical_unit_number: "5" });
    const found = await rig.get(
      "/api/protocols/san/lun-maps?igroup.name=ig1&fields=,logical_unit_number,",
    );
    expect(first(found).logical_unit_number).toBe(5);
    await rig.del("/api/protocols/san/lun-maps?igroup.name=ig1");
    expect((await rig.get("/api/protocols/san/igroups?name=ig1")).body.num_records).toBe(0);
  });

  test("takes dotted keys for nested objects and sizes with units", async () => {
    await makeSvm(rig);
    const answer = await rig.post("/api/storage/volumes?return_timeout=5&return_records=true", {
      "svm.name": "svm_bed",
      name: "dotted",
      aggregates: [{ name: "aggr_b" }],
      size: "30GB",
      "guarantee.type": "none",
    });
    expect(answer.status).toBe(201);
    expect(first(answer).size).toBe(30 * 2 ** 30);
  });

  test("says so instead of doing nothing where it models less than the array", async () => {
    const answer = await rig.post("/api/svm/svms", { name: "x", dns: { domains: ["a"] } });
    expect(answer.status).toBe(501);
    expect((await rig.get("/api/svm/svms?name=x")).body.num_records).toBe(0);
  });

  test("answers a fault rule with the device's own error", async () => {
    rig.faults.add({
      device: "array",
      match: { method: "GET", path: "/api/svm/svms" },
      skip: 0,
      times: 1,
      effect: { code: "2621573" },
      seed: 1,
    });
    const answer = await rig.get("/api/svm/svms");
    expect(answer.status).toBe(500);
    expect(answer.body.error.code).toBe("2621573");
    expect((await rig.get("/api/svm/svms")).status).toBe(200);
  });
});
