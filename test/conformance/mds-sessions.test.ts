import { isDeviceError } from "../../bed/errors";
import { NxapiClient } from "../support/nxapi-client";
import { call, openMds, testBedId } from "../support/device-rig";
import {
  alias,
  apply,
  expectClean,
  failure,
  foreign,
  removal,
  upsert,
  withMds,
  zone,
  type MdsTest,
} from "../support/mds-rig";

jest.setTimeout(60_000);

describe("the session of an MDS switch in enhanced mode", () => {
  const run = (test: MdsTest, patience = {}): Promise<void> => withMds("enhanced", test, patience);

  test("of another is waited for, then named, and stays", async () => {
    await run(async (fabric, lab) => {
      await lab.client.tamper("fabricA", "open-transaction");
      const error = await failure(apply(fabric, upsert()));
      expect(isDeviceError(error, "locked")).toBe(true);
      expect(error.message).toMatch(/held by \S+/);
      await lab.client.tamper("fabricA", "commit-transaction");
      await apply(fabric, upsert());
    });
  });

  test("is taken as soon as the other has finished", async () => {
    await run(
      async (fabric, lab) => {
        await lab.client.tamper("fabricA", "open-transaction");
        const work = apply(fabric, upsert());
        setTimeout(() => void lab.client.tamper("fabricA", "commit-transaction"), 150);
        expect((await work)?.effective?.zones.has(zone)).toBe(true);
      },
      { lockWaitMs: 5000 },
    );
  });

  test("is opened anew when somebody cleared it on the switch", async () => {
    await run(async (fabric, lab) => {
      const transaction = await fabric.stage(call(), () => upsert());
      await lab.client.tamper("fabricA", "drop-transaction");
      expect((await transaction?.commit(call()))?.effective?.zones.has(zone)).toBe(true);
    });
  });

  test("is never taken from another who opened it in our place", async () => {
    await run(async (fabric, lab) => {
      const transaction = await fabric.stage(call(), () => upsert());
      await lab.client.tamper("fabricA", "drop-transaction");
      await lab.client.tamper("fabricA", "open-transaction");
      const error = await failure(transaction!.commit(call()));
      expect(isDeviceError(error, "locked")).toBe(true);
      // His is still open, and his alone.
      await lab.client.tamper("fabricA", "commit-transaction");
      expect((await fabric.zoning(call())).zones.has(zone)).toBe(false);
      await apply(fabric, upsert());
    });
  });

  test.each([
    ["made again", upsert()],
    ["taken away", removal],
  ])(
    "that a killed process left is ended by the next, in which the zones are %s",
    async (_how, change) => {
      await run(async (fabric, lab) => {
        const before = await fabric.inventory(call());
        // Never committed nor aborted: what a killed process leaves.
        await fabric.stage(call(), () => upsert());
        const next = openMds(lab, "fabricA");
        const after = await apply(next, change);
        expect(after?.effective?.zones.has(zone) ?? false).toBe(change !== removal);
        await apply(next, removal);
        await next.close();
        await expectClean(lab, before);
      });
    },
  );

  test("that a killed process left is ended by the sweep of its bed", async () => {
    await run(async (fabric, lab) => {
      const before = await fabric.inventory(call());
      await fabric.stage(call(), () => upsert());
      const next = openMds(lab, "fabricA");
      expect(await next.sweep(call(), testBedId, [zone])).toEqual([`alias ${alias}`]);
      await next.close();
      await expectClean(lab, before);
    });
  });

  test("in which somebody else edits too is not committed: his edits stay, ours are taken back", async () => {
    await run(async (fabric, lab) => {
      const transaction = await fabric.stage(call(), () => upsert());
      // The same account on the same switch, at the command line.
      const nxapi = new NxapiClient(lab);
      await nxapi.outputs("cli_conf", `zone name theirs vsan 101 ; member pwwn ${foreign[0]}`);
      const error = await failure(transaction!.commit(call()));
      expect(isDeviceError(error, "locked")).toBe(true);
      expect(error.message).toContain("zone theirs");
      const [pending] = await nxapi.outputs("cli_show_ascii", "show zone pending-diff vsan 101");
      expect(pending?.body).toContain("theirs");
      expect(pending?.body).not.toContain(zone);
      await nxapi.outputs("cli_conf", "zone commit vsan 101");
      while (!(await fabric.zoning(call())).zones.has("theirs")) continue;
      await expectClean(lab, await fabric.inventory(call()));
    });
  });
});
