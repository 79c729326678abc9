import fc from "fast-check";
import type { ZoningChange, ZoningState } from "../../../../provider/devices/fabric-switch";
import { planEdit, type ZoningEdit } from "../../../../provider/devices/zoning-edit";
import {
  inverseChange,
  mdsCommands,
  mdsEdit,
  requestsOf,
  type MdsEdit,
} from "../../../../provider/devices/cisco-mds/mds-commands";
import type { MdsDatabase } from "../../../../provider/devices/cisco-mds/mds-database";
import { NxosModel } from "../../../support/nxos-model";
import { changeArbitrary, stateArbitrary } from "../../../support/zoning-arbitraries";

const vsan = { id: 10 };

function database(state: ZoningState, enhancedAliases = true): MdsDatabase {
  return {
    state,
    kinds: new Map(
      [...state.aliases].map(([name, m]) => [name, m.length === 1 ? "device-alias" : "fcalias"]),
    ),
    status: {
      enhanced: true,
      session: undefined,
      operation: "",
      working: false,
      defaultAccess: "none",
      usedBytes: 0n,
      maxBytes: 4_000_000n,
    },
    aliasStatus: { enhanced: enhancedAliases, distributed: true, holder: undefined },
    hasFcaliases: true,
  };
}

const run = (state: ZoningState, commands: readonly string[]): ZoningState =>
  new NxosModel(state).run(commands);

/** Device aliases hold one WWPN, and no WWPN has two: states and changes of the other families do not know. */
function isNxos(state: ZoningState, change: ZoningChange): boolean {
  const single = [...state.aliases.values()].filter((members) => members.length === 1).flat();
  // NX-OS activates no zoneset without zones.
  if (state.effective?.zones.size === 0) return false;
  const renewed = [...change.upsertAliases].filter(
    ([name]) => state.aliases.get(name)?.length === 1,
  );
  return (
    new Set(single).size === single.length && renewed.every(([, members]) => members.length === 1)
  );
}

const planned = (state: ZoningState, change: ZoningChange): ZoningEdit | undefined => {
  const edit = planEdit(state, change);
  return edit === undefined || "refusal" in edit ? undefined : edit;
};

/** Zones of a state may name aliases that a change removes: what then dangles is the caller's to refuse. */
const dangles = (state: ZoningState, change: ZoningChange): boolean =>
  [...state.zones].some(
    ([name, zone]) =>
      !change.removeZones.includes(name) &&
      !change.upsertZones.has(name) &&
      zone.members.some((member) => change.removeAliases.includes(member)),
  );

describe("the commands of a change", () => {
  test("bring it about on a switch that refuses whatever dangles or is there already", () => {
    fc.assert(
      fc.property(stateArbitrary, changeArbitrary, fc.boolean(), (state, change, enhanced) => {
        fc.pre(isNxos(state, change) && !dangles(state, change));
        const edit = planned(state, change);
        fc.pre(edit !== undefined);
        const base = database(state, enhanced);
        const commands = mdsCommands(mdsEdit(base, edit, vsan, undefined), true, vsan);
        const after = run(state, commands);
        expect(planEdit(after, change)).toBeUndefined();
      }),
    );
  });

  test("touch nothing that the change does not name", () => {
    fc.assert(
      fc.property(stateArbitrary, changeArbitrary, (state, change) => {
        fc.pre(isNxos(state, change) && !dangles(state, change));
        const edit = planned(state, change);
        fc.pre(edit !== undefined);
        const after = run(
          state,
          mdsCommands(mdsEdit(database(state), edit, vsan, undefined), true, vsan),
        );
        const named = new Set([
          ...change.upsertAliases.keys(),
          ...change.upsertZones.keys(),
          ...change.removeAliases,
          ...change.removeZones,
        ]);
        for (const [name, zone] of state.zones) {
          if (!named.has(name)) expect(after.zones.get(name)?.members).toEqual(zone.members);
        }
        for (const [name, members] of state.aliases) {
          if (!named.has(name)) expect(after.aliases.get(name)).toEqual(members);
        }
        expect(after.effective?.name).toBe(state.effective?.name);
      }),
    );
  });

  test("give an alias that exists already another family's member only where it is of it", () => {
    const wwpn = "10:00:00:00:00:00:00:01";
    const state: ZoningState = {
      aliases: new Map([["theirs", [wwpn]]]),
      zones: new Map([["z", { name: "z", members: ["theirs"], type: "standard" }]]),
      configs: new Map([["cfg", { name: "cfg", zones: ["z"] }]]),
      effective: { name: "cfg", zones: new Map([["z", [wwpn]]]) },
      defaultAccess: "none",
      version: "0",
    };
    const change: ZoningChange = {
      upsertAliases: new Map([["sanbed_abcdefghij_h", [wwpn]]]),
      upsertZones: new Map([["t_h", ["sanbed_abcdefghij_h", "20:00:00:00:00:00:00:01"]]]),
      removeAliases: [],
      removeZones: [],
    };
    // The WWPN has a device alias of somebody's: ours becomes an fcalias of the VSAN.
    expect(
      mdsCommands(mdsEdit(database(state), planned(state, change)!, vsan, undefined), true, vsan),
    ).toEqual([
      "fcalias name sanbed_abcdefghij_h vsan 10",
      `member pwwn ${wwpn}`,
      "zone name t_h vsan 10",
      "member fcalias sanbed_abcdefghij_h",
      "member pwwn 20:00:00:00:00:00:00:01",
      "zoneset name cfg vsan 10",
      "member t_h",
      "zoneset activate name cfg vsan 10",
      "zone commit vsan 10",
    ]);
  });
});

describe("the inverse of a change", () => {
  test("leads back to what was there", () => {
    fc.assert(
      fc.property(stateArbitrary, changeArbitrary, (state, change) => {
        fc.pre(state.effective !== undefined && isNxos(state, change) && !dangles(state, change));
        const edit = planned(state, change);
        fc.pre(edit !== undefined);
        const after = run(
          state,
          mdsCommands(mdsEdit(database(state), edit, vsan, "fcalias"), true, vsan),
        );
        const back = inverseChange(state, change);
        const undo = planned(after, back);
        for (const [name, members] of back.upsertAliases)
          expect(members).toEqual(state.aliases.get(name));
        for (const name of back.removeZones) expect(state.zones.has(name)).toBe(false);
        fc.pre(undo !== undefined);
        for (const [name] of undo.createZones) expect(state.zones.has(name)).toBe(true);
      }),
    );
  });
});

describe("requests", () => {
  const blocks: fc.Arbitrary<MdsEdit["zoning"]> = fc.array(
    fc.record({
      enter: fc.option(fc.constantFrom("zone name a vsan 1", "zoneset name s vsan 1"), {
        nil: undefined,
      }),
      lines: fc.array(fc.constantFrom("member x", "member pwwn 10:00:00:00:00:00:00:01")),
    }),
  ) as never;

  test("hold every line once, in order, inside its mode, within the size", () => {
    fc.assert(
      fc.property(blocks, fc.integer({ min: 60, max: 400 }), (list, size) => {
        const requests = requestsOf(list, size);
        for (const request of requests)
          expect(request.join(" ; ").length).toBeLessThanOrEqual(size + 60);
        const seen = requests.flatMap((request) => {
          let mode: string | undefined;
          return request.flatMap((line) => {
            if (!line.startsWith("member")) {
              mode = line;
              return [];
            }
            return [[mode, line]];
          });
        });
        // A block without a mode of its own stands where the one before it left off.
        const wanted = list.flatMap((block) => block.lines.map((line) => [block.enter, line]));
        expect(seen.map(([, line]) => line)).toEqual(wanted.map(([, line]) => line));
        wanted.forEach(([mode], index) => {
          if (mode !== undefined) expect(seen[index]?.[0]).toBe(mode);
        });
      }),
    );
  });
});
