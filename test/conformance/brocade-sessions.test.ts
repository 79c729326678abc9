import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { isDeviceError } from "../../bed/errors";
import type { ZoningChange } from "../../provider/devices/fabric-switch";
import { call, openSwitch, testBedId } from "../support/device-rig";
import { withLab, type TestLab } from "../support/lab";

jest.setTimeout(60_000);

const alias = `sanbed_${testBedId}_esx01_vmhba2`;
const member = "10:00:00:10:9b:aa:00:01";
const change: ZoningChange = {
  upsertAliases: new Map([[alias, [member]]]),
  upsertZones: new Map(),
  removeAliases: [],
  removeZones: [],
};

async function failure(work: Promise<unknown>): Promise<Error> {
  return await work.then(
    () => {
      throw new Error("it should have failed");
    },
    (error: unknown) => error as Error,
  );
}

async function withProfile(
  profile: string,
  test: (lab: TestLab, stateFolder: string) => Promise<void>,
): Promise<void> {
  await withLab("D", (lab) => test(lab, join(lab.dir, "bed", "sessions")), {
    profiles: { fabricA: profile },
  });
}

/** A process that has staged a change and is killed with SIGKILL right then. */
async function killedWhileStaging(lab: TestLab, script: string, stateFolder: string) {
  const order = join(lab.dir, "order.json");
  const config = { ...lab.site.devices["fabricA"], requestsPer30s: 10_000, lockWaitSeconds: 0 };
  writeFileSync(order, JSON.stringify({ device: "fabricA", config, stateFolder, alias, member }));
  const child = spawn(process.execPath, [script, order], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  expect(line.toString()).toBe("staged\n");
  child.kill("SIGKILL");
  await once(child, "close");
}

const logins = async (lab: TestLab): Promise<number> =>
  (await lab.client.requests("fabricA")).filter((r) => r.path === "/rest/login").length;

describe.each(["8.2.3c", "9.1.1b"])("sessions of a switch running FOS %s", (profile) => {
  test("left by processes that were killed with a change staged are ended by the next one", async () => {
    await withProfile(profile, async (lab, stateFolder) => {
      const script = join(lab.dir, "child.js");
      await build({
        entryPoints: [join(__dirname, "..", "support", "switch-client-child.ts")],
        outfile: script,
        ...{ bundle: true, platform: "node", target: "node22", logLevel: "error" },
      });
      // One more than the switch has sessions: each ends what the one before left.
      for (let killed = 0; killed < 4; killed++) await killedWhileStaging(lab, script, stateFolder);
      const fabric = openSwitch(lab, "fabricA", {}, {}, { stateFolder });
      const transaction = await fabric.stage(call(), () => change);
      expect((await transaction?.commit(call()))?.aliases.get(alias)).toEqual([member]);
      await fabric.close();
      // All three are free again.
      await lab.client.tamper("fabricA", "fill-sessions", { count: 3 });
    });
  });

  test.each([
    ["lost before it took effect", { dropBefore: true as const }],
    ["lost after it took effect", { dropAfter: true as const }],
    ["that a proxy could not pass on", { status: 502 }],
  ])("are opened although the login's answer was %s", async (_what, effect) => {
    await withProfile(profile, async (lab) => {
      const match = { path: "/rest/login" };
      await lab.client.addFault({ device: "fabricA", match, times: 2, effect });
      const fabric = openSwitch(lab, "fabricA");
      await fabric.zoning(call());
      await fabric.close();
      expect(await logins(lab)).toBe(3);
    });
  });

  test("that are all taken are named with how long it waited and what an administrator can do", async () => {
    await withProfile(profile, async (lab) => {
      await lab.client.tamper("fabricA", "fill-sessions", { count: 3 });
      const fabric = openSwitch(lab, "fabricA", { sessionWaitMs: 1100 });
      const error = await failure(fabric.zoning(call()));
      expect(isDeviceError(error, "busy")).toBe(true);
      expect(error.message).toMatch(/all REST sessions of the switch are taken, since 1 s/);
      expect(error.message).toContain("ends 2 hours after its last request");
      expect(error.message).toContain("mgmtapp --terminate <id>");
      // Also where the operation's own time is up first.
      const late = await failure(
        openSwitch(lab, "fabricA", { sessionWaitMs: 60_000 }).zoning(call(3000)),
      );
      expect(late.message).toContain("all REST sessions of the switch are taken");
    });
  });
});

describe.each(["8.2.3c", "9.1.1b"])("calls to a switch running FOS %s", (profile) => {
  const reads = async (lab: TestLab, part: string): Promise<number> =>
    (await lab.client.requests("fabricA")).filter((r) => r.path.includes(part)).length;

  test("wait for nobody's transaction when there is nothing to change", async () => {
    await withProfile(profile, async (lab) => {
      const fabric = openSwitch(lab, "fabricA", { lockWaitMs: 60_000 });
      await lab.client.tamper("fabricA", "open-transaction");
      const began = Date.now();
      const nothing = { ...change, upsertAliases: new Map(), removeAliases: [alias] };
      expect(await fabric.stage(call(), () => nothing)).toBeUndefined();
      expect(Date.now() - began).toBeLessThan(5000);
      expect(await reads(lab, "fabric-lock")).toBe(0);
      await fabric.close();
    });
  });

  test("read the defined form again only when the checksum moved", async () => {
    await withProfile(profile, async (lab) => {
      const fabric = openSwitch(lab, "fabricA");
      const first = await fabric.zoning(call());
      expect(await fabric.zoning(call())).toEqual(first);
      expect(await reads(lab, "defined-configuration")).toBe(1);
      const members = ["50:06:01:60:c7:e0:11:05", "50:06:01:60:c7:e0:11:06"];
      await lab.client.tamper("fabricA", "edit-defined", { name: "theirs", members });
      expect((await fabric.zoning(call())).zones.get("theirs")?.members).toEqual(members);
      expect(await reads(lab, "defined-configuration")).toBe(2);
      await fabric.close();
    });
  });

  test("are no more than a bed's up and destroy need", async () => {
    await withProfile(profile, async (lab) => {
      // FOS 8.2 has no lock that could be read, and says so once.
      const zones = new Map([["t_esx01", [alias, "20:01:00:a0:98:bb:00:01"]]]);
      const count = async (work: (fabric: ReturnType<typeof openSwitch>) => Promise<void>) => {
        const since = (await lab.client.requests("fabricA")).length;
        const fabric = openSwitch(lab, "fabricA", { lingerMs: 10_000 });
        await work(fabric);
        await fabric.close();
        return (await lab.client.requests("fabricA")).length - since;
      };
      const up = await count(async (fabric) => {
        await fabric.inventory(call());
        await fabric.logins(call());
        const transaction = await fabric.stage(call(), () => ({ ...change, upsertZones: zones }));
        await transaction?.commit(call());
      });
      const destroy = await count(async (fabric) => {
        const removal = { removeAliases: [alias], removeZones: ["t_esx01"] };
        const transaction = await fabric.stage(call(), () => ({
          ...{ upsertAliases: new Map(), upsertZones: new Map() },
          ...removal,
        }));
        await transaction?.commit(call());
        await fabric.sweep(call(), testBedId, []);
        await fabric.inventory(call());
      });
      expect({ up, destroy }).toEqual({ up: 12, destroy: 14 });
    });
  });

  test("never keep what somebody has pending", async () => {
    await withProfile(profile, async (lab) => {
      const fabric = openSwitch(lab, "fabricA");
      await lab.client.tamper("fabricA", "open-transaction");
      await fabric.zoning(call());
      await lab.client.tamper("fabricA", "drop-transaction");
      await fabric.zoning(call());
      expect(await reads(lab, "defined-configuration")).toBe(2);
      await fabric.close();
    });
  });
});
