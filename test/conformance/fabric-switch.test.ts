import { isDeviceError } from "../../bed/errors";
import type {
  ZoningChange,
  ZoningState,
  ZoningTransaction,
} from "../../provider/devices/fabric-switch";
import { call, openSwitch, testBedId } from "../support/device-rig";
import { withLab, type TestLab } from "../support/lab";

const alias = `sanbed_${testBedId}_esx01_vmhba2`;
const zone = "t_esx01_vmhba2";
const initiator = "10:00:00:10:9b:aa:00:01";
const target = "20:01:00:a0:98:bb:00:01";

function upsert(members = [alias, target]): ZoningChange {
  return {
    upsertAliases: new Map([[alias, [initiator]]]),
    upsertZones: new Map([[zone, members]]),
    removeAliases: [],
    removeZones: [],
  };
}

const removal: ZoningChange = {
  upsertAliases: new Map(),
  upsertZones: new Map(),
  removeAliases: [alias],
  removeZones: [zone],
};

const nothing: ZoningChange = { ...removal, removeAliases: [], removeZones: [] };

type Switch = ReturnType<typeof openSwitch>;

async function apply(fabric: Switch, change: ZoningChange): Promise<ZoningState | undefined> {
  const transaction = await fabric.stage(call(), () => change);
  return await transaction?.commit(call());
}

async function failure(work: Promise<unknown>): Promise<Error> {
  return await work.then(
    () => {
      throw new Error("it should have failed");
    },
    (error: unknown) => error as Error,
  );
}

describe.each([
  ["8.2.0", "8.2.0"],
  ["8.2.3c", "8.2.3c"],
  ["9.0.1e1", "9.0.1e1"],
  ["9.1.1b", "9.1.1b"],
  ["9.2.1b", "9.2.1b"],
])("a fabric switch running FOS %s", (_name, profile) => {
  async function withSwitch(
    test: (fabric: Switch, lab: TestLab) => Promise<void>,
    patience = {},
    settings = {},
  ): Promise<void> {
    await withLab(
      "D",
      async (lab) => {
        const fabric = openSwitch(lab, "fabricA", patience, settings);
        try {
          await test(fabric, lab);
        } finally {
          await fabric.close();
        }
      },
      { profiles: { fabricA: profile } },
    );
  }

  const hasNameServer = profile !== "8.2.0";

  test("tells what it is and who is logged in", async () => {
    await withSwitch(async (fabric) => {
      const facts = await fabric.facts(call());
      expect(facts.firmware).toContain(profile);
      expect(facts.switchWwn).toMatch(/^10:00:/);
      if (!hasNameServer) {
        expect(isDeviceError(await failure(fabric.logins(call())), "unsupported")).toBe(true);
        return;
      }
      const logins = await fabric.logins(call());
      expect(logins.some((login) => login.role === "initiator")).toBe(true);
      expect(logins.some((login) => login.role === "target")).toBe(true);
      const virtual = logins.find((login) => login.physicalWwpn !== login.wwpn);
      expect(virtual?.physicalWwpn).toBeDefined();
    });
  });

  test("joins the effective configuration, takes it back exactly, and leaves others untouched", async () => {
    await withSwitch(async (fabric) => {
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
    await withSwitch(async (fabric, lab) => {
      await apply(fabric, upsert());
      const since = (await lab.client.requests("fabricA")).length;
      const upper = new Map([[zone, [alias, target, alias]]]);
      expect(await apply(fabric, { ...upsert(), upsertZones: upper })).toBeUndefined();
      await apply(fabric, removal);
      expect(await apply(fabric, removal)).toBeUndefined();
      expect(await apply(fabric, nothing)).toBeUndefined();
      const writes = (await lab.client.requests("fabricA")).slice(since).filter((r) => r.write);
      // Leave the configuration, remove zone, remove alias, enable.
      expect(writes).toHaveLength(4);
    });
  });

  test("changes members in place, without the zone ever being out of force", async () => {
    await withSwitch(async (fabric, lab) => {
      await apply(fabric, upsert());
      const since = (await lab.client.requests("fabricA")).length;
      const other = "20:02:00:a0:98:bb:00:01";
      const after = await apply(fabric, upsert([alias, other]));
      expect([...(after?.effective?.zones.get(zone) ?? [])].sort()).toEqual([initiator, other]);
      const writes = (await lab.client.requests("fabricA")).slice(since).filter((r) => r.write);
      expect(writes.map((r) => r.method)).toEqual(["PATCH", "PATCH"]);
    });
  });

  test("drops what is staged on abort", async () => {
    await withSwitch(async (fabric) => {
      const before = await fabric.inventory(call());
      const transaction = await fabric.stage(call(), () => upsert());
      await transaction?.abort(call());
      await transaction?.abort(call());
      expect(await fabric.inventory(call())).toEqual(before);
      // The transaction is closed: the next one opens.
      await apply(fabric, upsert());
    });
  });

  test("refuses to put somebody else's edits into force, and names them", async () => {
    await withSwitch(async (fabric, lab) => {
      const members = [initiator, "50:06:01:60:c7:e0:11:01"];
      await lab.client.tamper("fabricA", "edit-defined", { name: "half_done", members });
      const error = await failure(apply(fabric, upsert()));
      expect(isDeviceError(error, "refused")).toBe(true);
      expect(error.message).toContain("half_done");
      expect((await fabric.zoning(call())).effective?.zones.has(zone)).toBe(false);
    });
  });

  test("repairs zones of ours whose defined form differs from what is in force", async () => {
    await withSwitch(async (fabric, lab) => {
      await apply(fabric, upsert());
      const members = [alias, target, "50:06:01:60:c7:e0:11:01"];
      await lab.client.tamper("fabricA", "edit-defined", { name: zone, members });
      const after = await apply(fabric, upsert());
      expect(after?.zones.get(zone)?.members).toEqual([alias, target]);
    });
  });

  test("never enables a configuration where none is in effect", async () => {
    await withSwitch(async (fabric, lab) => {
      await lab.client.tamper("fabricA", "disable-config");
      const error = await failure(apply(fabric, upsert()));
      expect(isDeviceError(error, "refused")).toBe(true);
      expect(error.message).toContain("no zone configuration is in effect");
    });
  });

  test("removes what is ours where the configuration was disabled meanwhile", async () => {
    await withSwitch(async (fabric, lab) => {
      await apply(fabric, upsert());
      await lab.client.tamper("fabricA", "disable-config");
      const after = await apply(fabric, removal);
      expect(after?.zones.has(zone)).toBe(false);
      expect(after?.aliases.has(alias)).toBe(false);
      expect(after?.effective).toBeUndefined();
    });
  });

  test("refuses to take the last zone of the effective configuration", async () => {
    await withSwitch(async (fabric, lab) => {
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

  test("waits for another administrator's transaction, then names its holder", async () => {
    await withSwitch(async (fabric, lab) => {
      await lab.client.tamper("fabricA", "open-transaction");
      const error = await failure(apply(fabric, upsert()));
      expect(isDeviceError(error, "locked")).toBe(true);
      if (!profile.startsWith("8.")) expect(error.message).toMatch(/user \S+/);
      // Theirs is still open: it was not aborted.
      await lab.client.tamper("fabricA", "commit-transaction");
      await apply(fabric, upsert());
    });
  });

  test("names the holder also when the operation's own time is up in the middle of a look", async () => {
    await withSwitch(
      async (fabric, lab) => {
        await lab.client.tamper("fabricA", "open-transaction");
        await lab.client.addFault({ device: "fabricA", effect: { latencyMs: 200 } });
        const error = await failure(fabric.stage(call(8000), () => upsert()));
        expect(isDeviceError(error, "locked")).toBe(true);
        expect(error.message).toContain("transaction");
      },
      // Looking without a pause: its time is up while the switch takes its own.
      { lockWaitMs: 60_000, pollMs: 1 },
    );
  });

  test.each(["while it stages", "before it commits"])(
    "never aborts the transaction of another who took its place %s",
    async (when) => {
      await withSwitch(async (fabric, lab) => {
        const actions = lab.lab?.tamperActions()["fabricA"];
        const takeOver = (): void => {
          actions?.["drop-transaction"]?.run({});
          actions?.["open-transaction"]?.run({});
        };
        await apply(fabric, upsert());
        const aborts = async (): Promise<number> =>
          (await lab.client.requests("fabricA")).filter(
            (r) => r.method === "PATCH" && r.path.includes("effective-configuration"),
          ).length;
        const before = await aborts();
        let writes = 0;
        const onWrite = (): void => {
          if (++writes === 2 && when === "while it stages") takeOver();
        };
        const work = fabric.stage({ ...call(), onWrite }, () => removal);
        const transaction = await work.catch((error: unknown) => error);
        if (when === "before it commits") {
          takeOver();
          await failure((transaction as ZoningTransaction).commit(call()));
        } else expect(isDeviceError(transaction, "locked")).toBe(true);
        // The refused commit is the only one: nothing was sent to abort.
        expect(await aborts()).toBe(before + (when === "before it commits" ? 1 : 0));
        await lab.client.tamper("fabricA", "commit-transaction");
      });
    },
  );

  test("goes on as soon as the other administrator has finished", async () => {
    await withSwitch(
      async (fabric, lab) => {
        await lab.client.tamper("fabricA", "open-transaction");
        const work = apply(fabric, upsert());
        setTimeout(() => void lab.client.tamper("fabricA", "commit-transaction"), 150);
        expect((await work)?.effective?.zones.has(zone)).toBe(true);
      },
      { lockWaitMs: 5000 },
    );
  });

  test("plans anew when the database moved under the transaction", async () => {
    await withSwitch(async (fabric, lab) => {
      const bases: string[] = [];
      const transaction = await fabric.stage(call(), (state) => {
        bases.push(state.version);
        return upsert();
      });
      const members = ["50:06:01:60:c7:e0:11:05", "50:06:01:60:c7:e0:11:06"];
      await lab.client.tamper("fabricA", "set-zone", { name: "theirs", members });
      const after = await transaction?.commit(call());
      expect(new Set(bases).size).toBe(2);
      expect(after?.effective?.zones.has(zone)).toBe(true);
      expect(after?.effective?.zones.has("theirs")).toBe(true);
    });
  });

  test("stages anew when its session was ended in the middle", async () => {
    await withSwitch(async (fabric, lab) => {
      const transaction = await fabric.stage(call(), () => upsert());
      await lab.client.tamper("fabricA", "end-sessions");
      expect((await transaction?.commit(call()))?.effective?.zones.has(zone)).toBe(true);
    });
  });

  test("stages anew when somebody aborted its transaction on the switch", async () => {
    await withSwitch(async (fabric, lab) => {
      const transaction = await fabric.stage(call(), () => upsert());
      await lab.client.tamper("fabricA", "drop-transaction");
      expect((await transaction?.commit(call()))?.effective?.zones.has(zone)).toBe(true);
    });
  });

  const anyWrite = { path: "configuration" };
  const enable = { method: "PATCH", path: "effective-configuration" };

  test.each([
    ["the first staged write lost before its effect", anyWrite, { dropBefore: true as const }],
    ["the first staged write lost after its effect", anyWrite, { dropAfter: true as const }],
    ["the enable lost before its effect", enable, { dropBefore: true as const }],
    ["the enable lost after its effect", enable, { dropAfter: true as const }],
    ["a throttled switch", anyWrite, { status: 503 }],
    ["a busy fabric", enable, { code: "busy" }],
  ])("survives %s", async (_what, match, effect) => {
    await withSwitch(async (fabric, lab) => {
      await fabric.zoning(call());
      const method = match === anyWrite ? "POST" : "PATCH";
      await lab.client.addFault({
        device: "fabricA",
        match: { ...match, method },
        times: 2,
        effect,
      });
      const after = await apply(fabric, upsert());
      expect([...(after?.effective?.zones.get(zone) ?? [])].sort()).toEqual([initiator, target]);
    });
  });

  test("reports a commit that was answered but not carried out, and leaves no transaction", async () => {
    await withSwitch(async (fabric, lab) => {
      await lab.client.tamper("fabricA", "lose-objects", { above: 0 });
      const error = await failure(apply(fabric, upsert()));
      expect(isDeviceError(error, "protocol", "refused")).toBe(true);
      expect(error.message).toContain("fabricA");
      await lab.client.tamper("fabricA", "lose-objects", { above: 1000 });
      await apply(fabric, upsert());
    });
  });

  test("stages again, in small requests, what a large commit lost without an error", async () => {
    await withSwitch(async (fabric, lab) => {
      await lab.client.tamper("fabricA", "lose-objects", { above: 100 });
      const many = new Map(
        Array.from({ length: 150 }, (_, index) => [`many_${index.toString()}`, [initiator]]),
      );
      const after = await apply(fabric, { ...nothing, upsertAliases: many });
      for (const name of many.keys()) expect(after?.aliases.get(name)).toEqual([initiator]);
    });
  });

  test("gives its session back, and waits for one when all are taken", async () => {
    await withSwitch(async (fabric, lab) => {
      await fabric.zoning(call());
      await fabric.close();
      // Three is what a switch has: all of them are free again.
      await lab.client.tamper("fabricA", "fill-sessions", { count: 3 });
      const late = openSwitch(lab, "fabricA");
      const error = await failure(late.zoning(call()));
      expect(isDeviceError(error, "busy")).toBe(true);
      expect(error.message).toContain("mgmtapp");
      await lab.client.tamper("fabricA", "end-sessions");
      await late.zoning(call());
      await late.close();
    });
  });

  test("reports a wrong password once, without the password", async () => {
    process.env["SANBED_TEST_WRONG"] = '{"user":"admin","password":"Wr0ng-Pass"}';
    await withSwitch(
      async (fabric, lab) => {
        const error = await failure(fabric.zoning(call()));
        expect(isDeviceError(error, "unauthorized")).toBe(true);
        expect(error.message).toContain("fabricA");
        expect(error.message).not.toContain("Wr0ng-Pass");
        expect(await lab.client.requests("fabricA")).toHaveLength(1);
      },
      {},
      { credentials: "env:SANBED_TEST_WRONG" },
    );
  });

  test("ends at once when the caller gives up, with nothing staged", async () => {
    await withSwitch(async (fabric, lab) => {
      await fabric.zoning(call());
      const id = await lab.client.addFault({
        device: "fabricA",
        match: { method: "POST", path: "defined-configuration" },
        effect: { latencyMs: 60_000 },
      });
      const controller = new AbortController();
      const work = fabric.stage({ signal: controller.signal }, () => upsert());
      setTimeout(() => {
        controller.abort(new Error("cancelled"));
      }, 100);
      const error = await failure(work);
      expect(isDeviceError(error, "aborted")).toBe(true);
      await lab.client.removeFault(id);
      await apply(fabric, upsert());
    });
  });

  test.each([404, 405, 500])("does not take HTTP %i for an empty database", async (status) => {
    await withSwitch(async (fabric, lab) => {
      const match = { method: "GET", path: "defined-configuration" };
      await lab.client.addFault({ device: "fabricA", match, effect: { status } });
      expect(isDeviceError(await failure(fabric.zoning(call())))).toBe(true);
    });
  });

  test("sweeps what a bed left, and refuses while others use its alias", async () => {
    await withSwitch(async (fabric, lab) => {
      const before = await fabric.inventory(call());
      await apply(fabric, upsert());
      // Named like one of ours, and with our alias: only what the bed noted tells it from ours.
      const foreign = { name: "prod_esx01_vmhba2", members: [alias, "50:06:01:60:c7:e0:11:05"] };
      await lab.client.tamper("fabricA", "set-zone", foreign);
      const error = await failure(fabric.sweep(call(), testBedId, [zone]));
      expect(error.message).toContain(foreign.name);
      await lab.client.tamper("fabricA", "remove-object", { name: foreign.name });
      expect(await fabric.sweep(call(), testBedId, [zone])).toEqual([
        `zone ${zone}`,
        `alias ${alias}`,
      ]);
      expect(await fabric.inventory(call())).toEqual(before);
      expect(await fabric.sweep(call(), testBedId, [zone])).toEqual([]);
    });
  });
});
