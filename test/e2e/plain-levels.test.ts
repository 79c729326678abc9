import { readRun } from "../../runner/results/run-folder";
import { missingForLevel } from "../lab/guests/level-a";
import { E2eBed, smallScale } from "../support/e2e-bed";
import { changes } from "../support/pulumi-cli";

jest.setTimeout(180_000);

const runType = "sanbed:bench:Run";

interface RunOutputs {
  readonly reasons: readonly string[];
  readonly folder: string;
}

describe.each(["B", "C"] as const)("a bed with guests of level %s", (level) => {
  const missing = missingForLevel(level);
  const here = missing.length === 0 ? describe : describe.skip;
  here(missing.length === 0 ? "measures" : `skipped: ${missing.join("; ")}`, () => {
    let bed: E2eBed;
    beforeAll(async () => {
      bed = await E2eBed.start(`plain-${level.toLowerCase()}`, level);
    });
    afterAll(() => bed.dispose());

    it("comes up, measures with real tools, stands still and goes away", async () => {
      const scale = { sysbench: { ...smallScale.sysbench, measure: "8s" } };
      await bed.up({ scale });
      const { folder } = await bed.outputsOf<RunOutputs>(runType);
      const run = await readRun(folder);
      expect(run.summary).toMatchObject({ guests: 2, guestsDelivered: 2 });
      expect(run.summary.tps).toBeGreaterThan(0);
      expect(changes(await bed.up({ scale }))).toEqual({});
      await bed.destroyToNothing();
    });
  });
});
