import type { BlockArray } from "../../provider/devices/block-array";
import { call } from "./device-rig";
import type { TestLab } from "./lab";

/** What a fault campaign needs of one family of arrays; the same for every driver. */
export interface CampaignRig {
  /** Runs the test on the driver of an array of its own. */
  readonly run: (test: (array: BlockArray, lab: TestLab) => Promise<void>) => Promise<void>;
  readonly build: (array: BlockArray) => Promise<void>;
  readonly tearDown: (array: BlockArray) => Promise<void>;
}

type Effect = Parameters<TestLab["client"]["addFault"]>[0]["effect"];

/**
 * Lets one request after the other of a whole life (build, tear down) go wrong, each in a life of its own.
 * After the trouble the same is done once more, as `up` and `destroy` do it: nothing is lost then, and
 * nothing is left. Answers how many requests were tried.
 */
export async function faultCampaign(rig: CampaignRig, effect: Effect): Promise<number> {
  let tried = 0;
  await rig.run(async (array, lab) => {
    const before = await array.inventory(call());
    /** Goes wrong at its n-th request, or not at all when it has fewer. */
    const disturbed = async (work: () => Promise<void>, n: number): Promise<boolean> => {
      const start = (await lab.client.requests("array")).length;
      const rule = { device: "array", match: {}, skip: n, times: 1, effect };
      const id = await lab.client.addFault(rule);
      await work().catch(() => undefined);
      await lab.client.removeFault(id);
      return (await lab.client.requests("array")).length - start > n;
    };
    for (let n = 0; await disturbed(() => rig.build(array), n); n++, tried++) {
      await rig.build(array);
      await rig.tearDown(array);
      expect({ n, left: await array.inventory(call()) }).toEqual({ n, left: before });
    }
    for (let n = 0; await disturbed(() => rig.tearDown(array), n); n++, tried++) {
      await rig.tearDown(array);
      expect({ n, left: await array.inventory(call()) }).toEqual({ n, left: before });
      await rig.build(array);
    }
    expect(await array.inventory(call())).toEqual(before);
  });
  return tried;
}
