import { hostZones } from "../../provider/resources/fabric-host-zones";
import { Campaign, type CampaignWork, type Situation } from "./fabric-campaign";
import type { FabricFamily } from "./fabric-families";
import { Driven } from "./handler-rig";
import { withTargets, type ZonesInputs } from "./zoned-bed";

const zones = new Driven(hostZones);

/** Ways in which a call goes wrong, by what is wrong: one file of tests each. */
export const situations = {
  lost: [
    {
      name: "its connection is lost before the call took effect",
      effect: { dropBefore: true },
    },
    { name: "its connection is lost after the call took effect", effect: { dropAfter: true } },
  ],
  refused: [
    { name: "the switch answers 500", effect: { status: 500 } },
    { name: "the switch answers 503", effect: { status: 503 } },
    { name: "a proxy answers 502", effect: { status: 502 } },
  ],
  takenOver: [{ name: "another administrator takes the transaction over", takeOver: true }],
  killed: [
    {
      name: "the process is killed before the call took effect",
      effect: { dropBefore: true },
      dies: true,
    },
    {
      name: "the process is killed after the call took effect",
      effect: { dropAfter: true },
      dies: true,
    },
  ],
} as const satisfies Record<string, readonly Situation[]>;

function worksOf(inputs: (host: number) => ZonesInputs) {
  const wanted = inputs(0);
  const changed = inputs(0);
  changed.fabrics.A.zonePrefix = "second";
  changed.fabrics.B.targets = changed.fabrics.B.targets.slice(0, 1);
  const create: CampaignWork = {
    name: "made",
    // The engine repairs by an update what it has a record of.
    run: async (call, state) =>
      state === undefined
        ? (await zones.create(call.context, wanted, call)).state
        : await zones.update(call.context, "id", state, wanted, call),
  };
  const update: CampaignWork = {
    name: "changed",
    run: async (call, state) => await zones.update(call.context, "id", state!, changed, call),
  };
  const remove: CampaignWork = {
    name: "removed",
    run: async (call, state) => {
      await zones.delete(call.context, "id", state!, call);
      return state;
    },
  };
  return { create, update, remove };
}

/**
 * A host's zones are made, changed and removed again and again, each time with a fault at the next call to
 * one of the two switches. Whatever happens: each fabric is as it was or as it should be, nothing of
 * others has changed, and the next run gets to its end.
 */
export function campaignTests(family: FabricFamily, kind: keyof typeof situations): void {
  jest.setTimeout(600_000);
  const all: readonly Situation[] = situations[kind];
  describe(`${family.name}: zones of a host`, () => {
    test.each(all)("stay whole at every call when $name", async (situation) => {
      await withTargets(async (_context, inputs, lab) => {
        family.prepare(lab);
        const isOurs = (zone: string): boolean => /^(?:t|second)_/.test(zone);
        const campaign = new Campaign(family, lab, situation, isOurs);
        const { create, update, remove } = worksOf(inputs);
        await campaign.over(create, [], [remove]);
        await campaign.over(update, [create], [remove]);
        await campaign.over(remove, [create], []);
        // A campaign that hit nothing proves nothing.
        expect(campaign.hits).toBeGreaterThan(40);
      }, family.lab);
    });
  });
}
