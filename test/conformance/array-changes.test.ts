import type { Problem } from "../../bed/errors";
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

  const refused = (driven: Driven, olds: object, news: object): readonly Problem[] =>
    driven.handler.refuse!(driven.handler.state.parse(olds), driven.handler.inputs.parse(news));

  test("take no mapped volume away: a number, a volume or a map that goes is refused", () => {
    const state = { ...mapInputs, owned: ["t_data_01", "t_data_02"] };
    const { "01": first, "02": second } = mapInputs.luns;
    const moves = [
      { "01": { ...first, lun: 20 }, "02": second },
      { "01": first, "02": { ...second, volume: "t_data_03" } },
      { "01": first },
    ];
    for (const luns of moves) {
      expect(refused(maps, state, { ...mapInputs, luns })).toHaveLength(1);
    }
    expect(maps.handler.replaceOn).toContain("guard");
  });

  test("add maps in place, whatever key a refresh found them under", () => {
    const { "01": first, "02": second } = mapInputs.luns;
    const more = { ...mapInputs, luns: { ...mapInputs.luns, "03": { volume: "v3", lun: 12 } } };
    const found = { "01": first, t_data_02: second };
    const state = { ...mapInputs, luns: found, owned: ["t_data_01", "t_data_02"] };
    expect(refused(maps, state, more)).toEqual([]);
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
      expect(refused(maps, seen!.state, mapInputs)).toMatchObject([
        { path: "luns.01", remedy: expect.stringContaining("map it back") as string },
      ]);
    });
  });

  test("take no initiator out of a group: another HBA is refused, one more joins", () => {
    const inputs = entry(1);
    const [first, second] = inputs.initiators;
    const state = { ...inputs, owned: inputs.initiators };
    const change: PropertyChange = { path: "initiators[1]", kind: "update", replace: false };
    for (const initiators of [[first], [first, "10:00:00:10:9b:ff:ff:ff"]]) {
      expect(refused(entries, state, { ...inputs, initiators })).toHaveLength(1);
    }
    const more = { ...inputs, initiators: [...inputs.initiators, "10:00:00:10:9b:ff:ff:ff"] };
    expect(diff(entries, [change], state, more)).toEqual([change]);
    expect(refused(entries, state, more)).toEqual([]);
    const spelt = { ...inputs, initiators: [second!.toUpperCase(), first] };
    expect(diff(entries, [change], state, spelt)).toEqual([]);
  });

  test("do not move or drop target ports", () => {
    const state = { ...targetInputs, targetPorts: {} };
    const moved = {
      ...targetInputs,
      ports: { n1_a: { name: "t_n1_a", controller: "a250-01", port: "2c" } },
    };
    expect(refused(tenants, state, moved).map(({ path }) => path)).toContain("ports.n1_a");
  });
});
