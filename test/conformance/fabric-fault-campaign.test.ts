import { hostZones } from "../../provider/resources/fabric-host-zones";
import { Campaign, type CampaignWork, type Situation } from "../support/fabric-campaign";
import { fabricFamilies } from "../support/fabric-families";
import { Driven } from "../support/handler-rig";
import { withTargets, type ZonesInputs } from "../support/zoned-bed";

/**
 * A host's zones are made, changed and removed again and again, each time with a fault at the next call to
 * one of the two switches. Whatever happens: each fabric is as it was or as it should be, nothing of
 * others has changed, and the next run gets to its end.
 */
jest.setTimeout(600_000);

const zones = new Driven(hostZones);

type Effect = { dropBefore: true } | { dropAfter: true } | { status: number };

const once =
  (effect: Effect): Situation["fault"] =>
  async ({ lab, device }, skip) => {
    const id = await lab.client.addFault({ device, skip, times: 1, effect });
    return () => lab.client.removeFault(id);
  };

/** From that call on nothing of the process reaches any switch any more. */
const killed =
  (last: Effect): Situation["fault"] =>
  async ({ lab, family, device }, skip) => {
    const rules = [await lab.client.addFault({ device, skip, times: 1, effect: last })];
    rules.push(await lab.client.addFault({ device, skip, effect: { dropBefore: true } }));
    return async () => {
      for (const id of rules) await lab.client.removeFault(id);
      await family.killed(lab);
    };
  };

const nothing: Situation["fault"] = () => Promise.resolve(() => Promise.resolve());

const situations: readonly Situation[] = [
  { name: "its connection is lost before the call took effect", fault: once({ dropBefore: true }) },
  { name: "its connection is lost after the call took effect", fault: once({ dropAfter: true }) },
  { name: "the switch answers 500", fault: once({ status: 500 }) },
  { name: "the switch answers 503", fault: once({ status: 503 }) },
  { name: "a proxy answers 502", fault: once({ status: 502 }) },
  { name: "another administrator takes the transaction over", fault: nothing, takeOver: true },
  {
    name: "the process is killed before the call took effect",
    fault: killed({ dropBefore: true }),
    dies: true,
  },
  {
    name: "the process is killed after the call took effect",
    fault: killed({ dropAfter: true }),
    dies: true,
  },
];

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

describe.each(fabricFamilies)("$name: zones of a host", (family) => {
  test.each(situations)("stay whole at every call when $name", async (situation) => {
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
