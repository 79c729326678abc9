import { deviceRequest } from "../../support/device-request";
import { withLab } from "../../support/lab";
import { firstError, FosSession } from "./fos-client";

const alias = {
  "alias-name": "a1",
  "member-entry": { "alias-entry-name": ["10:00:00:10:9B:AA:01:01"] },
};
const zone = {
  "zone-name": "z1",
  "member-entry": { "entry-name": ["a1", "20:01:00:a0:98:f0:00:01"] },
};

async function stage(session: FosSession): Promise<string> {
  const checksum = await session.checksum();
  const body = { "defined-configuration": { alias: [alias], zone: [zone] } };
  expect((await session.zone("POST", "defined-configuration", body)).status).toBe(201);
  const cfg = { cfg: { "cfg-name": "prod_A", "member-zone": { "zone-name": ["z1"] } } };
  expect((await session.zone("POST", "defined-configuration/cfg", cfg)).status).toBe(201);
  return checksum;
}

describe("zoning transactions of the FOS emulator", () => {
  it("stages, commits under the checksum, expands aliases, and stores WWNs in lower case", () =>
    withLab("D", async (lab) => {
      const session = await FosSession.login(lab);
      const checksum = await stage(session);
      expect((await session.effective())["transaction-token"]).not.toBe(0);
      const before = lab.lab?.world.view.fabrics["A"]?.zoning.defined.zones;
      expect(before).not.toHaveProperty("z1");
      expect((await session.enable("prod_A", checksum)).status).toBe(204);
      const effective = await session.effective();
      expect(effective["checksum"]).toMatch(/^[0-9a-f]{32}$/);
      expect(effective["checksum"]).not.toBe(checksum);
      expect(effective["transaction-token"]).toBe(0);
      expect(effective["enabled-zone"]).toContainEqual({
        "zone-name": "z1",
        "zone-type": 0,
        "zone-type-string": "zone",
        "member-entry": { "entry-name": ["10:00:00:10:9b:aa:01:01", "20:01:00:a0:98:f0:00:01"] },
      });
      expect(effective["enabled-zone"]).toHaveLength(3);
    }));

  it("refuses a commit under a stale or missing checksum and keeps the transaction", () =>
    withLab("D", async (lab) => {
      const session = await FosSession.login(lab);
      const checksum = await stage(session);
      await lab.client.tamper("fabricA", "set-alias", { name: "x", members: ["1,60"] });
      const stale = await session.enable("prod_A", checksum);
      expect(stale.status).toBe(400);
      expect(firstError(stale).module).toBe("zone");
      const missing = await session.zone("PATCH", "effective-configuration/cfg-action/1");
      expect(missing.status).toBe(400);
      expect((await session.effective())["transaction-token"]).not.toBe(0);
    }));

  it("keeps a second writer out with code -3 until the first one's session ends", () =>
    withLab("D", async (lab) => {
      const one = await FosSession.login(lab);
      const two = await FosSession.login(lab);
      await stage(one);
      const body = { alias: [{ ...alias, "alias-name": "b1" }] };
      const refused = await two.zone("POST", "defined-configuration/alias", body);
      expect(firstError(refused)).toMatchObject({ code: -3, module: "zone" });
      expect(firstError(refused).message).toMatch(/^There is an outstanding admin transaction/);
      await one.logout();
      expect((await two.zone("POST", "defined-configuration/alias", body)).status).toBe(201);
      const defined = await two.get("brocade-zone/defined-configuration");
      expect(JSON.stringify(defined)).not.toContain('"a1"');
    }));

  it("names the holder of the fabric lock on 9.x", () =>
    withLab("D", async (lab) => {
      await lab.client.tamper("fabricA", "open-transaction");
      const session = await FosSession.login(lab);
      const lock = await session.get("brocade-zone/fabric-lock");
      expect(lock["fabric-lock"]).toMatchObject({
        "lock-principal-domain-id": 1,
        "client-user-name": "otheradmin",
        "client-interface": "CLI",
      });
      await lab.client.tamper("fabricA", "drop-transaction");
      const free = await session.get("brocade-zone/fabric-lock");
      expect(free["fabric-lock"]).toEqual({ "lock-principal-domain-id": 0 });
    }));

  it("takes a delete of a zone that a configuration names, and fails the enable", () =>
    withLab("D", async (lab) => {
      const session = await FosSession.login(lab);
      const checksum = await session.checksum();
      const path = "defined-configuration/zone/zone-name/z_backup";
      expect((await session.zone("DELETE", path)).status).toBe(204);
      const enable = await session.enable("prod_A", checksum);
      expect(enable.status).toBe(400);
      expect(firstError(enable)).toMatchObject({ code: -1, message: '"z_backup" not found' });
      const abort = await session.zone("PATCH", "effective-configuration/cfg-action/4");
      expect(abort.status).toBe(204);
      expect((await session.zone("GET", path)).status).toBe(200);
    }));

  it("adds by POST, replaces by PATCH, and refuses what is already so with code -8", () =>
    withLab("D", async (lab) => {
      const session = await FosSession.login(lab);
      const erp = (member: string): object => ({
        alias: { "alias-name": "erp_db01", "member-entry": { "alias-entry-name": [member] } },
      });
      const list = "defined-configuration/alias";
      const same = await session.zone("POST", list, erp("21:00:00:24:FF:7B:10:01"));
      expect(firstError(same)).toMatchObject({ code: -8 });
      expect((await session.zone("POST", list, erp("1,5"))).status).toBe(201);
      const read = async (): Promise<unknown> =>
        (await session.get(`brocade-zone/${list}/alias-name/erp_db01`))["alias"];
      expect(await read()).toMatchObject({
        "member-entry": { "alias-entry-name": ["21:00:00:24:ff:7b:10:01", "1,5"] },
      });
      expect((await session.zone("PATCH", list, erp("1,6"))).status).toBe(204);
      expect(await read()).toMatchObject({ "member-entry": { "alias-entry-name": ["1,6"] } });
      const absent = await session.zone("PATCH", list, { alias: alias });
      expect(firstError(absent)).toMatchObject({ code: -1, message: '"a1" not found' });
    }));

  it("refuses wrong names, nested aliases, empty objects and unknown leaves", () =>
    withLab("D", async (lab) => {
      const session = await FosSession.login(lab);
      const post = async (body: object): Promise<number> =>
        (await session.zone("POST", "defined-configuration", { "defined-configuration": body }))
          .status;
      const named = (name: string): object => ({ alias: { ...alias, "alias-name": name } });
      expect(await post(named("a".repeat(64)))).toBe(201);
      expect(await post(named("a".repeat(65)))).toBe(400);
      expect(await post(named("with space"))).toBe(400);
      const nested = { "alias-name": "n", "member-entry": { "alias-entry-name": ["erp_db01"] } };
      expect(await post({ alias: nested })).toBe(400);
      expect(await post({ zone: { "zone-name": "empty" } })).toBe(400);
      expect(await post({ alias: { ...alias, comment: "x" } })).toBe(400);
      expect(await post({ zone: { ...zone, "zone-name": "erp_db01" } })).toBe(400);
    }));

  it("takes the same request in XML and refuses zone-type-string on 8.2", () =>
    withLab("D", async (lab) => {
      const session = await FosSession.login(lab, "fabricB");
      const body =
        "<alias><alias-name>ax</alias-name><member-entry>" +
        "<alias-entry-name>2,7</alias-entry-name><alias-entry-name>2,8</alias-entry-name>" +
        "</member-entry></alias>";
      const path = "/rest/running/zoning/defined-configuration/alias";
      const reply = await deviceRequest(lab, "fabricB", "POST", path, {
        headers: { authorization: session.token, "content-type": "application/yang-data+xml" },
        body,
      });
      expect(reply.status).toBe(201);
      const read = await session.get("brocade-zone/defined-configuration/alias/alias-name/ax");
      expect(read["alias"]).toMatchObject({
        "member-entry": { "alias-entry-name": ["2,7", "2,8"] },
      });
      const typed = { zone: { ...zone, "zone-type-string": "zone" } };
      expect((await session.zone("POST", "defined-configuration/zone", typed)).status).toBe(400);
    }));

  it("saves without touching what is in force, and will not delete the enabled configuration", () =>
    withLab("D", async (lab) => {
      const session = await FosSession.login(lab);
      const checksum = await stage(session);
      const save = { "effective-configuration": { "cfg-action": 1, checksum } };
      expect((await session.zone("PATCH", "effective-configuration", save)).status).toBe(204);
      expect((await session.effective())["enabled-zone"]).toHaveLength(2);
      const path = "defined-configuration/cfg/cfg-name/prod_A";
      expect((await session.zone("DELETE", path)).status).toBe(204);
      const next = {
        "effective-configuration": { "cfg-action": 1, checksum: await session.checksum() },
      };
      expect((await session.zone("PATCH", "effective-configuration", next)).status).toBe(400);
    }));

  it("keeps peer zones: members reach principals only, and only peer zones have those", () =>
    withLab("D", async (lab) => {
      const session = await FosSession.login(lab);
      const checksum = await session.checksum();
      const peer = {
        "zone-name": "p1",
        "zone-type": 1,
        "member-entry": {
          "entry-name": ["10:00:00:10:9b:aa:01:01"],
          "principal-entry-name": ["20:01:00:a0:98:f0:00:01"],
        },
      };
      const path = "defined-configuration/zone";
      const plain = await session.zone("POST", path, { zone: [{ ...peer, "zone-type": 0 }] });
      expect(plain.status).toBe(400);
      expect((await session.zone("POST", path, { zone: [peer] })).status).toBe(201);
      const cfg = { cfg: { "cfg-name": "prod_A", "member-zone": { "zone-name": ["p1"] } } };
      expect((await session.zone("POST", "defined-configuration/cfg", cfg)).status).toBe(201);
      expect((await session.enable("prod_A", checksum)).status).toBe(204);
      expect((await session.effective())["enabled-zone"]).toContainEqual({
        ...peer,
        "zone-type-string": "user-created-peer-zone",
      });
    }));

  it("opens or closes a fabric without a configuration by its default access", () =>
    withLab("D", async (lab) => {
      const session = await FosSession.login(lab);
      const patch = (leaves: object): ReturnType<FosSession["zone"]> =>
        session.zone("PATCH", "effective-configuration", { "effective-configuration": leaves });
      expect((await session.effective())["default-zone-access"]).toBe(0);
      expect((await patch({ "default-zone-access": 1 })).status).toBe(204);
      const checksum = await session.checksum();
      expect((await patch({ "cfg-action": 1, checksum })).status).toBe(204);
      expect((await session.effective())["default-zone-access"]).toBe(1);
      const off = await patch({ "cfg-action": 2, checksum: await session.checksum() });
      expect(off.status).toBe(204);
      expect(await session.effective()).not.toHaveProperty("cfg-name");
      expect(lab.lab?.world.view.fabrics["A"]?.zoning).toMatchObject({ defaultAccess: "all" });
    }));

  it("follows fault rules: busy, a dropped answer after the commit, latency", () =>
    withLab("D", async (lab) => {
      const session = await FosSession.login(lab);
      const checksum = await stage(session);
      const match = { method: "PATCH", path: "effective-configuration" };
      await lab.client.addFault({ device: "fabricA", match, times: 1, effect: { code: "busy" } });
      const busy = await session.enable("prod_A", checksum);
      expect(firstError(busy).message).toContain("The Fabric is busy");
      await lab.client.addFault({
        device: "fabricA",
        match,
        times: 1,
        effect: { dropAfter: true },
      });
      await expect(session.enable("prod_A", checksum)).rejects.toThrow();
      expect((await session.effective())["enabled-zone"]).toHaveLength(3);
      const id = await lab.client.addFault({ device: "*", effect: { latencyMs: 80 } });
      const start = performance.now();
      await session.checksum();
      expect(performance.now() - start).toBeGreaterThanOrEqual(79);
      await lab.client.removeFault(id);
      const records = await lab.client.requests("fabricA");
      expect(records.filter((record) => record.write && record.status === undefined)).toHaveLength(
        1,
      );
    }));
});
