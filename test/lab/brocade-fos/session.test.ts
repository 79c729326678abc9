import { withLab } from "../../support/lab";
import { deviceRequest } from "../../support/device-request";
import { credentials, firstError, FosSession } from "./fos-client";

describe("sessions of the FOS emulator", () => {
  it("hands out a token, takes it verbatim and ends it at logout", () =>
    withLab("D", async (lab) => {
      const session = await FosSession.login(lab);
      expect(session.token).toMatch(/^Custom_Basic \S+$/);
      const read = await session.send("GET", "/rest/running/brocade-chassis/chassis");
      expect(read.status).toBe(200);
      expect((await session.logout()).status).toBe(204);
      expect((await session.zone("GET", "defined-configuration")).status).toBe(401);
    }));

  it("refuses a wrong password, a missing scheme and a fourth session", () =>
    withLab("D", async (lab) => {
      expect((await FosSession.tryLogin(lab, "fabricA", "wrong")).status).toBe(401);
      const bare = await deviceRequest(lab, "fabricA", "GET", "/rest/running/brocade-zone", {
        headers: { authorization: "token", accept: "application/yang-data+json" },
      });
      expect(firstError(bare)).toMatchObject({ code: 20, message: "Invalid auth-type" });
      const open = [1, 2, 3].map(() => FosSession.login(lab));
      const [first] = await Promise.all(open);
      const fourth = await FosSession.tryLogin(lab);
      expect(fourth.status).toBe(403);
      expect(firstError(fourth)).toMatchObject({ code: 14, module: "rest" });
      await first?.logout();
      expect((await FosSession.tryLogin(lab)).status).toBe(200);
    }));

  it("answers XML unless JSON is asked for by its full name", () =>
    withLab("D", async (lab) => {
      const session = await FosSession.login(lab);
      const path = "/rest/running/brocade-zone/effective-configuration";
      const reply = await deviceRequest(lab, "fabricA", "GET", path, {
        headers: { authorization: session.token, accept: "application/json" },
      });
      expect(reply.headers["content-type"]).toBe("application/yang-data+xml");
      expect(reply.body).toContain(
        "<Response><effective-configuration><cfg-name>prod_A</cfg-name>",
      );
    }));

  it("lets 9.1 read without a login and 8.2 not", () =>
    withLab("D", async (lab) => {
      const read = (device: string): Promise<{ status: number }> => {
        const { user, password } = credentials(lab, device);
        const basic = Buffer.from(`${user}:${password}`).toString("base64");
        return deviceRequest(lab, device, "GET", "/rest/running/brocade-fabric/fabric-switch", {
          headers: { authorization: `Basic ${basic}` },
        });
      };
      expect((await read("fabricA")).status).toBe(200);
      expect((await read("fabricB")).status).toBe(401);
    }));

  it("answers an unknown route with the device's error and counts it", () =>
    withLab("D", async (lab) => {
      const session = await FosSession.login(lab);
      const reply = await session.send("GET", "/rest/running/zoning/defined-configuration");
      expect(reply.status).toBe(400);
      expect(firstError(reply)).toMatchObject({ message: "Invalid REST URI", code: 5 });
      const status = await lab.client.status();
      expect(status.emulators["fabricA"]?.unknownRoutes).toBe(1);
      const old = await FosSession.login(lab, "fabricB");
      const answer = await old.send("GET", "/rest/running/zoning/defined-configuration");
      expect(answer.status).toBe(200);
    }));

  it("shows the name server from the cabling: host ports, other people's, array ports, NPIV", () =>
    withLab("D", async (lab) => {
      const session = await FosSession.login(lab);
      const { "fibrechannel-name-server": entries } = (await session.get(
        "brocade-name-server/fibrechannel-name-server",
      )) as { "fibrechannel-name-server": Record<string, unknown>[] };
      const hba = entries.find((e) => e["port-name"] === "10:00:00:10:9b:aa:01:01");
      expect(hba).toMatchObject({
        "port-id": "0x010000",
        "fc4-features": "FCP-Initiator",
        "name-server-device-type": "Physical Initiator",
      });
      const lif = entries.find((e) => e["port-name"] === "20:01:00:a0:98:f0:00:01");
      expect(lif).toMatchObject({
        "port-id": "0x011001",
        "permanent-port-name": "50:0a:09:81:80:5a:00:01",
        "name-server-device-type": "NPIV Target",
      });
      expect(entries.some((e) => e["port-name"] === "10:00:00:10:9b:aa:01:02")).toBe(false);
      await lab.client.tamper("world", "set-hba", {
        host: "esx01.lab.invalid",
        adapter: "vmhba2",
        online: false,
      });
      const gone = await session.send(
        "GET",
        "/rest/running/brocade-name-server/fibrechannel-name-server/port-id/0x010000",
      );
      expect(gone.status).toBe(404);
    }));
});
