import { notBuiltYet } from "../../bed/not-built";
import { findPlan } from "../../bed/plan";
import { parseSettings } from "../../bed/settings";
import { reviewBeds } from "../../stacks/beds/catalogue";
import { E2eBed, smallScale } from "../support/e2e-bed";

jest.setTimeout(300_000);

const phase = "sysbench";

/** Every host of the lab, all guests of a review with 16, all of its 32 volumes; only smaller. */
const wholeScale = {
  ...smallScale,
  clusters: 2,
  cases: [8, 16],
  volumeGroups: { sysbench: { count: 32, size: "4 GiB" } },
};

/** A plan of a bed on the lab's site, as the stack's program makes it. */
function planned(bed: E2eBed, id: string, scale: unknown) {
  const settings = parseSettings({
    bedId: bed.bedId,
    stack: "preview",
    phase,
    runId: "1",
    scale,
  });
  return findPlan(reviewBeds[id]!, bed.lab.site(), settings);
}

/** Resources that a preview would create, by type. */
async function created(bed: E2eBed, id: string, scale: Readonly<Record<string, unknown>>) {
  const steps = await bed.preview({ scale, config: { bed: id, phase } });
  expect(steps.filter((step) => !step.startsWith("create "))).toEqual([]);
  return (name: RegExp): number => steps.filter((step) => name.test(step)).length;
}

describe("previews against the lab", () => {
  let bed: E2eBed;

  beforeAll(async () => {
    bed = await E2eBed.start("look", "D", { release: "9.9.1" });
  });

  afterAll(() => bed.dispose());

  const ids = Object.keys(reviewBeds).filter((id) => !id.endsWith("-printed"));

  it("show each bed that is built with the resources of its plan, and touch no device", async () => {
    const writes = await bed.watchWrites();
    const built = ids.filter((id) => {
      const { plan, problems } = planned(bed, id, smallScale);
      return problems.length === 0 && notBuiltYet(plan!).length === 0;
    });
    expect(built).toEqual(
      expect.arrayContaining(["aff-a250-fcp", "aff-a250-nvme-fc", "aff-a800", "aff-a300"]),
    );
    for (const id of built) {
      const plan = planned(bed, id, smallScale).plan!;
      const count = await created(bed, id, smallScale);
      expect([id, count(/-zoning-esx\d+/), count(/-guests-g\d+$/)]).toEqual([
        id,
        plan.hosts.length,
        plan.guests.length,
      ]);
      expect(count(/-datastores-sysbench-\d+$/)).toBe(plan.datastores.length);
      expect(count(/-storage-sysbench$/)).toBe(plan.volumeGroups.length);
    }
    expect(await writes()).toEqual([]);
  });

  it.each(["aff-a250-fcp", "aff-a250-nvme-fc"])(
    "show %s on all hosts with all 32 volumes and 16 guests",
    async (id) => {
      const { plan, problems } = planned(bed, id, wholeScale);
      expect(problems).toEqual([]);
      const count = await created(bed, id, wholeScale);
      expect(count(/-zoning-esx\d+/)).toBe(8);
      expect(count(/-datastores-sysbench-\d+$/)).toBe(32);
      expect(count(/-guests-g\d+$/)).toBe(16);
      expect(count(/-datastores-sysbench-esx/)).toBe(8);
      expect(plan!.cases.map(({ guests }) => guests.length)).toEqual([8, 16]);
    },
  );

  it("refuse a bed that is not built yet before anything is declared, and name what is missing", async () => {
    const missing = ids.find((id) => {
      const { plan } = planned(bed, id, smallScale);
      return notBuiltYet(plan!).length > 0;
    });
    if (missing === undefined) return;
    await expect(bed.preview({ config: { bed: missing, phase } })).rejects.toThrow(
      /can be planned, but not be built yet|has problems|does not fit/,
    );
  });
});
