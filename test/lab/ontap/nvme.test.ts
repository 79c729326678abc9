import { worldInventory } from "../../../lab/world/inventory";
import { reachableControllers } from "../../../lab/world/nvme";
import { hostDevices } from "../../../lab/world/visibility";
import { code, first, makeNvmeSvm, makeSvm, type Rig, startRig } from "./rig";

const gib = 2 ** 30;
const esx = "esx01.lab.invalid";
const nqn = "nqn.2014-08.com.vmware:nvme:esx01";
const svm = { name: "svm_nvme" };
const services = "/api/protocols/nvme/services";
const subsystems = "/api/protocols/nvme/subsystems";
const maps = "/api/protocols/nvme/subsystem-maps";
const interfaces = "/api/network/fc/interfaces";

/** REST API reference 9.9.1: NVMe services, subsystems, namespaces, subsystem maps. */
describe("ONTAP NVMe", () => {
  let rig: Rig;
  let svmId: string;
  beforeEach(async () => {
    rig = await startRig({ profile: "9.9.1" });
    svmId = await makeNvmeSvm(rig);
  });
  afterEach(() => rig.close());

  const namespace = (body: object = {}): ReturnType<Rig["post"]> =>
    rig.post("/api/storage/namespaces?return_records=true", {
      ...{ svm, name: "/vol/v1/ns1", os_type: "vmware" },
      space: { size: gib, block_size: 512 },
      ...body,
    });
  const subsystem = (body: object = {}): ReturnType<Rig["post"]> =>
    rig.post(`${subsystems}?return_records=true`, {
      ...{ svm, name: "bed", os_type: "vmware", hosts: [{ nqn }] },
      ...body,
    });
  const volume = (): ReturnType<Rig["post"]> =>
    rig.post("/api/storage/volumes?return_timeout=5", {
      ...{ svm, name: "v1", aggregates: [{ name: "aggr_a" }], size: 2 * gib },
      guarantee: { type: "none" },
    });
  const mapped = async (): Promise<{ subsystemId: string; namespaceId: string }> => {
    await volume();
    const namespaceId = first(await namespace()).uuid;
    const subsystemId = first(await subsystem()).uuid;
    const map = { svm, subsystem: { name: "bed" }, namespace: { name: "/vol/v1/ns1" } };
    expect((await rig.post(maps, map)).status).toBe(201);
    return { subsystemId, namespaceId };
  };
  const zone = (...hbas: [fabric: "A" | "B", wwpn: string][]): void => {
    rig.world.change((state) => {
      for (const [fabric, wwpn] of hbas) {
        const lifs = Object.values(state.arrays["array"]!.targetPorts).filter(
          (lif) => lif.tenantId === svmId,
        );
        const members = [wwpn, ...lifs.map((lif) => lif.wwpn)];
        state.fabrics[fabric]!.zoning.effective!.zones["bed"] = {
          ...{ type: 0, members, principals: [] },
        };
      }
    });
  };
  const bothHbas: [fabric: "A" | "B", wwpn: string][] = [
    ["A", "10:00:00:10:9b:aa:01:01"],
    ["B", "10:00:00:10:9b:aa:01:02"],
  ];

  test("shows a namespace to a host by uuid, over optimized and non-optimized paths, when all is right", async () => {
    const { namespaceId } = await mapped();
    expect(hostDevices(rig.world.view, esx)).toEqual([]);
    zone(...bothHbas);
    const [device] = hostDevices(rig.world.view, esx);
    expect(device).toMatchObject({
      name: `uuid.${namespaceId.replaceAll("-", "")}`,
      ...{ protocol: "nvme", lun: 1, blockBytes: 512, capacityBytes: BigInt(gib) },
    });
    expect(
      device?.paths.map((path) => `${path.adapter} ${path.optimized.toString()}`).sort(),
    ).toEqual([...["vmhba65 false", "vmhba65 true", "vmhba66 false", "vmhba66 true"]]);
  });

  test.each<[string, (rig: Rig, ids: { subsystemId: string; namespaceId: string }) => unknown]>([
    [
      "its NQN is not in the subsystem",
      (r) =>
        r.del(`${subsystems}?name=bed&allow_delete_with_hosts=true&allow_delete_while_mapped=true`),
    ],
    [
      "another spelling of its NQN is in the subsystem",
      async (r, { subsystemId }) => {
        await r.del(`${subsystems}/${subsystemId}/hosts/${encodeURIComponent(nqn)}`);
        await r.post(`${subsystems}/${subsystemId}/hosts`, { nqn: nqn.replace("esx01", "ESX01") });
      },
    ],
    [
      "the namespace is unmapped",
      (r, ids) => r.del(`${maps}/${ids.subsystemId}/${ids.namespaceId}`),
    ],
    [
      "the service is disabled",
      (r) => r.patch(`${services}?svm.name=svm_nvme`, { enabled: false }),
    ],
  ])("hides the namespace from the host when %s", async (_why, change) => {
    const ids = await mapped();
    zone(...bothHbas);
    expect(hostDevices(rig.world.view, esx)).toHaveLength(1);
    await change(rig, ids);
    expect(hostDevices(rig.world.view, esx)).toEqual([]);
  });

  test("gives every host its own controllers per port, and lists those that it is connected to", async () => {
    const { subsystemId } = await mapped();
    zone(...bothHbas);
    const reachable = reachableControllers(rig.world.view, esx);
    expect(reachable).toHaveLength(4);
    expect(reachableControllers(rig.world.view, "esx02.lab.invalid")).toEqual([]);
    const path = `/api/protocols/nvme/subsystem-controllers?fields=**`;
    expect((await rig.get(path)).body.records).toEqual([]);
    rig.world.change((state) => {
      state.hosts[esx]!.nvmeConnections = reachable.slice(0, 1).map((one) => ({ ...one }));
    });
    const controller = first(await rig.get(path));
    expect(controller).toMatchObject({
      id: "0040h",
      subsystem: { name: "bed", uuid: subsystemId },
      host: { nqn, transport_address: "nn-0x200000109baa0101:pn-0x100000109baa0101" },
    });
    const shown = await rig.get(`/api/protocols/nvme/interfaces/${controller.interface.uuid}`);
    expect(shown.body).toMatchObject({
      transport_address: controller.interface.transport_address,
      fc_interface: { port: { name: "2a" } },
    });
    expect(shown.body).not.toHaveProperty("interface_type");
    expect(JSON.stringify(worldInventory(rig.world.view))).not.toContain("nvmeConnections");
  });

  test("names target and namespace as the reference shows them", async () => {
    const { subsystemId, namespaceId } = await mapped();
    const shown = await rig.get(`${subsystems}/${subsystemId}?fields=*,subsystem_maps`);
    expect(shown.body.target_nqn).toMatch(
      /^nqn\.1992-08\.com\.netapp:sn\.[0-9a-f]{32}:subsystem\.bed$/,
    );
    expect(shown.body.serial_number).toMatch(/^[A-Za-z0-9+-]{12}AAAAAAA[A-Za-z]$/);
    expect(shown.body).toMatchObject({
      subsystem_maps: [{ nsid: "00000001h", namespace: { uuid: namespaceId } }],
      io_queue: { default: { count: 4, depth: 32 } },
    });
    const bare = await rig.get(`/api/storage/namespaces/${namespaceId}`);
    expect(bare.body).not.toHaveProperty("subsystem_map");
    expect(bare.body.status).not.toHaveProperty("mapped");
    expect(bare.body.location).not.toHaveProperty("node");
    const full = await rig.get(
      `/api/storage/namespaces/${namespaceId}?fields=subsystem_map,status.mapped`,
    );
    expect(full.body).toMatchObject({
      subsystem_map: { nsid: "00000001h", anagrpid: "00000001h", subsystem: { name: "bed" } },
      status: { mapped: true },
    });
  });

  test("adds hosts one by one or as records, exactly as spelled", async () => {
    const id = first(await subsystem({ hosts: [] })).uuid;
    const hosts = `${subsystems}/${id}/hosts`;
    expect((await rig.post(hosts, { nqn })).status).toBe(201);
    const records = [{ nqn: `${nqn}-b` }, { nqn: `${nqn}-c` }];
    expect((await rig.post(hosts, { records })).status).toBe(201);
    expect((await rig.get(hosts)).body.num_records).toBe(3);
    const refusals: [string, object][] = [
      ["262186", { nqn, records }],
      ["72089705", { nqn }],
      ["72090036", { records: [{ nqn: `${nqn}-d` }, { nqn: `${nqn}-d` }] }],
      ["72090003", {}],
      ["72089772", { nqn: "iqn.1998-01.com.vmware:esx01" }],
      ["72089773", { nqn: "nqn.14-08.com.vmware:nvme:esx01" }],
      ["72089771", { nqn: "nqn.2014-08.com.vmware" }],
    ];
    for (const [expected, body] of refusals)
      expect(code(await rig.post(hosts, body))).toBe(expected);
    expect(code(await rig.del(`${hosts}/${encodeURIComponent(nqn.toUpperCase())}`))).toBe(
      "72090004",
    );
    expect((await rig.del(`${hosts}/${encodeURIComponent(nqn)}`)).status).toBe(200);
  });

  test("keeps what is in use: namespace, subsystem, service and volume go in the right order only", async () => {
    const { subsystemId, namespaceId } = await mapped();
    const [ns, ss] = [`/api/storage/namespaces/${namespaceId}`, `${subsystems}/${subsystemId}`];
    expect(code(await rig.del(ns))).toBe("72089796");
    expect(code(await rig.del("/api/storage/volumes?name=v1&return_timeout=5"))).toBe("917536");
    expect(code(await rig.del(ss))).toBe("72090023");
    expect((await rig.del(`${maps}/${subsystemId}/${namespaceId}`)).status).toBe(200);
    expect(code(await rig.del(`${maps}/${subsystemId}/${namespaceId}`))).toBe("72090019");
    expect(code(await rig.del(ss))).toBe("72090024");
    expect((await rig.del(ns)).status).toBe(200);
    expect(code(await rig.get(ns))).toBe("72090006");
    expect(code(await rig.del(`${services}/${svmId}`))).toBe("72090028");
    await rig.patch(`${services}/${svmId}`, { enabled: false });
    expect(code(await rig.del(`${services}/${svmId}`))).toBe("72089653");
    expect((await rig.del(`${ss}?allow_delete_with_hosts=true`)).status).toBe(200);
    expect(code(await rig.del(ss))).toBe("72090001");
    expect(code(await rig.del(`${services}/${svmId}`))).toBe("72089654");
    await rig.patch(`${interfaces}?svm.name=svm_nvme`, { enabled: false });
    await rig.del(`${interfaces}?svm.name=svm_nvme`);
    expect((await rig.del(`${services}/${svmId}`)).status).toBe(200);
    expect(code(await rig.del(`${services}/${svmId}`))).toBe("72089651");
  });

  test.each<[string, object]>([
    ["72090013", { os_type: undefined }],
    ["72090013", { space: { block_size: 512 } }],
    ["72089722", { space: { size: 512, block_size: 512 } }],
    ["72089723", { space: { size: 2 ** 44, block_size: 512 } }],
    ["72089724", { space: { size: gib + 512 } }],
    ["72089732", { name: "/vol/v1/a b" }],
    ["72089727", { name: "/vol/svm_nvme_root/ns" }],
    ["917927", { name: "/vol/nowhere/ns" }],
    ["5374860", { location: { namespace: "other" } }],
    ["5374861", { location: { volume: { name: "v2" } } }],
    ["5374858", { name: "ns1" }],
    // Read only, unlike that of a LUN.
    ["262196", { space: { size: gib, block_size: 512, guarantee: { requested: false } } }],
    ["262197", { space: { size: gib, block_size: 1024 } }],
  ])("refuses to create a namespace with %s", async (expected, body) => {
    await volume();
    expect(code(await namespace(body))).toBe(expected);
  });

  test("has one path for LUNs and namespaces; blocks are 4096 bytes unless told otherwise", async () => {
    await volume();
    const made = first(await namespace({ space: { size: gib } }));
    expect(made.space).toMatchObject({ block_size: 4096 });
    expect(code(await namespace())).toBe("72089725");
    expect((await rig.get("/api/storage/luns")).body.records).not.toContainEqual(
      expect.objectContaining({ uuid: made.uuid }),
    );
  });

  test("cannot rename or grow a namespace before 9.10.1; later releases let it grow", async () => {
    await volume();
    const path = `/api/storage/namespaces/${first(await namespace()).uuid}`;
    expect(code(await rig.patch(path, { name: "/vol/v1/x" }))).toBe("262196");
    expect(code(await rig.patch(path, { space: { size: 2 * gib } }))).toBe("262196");
    expect((await rig.patch(path, { comment: "ours" })).status).toBe(200);
    await rig.close();
    rig = await startRig({ profile: "9.12.1" });
    await makeNvmeSvm(rig);
    await volume();
    const later = `/api/storage/namespaces/${first(await namespace()).uuid}`;
    expect((await rig.patch(later, { space: { size: 2 * gib } })).status).toBe(200);
    expect(code(await rig.patch(later, { space: { size: gib } }))).toBe("72090038");
    expect((await rig.get(later)).body.location).toMatchObject({ node: { name: "a250-01" } });
  });

  test("maps a namespace to one subsystem only and gives the lowest free number", async () => {
    await mapped();
    await namespace({ name: "/vol/v1/ns2" });
    await subsystem({ name: "other" });
    const map = (ss: object, ns: object): ReturnType<Rig["post"]> =>
      rig.post(`${maps}?return_records=true`, { svm, subsystem: ss, namespace: ns });
    expect(code(await map({ name: "other" }, { name: "/vol/v1/ns1" }))).toBe("72089790");
    expect(code(await map({ name: "none" }, { name: "/vol/v1/ns2" }))).toBe("72090001");
    expect(code(await map({ name: "other" }, { name: "/vol/v1/ns9" }))).toBe("72090006");
    const second = first(await map({ name: "bed" }, { name: "/vol/v1/ns2" }));
    expect((await rig.get(`${maps}?nsid=00000002h&fields=nsid`)).body.num_records).toBe(1);
    expect(second).toMatchObject({ namespace: { name: "/vol/v1/ns2", node: { name: "a250-01" } } });
  });

  test("keeps SCSI and NVMe apart within an SVM", async () => {
    await makeSvm(rig, "svm_scsi");
    const scsi = { svm: { name: "svm_scsi" } };
    expect(code(await rig.post(services, scsi))).toBe("2621507");
    await rig.patch("/api/private/cli/vserver/add-protocols?vserver=svm_scsi", {
      protocols: ["nvme"],
    });
    expect(code(await rig.post(services, scsi))).toBe("72089900");
    expect(code(await rig.post(services, { svm }))).toBe("72089650");
    expect(code(await rig.post("/api/protocols/san/fcp/services", { svm }))).toBe("2621507");
    const lif = {
      svm,
      name: "x",
      location: { home_port: { name: "2c", node: { name: "a250-01" } } },
    };
    expect(code(await rig.post(interfaces, { ...lif, data_protocol: "fcp" }))).toBe("5373966");
    const group = { svm, name: "ig", os_type: "vmware" };
    expect(code(await rig.post("/api/protocols/san/igroups", group))).toBe("5373966");
    await rig.close();
    rig = await startRig({ profile: "9.12.1" });
    await makeSvm(rig, "svm_both");
    const allow = { nvme: { allowed: true } };
    await rig.job(await rig.patch("/api/svm/svms?name=svm_both", allow));
    expect((await rig.post(services, { svm: { name: "svm_both" } })).status).toBe(201);
  });

  test("takes two NVMe interfaces of an SVM on a node, on ports that can, and never moves them", async () => {
    const port = { name: "2c", node: { name: "a250-01" } };
    const lif = { svm, name: "third", data_protocol: "fc_nvme", location: { home_port: port } };
    expect(code(await rig.post(interfaces, lif))).toBe("72089901");
    await rig.patch(`${interfaces}?name=fc_a250-01_2a`, { enabled: false });
    const move = { location: { home_port: port } };
    expect(code(await rig.patch(`${interfaces}?name=fc_a250-01_2a`, move))).toBe("72089674");
    await rig.del(`${interfaces}?name=fc_a250-01_2a`);
    rig.world.change((state) => {
      for (const one of Object.values(state.arrays["array"]!.ports))
        one.attributes["noNvme"] = true;
    });
    expect(code(await rig.post(interfaces, lif))).toBe("72089672");
  });

  test("shows NVMe logins of hosts that have an NVMe adapter", async () => {
    zone(["A", "10:00:00:10:9b:aa:01:01"]);
    const logins = await rig.get("/api/network/fc/logins?svm.name=svm_nvme&fields=*");
    expect(logins.body.num_records).toBe(2);
    expect(first(logins)).toMatchObject({ protocol: "fc_nvme" });
    expect(first(logins)).not.toHaveProperty("igroups");
    rig.world.change((state) => {
      delete state.hosts[esx]!.hbas["vmhba2"]!.nvmeDevice;
    });
    expect((await rig.get("/api/network/fc/logins?svm.name=svm_nvme")).body.num_records).toBe(0);
  });

  test("leaves nothing when the SVM is taken apart", async () => {
    const other = await startRig({ profile: "9.9.1" });
    const clean = worldInventory(other.world.view);
    await other.close();
    const { subsystemId, namespaceId } = await mapped();
    await rig.del(`${maps}/${subsystemId}/${namespaceId}`);
    await rig.del(`/api/storage/namespaces/${namespaceId}`);
    await rig.del(`${subsystems}/${subsystemId}?allow_delete_with_hosts=true`);
    await rig.job(await rig.del("/api/storage/volumes?name=v1"));
    await rig.patch(`${interfaces}?svm.name=svm_nvme`, { enabled: false });
    await rig.del(`${interfaces}?svm.name=svm_nvme`);
    await rig.patch(`${services}/${svmId}`, { enabled: false });
    await rig.del(`${services}/${svmId}`);
    await rig.job(await rig.del(`/api/svm/svms/${svmId}`));
    expect(worldInventory(rig.world.view)).toEqual(clean);
  });
});
