import { ConfigError } from "../../bed/errors";
import type { PropertyChange } from "../../provider/kit/handler";
import {
  tenants,
  entries,
  maps,
  targetInputs,
  scope,
  groupName,
  entry,
  mapInputs,
  withArrayBed,
  build,
} from "../support/array-resources";
import { call } from "../support/device-rig";
import type { Driven } from "../support/handler-rig";

jest.setTimeout(30_000);

describe("changes of array resources", () => {
  const diff = (
    driven: Driven,
    changes: readonly PropertyChange[],
    olds: object,
    news: object,
  ): readonly PropertyChange[] =>
    driven.handler.diff!(
      changes,
      driven.handler.state.parse(olds),
      driven.handler.inputs.parse(news),
    );

  test("take no mapped volume away: a number, a volume or a map that goes is refused", () => {
    const state = { ...mapInputs, owned: ["t_data_01", "t_data_02"] };
    const change = (path: string): PropertyChange => ({ path, kind: "update", replace: false });
    const { "01": first, "02": second } = mapInputs.luns;
    const moves = [
      { "01": { ...first, lun: 20 }, "02": second },
      { "01": first, "02": { ...second, volume: "t_data_03" } },
      { "01": first },
    ];
    for (const luns of moves) {
      const news = { ...mapInputs, luns };
      expect(() => diff(maps, [change("luns")], state, news)).toThrow(ConfigError);
    }
    const anew = { ...mapInputs, guard: "guard-2", luns: moves[0]! };
    const replaced = { ...change("guard"), replace: true };
    expect(diff(maps, [replaced, change("luns")], state, anew)[0]?.replace).toBe(true);
  });

  test("add maps in place, whatever key a refresh found them under", () => {
    const { "01": first, "02": second } = mapInputs.luns;
    const more = { ...mapInputs, luns: { ...mapInputs.luns, "03": { volume: "v3", lun: 12 } } };
    const added: PropertyChange = { path: "luns.03", kind: "add", replace: false };
    const found = { "01": first, t_data_02: second };
    const state = { ...mapInputs, luns: found, owned: ["t_data_01", "t_data_02"] };
    expect(diff(maps, [added], state, more)).toEqual([added]);
  });

  test("refuse to put back a LUN that somebody mapped under another number", async () => {
    await withArrayBed(async (context, lab) => {
      const { map } = await build(context);
      const lun = { lun: "/vol/t_data_01/t_data_01", igroup: groupName };
      await lab.client.tamper("array", "removeMap", lun);
      await context
        .array("array")
        .maps.ensure(call(), scope, [{ volume: "t_data_01", group: groupName, lun: 14 }]);
      const seen = await maps.read(context, map.id, map.state);
      expect(seen?.inputs).toMatchObject({ luns: { "01": { lun: 14 } } });
      const moved: PropertyChange = { path: "luns.01.lun", kind: "update", replace: false };
      expect(() => diff(maps, [moved], seen!.state, mapInputs)).toThrow(/map it back/);
    });
  });

  test("take no initiator out of a group: another HBA is refused, one more joins", () => {
    const inputs = entry(1);
    const [first, second] = inputs.initiators;
    const state = { ...inputs, owned: inputs.initiators };
    const change: PropertyChange = { path: "initiators[1]", kind: "update", replace: false };
    for (const initiators of [[first], [first, "10:00:00:10:9b:ff:ff:ff"]]) {
      expect(() => diff(entries, [change], state, { ...inputs, initiators })).toThrow(ConfigError);
    }
    const more = { ...inputs, initiators: [...inputs.initiators, "10:00:00:10:9b:ff:ff:ff"] };
    expect(diff(entries, [change], state, more)).toEqual([change]);
    const spelt = { ...inputs, initiators: [second!.toUpperCase(), first] };
    expect(diff(entries, [change], state, spelt)).toEqual([]);
  });

  test("do not move or drop target ports", () => {
    const state = { ...targetInputs, targetPorts: {} };
    const moved = {
      ...targetInputs,
      ports: { n1_a: { name: "t_n1_a", controller: "a250-01", port: "2c" } },
    };
    expect(() => diff(tenants, [], state, moved)).toThrow(ConfigError);
  });
});
