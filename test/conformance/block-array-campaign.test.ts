import { build, targetsOf, tearDown, withArray } from "../support/array-bed";
import { faultCampaign, type CampaignRig } from "../support/array-campaign";
import { buildNvme, nvmeTargetsOf, tearDownNvme } from "../support/nvme-bed";

jest.setTimeout(180_000);

const ontap = (release: string): CampaignRig => ({
  run: (test) => withArray(release, test),
  build: (array) => build(array, targetsOf(release), 1),
  tearDown: (array) => tearDown(array, 1),
});

const nvme: CampaignRig = {
  run: (test) => withArray("9.9.1", test),
  build: (array) => buildNvme(array, nvmeTargetsOf("9.9.1"), 1),
  tearDown: (array) => tearDownNvme(array, 1),
};

const rigs: readonly (readonly [string, CampaignRig])[] = [
  ["ONTAP 9.5", ontap("9.5")],
  ["ONTAP 9.8", ontap("9.8")],
  ["ONTAP 9.9.1", ontap("9.9.1")],
  ["ONTAP 9.9.1 over NVMe", nvme],
];

describe.each(rigs)(
  "a bed on %s, with one device call going wrong after the other",
  (_name, rig) => {
    test.each([
      ["has its effect, and the answer is lost", { dropAfter: true as const }],
      ["is answered with an internal error", { status: 500 }],
    ])("is whole after the next up, and gone after destroy: the call %s", async (_what, effect) => {
      expect(await faultCampaign(rig, effect)).toBeGreaterThan(40);
    });
  },
);
