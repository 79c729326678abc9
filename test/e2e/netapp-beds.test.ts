import { readRun } from "../../runner/results/run-folder";
import { missingForLevelA } from "../lab/guests/level-a";
import { E2eBed, expectDone, smallScale, type Declared } from "../support/e2e-bed";
import { killPlugin } from "../support/process-tree";
import { changes } from "../support/pulumi-cli";

const missing = missingForLevelA();
const atLevelA = missing.length === 0 ? describe : describe.skip;
const title = missing.length === 0 ? "" : ` (skipped, no level A here: ${missing.join("; ")})`;

jest.setTimeout(180_000);

const measuring = (output: string): boolean => output.includes("measuring on 2 guests");
const declared: Declared = {};
const long: Declared = {
  scale: { sysbench: { ...smallScale.sysbench, measure: "120s" } },
  config: { runId: "2" },
};

interface RunOutputs {
  readonly verdict: string;
  readonly reasons: readonly string[];
  readonly folder: string;
}

/** The request after which the first blow falls: the map is made, and no state knows of it. */
const mapped = {
  "aff-a250": /\/protocols\/nvme\/subsystem-maps/,
  // ONTAPI has one path for everything.
  "aff-a800": /XMLrequest_filer/,
} as const;

atLevelA.each([
  ["aff-a250", "9.9.1", { protocol: "nvme-fc", software: "9.9.1" }],
  ["aff-a800", "9.5", { protocol: "fcp", software: "9.5RC1" }],
] as const)(`stack %s on ONTAP %s, with real guests${title}`, (stack, release, platform) => {
  let bed: E2eBed;

  beforeAll(async () => {
    bed = await E2eBed.start("netapp", "A", { stack, release });
  });

  afterAll(() => bed.dispose());

  it("cut off while it was built, is finished by the next up and measures", async () => {
    await bed.isClear();
    const slow = await bed.lab.addFault({ device: "array", match: {}, effect: { latencyMs: 60 } });
    const { code } = await bed.upStruck(
      declared,
      async () =>
        (await bed.lab.requests("array")).some(
          (request) => request.write && mapped[stack].test(request.path),
        ),
      killPlugin,
    );
    await bed.lab.removeFault(slow);
    expect(code).not.toBe(0);
    await bed.up(declared);
    const outputs = await bed.outputsOf<RunOutputs>("sanbed:bench:Run");
    expect(outputs).toMatchObject({ verdict: "valid", reasons: [] });
    const { declaration } = await readRun(outputs.folder);
    expect(declaration).toMatchObject({ platform: { kind: "lab", ...platform } });
  });

  it("stands still: a second up and a refresh change nothing and write to no device", async () => {
    await bed.stands(declared);
    const writes = await bed.watchWrites();
    expect(changes(expectDone(await bed.cli.up("--expect-no-changes")))).toEqual({});
    expect(changes(expectDone(await bed.cli.refresh("--expect-no-changes")))).toEqual({});
    expect(await writes()).toEqual([]);
  });

  it("leaves nothing after destroy, also when the engine was killed while it measured", async () => {
    await bed.stands(declared);
    // Over FCP that is seen in measured.test.ts.
    if (platform.protocol === "nvme-fc") {
      const { code } = await bed.upStruck(long, measuring, (pulumi) => {
        process.kill(pulumi, "SIGKILL");
      });
      expect(code).not.toBe(0);
    }
    await bed.destroyToNothing();
  });
});
