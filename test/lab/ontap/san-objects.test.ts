import { hostDevices } from "../../../lab/world/visibility";
import { code, first, makeLun, makeSvm, type Rig, startRig, type WireRecord } from "./rig";

const gib = 2 ** 30;
const esx01 = ["10:00:00:10:9b:aa:01:01", "10:00:00:10:9b:aa:01:02"];

/** REST API reference 9.8: LUNs, initiator groups, LUN maps. */
describe("ONTAP LUNs, initiator groups and maps", () => {
  let rig: Rig;
  let svm: string;
  beforeEach(async () => {
    rig = await startRig();
    svm = await makeSvm(rig);
  });
  afterEach(() => rig.close());

  const igroup = (body: object): ReturnType<Rig["post"]> =>
    rig.post("/api/protocols/san/igroups?return_records=true", {
      svm: { name: "svm_bed" },
      os_type: "vmware",
      protocol: "fcp",
      ...body,
    });
  const map = (lun: string, group: string, number?: number): ReturnType<Rig["post"]> =>
    rig.post("/api/protocols/san/lun-maps", {
      svm: { name: "svm_bed" },
      lun: { name: lun },
      igroup: { name: group },
      ...(number === undefined ? {} : { logical_unit_number: number }),
    });

  test("gives a LUN a 12-character serial number; the host's name is its bytes in hex", async () => {
    const lun = await makeLun(rig, "svm_bed", "v1", gib);
    expect(lun.serial_number).toMatch(/^[\x21-\x7e]{12}$/);
    // At least one symbol, so that a wrong conversion is found.
    expect(lun.serial_number).toMatch(/[^A-Za-z0-9]/);
    const hex = Array.from(lun.serial_number, (c) => c.charCodeAt(0).toString(16)).join("");
    expect(rig.world.view.arrays["array"]?.volumes[lun.uuid]?.deviceName).toBe(
      `naa.600a0980${hex}`,
    );
    expect(lun).toMatchObject({
      name: "/vol/v1/lun0",
      location: { logical_unit: "lun0", volume: { name: "v1" } },
      space: { size: gib, used: 0, guarantee: { requested: false, reserved: false } },
      status: { state: "online", container_state: "online", read_only: false },
      class: "regular",
      enabled: true,
    });
  });

  test("answers POST of a LUN with 201, Location and an empty object unless records are wanted", async () => {
    await makeLun(rig, "svm_bed", "v1", gib);
    const answer = await rig.post("/api/storage/luns", {
      svm: { name: "svm_bed" },
      location: { volume: { name: "v1" }, logical_unit: "lun1" },
      os_type: "vmware",
      space: { size: "10MB" },
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({});
    const lun = await rig.get(answer.headers["location"] as string);
    expect(lun.body.name).toBe("/vol/v1/lun1");
    expect(lun.body.space.size).toBe(10 * 2 ** 20);
  });

  test.each([
    ["5374242", { name: "/vol/v1/lun0" }],
    ["5374121", { name: "/vol/v1/a b" }],
    ["5374127", { name: "lun9" }],
    ["917927", { name: "/vol/nowhere/lun0" }],
    ["5374237", { name: "/vol/svm_bed_root/lun0" }],
    ["5374123", { name: "/vol/v1/small", space: { size: 512 } }],
    ["5374860", { name: "/vol/v1/one", location: { logical_unit: "two" } }],
    ["5374861", { name: "/vol/v1/one", location: { volume: { name: "v2" } } }],
  ])("refuses to create a LUN with %s", async (expected, body) => {
    await makeLun(rig, "svm_bed", "v1", gib);
    const answer = await rig.post("/api/storage/luns", {
      svm: { name: "svm_bed" },
      os_type: "vmware",
      space: { size: gib },
      ...body,
    });
    expect(code(answer)).toBe(expected);
  });

  test("wants the SVM named (trident#612)", async () => {
    expect(code(await rig.post("/api/storage/luns", { name: "/vol/v1/x" }))).toBe("2621707");
    const unknown = await rig.post("/api/storage/luns", { svm: { name: "nobody" } });
    expect(unknown.status).toBe(404);
    expect(code(unknown)).toBe("2621462");
  });

  test("refuses a reserved LUN that does not fit into its FlexVol, with HTTP 500", async () => {
    await rig.post("/api/storage/volumes?return_timeout=5", {
      svm: { name: "svm_bed" },
      name: "thick",
      aggregates: [{ name: "aggr_a" }],
      size: gib,
    });
    const answer = await rig.post("/api/storage/luns", {
      svm: { name: "svm_bed" },
      name: "/vol/thick/lun0",
      os_type: "vmware",
      space: { size: gib, guarantee: { requested: true } },
    });
    expect(answer.status).toBe(500);
    expect(code(answer)).toBe("5440509");
  });

  test("grows a LUN, refuses the same size and a smaller one", async () => {
    const lun = await makeLun(rig, "svm_bed", "v1", gib);
    const path = `/api/storage/luns/${lun.uuid}`;
    expect(code(await rig.patch(path, { space: { size: gib } }))).toBe("1254226");
    expect(code(await rig.patch(path, { space: { size: gib / 2 } }))).toBe("5374892");
    const grown = await rig.patch(path, { space: { size: 2 * gib } });
    expect(grown).toMatchObject({ status: 200, body: {} });
    expect((await rig.get(path)).body.space.size).toBe(2 * gib);
  });

  test("answers a LUN that is not there with 5374875, not with 4", async () => {
    const answer = await rig.get("/api/storage/luns/00000000-0000-0000-0000-000000000000");
    expect(answer.status).toBe(404);
    expect(code(answer)).toBe("5374875");
  });

  test("keeps a mapped LUN and a mapped igroup until they are unmapped", async () => {
    const lun = await makeLun(rig, "svm_bed", "v1", gib);
    const group = first(await igroup({ name: "ig1" }));
    expect((await map("/vol/v1/lun0", "ig1", 10)).status).toBe(201);
    const mapped = await rig.get(`/api/storage/luns/${lun.uuid}?fields=status.mapped,lun_maps`);
    expect(mapped.body.status.mapped).toBe(true);
    expect(mapped.body.lun_maps[0]).toMatchObject({
      logical_unit_number: 10,
      igroup: { name: "ig1" },
    });
    expect(code(await rig.del(`/api/storage/luns/${lun.uuid}`))).toBe("1254197");
    expect(code(await rig.del(`/api/protocols/san/igroups/${group.uuid}`))).toBe("1254213");
    const unmap = `/api/protocols/san/lun-maps/${lun.uuid}/${group.uuid}`;
    expect((await rig.del(unmap)).status).toBe(200);
    const again = await rig.del(unmap);
    expect(again.status).toBe(404);
    expect(code(again)).toBe("5374922");
    expect((await rig.del(`/api/storage/luns/${lun.uuid}`)).status).toBe(200);
    expect((await rig.del(`/api/protocols/san/igroups/${group.uuid}`)).status).toBe(200);
    expect(code(await rig.del(`/api/protocols/san/igroups/${group.uuid}`))).toBe("5374852");
  });

  test("takes flags of a DELETE in the query or in the body", async () => {
    const a = await makeLun(rig, "svm_bed", "v1", gib);
    const b = await makeLun(rig, "svm_bed", "v2", gib);
    await igroup({ name: "ig1" });
    await map("/vol/v1/lun0", "ig1");
    await map("/vol/v2/lun0", "ig1");
    const query = await rig.del(`/api/storage/luns/${a.uuid}?allow_delete_while_mapped=true`);
    expect(query.status).toBe(200);
    const body = await rig.del(`/api/storage/luns/${b.uuid}`, { allow_delete_while_mapped: true });
    expect(body.status).toBe(200);
    expect((await rig.get("/api/protocols/san/lun-maps?svm.name=svm_bed")).body.num_records).toBe(
      0,
    );
  });

  test("stores WWPNs in lower case with colons, whatever spelling came in (netapp.ontap#191)", async () => {
    const created = await igroup({
      name: "ig1",
      initiators: [{ name: "10:00:00:10:9B:AA:01:01" }, { name: "100000109baa0102" }],
    });
    expect(first(created).initiators?.map((i) => i.name)).toEqual(esx01);
    const path = `/api/protocols/san/igroups/${first(created).uuid}/initiators`;
    expect(code(await rig.post(path, { name: "10:00:00:10:9B:AA:01:01" }))).toBe("5374035");
    // In a URL the stored spelling counts.
    const upper = await rig.del(`${path}/${encodeURIComponent("10:00:00:10:9B:AA:01:01")}`);
    expect(upper.status).toBe(404);
    expect(code(upper)).toBe("5374034");
    expect((await rig.del(`${path}/${encodeURIComponent(esx01[0] ?? "")}`)).status).toBe(200);
    expect((await rig.get(path)).body.records.map((i) => i.name)).toEqual([esx01[1]]);
  });

  test("adds one initiator or several as records, never both ways at once", async () => {
    const group = first(await igroup({ name: "ig1" }));
    expect(group.initiators).toBeUndefined();
    const path = `/api/protocols/san/igroups/${group.uuid}/initiators`;
    const records = esx01.map((name) => ({ name }));
    expect(code(await rig.post(path, { name: esx01[0], records }))).toBe("262186");
    const many = await rig.post(`${path}?return_records=true`, { records });
    expect(many.status).toBe(201);
    expect(many.body.num_records).toBe(2);
    expect(code(await rig.post(path, { records: [records[0], records[0]] }))).toBe("5374917");
    expect(code(await rig.post(path, { name: "10:00:zz" }))).toBe("5373993");
    expect(code(await rig.post(path, { name: "10:00:00" }))).toBe("5373983");
  });

  test("refuses to take a member out of a mapped igroup unless told (trident#669)", async () => {
    await makeLun(rig, "svm_bed", "v1", gib);
    const group = first(await igroup({ name: "ig1", initiators: [{ name: esx01[0] }] }));
    await map("/vol/v1/lun0", "ig1");
    const path = `/api/protocols/san/igroups/${group.uuid}/initiators/${encodeURIComponent(esx01[0] ?? "")}`;
    expect(code(await rig.del(path))).toBe("1254213");
    expect((await rig.del(`${path}?allow_delete_while_mapped=true`)).status).toBe(200);
  });

  test("renames an igroup only on its own", async () => {
    const group = first(await igroup({ name: "ig1" }));
    const path = `/api/protocols/san/igroups/${group.uuid}`;
    expect((await rig.patch(path, { name: "ig2", os_type: "linux" })).status).toBe(400);
    expect((await rig.patch(path, { name: "ig2" })).status).toBe(200);
    expect((await rig.get(path)).body.name).toBe("ig2");
  });

  test("gives the lowest free LUN number of the group, refuses one that is taken", async () => {
    for (const volume of ["v1", "v2", "v3"]) await makeLun(rig, "svm_bed", volume, gib);
    await igroup({ name: "ig1" });
    await map("/vol/v1/lun0", "ig1", 0);
    const free = await rig.post("/api/protocols/san/lun-maps?return_records=true", {
      svm: { name: "svm_bed" },
      lun: { name: "/vol/v2/lun0" },
      igroup: { name: "ig1" },
    });
    expect(first(free).logical_unit_number).toBe(1);
    const taken = await map("/vol/v3/lun0", "ig1", 1);
    expect(taken.status).toBe(409);
    expect(code(taken)).toBe("1");
    expect(code(await map("/vol/v3/lun0", "ig1", 4096))).toBe("262197");
    const again = await map("/vol/v1/lun0", "ig1", 7);
    expect(again.body.error).toMatchObject({
      code: "1254207",
      message: "LUN already mapped to this group",
    });
  });

  test("shows an initiator a LUN once, and one LUN per number", async () => {
    await makeLun(rig, "svm_bed", "v1", gib);
    await makeLun(rig, "svm_bed", "v2", gib);
    await igroup({ name: "ig1", initiators: [{ name: esx01[0] }] });
    await igroup({ name: "ig2", initiators: [{ name: esx01[0] }] });
    await map("/vol/v1/lun0", "ig1", 5);
    expect(code(await map("/vol/v1/lun0", "ig2", 6))).toBe("1254193");
    expect(code(await map("/vol/v2/lun0", "ig2", 5))).toBe("1254324");
    expect((await map("/vol/v2/lun0", "ig2", 6)).status).toBe(201);
  });

  test("refuses a map without LUN, igroup, or an FC interface of the SVM", async () => {
    await makeLun(rig, "svm_bed", "v1", gib);
    await igroup({ name: "ig1" });
    expect(code(await map("/vol/v1/nothing", "ig1"))).toBe("1254201");
    expect(code(await map("/vol/v1/lun0", "ig9"))).toBe("5374878");
    for (const lif of (await rig.get("/api/network/fc/interfaces?svm.name=svm_bed")).body.records) {
      await rig.patch(`/api/network/fc/interfaces/${lif.uuid}`, { enabled: false });
      await rig.del(`/api/network/fc/interfaces/${lif.uuid}`);
    }
    expect(code(await map("/vol/v1/lun0", "ig1"))).toBe("5374584");
  });

  test("may not find a LUN for mapping right after its creation (netapp.ontap#135)", async () => {
    rig.tamper("behave", { lunVisibleAfterMs: 60_000 });
    await makeLun(rig, "svm_bed", "v1", gib);
    await igroup({ name: "ig1" });
    expect(code(await map("/vol/v1/lun0", "ig1"))).toBe("1254201");
    rig.advance(60_001);
    expect((await map("/vol/v1/lun0", "ig1")).status).toBe(201);
  });

  test("answers partial success although the LUN is there", async () => {
    await makeLun(rig, "svm_bed", "v1", gib);
    rig.tamper("behave", { partialLuns: 1 });
    const answer = await rig.post("/api/storage/luns", {
      svm: { name: "svm_bed" },
      name: "/vol/v1/half",
      os_type: "vmware",
      space: { size: gib },
    });
    expect(code(answer)).toBe("5374863");
    expect((await rig.get("/api/storage/luns?name=/vol/v1/half")).body.num_records).toBe(1);
  });

  test("shows initiators of a map as plain names, those of a group as objects", async () => {
    await makeLun(rig, "svm_bed", "v1", gib);
    await igroup({ name: "ig1", initiators: esx01.map((name) => ({ name })) });
    await map("/vol/v1/lun0", "ig1", 3);
    const found = await rig.get("/api/protocols/san/lun-maps?igroup.name=ig1&fields=*");
    expect(first(found).igroup.initiators).toEqual(esx01);
    expect(first(found).lun.node.name).toBe("a250-01");
    const group = await rig.get(
      "/api/protocols/san/igroups?initiators.name=10:00:00:10:9b:aa:01:02",
    );
    expect(first(group).initiators?.[0]).toMatchObject({ name: esx01[0] });
  });

  test("a host sees a LUN when it is zoned with the interface's WWPN, and logins show it", async () => {
    const lun = await makeLun(rig, "svm_bed", "v1", gib);
    await igroup({ name: "ig1", initiators: esx01.map((name) => ({ name })) });
    await map("/vol/v1/lun0", "ig1", 3);
    const host = "esx01.lab.invalid";
    expect(hostDevices(rig.world.view, host)).toEqual([]);
    const lifs = (await rig.get("/api/network/fc/interfaces?svm.name=svm_bed&fields=*")).body
      .records;
    zone(rig, "A", [esx01[0] ?? "", ...wwpnsOn(lifs, "2a")]);
    const ports = await rig.get("/api/network/fc/ports?name=2b&fields=wwpn");
    // The physical port's WWPN serves no LUN.
    zone(rig, "B", [esx01[1] ?? "", ...ports.body.records.map((p) => p.wwpn)]);
    const seen = hostDevices(rig.world.view, host);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ lun: 3, serial: lun.serial_number, volumeId: lun.uuid });
    expect(seen[0]?.paths.map((path) => [path.adapter, path.optimized])).toEqual([
      ["vmhba2", true],
      ["vmhba2", false],
    ]);
    const logins = await rig.get(
      `/api/network/fc/logins?svm.name=svm_bed&fields=initiator,interface,igroups,protocol`,
    );
    expect(logins.body.num_records).toBe(2);
    expect(first(logins)).toMatchObject({
      initiator: { wwpn: esx01[0] },
      igroups: [{ name: "ig1" }],
      protocol: "fcp",
    });
    await rig.patch(`/api/protocols/san/fcp/services/${svm}`, { enabled: false });
    expect(hostDevices(rig.world.view, host)).toEqual([]);
  });
});

function wwpnsOn(lifs: readonly WireRecord[], port: string): string[] {
  return lifs.filter((l) => l.location.home_port.name === port).map((l) => l.wwpn);
}

function zone(rig: Rig, fabric: string, members: string[]): void {
  rig.world.change((state) => {
    const effective = state.fabrics[fabric]?.zoning.effective;
    if (effective === undefined) throw new Error("no effective configuration");
    effective.zones["z_test"] = { type: 0, members, principals: [] };
  });
}
