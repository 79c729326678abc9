import { isDeviceError } from "../../bed/errors";
import { call } from "../support/device-rig";
import {
  alias,
  apply,
  expectClean,
  failure,
  initiator,
  removal,
  upsert,
  withMds,
  zone,
  type MdsTest,
} from "../support/mds-rig";

jest.setTimeout(60_000);

describe("an MDS switch", () => {
  const run = (test: MdsTest, patience = {}, settings = {}): Promise<void> =>
    withMds("enhanced", test, patience, settings);

  test("tells what it is, who is logged in, and what its ports and its log show", async () => {
    await run(async (fabric, lab) => {
      const facts = await fabric.facts(call());
      expect(facts).toMatchObject({ firmware: "9.3(2)", fabricName: "bed_a" });
      expect(facts.switchWwn).toMatch(/^20:00:/);
      const logins = await fabric.logins(call());
      expect(logins.some((login) => login.role === "initiator")).toBe(true);
      expect(logins.some((login) => login.role === "target")).toBe(true);
      const before = await fabric.ports(call());
      const port = before.ports.find((one) => one.attached.includes(logins[0]!.wwpn))!;
      expect(port).toMatchObject({ state: "online", type: "F", speedGbps: 32 });
      await lab.client.tamper("fabricA", "add-errors", {
        port: port.name,
        by: 7,
        counter: "crcErrorCount",
      });
      const after = (await fabric.ports(call())).ports.find((one) => one.name === port.name)!;
      expect((after.counters.crcErrors ?? 0n) - (port.counters.crcErrors ?? 0n)).toBe(7n);
      await lab.client.tamper("fabricA", "log", { tag: "PORT-5-IF_DOWN_LINK_FAILURE", text: "x" });
      const events = await fabric.events(call(), Date.now() - 60_000);
      expect(events.map((event) => event.id)).toContain("PORT-5-IF_DOWN_LINK_FAILURE");
      expect(await fabric.events(call(), Date.now() + 60_000)).toEqual([]);
    });
  });

  test("is read and changed the same where it answers several commands as one", async () => {
    await run(async (fabric, lab) => {
      const readings = { confOutputs: "single", commandErrorStatus: 400, singleRow: "list" };
      await lab.client.tamper("fabricA", "set-readings", readings);
      const before = await fabric.inventory(call());
      await apply(fabric, upsert());
      await apply(fabric, removal);
      await expectClean(lab, before);
    });
  });

  test("reports a wrong password once, without the password", async () => {
    process.env["SANBED_TEST_WRONG"] = '{"user":"admin","password":"Wr0ng-Pass"}';
    await run(
      async (fabric, lab) => {
        const error = await failure(fabric.zoning(call()));
        expect(isDeviceError(error, "unauthorized")).toBe(true);
        expect(error.message).not.toContain("Wr0ng-Pass");
        expect(await lab.client.requests("fabricA")).toHaveLength(1);
      },
      {},
      { credentials: "env:SANBED_TEST_WRONG" },
    );
  });

  test("goes on when its cookie has expired", async () => {
    await run(async (fabric, lab) => {
      const transaction = await fabric.stage(call(), () => upsert());
      await lab.client.tamper("fabricA", "end-sessions");
      expect((await transaction?.commit(call()))?.effective?.zones.has(zone)).toBe(true);
    });
  });

  test("names the right that an account lacks, and leaves nothing behind", async () => {
    await run(async (fabric, lab) => {
      const before = await fabric.inventory(call());
      await lab.client.tamper("fabricA", "set-role", { readOnly: true });
      const error = await failure(apply(fabric, upsert()));
      expect(isDeviceError(error, "unauthorized")).toBe(true);
      expect(error.message).toContain("role");
      await lab.client.tamper("fabricA", "set-role", { readOnly: false });
      await expectClean(lab, before);
    });
  });

  test("without the VSAN is told by its number", async () => {
    await run(
      async (fabric) => {
        const error = await failure(fabric.zoning(call()));
        expect(isDeviceError(error, "notFound")).toBe(true);
        expect(error.message).toContain("77");
        expect(error.message).toContain("vsan");
      },
      {},
      { vsan: 77 },
    );
  });

  test("takes no name that could be a command, and is not asked", async () => {
    await run(async (fabric, lab) => {
      const name = "x vsan 101 ; no zone name z_backup";
      const change = { ...upsert(), upsertZones: new Map([[name, [alias]]]) };
      const error = await failure(apply(fabric, change));
      expect(isDeviceError(error, "refused")).toBe(true);
      expect((await lab.client.requests("fabricA")).filter((r) => r.write)).toEqual([]);
      expect((await fabric.zoning(call())).zones.has("z_backup")).toBe(true);
    });
  });

  test("is refused a device alias for a WWPN that has one", async () => {
    await run(
      async (fabric, lab) => {
        await lab.client.tamper("fabricA", "set-alias", { name: "theirs", members: [initiator] });
        const error = await failure(apply(fabric, upsert()));
        expect(isDeviceError(error, "refused")).toBe(true);
        expect(error.message).toContain("theirs");
      },
      {},
      { aliases: "device-alias" },
    );
  });

  test("saves its running configuration only when told to", async () => {
    const saves = async (settings: object): Promise<number> => {
      let count = 0;
      await run(
        async (fabric, lab) => {
          await lab.client.addFault({
            device: "fabricA",
            match: { body: "copy running-config" },
            effect: { latencyMs: 1 },
          });
          await apply(fabric, upsert());
          count = JSON.stringify(await lab.client.faults()).includes('"hits":1') ? 1 : 0;
        },
        {},
        settings,
      );
      return count;
    };
    expect(await saves({})).toBe(0);
    expect(await saves({ saveRunningConfig: true })).toBe(1);
  });
});
