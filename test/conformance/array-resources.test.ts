import { ConfigError, isDeviceError } from "../../bed/errors";
import { getArrayFacts, getPool, getTargetPorts } from "../../provider/resources/array-lookups";
import { pool } from "../../provider/resources/array-pool";
import { getFabricLogins } from "../../provider/resources/fabric-get-logins";
import {
  tenants,
  groups,
  entries,
  sets,
  maps,
  place,
  scope,
  targetInputs,
  targetInputsOf,
  groupName,
  groupInputs,
  entry,
  setInputs,
  mapInputs,
  withArrayBed,
  failure,
  inventory,
  build,
} from "../support/array-resources";
import { wireOf } from "../support/array-wire";
import { call, testBedId } from "../support/device-rig";
import { bedWithHosts, hostDevice } from "../support/fake-hosts";
import { Driven, testCall } from "../support/handler-rig";
import type { TestLab } from "../support/lab";

jest.setTimeout(30_000);

const pools = new Driven(pool);

describe.each(["9.5", "9.8", "9.9.1"])("array resources on ONTAP %s", (release) => {
  const targetInputs = targetInputsOf(release);

  test("are made, found unchanged by a refresh, and removed without a trace", async () => {
    await withArrayBed(async (context, lab) => {
      const before = await inventory(context);
      const { target, group, hosts, set, map } = await build(context, targetInputs);
      const all = [
        [tenants, target, targetInputs],
        [groups, group, groupInputs],
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
      if (release !== "9.5") expect(await posts(lab, "/initiators")).toBe(1);
      for (const [driven, made] of [...all].reverse()) {
        await driven.delete(context, made.id, made.state);
      }
      expect(await inventory(context)).toEqual(before);
      for (const [driven, made] of [...all].reverse()) {
        expect(await driven.read(context, made.id, made.state)).toBeUndefined();
        await driven.delete(context, made.id, made.state);
      }
    }, release);
  });

  test("show drift in a refresh, and repair it", async () => {
    await withArrayBed(async (context, lab) => {
      const { target, hosts, set, map } = await build(context, targetInputs);
      const tamper = (action: string, args: Record<string, string>): Promise<unknown> =>
        lab.client.tamper("array", action, args);
      const cases = [
        [tenants, target, targetInputs, () => tamper("deleteInterface", { name: "t_n1_a" })],
        [
          entries,
          hosts[0]!,
          entry(1),
          () =>
            tamper("removeInitiator", { igroup: groupName, initiator: entry(1).initiators[0]! }),
        ],
        [
          maps,
          map,
          mapInputs,
          () => tamper("removeMap", { lun: "/vol/t_data_01/t_data_01", igroup: groupName }),
        ],
        [sets, set, setInputs, () => tamper("deleteLun", { name: "/vol/t_data_02/t_data_02" })],
      ] as const;
      for (const [driven, made, inputs, change] of cases) {
        await change();
        const seen = await driven.read(context, made.id, made.state);
        expect(seen).toBeDefined();
        expect(seen?.inputs).not.toEqual(inputs);
        const state = await driven.update(context, made.id, seen!.state, inputs);
        expect((await driven.read(context, made.id, state))?.inputs).toEqual(inputs);
      }
    }, release);
  });

  test("see a LUN that was grown behind our back, and refuse to shrink it", async () => {
    await withArrayBed(async (context, lab) => {
      const { set } = await build(context, targetInputs);
      await lab.client.tamper("array", "resizeLun", {
        name: "/vol/t_data_01/t_data_01",
        sizeBytes: "11811160064",
      });
      const seen = await sets.read(context, set.id, set.state);
      expect(seen?.inputs).toMatchObject({ volumes: { "01": { sizeBytes: "11811160064" } } });
      const olds = sets.handler.state.parse(seen!.state);
      const [problem] = sets.handler.refuse!(olds, sets.handler.inputs.parse(setInputs));
      expect(problem?.message).toContain("11 GiB");
    }, release);
  });

  test("can be imported by readable ids", async () => {
    await withArrayBed(async (context) => {
      const { target, group, set, map } = await build(context, targetInputs);
      const seenTarget = await tenants.read(context, target.id);
      expect(seenTarget?.inputs).toMatchObject({ mode: "create", target: "t_svm" });
      expect((await groups.read(context, group.id))?.inputs).toEqual(groupInputs);
      const seenSet = await sets.read(context, "array/t_svm/01=t_data_01,02=t_data_02");
      expect(seenSet?.inputs).toEqual({ ...place, thin: true, volumes: setInputs.volumes });
      expect(seenSet?.state["devices"]).toEqual(set.state["devices"]);
      const one = await maps.read(context, `array/t_svm/${groupName}/t_data_01`);
      expect(one?.inputs["luns"]).toEqual({ t_data_01: { volume: "t_data_01", lun: 10 } });
      expect(one?.state["owned"]).toEqual(["t_data_01"]);
      await maps.delete(context, one!.id, one!.state);
      const left = await maps.read(context, map.id, map.state);
      expect(left?.inputs["luns"]).toEqual({ "02": { volume: "t_data_02", lun: 11 } });
      const [esx01, esx02] = [entry(1), entry(2)];
      const host = `array/t_svm/${groupName}/esx01`;
      const mine = await entries.read(context, `${host}/${esx01.initiators.join(",")}`);
      expect(mine).toMatchObject({ id: host, inputs: esx01 });
      await entries.delete(context, mine!.id, mine!.state);
      const group2 = await context.array("array").hosts.get(call(), scope, groupName);
      expect([...(group2?.initiators ?? [])].sort()).toEqual([...esx02.initiators].sort());
    }, release);
  });

  test("are not taken for gone when a web server answers 404 in the array's place", async () => {
    await withArrayBed(async (context, lab) => {
      const made = await tenants.create(context, targetInputs);
      const effect = { status: 404 };
      const id = await lab.client.addFault({
        device: "array",
        match: wireOf(release).read,
        effect,
      });
      expect(isDeviceError(await failure(tenants.read(context, made.id, made.state)))).toBe(true);
      await lab.client.removeFault(id);
      expect((await tenants.read(context, made.id, made.state))?.inputs).toEqual(targetInputs);
    }, release);
  });

  test("that are in no state are removed with what they are in", async () => {
    await withArrayBed(async (context) => {
      const before = await inventory(context);
      // Killed while the map, or everything in the tenant, was made: nobody knows of it.
      const first = await build(context, targetInputs);
      await sets.delete(context, first.set.id, first.set.state);
      await groups.delete(context, first.group.id, first.group.state);
      expect((await maps.read(context, first.map.id, first.map.state)) ?? "gone").toBe("gone");
      await tenants.delete(context, first.target.id, first.target.state);
      expect(await inventory(context)).toEqual(before);
      const second = await build(context, targetInputs);
      const { logged } = await tenants.delete(context, second.target.id, second.target.state);
      expect(logged.join()).toContain("t_data_01");
      expect(await inventory(context)).toEqual(before);
    }, release);
  });

  test("that are in no state keep others' volumes and groups, and a host's datastore", async () => {
    await withArrayBed(async (context, lab) => {
      const { target, set } = await build(context, targetInputs);
      const theirs = { svm: "t_svm", volume: "theirs", lun: "theirs", sizeBytes: "1073741824" };
      await lab.client.tamper("array", foreignVolumeAction(lab), theirs);
      const mounted = bedWithHosts({
        hosts: () =>
          Promise.resolve([
            { name: "esx01", id: "h", cluster: undefined, connected: true, version: "8" },
          ]),
        devices: (_call, _host, [device] = []) =>
          Promise.resolve([{ ...hostDevice(device!), datastore: "prod" }]),
      });
      const used = { ...context, hypervisors: mounted.hypervisors };
      const before = await inventory(context);
      expect((await failure(sets.delete(used, set.id, set.state))).message).toContain("prod");
      expect(await inventory(context)).toEqual(before);
      const error = await failure(tenants.delete(context, target.id, target.state));
      expect(error.message).toContain("volume theirs");
    }, release);
  });

  test("cannot be imported by an id that does not say which members are meant", async () => {
    await withArrayBed(async (context) => {
      await build(context, targetInputs);
      await expect(maps.read(context, `array/t_svm/${groupName}`)).rejects.toThrow(ConfigError);
      const host = `array/t_svm/${groupName}/esx01`;
      await expect(entries.read(context, host)).rejects.toThrow(ConfigError);
    }, release);
  });

  test("begin nothing when the first look finds a foreign object", async () => {
    await withArrayBed(async (context, lab) => {
      await tenants.create(context, targetInputs);
      await lab.client.tamper("array", "createVolume", {}).catch(() => undefined);
      const foreign = {
        svm: "t_svm",
        volume: "t_data_01",
        lun: "t_data_01",
        sizeBytes: "1073741824",
      };
      await lab.client.tamper("array", foreignVolumeAction(lab), foreign);
      const before = await inventory(context);
      const begun = testCall(context);
      const error = await failure(sets.create(context, setInputs, begun));
      expect(isDeviceError(error, "refused")).toBe(true);
      expect(error.message).toContain("t_data_01");
      expect(begun.begun).toEqual([]);
      expect(await inventory(context)).toEqual(before);
    }, release);
  });

  test("keep what was made when a part failed, and remove just that", async () => {
    await withArrayBed(async (context, lab) => {
      await tenants.create(context, targetInputs);
      const before = await inventory(context);
      await lab.client.tamper("array", "fillPool", { pool: "aggr_b", freeBytes: "1073741824" });
      const filled = await inventory(context);
      const begun = testCall(context);
      const error = await failure(sets.create(context, { ...setInputs, thin: false }, begun));
      expect(error.message).toContain("aggr_b");
      expect(error.message).toContain("1 GiB");
      const [kept] = begun.begun;
      expect(kept?.state).toMatchObject({ owned: { "01": "t_data_01", "02": "t_data_02" } });
      await sets.delete(context, kept!.id, kept!.state);
      expect(await inventory(context)).toEqual(filled);
      expect(before).toBeDefined();
    }, release);
  });
});

/** Requests that create something at a path of the REST API. */
const posts = async (lab: TestLab, path: string): Promise<number> =>
  (await lab.client.requests("array")).filter((r) => r.method === "POST" && r.path.includes(path))
    .length;

function foreignVolumeAction(lab: TestLab): string {
  const actions = lab.lab?.tamperActions()["array"] ?? {};
  const [name] =
    Object.entries(actions).find(([, a]) => a.description.includes("FlexVol with one LUN")) ?? [];
  return name ?? "";
}

describe("target ports of the site", () => {
  test("are used as they are, by name or by place, and never changed", async () => {
    await withArrayBed(async (context, lab) => {
      const before = await inventory(context);
      const inputs = {
        device: "array",
        target: "svm_erp",
        mode: "use",
        protocol: "fcp",
        ports: {
          a: { name: "erp_fc_a", controller: "a250-01", port: "2a" },
          b: { name: "by_place", controller: "a250-01", port: "2b" },
        },
        pools: [],
      };
      const made = await tenants.create(context, inputs);
      expect(made.state["targetPorts"]).toMatchObject({
        a: { name: "erp_fc_a" },
        b: { name: "erp_fc_b" },
      });
      expect((await tenants.read(context, made.id, made.state))?.inputs).toEqual(inputs);
      expect((await tenants.read(context, made.id))?.inputs).toMatchObject({ mode: "use" });
      await tenants.delete(context, made.id, made.state);
      expect(await inventory(context)).toEqual(before);
      expect((await lab.client.requests("array")).filter((request) => request.write)).toEqual([]);
      const wrong = {
        ...inputs,
        ports: { a: { name: "none", controller: "a250-02", port: "2a" } },
      };
      const error = await failure(tenants.create(context, wrong));
      expect(isDeviceError(error, "notFound")).toBe(true);
      expect(error.message).toContain("erp_fc_a");
    });
  });
});

describe("pools of our own", () => {
  test("are made, found again, and removed", async () => {
    await withArrayBed(async (context) => {
      const before = await inventory(context);
      const inputs = {
        device: "array",
        name: "fast",
        controller: "a250-01",
        driveCount: 6,
        raid: "raid_dp",
      };
      const made = await pools.create(context, inputs);
      expect(made.state["poolName"]).toBe(`sanbed_${testBedId}_fast`);
      expect((await pools.read(context, made.id, made.state))?.inputs).toEqual(inputs);
      // A pool of the site is none of ours, whatever an id says.
      expect(await pools.read(context, "array/aggr_a")).toBeUndefined();
      const begun = testCall(context);
      await pools.create(context, { ...inputs, name: "slow" }, begun);
      const [kept] = begun.begun;
      expect(kept?.state["poolName"]).toBe(`sanbed_${testBedId}_slow`);
      await pools.delete(context, kept!.id, kept!.state);
      await pools.delete(context, made.id, made.state);
      expect(await pools.read(context, made.id, made.state)).toBeUndefined();
      expect(await inventory(context)).toEqual(before);
    });
  });
});

describe("lookups", () => {
  test("tell facts, ports, pools and logins", async () => {
    await withArrayBed(async (context) => {
      const invoke = testCall(context);
      await tenants.create(context, targetInputs);
      expect(await getArrayFacts.invoke(invoke, { device: "array" })).toMatchObject({
        vendor: "NetApp",
        controllers: { "a250-01": "up", "a250-02": "up" },
      });
      expect(await getTargetPorts.invoke(invoke, place)).toMatchObject({
        ports: { t_n1_a: { online: true } },
      });
      expect(await getPool.invoke(invoke, { device: "array", name: "aggr_a" })).toMatchObject({
        controller: "a250-01",
      });
      const error = await failure(getPool.invoke(invoke, { device: "array", name: "aggr_x" }));
      expect(error.message).toContain("aggr_a");
      const fabric = await getFabricLogins.invoke(invoke, { device: "fabricA" });
      expect(Object.keys(fabric["logins"] as object).length).toBeGreaterThan(4);
    });
  });
});
