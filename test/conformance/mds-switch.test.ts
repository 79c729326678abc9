import { isDeviceError } from "../../bed/errors";
import { call, testBedId } from "../support/device-rig";
import {
  alias,
  apply,
  expectClean,
  failure,
  foreign,
  initiator,
  removal,
  target,
  upsert,
  withMds,
  zone,
  type MdsTest,
} from "../support/mds-rig";

jest.setTimeout(60_000);

describe.each([
  ["enhanced", "device-alias"],
  ["enhanced", "fcalias"],
  ["basic", "device-alias"],
  ["basic", "fcalias"],
])("an MDS switch with zoning in %s mode and aliases as %s", (mode, aliases) => {
  const deviceAlias = aliases === "device-alias";
  const enhanced = mode === "enhanced";
  const run = (test: MdsTest, patience = {}): Promise<void> =>
    withMds(mode, test, patience, { aliases });

  test("joins the active zoneset, takes it back exactly, and leaves others untouched", async () => {
    await run(async (fabric) => {
      const before = await fabric.zoning(call());
      const inventory = await fabric.inventory(call());
      const after = await apply(fabric, upsert());
      expect(after?.effective?.name).toBe(before.effective?.name);
      expect([...(after?.effective?.zones.get(zone) ?? [])].sort()).toEqual([initiator, target]);
      expect(after?.zones.get(zone)?.members).toEqual([alias, target]);
      for (const [name, members] of before.effective?.zones ?? []) {
        expect(after?.effective?.zones.get(name)).toEqual(members);
      }
      expect(after?.version).not.toBe(before.version);
      await apply(fabric, removal);
      expect(await fabric.inventory(call())).toEqual(inventory);
    });
  });

  test("writes nothing when everything is so already, and nothing on a second removal", async () => {
    await run(async (fabric, lab) => {
      await apply(fabric, upsert());
      const first = (await lab.client.requests("fabricA")).filter((r) => r.write).length;
      const again = new Map([[zone, [alias, target, alias]]]);
      expect(await apply(fabric, { ...upsert(), upsertZones: again })).toBeUndefined();
      await apply(fabric, removal);
      const second = (await lab.client.requests("fabricA")).filter((r) => r.write).length;
      expect(await apply(fabric, removal)).toBeUndefined();
      expect(
        await apply(fabric, { ...removal, removeAliases: [], removeZones: [] }),
      ).toBeUndefined();
      expect((await lab.client.requests("fabricA")).filter((r) => r.write)).toHaveLength(second);
      // Enhanced mode has the zones and the activation apart; device aliases are apart always.
      expect(second - first).toBe((enhanced ? 2 : 1) + (deviceAlias ? 1 : 0));
    });
  });

  test("changes members in place, without the zone ever being out of force", async () => {
    await run(async (fabric) => {
      await apply(fabric, upsert());
      const other = "20:02:00:a0:98:bb:00:01";
      const before = await fabric.zoning(call());
      expect(fabric.commands(before, upsert([alias, other])).slice(0, 3)).toEqual([
        `zone name ${zone} vsan 101`,
        `member pwwn ${other}`,
        `no member pwwn ${target}`,
      ]);
      const after = await apply(fabric, upsert([alias, other]));
      expect([...(after?.effective?.zones.get(zone) ?? [])].sort()).toEqual([initiator, other]);
    });
  });

  test("gives an alias another WWPN, in force at once", async () => {
    await run(async (fabric) => {
      await apply(fabric, upsert());
      const renewed = "10:00:00:10:9b:aa:01:09";
      const change = { ...upsert(), upsertAliases: new Map([[alias, [renewed]]]) };
      const after = await apply(fabric, change);
      expect(after?.aliases.get(alias)).toEqual([renewed]);
      expect([...(after?.effective?.zones.get(zone) ?? [])].sort()).toEqual([renewed, target]);
    });
  });

  test("leaves nothing behind on abort", async () => {
    await run(async (fabric, lab) => {
      const before = await fabric.inventory(call());
      const transaction = await fabric.stage(call(), () => upsert());
      await transaction?.abort(call());
      await transaction?.abort(call());
      await expectClean(lab, before);
    });
  });

  test("refuses to put somebody else's edits into force, and names them", async () => {
    await run(async (fabric, lab) => {
      await lab.client.tamper("fabricA", "edit-defined", { name: "half_done", members: foreign });
      const error = await failure(apply(fabric, upsert()));
      expect(isDeviceError(error, "refused")).toBe(true);
      expect(error.message).toContain("half_done");
      expect((await fabric.zoning(call())).effective?.zones.has(zone)).toBe(false);
    });
  });

  test("never activates a zoneset where none is active", async () => {
    await run(async (fabric, lab) => {
      await lab.client.tamper("fabricA", "disable-config");
      const error = await failure(apply(fabric, upsert()));
      expect(isDeviceError(error, "refused")).toBe(true);
      expect(error.message).toContain("no zone configuration is in effect");
    });
  });

  test("removes what is ours where the zoneset was deactivated meanwhile", async () => {
    await run(async (fabric, lab) => {
      await apply(fabric, upsert());
      await lab.client.tamper("fabricA", "disable-config");
      const after = await apply(fabric, removal);
      expect(after?.zones.has(zone)).toBe(false);
      expect(after?.aliases.has(alias)).toBe(false);
      expect(after?.effective).toBeUndefined();
    });
  });

  test("refuses to take the last zone of the active zoneset", async () => {
    await run(async (fabric, lab) => {
      await apply(fabric, upsert());
      const state = await fabric.zoning(call());
      for (const name of state.effective?.zones.keys() ?? []) {
        if (name !== zone) await lab.client.tamper("fabricA", "remove-object", { name });
      }
      const error = await failure(apply(fabric, removal));
      expect(isDeviceError(error, "refused")).toBe(true);
      expect(error.message).toContain("last zone");
      expect((await fabric.zoning(call())).effective?.zones.has(zone)).toBe(true);
    });
  });

  test("plans anew when the database moved under the transaction", async () => {
    await run(async (fabric, lab) => {
      const bases = new Set<string>();
      const transaction = await fabric.stage(call(), (state) => {
        bases.add(state.version);
        return upsert();
      });
      await lab.client.tamper("fabricA", "set-zone", { name: "theirs", members: foreign });
      const after = await transaction?.commit(call());
      expect(bases.size).toBeGreaterThanOrEqual(2);
      expect(after?.effective?.zones.has(zone)).toBe(true);
      expect(after?.effective?.zones.has("theirs")).toBe(true);
    });
  });

  test("waits for another's device alias session where it needs it, then names its holder", async () => {
    await run(async (fabric, lab) => {
      if (!deviceAlias) {
        await lab.client.tamper("fabricA", "open-alias-session");
        await apply(fabric, upsert());
        return;
      }
      await lab.client.tamper("fabricA", "open-alias-session");
      const error = await failure(apply(fabric, upsert()));
      expect(isDeviceError(error, "locked")).toBe(true);
      expect(error.message).toMatch(/locked by \S+/);
      await lab.client.tamper("fabricA", "drop-alias-session");
      await apply(fabric, upsert());
    });
  });

  test("does not wait for another's session when there is nothing to do", async () => {
    await run(async (fabric, lab) => {
      await lab.client.tamper("fabricA", "open-alias-session");
      if (enhanced) await lab.client.tamper("fabricA", "open-transaction");
      expect(await apply(fabric, removal)).toBeUndefined();
    });
  });

  test("sweeps what a bed left, and refuses while others use its alias", async () => {
    await run(async (fabric, lab) => {
      const before = await fabric.inventory(call());
      await apply(fabric, upsert());
      const theirs = { name: "prod_esx01_vmhba2", members: [alias, foreign[0]] };
      await lab.client.tamper("fabricA", "set-zone", theirs);
      const error = await failure(fabric.sweep(call(), testBedId, [zone]));
      expect(error.message).toContain(theirs.name);
      await lab.client.tamper("fabricA", "remove-object", { name: theirs.name });
      expect(await fabric.sweep(call(), testBedId, [zone])).toEqual([
        `zone ${zone}`,
        `alias ${alias}`,
      ]);
      expect(await fabric.inventory(call())).toEqual(before);
      expect(await fabric.sweep(call(), testBedId, [zone])).toEqual([]);
    });
  });
});
