import fc from "fast-check";
import type { ZoningChange, ZoningState } from "../../../provider/devices/fabric-switch";
import {
  isCarriedOut,
  lostZones,
  planEdit,
  type ZoningEdit,
} from "../../../provider/devices/zoning-edit";
import { foreignDrift } from "../../../provider/devices/zoning-drift";
import { expandMembers } from "../../../provider/devices/zoning-members";
import { changeArbitrary, stateArbitrary } from "../../support/zoning-arbitraries";

/** The switch, reduced to what an edit means: stage everything, then enable. */
function carryOut(state: ZoningState, edit: ZoningEdit): ZoningState {
  const aliases = new Map([...state.aliases, ...edit.createAliases, ...edit.replaceAliases]);
  const zones = new Map(state.zones);
  for (const [name, members] of [...edit.createZones, ...edit.replaceZones]) {
    zones.set(name, { name, members, type: "standard" });
  }
  const configs = new Map(
    [...state.configs.values()].map((config) => {
      const leaving = new Set(edit.leave.get(config.name));
      const joining = config.name === edit.enable ? edit.join : [];
      const list = [...config.zones.filter((zone) => !leaving.has(zone)), ...joining];
      return [config.name, { name: config.name, zones: list }];
    }),
  );
  for (const name of edit.removeZones) zones.delete(name);
  for (const name of edit.removeAliases) aliases.delete(name);
  const enabled = edit.enable === undefined ? undefined : configs.get(edit.enable);
  return {
    ...state,
    aliases,
    zones,
    configs,
    effective:
      enabled === undefined
        ? state.effective
        : {
            name: enabled.name,
            zones: new Map(
              enabled.zones.map((name) => [
                name,
                expandMembers(zones.get(name)?.members ?? [], aliases),
              ]),
            ),
          },
  };
}

const isEdit = (plan: ReturnType<typeof planEdit>): plan is ZoningEdit =>
  plan !== undefined && !("refusal" in plan);

describe("an edit of the zoning database", () => {
  test("brings about what was asked, and nothing is left to do afterwards", () => {
    fc.assert(
      fc.property(stateArbitrary, changeArbitrary, (state, change) => {
        const edit = planEdit(state, change);
        fc.pre(isEdit(edit));
        const after = carryOut(state, edit);
        expect(isCarriedOut(after, change)).toBe(true);
        expect(planEdit(after, change)).toBeUndefined();
      }),
    );
  });

  test("never touches an object that the change does not name", () => {
    fc.assert(
      fc.property(stateArbitrary, changeArbitrary, (state, change) => {
        const edit = planEdit(state, change);
        fc.pre(isEdit(edit));
        const after = carryOut(state, edit);
        const named = new Set([
          ...change.upsertAliases.keys(),
          ...change.upsertZones.keys(),
          ...change.removeAliases,
          ...change.removeZones,
        ]);
        for (const [name, zone] of state.zones) {
          if (!named.has(name)) expect(after.zones.get(name)).toEqual(zone);
        }
        for (const [name, members] of state.aliases) {
          if (!named.has(name)) expect(after.aliases.get(name)).toEqual(members);
        }
        for (const [name, config] of state.configs) {
          const kept = config.zones.filter((zone) => !named.has(zone));
          expect(after.configs.get(name)?.zones.filter((zone) => !named.has(zone))).toEqual(kept);
        }
        expect(lostZones(state, after, change)).toEqual([]);
      }),
    );
  });

  test("never leaves a configuration empty, and never enables another", () => {
    fc.assert(
      fc.property(stateArbitrary, changeArbitrary, (state, change) => {
        const edit = planEdit(state, change);
        if (!isEdit(edit)) return;
        expect(edit.enable).toBe(state.effective?.name);
        const after = carryOut(state, edit);
        for (const [name, config] of state.configs) {
          if (config.zones.length > 0) {
            expect(after.configs.get(name)?.zones.length).toBeGreaterThan(0);
          }
        }
      }),
    );
  });
});

const a = "10:00:00:00:00:00:00:0a";
const b = "20:00:00:00:00:00:00:0b";
const base: ZoningState = {
  aliases: new Map([["theirs", [a]]]),
  zones: new Map([["z", { name: "z", members: ["theirs", b], type: "standard" }]]),
  configs: new Map([["cfg", { name: "cfg", zones: ["z"] }]]),
  effective: { name: "cfg", zones: new Map([["z", [a, b]]]) },
  defaultAccess: "none",
  version: "0",
};
const none: ZoningChange = {
  upsertAliases: new Map(),
  upsertZones: new Map(),
  removeAliases: [],
  removeZones: [],
};

describe("edits of somebody else that are not in force", () => {
  test("are none where defined and effective agree", () => {
    expect(foreignDrift(base, none)).toEqual([]);
  });

  test.each([
    [
      "a new zone",
      { configs: new Map([["cfg", { name: "cfg", zones: ["z", "y"] }]]) },
      "zone y is a member but not in effect",
    ],
    [
      "a zone taken out",
      { configs: new Map([["cfg", { name: "cfg", zones: [] }]]) },
      "zone z is in effect but no longer a member",
    ],
    [
      "a changed alias",
      { aliases: new Map([["theirs", ["10:00:00:00:00:00:00:ff"]]]) },
      "zone z: 10:00:00:00:00:00:00:ff defined but not in effect; 10:00:00:00:00:00:00:0a in effect but no longer defined",
    ],
    [
      "a deleted configuration",
      { configs: new Map() },
      "cfg is in effect but not defined any more",
    ],
  ])("are named: %s", (_what, change, expected) => {
    expect(foreignDrift({ ...base, ...change }, none)).toEqual([expected]);
  });

  test("do not count where the change itself settles the zone", () => {
    const state = { ...base, configs: new Map([["cfg", { name: "cfg", zones: [] }]]) };
    expect(foreignDrift(state, { ...none, removeZones: ["z"] })).toEqual([]);
  });
});

test("peer zones are never taken for ours", () => {
  const peer = { name: "z", members: [a, b], type: "user-created-peer-zone" };
  const plan = planEdit(
    { ...base, zones: new Map([["z", peer]]) },
    { ...none, upsertZones: new Map([["z", [a]]]) },
  );
  expect(plan).toMatchObject({ refusal: { object: "zone z" } });
});
