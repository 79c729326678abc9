import { isDeviceError } from "../../bed/errors";
import type { FaultRuleInput } from "../../lab/emulator/faults";
import type { ZoningChange } from "../../provider/devices/fabric-switch";
import { call, openMds } from "../support/device-rig";
import {
  apply,
  expectClean,
  failure,
  initiator,
  removal,
  target,
  upsert,
  withMds,
  zone,
  type MdsTest,
} from "../support/mds-rig";

jest.setTimeout(60_000);

describe.each(["enhanced", "basic"])("a faulty MDS switch with zoning in %s mode", (mode) => {
  const enhanced = mode === "enhanced";
  const run = (test: MdsTest, patience = {}, settings = {}): Promise<void> =>
    withMds(mode, test, patience, settings);

  const faults: readonly (readonly [string, string, FaultRuleInput["effect"]])[] = [
    ["the device alias request lost before its effect", "device-alias name", { dropBefore: true }],
    ["the device alias request lost after its effect", "device-alias name", { dropAfter: true }],
    ["the zones lost before their effect", "zone name t_", { dropBefore: true }],
    ["the zones lost after their effect", "zone name t_", { dropAfter: true }],
    ["the activation lost before its effect", "zoneset activate", { dropBefore: true }],
    ["the activation lost after its effect", "zoneset activate", { dropAfter: true }],
    ["a lost read", "show zone status", { dropAfter: true }],
    ["a switch without a free session", "show zone status", { code: "max-sessions" }],
    ["a fabric that is not stable", "zoneset activate", { code: "fabric-unstable" }],
    ["a zone server that is busy", "zone name t_", { code: "in-progress" }],
    ["a lock taken a moment before", "zone name t_", { code: "lock-busy" }],
  ];

  test.each(faults)("survives %s", async (_what, body, effect) => {
    await run(async (fabric, lab) => {
      const before = await fabric.inventory(call());
      await lab.client.addFault({ device: "fabricA", match: { body }, times: 1, effect });
      const after = await apply(fabric, upsert());
      expect([...(after?.effective?.zones.get(zone) ?? [])].sort()).toEqual([initiator, target]);
      expect(after?.effective?.zones.size).toBe(3);
      await apply(fabric, removal);
      await expectClean(lab, before);
    });
  });

  test.each(faults)("takes everything away in spite of %s", async (_what, body, effect) => {
    await run(async (fabric, lab) => {
      const before = await fabric.inventory(call());
      await apply(fabric, upsert());
      const match = { body: body === "device-alias name" ? "no device-alias name" : body };
      await lab.client.addFault({ device: "fabricA", match, times: 1, effect });
      await apply(fabric, removal);
      await expectClean(lab, before);
    });
  });

  test("tells why the zone server failed, and leaves everything as it was", async () => {
    await run(async (fabric, lab) => {
      const before = await fabric.inventory(call());
      const text = "Operation failed: [reason: fabric changing]";
      await lab.client.tamper("fabricA", "fail-next", { text });
      const error = await failure(apply(fabric, upsert()));
      expect(isDeviceError(error, "refused")).toBe(true);
      expect(error.message).toContain("fabric changing");
      await expectClean(lab, before);
    });
  });

  test("ends at once when the caller gives up, with nothing left behind", async () => {
    await run(async (fabric, lab) => {
      const before = await fabric.inventory(call());
      const id = await lab.client.addFault({
        device: "fabricA",
        match: { body: enhanced ? "zone name t_" : "zoneset activate" },
        effect: { latencyMs: 60_000 },
      });
      const controller = new AbortController();
      const signal = controller.signal;
      const work = fabric
        .stage({ signal }, () => upsert())
        .then((transaction) => transaction?.commit({ signal }));
      setTimeout(() => {
        controller.abort(new Error("cancelled"));
      }, 200);
      const error = await failure(work);
      expect(isDeviceError(error, "aborted")).toBe(true);
      await lab.client.removeFault(id);
      await expectClean(lab, before);
    });
  });

  /** Every request of the whole way of a zone, one after the other. */
  const requests = Array.from({ length: enhanced ? 14 : 10 }, (_, index) => index);

  test("ends with the right fabric when the process is killed at any request, and is run again", async () => {
    await run(async (fabric, lab) => {
      const before = await fabric.inventory(call());
      /** From that request on nothing of this process gets through any more, not even its tidying up. */
      const killedAt = async (skip: number, change: ZoningChange): Promise<void> => {
        const killed = openMds(lab, "fabricA");
        const effect = { dropAfter: true as const };
        const id = await lab.client.addFault({ device: "fabricA", skip, effect });
        await apply(killed, change).catch(() => undefined);
        await lab.client.removeFault(id);
      };
      for (const skip of requests) {
        await killedAt(skip, upsert());
        await apply(fabric, upsert());
        expect((await fabric.zoning(call())).effective?.zones.has(zone)).toBe(true);
        await killedAt(skip, removal);
        await apply(fabric, removal);
        expect(await fabric.inventory(call())).toEqual(before);
      }
      await expectClean(lab, before);
    });
  });

  test.each<[string, FaultRuleInput["effect"]]>([
    ["lost before its effect", { dropBefore: true }],
    ["lost after its effect", { dropAfter: true }],
    ["turned away with 503", { status: 503 }],
    ["answered with 500", { status: 500 }],
  ])(
    "ends with the right fabric, or an unchanged one, when any request is %s",
    async (_how, effect) => {
      await run(async (fabric, lab) => {
        const before = await fabric.inventory(call());
        for (const skip of requests) {
          for (const change of [upsert(), removal]) {
            const id = await lab.client.addFault({ device: "fabricA", skip, times: 1, effect });
            const error = await apply(fabric, change).then(
              () => undefined,
              (reason: unknown) => reason,
            );
            await lab.client.removeFault(id);
            const state = await fabric.zoning(call());
            const done = change !== removal;
            if (error === undefined) expect(state.effective?.zones.has(zone)).toBe(done);
            else expect(isDeviceError(error)).toBe(true);
            await apply(fabric, change);
          }
          expect(await fabric.inventory(call())).toEqual(before);
        }
        await expectClean(lab, before);
      });
    },
  );
});
