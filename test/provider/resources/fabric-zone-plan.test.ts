import { zoneNames } from "../../../bed/zone-names";
import fc from "fast-check";
import { bedOfName } from "../../../bed/mark";
import { isCarriedOut, planEdit } from "../../../provider/devices/zoning-edit";
import { planSweep } from "../../../provider/devices/zoning-sweep";
import { discoverSide, observeSide } from "../../../provider/resources/fabric-zone-observe";
import {
  isOurZone,
  planHostZones,
  planRemoval,
  reverseChange,
  takesAway,
  wantedZones,
} from "../../../provider/resources/fabric-zone-plan";
import { testBedId } from "../../support/device-rig";
import { changeArbitrary, stateArbitrary } from "../../support/zoning-arbitraries";

const side = {
  initiators: { vmhba2: "10:00:00:00:00:00:00:01" },
  targets: ["10:00:00:00:00:00:00:03", "10:00:00:00:00:00:00:02"],
  zonePrefix: "t",
};

test("gives every initiator a zone of its own, with all targets and its marked alias", () => {
  const two = { ...side, initiators: { ...side.initiators, vmhba4: "10000000 00000005" } };
  const zones = wantedZones(testBedId, "h1", two);
  expect(zones.map((zone) => zone.initiator)).toEqual([
    "10:00:00:00:00:00:00:01",
    "10:00:00:00:00:00:00:05",
  ]);
  for (const zone of zones) {
    expect(zone.targets).toEqual(["10:00:00:00:00:00:00:02", "10:00:00:00:00:00:00:03"]);
    expect(bedOfName(zone.alias)).toBe(testBedId);
  }
});

test("makes names that a switch takes, apart for every host and adapter", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(fc.domain(), fc.constantFrom("vmhba2", "vmhba3", "vmhba64")), {
        selector: ([host, hba]) => `${host}/${hba}`,
        minLength: 2,
      }),
      (ports) => {
        const names = ports.map(([host, hba]) => zoneNames(testBedId, host, hba, "review_stack"));
        for (const { alias, zone } of names) {
          expect(alias).toMatch(/^[A-Za-z][A-Za-z0-9_]{0,63}$/);
          expect(zone).toMatch(/^[A-Za-z][A-Za-z0-9_]{0,63}$/);
          expect(bedOfName(alias)).toBe(testBedId);
        }
      },
    ),
  );
});

test("never changes or removes a zone that lacks the mark", () => {
  fc.assert(
    fc.property(stateArbitrary, (state) => {
      const owned = { aliases: [...state.aliases.keys()], zones: [...state.zones.keys()] };
      const removal = planRemoval(state, owned, testBedId);
      if (!("refusal" in removal)) {
        for (const name of removal.removeZones)
          expect(isOurZone(state, name, testBedId)).toBe(true);
        for (const name of removal.removeAliases) expect(bedOfName(name)).toBe(testBedId);
        // No zone that stays is left with an alias that goes.
        for (const [name, zone] of state.zones) {
          if (removal.removeZones.includes(name)) continue;
          expect(zone.members.some((m) => removal.removeAliases.includes(m))).toBe(false);
        }
      }
      const plan = planHostZones(
        state,
        wantedZones(testBedId, "h1", side),
        { aliases: [], zones: [] },
        testBedId,
      );
      if ("refusal" in plan) return;
      for (const name of plan.upsertZones.keys()) {
        expect(!state.zones.has(name) || isOurZone(state, name, testBedId)).toBe(true);
      }
    }),
  );
});

test("takes nothing away that it has just planned to make", () => {
  const wanted = wantedZones(testBedId, "h1", side);
  const earlier = {
    aliases: wanted.map((zone) => zone.alias),
    zones: [...wanted.map((zone) => zone.zone), "old_h1_vmhba2"],
  };
  fc.assert(
    fc.property(stateArbitrary, (state) => {
      const plan = planHostZones(state, wanted, earlier, testBedId);
      if ("refusal" in plan) return;
      expect(plan.removeZones.filter((name) => plan.upsertZones.has(name))).toEqual([]);
      expect(plan.removeAliases.filter((name) => plan.upsertAliases.has(name))).toEqual([]);
    }),
  );
});

test("can put back what a change did", () => {
  fc.assert(
    fc.property(stateArbitrary, changeArbitrary, (state, change) => {
      const reverse = reverseChange(state, change);
      // On the base itself there is nothing to put back, as far as the zones were in force.
      const zones = [...reverse.upsertZones.keys()];
      fc.pre(zones.every((zone) => state.effective?.zones.has(zone) === true));
      expect(isCarriedOut(state, reverse)).toBe(true);
    }),
  );
});

test("tells a change that takes paths away from one that only adds", () => {
  fc.assert(
    fc.property(stateArbitrary, changeArbitrary, (state, change) => {
      const gone = change.removeZones.some((name) => state.zones.has(name));
      const shrinks = [...change.upsertZones].some(([name, members]) =>
        (state.zones.get(name)?.members ?? []).some((member) => !members.includes(member)),
      );
      const otherPort = [...change.upsertAliases].some(([name, members]) =>
        (state.aliases.get(name) ?? []).some((member) => !members.includes(member)),
      );
      expect(takesAway(state, change)).toBe(gone || shrinks || otherPort);
    }),
  );
});

describe("what a refresh shows", () => {
  const base = {
    aliases: new Map<string, readonly string[]>(),
    zones: new Map(),
    configs: new Map([["cfg", { name: "cfg", zones: [] as string[] }]]),
    effective: { name: "cfg", zones: new Map<string, readonly string[]>() },
    defaultAccess: "none" as const,
    version: "v",
  };

  test("is the inputs, when everything is so; import finds the same", () => {
    const [wanted] = wantedZones(testBedId, "h1", side);
    const members = [wanted!.alias, ...wanted!.targets];
    const state = {
      ...base,
      aliases: new Map([[wanted!.alias, [wanted!.initiator]]]),
      zones: new Map([[wanted!.zone, { name: wanted!.zone, members, type: "standard" }]]),
      effective: {
        name: "cfg",
        zones: new Map([[wanted!.zone, [wanted!.initiator, ...wanted!.targets]]]),
      },
    };
    expect(observeSide(state, testBedId, "h1", side, ["vmhba2"])).toEqual(side);
    expect(discoverSide(state, testBedId, "h1")).toMatchObject({
      hbas: ["vmhba2"],
      side: { zonePrefix: "t" },
    });
    expect(discoverSide(state, testBedId, "h")).toBeUndefined();
    expect(
      planEdit(
        { ...state, configs: new Map([["cfg", { name: "cfg", zones: [wanted!.zone] }]]) },
        {
          upsertAliases: new Map([[wanted!.alias, [wanted!.initiator]]]),
          upsertZones: new Map([[wanted!.zone, members]]),
          removeAliases: [],
          removeZones: [],
        },
      ),
    ).toBeUndefined();
    const sweep = planSweep(state, testBedId, [wanted!.zone]);
    expect("removed" in sweep && sweep.removed).toEqual([
      `zone ${wanted!.zone}`,
      `alias ${wanted!.alias}`,
    ]);
    // The same zone, had somebody else made it with our alias: the name alone proves nothing.
    const unnoted = planSweep(state, testBedId, []);
    expect("refusal" in unnoted && unnoted.refusal.reason).toContain(wanted!.zone);
  });

  test("leaves out a port whose zone is not in force as defined", () => {
    fc.assert(
      fc.property(stateArbitrary, (state) => {
        const seen = observeSide(state, testBedId, "h1", side, ["vmhba2"]);
        const { alias, zone } = zoneNames(testBedId, "h1", "vmhba2", "t");
        const initiator = seen.initiators["vmhba2"];
        if (initiator === undefined) return;
        expect(state.aliases.get(alias)).toEqual([initiator]);
        expect(state.effective?.zones.get(zone)).toContain(initiator);
        expect(isOurZone(state, zone, testBedId)).toBe(true);
      }),
    );
  });
});

describe("an alias with our mark that holds another WWPN", () => {
  const [wanted] = wantedZones(testBedId, "h1", side);
  const { alias } = wanted!;
  const held = (members: readonly string[]) => ({
    aliases: new Map([[alias, members]]),
    zones: new Map(),
    configs: new Map([["cfg", { name: "cfg", zones: [] }]]),
    effective: { name: "cfg", zones: new Map() },
    defaultAccess: "none" as const,
    version: "v",
  });
  const stranger = "10:00:00:00:00:00:00:99";
  const none = { aliases: [], zones: [] };

  test.each([[[stranger]], [[wanted!.initiator, stranger]]])(
    "is refused where no record says that we made it: %j",
    (members) => {
      const plan = planHostZones(held(members), [wanted!], none, testBedId);
      if (!("refusal" in plan)) throw new Error("it was accepted");
      expect(plan.refusal.reason).toContain(`alias ${alias}`);
      expect(plan.refusal.reason).toContain(stranger);
      expect(plan.refusal.remedy).toContain("sanbed sweep");
    },
  );

  test("is repaired where it is recorded, and adopted where it is right", () => {
    const recorded = { aliases: [alias], zones: [] };
    const repaired = planHostZones(held([stranger]), [wanted!], recorded, testBedId);
    const adopted = planHostZones(held([wanted!.initiator]), [wanted!], none, testBedId);
    for (const plan of [repaired, adopted]) {
      if ("refusal" in plan) throw new Error(plan.refusal.reason);
      expect(plan.upsertAliases.get(alias)).toEqual([wanted!.initiator]);
    }
  });
});
