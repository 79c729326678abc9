import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { exclusively } from "../../../tools/guest-tree/exclusive";

describe("the lock of the cache", () => {
  it("lets one in at a time, tells the one that waits, and opens again after a failure", async () => {
    const dir = mkdtempSync(path.join(os.tmpdir(), "sanbed-exclusive-"));
    try {
      const file = path.join(dir, ".lock");
      const events: string[] = [];
      const holder = exclusively(file, jest.fn(), async () => {
        events.push("first in");
        await new Promise((resolve) => setTimeout(resolve, 900));
        events.push("first out");
        throw new Error("the first failed");
      });
      const outcome = holder.catch((error: unknown) => error);
      while (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      const told = jest.fn();
      const second = await exclusively(file, told, () => Promise.resolve([...events]));
      expect(second).toEqual(["first in", "first out"]);
      expect(told).toHaveBeenCalledTimes(1);
      expect(await outcome).toMatchObject({ message: "the first failed" });
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
