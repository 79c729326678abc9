import { isDeviceError } from "../../bed/errors";
import { markName } from "../../bed/mark";
import type { Scope } from "../../provider/devices/block-array";
import {
  failure,
  gibibyte,
  group,
  modelOf,
  names,
  scope,
  volumes,
  withArray,
} from "../support/array-bed";
import { call, testBedId } from "../support/device-rig";
import {
  buildNvme,
  namespaceMaps,
  nvmeHosts,
  nvmeTargetsOf,
  tearDownNvme,
} from "../support/nvme-bed";

jest.setTimeout(30_000);

describe.each([["9.8"], ["9.9.1"]])("an NVMe array running ONTAP %s", (release) => {
  const targets = nvmeTargetsOf(release);

  test("builds a bed, does it again without a write, and leaves nothing behind", async () => {
    await withArray(release, async (array, lab) => {
      const before = await array.inventory(call());
      await buildNvme(array, targets);
      const writes = async (): Promise<number> =>
        (await lab.client.requests("array")).filter((request) => request.write).length;
      const count = await writes();
      await buildNvme(array, targets);
      expect(await writes()).toBe(count);
      const ours = (await array.inventory(call())).filter((one) => one.bedId === testBedId);
      const classes: Record<string, number> = {};
      for (const { class: kind } of ours) classes[kind] = (classes[kind] ?? 0) + 1;
      expect(classes).toEqual({
        namespace: 2,
        namespaceMap: 2,
        service: 1,
        subsystem: 1,
        targetPort: 4,
        tenant: 1,
        volume: 3,
      });
      await tearDownNvme(array);
      expect(await array.inventory(call())).toEqual(before);
      await tearDownNvme(array);
    });
  });

  test("names namespaces as ESXi does, from their UUID, with blocks that it takes", async () => {
    await withArray(release, async (array) => {
      await array.targets.ensure(call(), targets);
      const made = await array.nvme.volumes.ensure(call(), scope, volumes(2));
      for (const volume of made) {
        expect(volume.deviceName).toBe(`uuid.${volume.serial.replaceAll("-", "")}`);
        expect(volume).toMatchObject({ sizeBytes: 10n * gibibyte, mapped: false, online: true });
      }
      expect(new Set(made.map((volume) => volume.deviceName)).size).toBe(2);
      expect(await array.markedDevices(call(), testBedId)).toHaveLength(2);
    });
  });

  test("gives target ports with WWPNs of their own, marked as NVMe", async () => {
    await withArray(release, async (array) => {
      const ports = await array.targets.ensure(call(), targets);
      expect(Object.values(ports).every((port) => port.protocol === "nvme-fc")).toBe(true);
      expect(new Set(Object.values(ports).map((port) => port.wwpn)).size).toBe(4);
      expect(ports["n1_a"]?.controller).toBe(modelOf(release).controllers[0]);
    });
  });

  test("numbers namespaces itself, and keeps the numbers when more join", async () => {
    await withArray(release, async (array) => {
      await buildNvme(array, targets);
      const first = await array.nvme.maps.list(call(), scope, group);
      expect(first.map((one) => one.volume).sort()).toEqual(names(volumes(2)));
      expect(first.every((one) => one.nsid > 0)).toBe(true);
      await buildNvme(array, targets, 3);
      const more = await array.nvme.maps.list(call(), scope, group);
      expect(more).toHaveLength(3);
      expect(more).toEqual(expect.arrayContaining([...first]));
      await tearDownNvme(array, 3);
    });
  });

  test("tells the subsystem's NQN, and its hosts by theirs, case and all", async () => {
    await withArray(release, async (array) => {
      await buildNvme(array, targets);
      const made = await array.nvme.hosts.get(call(), scope, group);
      expect(made?.name).toBe(markName(testBedId, group));
      expect(made?.subsystemNqn).toContain(`subsystem.${markName(testBedId, group)}`);
      expect([...(made?.initiators ?? [])].sort()).toEqual(
        nvmeHosts.flatMap((host) => host.initiators),
      );
      await array.nvme.hosts.removeHosts(call(), scope, group, nvmeHosts.slice(0, 1));
      const left = await array.nvme.hosts.get(call(), scope, group);
      expect(left?.initiators).toEqual(nvmeHosts[1]?.initiators);
      expect(await array.nvme.maps.list(call(), scope, group)).toHaveLength(2);
    });
  });

  test("refuses to remove what is mapped or in use, to shrink, and to touch the foreign", async () => {
    await withArray(release, async (array, lab) => {
      await buildNvme(array, targets);
      const other: Scope = { bedId: "bbbbbbbbbb" as Scope["bedId"], target: scope.target };
      const writes = (await lab.client.requests("array")).filter((r) => r.write).length;
      for (const work of [
        array.nvme.volumes.remove(call(), scope, ["t_data01"]),
        array.volumes.remove(call(), scope, ["t_data01"]),
        array.nvme.volumes.ensure(call(), scope, volumes(2, { sizeBytes: 9n * gibibyte })),
        array.targets.remove(call(), scope),
        array.nvme.volumes.remove(call(), other, ["t_data01"]),
      ]) {
        expect(isDeviceError(await failure(work), "refused")).toBe(true);
      }
      expect((await lab.client.requests("array")).filter((r) => r.write)).toHaveLength(writes);
      const mapped = await failure(array.nvme.volumes.remove(call(), scope, ["t_data01"]));
      expect(mapped.message).toContain("mapped");
      const full = await failure(array.nvme.hosts.removeGroup(call(), scope, group));
      expect(isDeviceError(full, "refused")).toBe(true);
      expect(await array.nvme.maps.list(call(), scope, group)).toHaveLength(2);
    });
  });

  test("sweeps what a bed left", async () => {
    await withArray(release, async (array) => {
      const before = await array.inventory(call());
      await buildNvme(array, targets);
      const { maps, groups, volumes: left } = await array.remains(call(), testBedId);
      expect(maps.map((map) => map.protocol)).toEqual(["nvme-fc", "nvme-fc"]);
      expect(groups).toMatchObject([{ protocol: "nvme-fc" }]);
      expect(left.map((one) => one.protocol)).toEqual(["nvme-fc", "nvme-fc"]);
      expect(await array.sweep(call(), testBedId)).toContain("tenant t_svm");
      expect(await array.inventory(call())).toEqual(before);
    });
  });
});

test("NVMe is refused with the releases that have it, where the array's does not (ONTAP 9.5)", async () => {
  await withArray("9.5", async (array, lab) => {
    for (const work of [
      array.targets.ensure(call(), nvmeTargetsOf("9.5")),
      array.nvme.volumes.ensure(call(), scope, volumes(1)),
      array.nvme.maps.ensure(call(), scope, namespaceMaps(1)),
    ]) {
      const error = await failure(work);
      expect(isDeviceError(error, "unsupported")).toBe(true);
      expect(error.message).toContain("9.5");
      expect(error.message).toContain("9.7");
    }
    expect((await lab.client.requests("array")).filter((r) => r.write)).toEqual([]);
  });
});
