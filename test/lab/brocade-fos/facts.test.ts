import { FosLogin } from "../../../lab/brocade-fos/login";
import { fosRelease } from "../../../lab/brocade-fos/release";
import type { EmulatorRequest } from "../../../lab/emulator/emulator";
import { withLab } from "../../support/lab";
import { deviceRequest } from "../../support/device-request";
import { FosSession } from "./fos-client";

describe("which models a release of FOS serves", () => {
  it.each([
    [
      "8.2.0",
      ["zoning", "switch", "fabric"],
      ["brocade-zone", "brocade-name-server", "brocade-chassis"],
    ],
    [
      "8.2.0a",
      ["zoning", "brocade-name-server", "logical-switch"],
      ["brocade-chassis", "brocade-fabric"],
    ],
    [
      "8.2.1a",
      ["zoning", "brocade-chassis", "fabric"],
      ["brocade-module-version", "brocade-logging"],
    ],
    ["8.2.1b", ["zoning", "brocade-zone", "brocade-module-version"], ["brocade-logging"]],
    ["8.2.3c", ["switch", "brocade-fibrechannel-switch", "brocade-logging"], []],
    ["9.0.1b", ["zoning", "brocade-zone", "brocade-logging"], []],
    ["9.1.1b", ["brocade-zone", "brocade-logging"], ["zoning", "switch", "fabric"]],
    ["9.2.1b", ["brocade-zone", "brocade-chassis"], ["zoning", "logical-switch"]],
    ["10.0.0", ["brocade-zone", "brocade-chassis"], ["zoning"]],
  ])("%s serves %j and not %j", (profile, served, refused) =>
    withLab(
      "D",
      async (lab) => {
        const lists: Record<string, string> = {
          zoning: "effective-configuration",
          "brocade-zone": "effective-configuration",
          switch: "fibrechannel-switch",
          "brocade-fibrechannel-switch": "fibrechannel-switch",
          fabric: "fabric-switch",
          "brocade-fabric": "fabric-switch",
          "logical-switch": "fibrechannel-logical-switch",
          "brocade-name-server": "fibrechannel-name-server",
          "brocade-chassis": "chassis",
          "brocade-logging": "error-log",
        };
        const session = await FosSession.login(lab);
        const known = async (module: string): Promise<boolean> => {
          const list = lists[module];
          const path = list === undefined ? `/rest/${module}` : `/rest/running/${module}/${list}`;
          const reply = await session.send("GET", path);
          return !reply.body.includes("Invalid REST URI");
        };
        for (const module of served) expect([module, await known(module)]).toEqual([module, true]);
        for (const module of refused)
          expect([module, await known(module)]).toEqual([module, false]);
      },
      { profiles: { fabricA: profile } },
    ),
  );
});

describe("facts and counters of the FOS emulator", () => {
  it("counts what happens to a port, and gives 64 bits as numbers with all their digits", () =>
    withLab("D", async (lab) => {
      const session = await FosSession.login(lab);
      const add = (counter: string, by: number): Promise<unknown> =>
        lab.client.tamper("fabricA", "add-errors", { port: "0/3", counter, by });
      await add("crcErrorCount", 3);
      await add("crcErrorCount", 2);
      await add("creditZeroCount", 9);
      const path = "/rest/running/brocade-interface/fibrechannel-statistics/name/0%2F3";
      const counts = async (): Promise<Record<string, unknown>> => {
        const reply = await session.send("GET", path);
        const { Response: tree } = JSON.parse(reply.body) as { Response: Record<string, object> };
        return tree["fibrechannel-statistics"] as Record<string, unknown>;
      };
      expect(await counts()).toMatchObject({
        name: "0/3",
        "crc-errors": 5,
        "bb-credit-zero": 9,
        "link-failures": 0,
      });
      lab.lab!.world.change(({ fabrics }) => {
        fabrics["A"]!.switches["fabricA"]!.ports["0/3"]!.counters = {
          octetsInCount: 18_446_744_073_709_551_615n,
        };
      });
      const raw = await session.send("GET", path);
      expect(raw.body).toContain('"in-octets":18446744073709551615');
      await lab.client.tamper("fabricA", "set-readings", { counters: "string" });
      expect(await counts()).toMatchObject({ "in-octets": "18446744073709551615" });
    }));

  it("logs what changes the effective configuration, and nothing when it is the same again", () =>
    withLab("D", async (lab) => {
      const session = await FosSession.login(lab);
      const zoning = async (): Promise<unknown[]> => {
        const tree = await session.get("brocade-logging/error-log");
        const all = tree["error-log"] as Record<string, unknown>[];
        return all
          .filter((entry) => String(entry["message-id"]).startsWith("ZONE"))
          .map((entry) => entry["message-text"]);
      };
      expect((await session.enable("prod_A", await session.checksum())).status).toBe(204);
      expect(await zoning()).toEqual([]);
      expect((await session.enable("old_A", await session.checksum())).status).toBe(204);
      expect(await zoning()).toEqual(["The effective configuration has changed to old_A."]);
    }));

  it("keeps traffic isolation zones that REST does not show, in size and checksum, over commits", () =>
    withLab("D", async (lab) => {
      const session = await FosSession.login(lab);
      const before = await session.effective();
      await lab.client.tamper("fabricA", "set-ti-zone", { name: "ti_1", members: ["1,3", "1,4"] });
      const after = await session.effective();
      expect(after["checksum"]).not.toBe(before["checksum"]);
      expect(Number(after["db-committed"])).toBeGreaterThan(Number(before["db-committed"]));
      expect(JSON.stringify(await session.get("brocade-zone/defined-configuration"))).not.toContain(
        "ti_1",
      );
      expect((await session.enable("old_A", String(after["checksum"]))).status).toBe(204);
      const { attributes } = lab.lab!.world.view.fabrics["A"]!;
      expect(attributes).toEqual({ tiZones: { ti_1: ["1,3", "1,4"] } });
    }));

  it("tells its session limit on 9.1, and denies logins at the one that is set", () =>
    withLab("D", async (lab) => {
      const session = await FosSession.login(lab);
      await lab.client.tamper("fabricA", "set-session-cap", { cap: 1 });
      const tree = await session.get("brocade-chassis/management-interface-configuration");
      expect(tree["management-interface-configuration"]).toMatchObject({ "max-rest-sessions": 1 });
      expect((await FosSession.tryLogin(lab)).status).toBe(403);
    }));
});

describe("REST sessions of the FOS emulator", () => {
  it("end after two hours without use, and free their place", () => {
    let now = 0;
    const ended: number[] = [];
    const login = new FosLogin({
      credentials: { user: "u", password: "p" },
      release: fosRelease("9.1.1b"),
      now: () => now,
      onEnd: ({ id }) => ended.push(id),
    });
    const basic = `Basic ${Buffer.from("u:p").toString("base64")}`;
    const request = (authorization: string): EmulatorRequest => ({
      method: "POST",
      path: "/rest/login",
      query: new URLSearchParams(),
      headers: { authorization },
      body: "",
      remoteAddress: "127.0.0.1",
      signal: new AbortController().signal,
    });
    const token = login.login(request(basic)).headers?.["authorization"] ?? "";
    now += 2 * 3_600_000;
    expect(login.access(request(token)).type).toBe("session");
    now += 2 * 3_600_000 + 1;
    expect(() => login.access(request(token))).toThrow("Invalid or expired session");
    expect(ended).toEqual([1]);
  });

  it("are not needed for reads from 9.1 on, and are for writes", () =>
    withLab("D", async (lab) => {
      const text = (await FosSession.login(lab)).token;
      expect(text).toMatch(/^Custom_Basic /);
      const reply = await deviceRequest(
        lab,
        "fabricA",
        "POST",
        "/rest/running/brocade-zone/defined-configuration",
        {
          headers: { authorization: `Basic ${Buffer.from("admin:x").toString("base64")}` },
        },
      );
      expect(reply.status).toBe(401);
    }));
});
