import { isArraySurveyor } from "../../provider/devices/array-survey";
import { isPortLister } from "../../provider/devices/block-array";
import { asArrayAdmin } from "../support/array-admin";
import { build, esx01, esx02, group, modelOf, targetsOf, withArray } from "../support/array-bed";
import { call, testBedId } from "../support/device-rig";
import { buildNvme, nvmeHosts, nvmeTargetsOf } from "../support/nvme-bed";

jest.setTimeout(20_000);

const wwpn = /^(?:[0-9a-f]{2}:){7}[0-9a-f]{2}$/;
const groupName = `sanbed_${testBedId}_${group}`;

describe.each(["9.5", "9.8", "9.9.1"])(
  "an array running ONTAP %s, as it is discovered",
  (release) => {
    const { controllers, ports } = modelOf(release);

    test("tells its physical ports with the switch behind them; LIFs have WWPNs of their own", async () => {
      await withArray(release, async (array) => {
        expect(isPortLister(array)).toBe(true);
        const found = await array.physicalPorts(call());
        const places = found.map((one) => `${one.controller}:${one.name}`);
        for (const controller of controllers) {
          for (const port of ports) expect(places).toContain(`${controller}:${port}`);
        }
        expect(found.every((one) => wwpn.test(one.wwpn))).toBe(true);
        const cabled = found.filter((one) => one.online);
        expect(cabled.length).toBeGreaterThan(0);
        for (const { switchPort } of cabled) {
          expect(switchPort?.switch).toMatch(/\S/);
          expect(switchPort?.port).toMatch(/\S/);
        }
        const virtual = Object.values(await array.targets.ensure(call(), targetsOf(release)));
        const physical = new Set(found.map((one) => one.wwpn));
        expect(virtual.map((one) => one.wwpn).filter((one) => physical.has(one))).toEqual([]);
      });
    });

    test("surveys who is presented with what, ours and others', without a write", async () => {
      await withArray(release, async (array, lab) => {
        expect(isArraySurveyor(array)).toBe(true);
        const before = await array.survey(call());
        await build(array, targetsOf(release), 2);
        await lab.client.tamper("array", "createIgroup", { svm: "t_svm", name: "theirs" });
        const writes = (await lab.client.requests("array")).filter((one) => one.write).length;
        const survey = await array.survey(call());
        expect((await lab.client.requests("array")).filter((one) => one.write)).toHaveLength(
          writes,
        );
        expect(survey.tenants).toContainEqual({ name: "t_svm", bedId: testBedId });
        const groups = survey.groups.filter((one) => one.tenant === "t_svm");
        expect(groups.map(({ name, bedId }) => [name, bedId]).sort()).toEqual([
          [groupName, testBedId],
          ["theirs", undefined],
        ]);
        const ours = groups.find((one) => one.name === groupName);
        const members = [...esx01.initiators, ...esx02.initiators];
        expect([...(ours?.initiators ?? [])].sort()).toEqual([...members].sort());
        const maps = survey.maps.filter((one) => one.tenant === "t_svm");
        expect(maps.map(({ volume, lun, bedId }) => [volume, lun, bedId]).sort()).toEqual([
          ["t_data01", 10, testBedId],
          ["t_data02", 11, testBedId],
        ]);
        const others = (one: typeof survey) => one.volumes.filter((v) => v.bedId !== testBedId);
        expect(others(survey)).toEqual(others(before));
      });
    });
  },
);

test.each(["9.8", "9.9.1"])(
  "over NVMe hosts are known by their NQNs, case and all (ONTAP %s)",
  async (release) => {
    await withArray(release, async (array, lab) => {
      await buildNvme(array, nvmeTargetsOf(release), 2);
      const strange = "nqn.2014-08.org.nvmexpress:uuid:5F3A6E1C-9d40-4c1b-8e2a-00000000E501";
      await asArrayAdmin(lab, "POST", "/api/protocols/nvme/subsystems", {
        svm: { name: "t_svm" },
        name: "theirs",
        os_type: "linux",
        hosts: [{ nqn: strange }],
      });
      const survey = await array.survey(call());
      const groups = new Map(survey.groups.map((one) => [one.name, one]));
      expect([...(groups.get(groupName)?.initiators ?? [])].sort()).toEqual(
        nvmeHosts.flatMap((host) => host.initiators).sort(),
      );
      expect(groups.get("theirs")).toMatchObject({ bedId: undefined, initiators: [strange] });
      const devices = survey.maps.filter((one) => one.bedId === testBedId).map((one) => one.device);
      expect(devices).toHaveLength(2);
      expect(devices.every((name) => name.startsWith("uuid."))).toBe(true);
    });
  },
);
