import { hostEntry } from "../../provider/resources/array-host-entry";
import { namespaceMap } from "../../provider/resources/array-namespace-map";
import { namespaceSet } from "../../provider/resources/array-volume-set";
import type { BedContext } from "../../provider/resources/context";
import {
  entries,
  groupInputs,
  groupName,
  groups,
  inventory,
  place,
  setInputs,
  targetInputsOf,
  tenants,
  withArrayBed,
} from "../support/array-resources";
import { Driven, testCall } from "../support/handler-rig";

jest.setTimeout(30_000);

const sets = new Driven(namespaceSet);
const maps = new Driven(namespaceMap);
const protocol = "nvme-fc";
const targetInputs = { ...targetInputsOf("9.9.1"), protocol };
const groupOverNvme = { ...groupInputs, protocol };
const entry = (host: number) => ({
  ...place,
  group: groupName,
  host: `esx0${host.toString()}`,
  protocol,
  initiators: [`nqn.2014-08.com.vmware:nvme:esx0${host.toString()}`],
});
const mapInputs = {
  ...place,
  group: groupName,
  guard: "guard-1",
  namespaces: { "01": "t_data_01", "02": "t_data_02" },
};

async function build(context: BedContext) {
  const target = await tenants.create(context, targetInputs);
  const group = await groups.create(context, groupOverNvme);
  const hosts = await Promise.all([1, 2].map((host) => entries.create(context, entry(host))));
  const set = await sets.create(context, setInputs);
  const map = await maps.create(context, mapInputs);
  return { target, group, hosts, set, map };
}

const over991 = (test: (context: BedContext) => Promise<void>): Promise<void> =>
  withArrayBed(test, "9.9.1");

describe("array resources over NVMe", () => {
  test("are made, found unchanged by a refresh, and removed without a trace", async () => {
    await over991(async (context) => {
      const before = await inventory(context);
      const { target, group, hosts, set, map } = await build(context);
      expect(group.state["subsystemNqn"]).toContain(groupName);
      expect(Object.values(set.state["devices"] as object)).toEqual([
        expect.stringMatching(/^uuid\.[0-9a-f]{32}$/),
        expect.stringMatching(/^uuid\.[0-9a-f]{32}$/),
      ]);
      // The array numbers them as their requests come in.
      const nsids = map.state["nsids"] as Record<string, number>;
      expect([nsids["01"], nsids["02"]].sort()).toEqual([1, 2]);
      const all = [
        [tenants, target, targetInputs],
        [groups, group, groupOverNvme],
        [entries, hosts[0]!, entry(1)],
        [entries, hosts[1]!, entry(2)],
        [sets, set, setInputs],
        [maps, map, mapInputs],
      ] as const;
      for (const [driven, made, inputs] of all) {
        const seen = await driven.read(context, made.id, made.state);
        expect(seen?.inputs).toEqual(inputs);
        expect(seen?.state).toEqual(made.state);
      }
      for (const [driven, made] of [...all].reverse()) {
        await driven.delete(context, made.id, made.state);
      }
      expect(await inventory(context)).toEqual(before);
      for (const [driven, made] of [...all].reverse()) {
        expect(await driven.read(context, made.id, made.state)).toBeUndefined();
        await driven.delete(context, made.id, made.state);
      }
    });
  });

  test("that are in no state are removed with what they are in", async () => {
    await over991(async (context) => {
      const before = await inventory(context);
      const { target, group, set } = await build(context);
      // Killed while the map was made: nobody knows of it.
      await sets.delete(context, set.id, set.state);
      await groups.delete(context, group.id, group.state);
      await tenants.delete(context, target.id, target.state);
      expect(await inventory(context)).toEqual(before);
      const second = await build(context);
      await tenants.delete(context, second.target.id, second.target.state);
      expect(await inventory(context)).toEqual(before);
    });
  });

  test("can be imported by readable ids, on the right side", async () => {
    await over991(async (context) => {
      const { target, group, map } = await build(context);
      expect((await tenants.read(context, target.id))?.inputs).toMatchObject({ protocol });
      expect((await groups.read(context, group.id))?.inputs).toEqual(groupOverNvme);
      const one = await maps.read(context, `array/t_svm/${groupName}/t_data_01`);
      expect(one?.inputs["namespaces"]).toEqual({ t_data_01: "t_data_01" });
      await maps.delete(context, one!.id, one!.state);
      const left = await maps.read(context, map.id, map.state);
      expect(left?.inputs["namespaces"]).toEqual({ "02": "t_data_02" });
      const host = await entries.read(
        context,
        `array/t_svm/${groupName}/esx01/${entry(1).initiators.join()}`,
      );
      expect(host?.inputs).toEqual(entry(1));
    });
  });
});

describe("namespaces that should grow", () => {
  const grown = {
    ...setInputs,
    volumes: Object.fromEntries(
      Object.entries(setInputs.volumes).map(([key, one]) => [
        key,
        { ...one, sizeBytes: (2n * BigInt(one.sizeBytes)).toString() },
      ]),
    ),
  };

  test("are refused before 9.10.1: in the preview, and by the update before it writes", async () => {
    await withArrayBed(async (context, lab) => {
      const { set } = await build(context);
      const state = namespaceSet.state.parse(set.state);
      const preview = namespaceSet.lookAhead?.(
        testCall(context),
        namespaceSet.inputs.parse(grown),
        state,
      );
      const said =
        /array: cannot grow volume t_data_01: .* cannot grow on ONTAP 9\.9\.1, only from 9\.10\.1 on/;
      await expect(preview).rejects.toThrow(said);
      const writes = async () =>
        (await lab.client.requests("array")).filter((request) => request.write).length;
      const before = await writes();
      await expect(sets.update(context, set.id, set.state, grown)).rejects.toThrow(said);
      await expect(sets.update(context, set.id, set.state, grown)).rejects.toThrow("generation");
      expect(await writes()).toBe(before);
    }, "9.9.1");
  });

  test("grow from then on", async () => {
    await withArrayBed(async (context) => {
      const { set } = await build(context);
      await sets.update(context, set.id, set.state, grown);
      expect((await sets.read(context, set.id, set.state))?.inputs).toEqual(grown);
    }, "9.12.1");
  });
});

test("a WWPN is no initiator over NVMe, and an NQN none over FCP", () => {
  const wrong = (inputs: object) =>
    hostEntry.check?.(hostEntry.inputs.parse(inputs)).map((problem) => problem.path);
  expect(wrong(entry(1))).toEqual([]);
  expect(wrong({ ...entry(1), initiators: ["10:00:00:10:9b:aa:01:01"] })).toEqual([
    "initiators[0]",
  ]);
  expect(wrong({ ...entry(1), protocol: "fcp" })).toEqual(["initiators[0]"]);
  expect(() => hostEntry.inputs.parse({ ...entry(1), initiators: ["esx01"] })).toThrow("NQN");
});

test("a namespace cannot leave its map, and another may join", async () => {
  const olds = namespaceMap.state.parse({ ...mapInputs, nsids: {}, owned: [] });
  const more = { ...mapInputs, namespaces: { ...mapInputs.namespaces, "03": "t_data_03" } };
  const less = { ...mapInputs, namespaces: { "01": "t_data_01" } };
  const refused = (news: object) =>
    Promise.resolve(namespaceMap.refuse?.(olds, namespaceMap.inputs.parse(news)));
  expect(await refused(more)).toEqual([]);
  expect((await refused(less))?.[0]?.path).toBe("namespaces.02");
});
