import { code, makeSvm, type Rig, startRig } from "./rig";

describe("QoS policies", () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig({ profile: "9.8" });
    await makeSvm(rig);
  });
  afterEach(() => rig.close());

  const path = "/api/storage/qos/policies";
  const policy = (name: string, more: object = { fixed: { max_throughput_iops: 5000 } }) =>
    rig.post(`${path}?return_timeout=15`, { svm: { name: "svm_bed" }, name, ...more });
  const volume = (more: object) =>
    rig.post("/api/storage/volumes?return_timeout=15", {
      ...{ svm: { name: "svm_bed" }, name: "v1", aggregates: [{ name: "aggr_a" }], size: 1e9 },
      ...more,
    });

  test("are made for an SVM, given to volumes by name, and gone from them when deleted", async () => {
    expect((await policy("gold")).status).toBe(201);
    expect(code(await policy("gold"))).toBe("1");
    expect((await volume({ qos: { policy: { name: "gold" } } })).status).toBe(201);
    const limited = await rig.get("/api/storage/volumes?name=v1&fields=qos.policy.name");
    expect(limited.body).toMatchObject({ records: [{ qos: { policy: { name: "gold" } } }] });
    const all = await rig.get(`${path}?fields=*&name=gold`);
    expect(all.body).toMatchObject({
      records: [
        { object_count: 1, fixed: { max_throughput_iops: 5000 }, svm: { name: "svm_bed" } },
      ],
    });
    const [{ uuid } = { uuid: "" }] = all.body.records as unknown as { uuid: string }[];
    expect((await rig.patch(`${path}/${uuid}?return_timeout=15`, { name: "silver" })).status).toBe(
      200,
    );
    expect((await rig.del(`${path}/${uuid}?return_timeout=15`)).status).toBe(200);
    const free = await rig.get("/api/storage/volumes?name=v1&fields=qos.policy.name");
    expect(JSON.stringify(free.body)).not.toContain("silver");
  });

  test("are refused when nobody knows them, or they say nothing", async () => {
    expect(code(await volume({ qos: { policy: { name: "gold" } } }))).toBe("4");
    expect(code(await policy("empty", {}))).toBeDefined();
    expect(code(await policy("both", { fixed: {}, adaptive: {} }))).toBeDefined();
  });
});
