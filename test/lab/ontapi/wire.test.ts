import { startRig, type Rig, makeVserver, only, leaf, records, makeVolume, makeLun } from "./rig";

let rig: Rig;
beforeEach(async () => {
  rig = await startRig();
});
afterEach(() => rig.close());

const envelope = (inside: string): string =>
  `<netapp xmlns="http://www.netapp.com/filer/admin" version="1.150">${inside}</netapp>`;

test("a cluster tells its release and the version of ONTAPI that it speaks", async () => {
  const version = await rig.zapi("system-get-version");
  expect(version.text).toContain("<!DOCTYPE netapp SYSTEM 'file:/etc/netapp_gx.dtd'>");
  expect(leaf(version.results, "version")).toMatch(/^NetApp Release 9\.5RC1:/);
  const tuple = (name: string): string | undefined =>
    leaf(version.results, "version-tuple", "system-version-tuple", name);
  expect([tuple("generation"), tuple("major"), tuple("minor")]).toEqual(["9", "5", "0"]);
  const ontapi = await rig.zapi("system-get-ontapi-version");
  expect(leaf(ontapi.results, "minor-version")).toBe("150");
});

test("below /api 9.5 tells its version and lets nobody provision", async () => {
  const cluster = await rig.get("/api/cluster?fields=version");
  expect(JSON.parse(cluster.body)).toMatchObject({
    version: { generation: 9, major: 5, minor: 0 },
  });
  const luns = await rig.get("/api/storage/luns");
  expect([luns.status, JSON.parse(luns.body)]).toMatchObject([404, { error: { code: "3" } }]);
});

test("a wrong password gets 401, a method other than POST 405", async () => {
  expect((await rig.zapi("system-get-version", "", { password: "x" })).http).toBe(401);
  expect((await rig.raw("", { method: "GET" })).http).toBe(405);
});

test.each([
  ["no XML", "system-get-version", "13001", "well-formed"],
  ["an element that is not closed", envelope("<a>"), "13001", "well-formed"],
  ["another namespace", "<netapp xmlns='x' version='1.150'><a/></netapp>", "13001", "netapp"],
  ["no API", envelope(""), "13001", "No elements in API request"],
  [
    "an API that does not exist",
    envelope("<lun-frobnicate/>"),
    "13005",
    "Unable to find API: lun-frobnicate",
  ],
  [
    "an element that the API does not take",
    envelope("<system-get-version><all>true</all></system-get-version>"),
    "13001",
    "Extra input: all",
  ],
])("%s is refused with 200 and a number", async (_what, body, errno, reason) => {
  const answer = await rig.raw(body);
  expect([answer.http, answer.status, answer.errno]).toEqual([200, "failed", errno]);
  expect(answer.reason).toContain(reason);
});

test("a document type with entities is not even looked at", async () => {
  const doctype = '<!DOCTYPE netapp [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
  const answer = await rig.raw(doctype + envelope("<system-get-version>&x;</system-get-version>"));
  expect(answer.errno).toBe("13001");
});

test("a client that speaks a later version than the array is refused", async () => {
  expect((await rig.zapi("system-get-version", "", { version: "1.151" })).errno).toBe("13010");
  expect((await rig.zapi("system-get-version", "", { version: "1.21" })).status).toBe("passed");
});

test("calls are tunnelled to a vserver by name; what is the cluster's is not found there", async () => {
  await makeVserver(rig);
  expect((await rig.zapi("lun-get-iter", "", { vfiler: "svm_none" })).errno).toBe("15698");
  const nodes = await rig.zapi("system-node-get-iter", "", { vfiler: "svm_bed" });
  expect([nodes.errno, nodes.reason]).toEqual([
    "13005",
    "Unable to find API: system-node-get-iter on data vserver svm_bed",
  ]);
  const create = await rig.zapi("volume-create", "<volume>v</volume>");
  expect(create.reason).toBe("Vserver API missing vserver parameter.");
  expect(records(await rig.bed("vserver-get-iter"), "vserver-info")).toHaveLength(1);
});

test("an account that may only read is refused writes and served reads", async () => {
  await rig.close();
  rig = await startRig({ accounts: [{ user: "viewer", password: "p", role: "readonly" }] });
  const as = { user: "viewer", password: "p" };
  expect((await rig.zapi("aggr-get-iter", "", as)).status).toBe("passed");
  const denied = await rig.zapi("vserver-destroy", "<vserver-name>svm_erp</vserver-name>", as);
  expect([denied.errno, denied.reason]).toEqual([
    "13003",
    "Insufficient privileges: user 'viewer' does not have write access to this resource",
  ]);
});

test("pages end without a next-tag, and a tag survives being escaped", async () => {
  await makeVserver(rig);
  await makeVolume(rig, "v", "20g");
  for (let i = 0; i < 23; i++) await makeLun(rig, `/vol/v/lun${i.toString()}`, 4096 * (i + 1));
  const first = await rig.bed("lun-get-iter");
  // 20 records are what a client gets that names no number.
  expect(records(first, "lun-info")).toHaveLength(20);
  const tag = leaf(first.results, "next-tag") ?? "";
  expect(tag).toMatch(/^<lun-get-iter-key-td>/);
  const escaped = tag.replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const second = await rig.bed("lun-get-iter", `<tag>${escaped}</tag>`);
  expect(records(second, "lun-info")).toHaveLength(3);
  expect(leaf(second.results, "next-tag")).toBeUndefined();
  const paths = [...records(first, "lun-info"), ...records(second, "lun-info")].map(
    (r) => r["path"],
  );
  expect(new Set(paths).size).toBe(23);
  expect((await rig.bed("lun-get-iter", "<tag>nonsense</tag>")).errno).toBe("1014");
});

test("a query filters, desired-attributes cut down, unknown attributes are refused", async () => {
  await makeVserver(rig);
  await makeVolume(rig, "v1");
  await makeVolume(rig, "v2");
  await makeLun(rig, "/vol/v1/a", 4096);
  await makeLun(rig, "/vol/v2/b", 4096);
  const query = "<query><lun-info><volume>v2|v3</volume><path>*b</path></lun-info></query>";
  const wanted = "<desired-attributes><lun-info><path/></lun-info></desired-attributes>";
  const answer = await rig.bed("lun-get-iter", query + wanted);
  expect(only(answer, "lun-info")).toEqual({ path: "/vol/v2/b" });
  const none = await rig.bed("lun-get-iter", "<query><lun-info><path>x</path></lun-info></query>");
  expect([none.results["num-records"], none.results["attributes-list"]]).toEqual(["0", undefined]);
  const bad = await rig.bed(
    "lun-get-iter",
    "<query><lun-info><colour>x</colour></lun-info></query>",
  );
  expect(bad.reason).toBe("Extra input: colour");
});

test("a fault rule makes the array answer its number", async () => {
  rig.faults.add({
    device: "array",
    match: { body: "lun-map" },
    skip: 0,
    effect: { code: "13001" },
    seed: 1,
  });
  expect((await rig.zapi("lun-map-get-iter")).errno).toBe("13001");
  expect((await rig.zapi("lun-get-iter")).status).toBe("passed");
});

test("the log knows reads from writes, and counts APIs that the array does not have", async () => {
  await rig.zapi("lun-get-iter");
  await rig.zapi("vserver-destroy", "<vserver-name>none</vserver-name>");
  await rig.zapi("no-such-api");
  expect(rig.log.list("array").map((record) => record.write)).toEqual([false, true, false]);
  expect(rig.log.unknownRoutes("array")).toBe(1);
});
