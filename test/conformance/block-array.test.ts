import { isDeviceError } from "../../bed/errors";
import { markComment, markName } from "../../bed/mark";
import type { Scope } from "../../provider/devices/block-array";
import { takeOffline } from "../support/array-admin";
import { wireOf } from "../support/array-wire";
import { call, testBedId } from "../support/device-rig";
import {
  build,
  esx01,
  esx02,
  failure,
  gibibyte,
  group,
  mapsOf,
  modelOf,
  names,
  scope,
  targetsOf,
  tearDown,
  volumes,
  withArray,
} from "../support/array-bed";

jest.setTimeout(20_000);

describe.each([["9.5"], ["9.8"], ["9.9.1"]])("a block array running ONTAP %s", (profile) => {
  const targets = targetsOf(profile);
  const model = modelOf(profile);

  test("tells what it is and what its pools hold", async () => {
    await withArray(profile, async (array) => {
      const facts = await array.facts(call());
      expect(facts.software).toContain(profile);
      expect(facts.controllers.map((one) => one.name)).toEqual(model.controllers);
      expect(facts.licences).toContain("fcp");
      const pools = await array.pools(call());
      expect(pools.map((pool) => pool.name).sort()).toEqual(["aggr_a", "aggr_b"]);
      expect(pools.every((pool) => pool.freeBytes > 0n && pool.freeBytes <= pool.sizeBytes)).toBe(
        true,
      );
    });
  });

  test("builds a bed, does it again without a write, and leaves nothing behind", async () => {
    await withArray(profile, async (array, lab) => {
      const before = await array.inventory(call());
      await build(array, targets);
      const writes = async (): Promise<number> =>
        (await lab.client.requests("array")).filter((request) => request.write).length;
      const count = await writes();
      await build(array, targets);
      expect(await writes()).toBe(count);
      const built = await array.inventory(call());
      const ours = built.filter((object) => object.bedId === testBedId);
      const classes = new Map<string, number>();
      for (const { class: kind } of ours) classes.set(kind, (classes.get(kind) ?? 0) + 1);
      expect(Object.fromEntries(classes)).toEqual({
        hostGroup: 1,
        lun: 4,
        map: 4,
        service: 1,
        targetPort: 4,
        tenant: 1,
        // The tenant's root volume is its own.
        volume: 5,
      });
      expect(built.filter((object) => object.bedId !== testBedId)).toEqual(before);
      await tearDown(array);
      expect(await array.inventory(call())).toEqual(before);
      await tearDown(array);
    });
  });

  test("gives target ports that hosts can be zoned with: virtual ones, not the physical", async () => {
    await withArray(profile, async (array, lab) => {
      const ports = await array.targets.ensure(call(), targets);
      expect(Object.keys(ports)).toEqual(["n1_a", "n1_b", "n2_a", "n2_b"]);
      expect(ports["n1_a"]).toMatchObject({
        name: "t_n1_a",
        controller: model.controllers[0],
        physicalPort: model.ports[0],
      });
      expect(new Set(Object.values(ports).map((port) => port.wwpn)).size).toBe(4);
      expect(new Set(Object.values(ports).map((port) => port.wwnn)).size).toBe(1);
      expect(Object.values(ports).every((port) => port.online)).toBe(true);
      await lab.client.tamper("array", "deleteInterface", { name: "t_n2_b" });
      expect(await array.targets.list(call(), scope)).toHaveLength(3);
      expect(Object.keys(await array.targets.ensure(call(), targets))).toHaveLength(4);
    });
  });

  test("names devices as hosts do, from the serial number", async () => {
    await withArray(profile, async (array) => {
      await array.targets.ensure(call(), targets);
      const made = await array.volumes.ensure(call(), scope, volumes(3));
      for (const volume of made) {
        const hex = Buffer.from(volume.serial, "latin1").toString("hex");
        expect(volume.deviceName).toBe(`naa.600a0980${hex}`);
        expect(volume.sizeBytes).toBe(10n * gibibyte);
        expect(volume.mapped).toBe(false);
      }
      expect(new Set(made.map((volume) => volume.deviceName)).size).toBe(3);
    });
  });

  test("keeps what is there when volumes are added and grown", async () => {
    await withArray(profile, async (array) => {
      await array.targets.ensure(call(), targets);
      const first = await array.volumes.ensure(call(), scope, volumes(1));
      const more = await array.volumes.ensure(
        call(),
        scope,
        volumes(2, { sizeBytes: 12n * gibibyte }),
      );
      expect(more[0]).toMatchObject({ id: first[0]?.id, serial: first[0]?.serial });
      expect(more.map((volume) => volume.sizeBytes)).toEqual([12n * gibibyte, 12n * gibibyte]);
    });
  });

  test("tells what was taken offline, and brings it back as it was", async () => {
    await withArray(profile, async (array, lab) => {
      await array.targets.ensure(call(), targets);
      const made = await array.volumes.ensure(call(), scope, volumes(3));
      const [lun, flexVol] = made;
      await lab.client.tamper("array", "offlineLun", {
        name: `/vol/${lun?.name ?? ""}/${lun?.name ?? ""}`,
      });
      await takeOffline(lab, profile, "t_svm", flexVol?.name ?? "");
      const seen = await array.volumes.list(call(), scope, names(volumes(3)));
      expect(seen.map((one) => one.online)).toEqual([false, false, true]);
      expect(await array.volumes.ensure(call(), scope, volumes(3))).toEqual(made);
      expect(made.map((one) => one.online)).toEqual([true, true, true]);
    });
  });

  test("refuses to shrink, to adopt the foreign, and to change what cannot change", async () => {
    await withArray(profile, async (array, lab) => {
      await array.targets.ensure(call(), targets);
      await array.volumes.ensure(call(), scope, volumes(2));
      const writes = (await lab.client.requests("array")).filter((r) => r.write).length;
      const shrink = await failure(
        array.volumes.ensure(call(), scope, volumes(2, { sizeBytes: 9n * gibibyte })),
      );
      expect(isDeviceError(shrink, "refused")).toBe(true);
      expect(shrink.message).toContain("10 GiB");
      const moved = await failure(
        array.volumes.ensure(call(), scope, volumes(2, { pool: "aggr_b" })),
      );
      expect(isDeviceError(moved, "refused")).toBe(true);
      expect(moved.message).toContain("aggr_a instead of aggr_b");
      const other: Scope = { bedId: "bbbbbbbbbb" as Scope["bedId"], target: scope.target };
      const foreign = await failure(array.volumes.ensure(call(), other, volumes(3)));
      expect(isDeviceError(foreign, "refused")).toBe(true);
      expect(foreign.message).toContain("t_data01");
      expect(foreign.message).toContain(markComment(testBedId, "volume"));
      expect(
        isDeviceError(await failure(array.volumes.remove(call(), other, ["t_data01"])), "refused"),
      ).toBe(true);
      expect((await lab.client.requests("array")).filter((r) => r.write)).toHaveLength(writes);
    });
  });

  test("finishes a removal that was cut off, also in a tenant of the site", async () => {
    await withArray(profile, async (array, lab) => {
      const place = { bedId: testBedId, target: "svm_erp" };
      const purge = wireOf(profile).remove("deleted volume");
      const cutOff = async (): Promise<void> => {
        await array.volumes.ensure(call(), place, volumes(2));
        const effect = { status: 500 };
        const id = await lab.client.addFault({ device: "array", match: purge, effect });
        await failure(array.volumes.remove(call(), place, names(volumes(2))));
        await lab.client.removeFault(id);
        const left = (await array.inventory(call())).filter((one) => one.bedId === testBedId);
        expect(left.map((one) => one.class)).toEqual(["deletedVolume", "deletedVolume"]);
      };
      const before = await array.inventory(call());
      await cutOff();
      await array.volumes.remove(call(), place, names(volumes(2)));
      expect(await array.inventory(call())).toEqual(before);
      await cutOff();
      expect(await array.sweep(call(), testBedId)).toHaveLength(2);
      expect(await array.inventory(call())).toEqual(before);
    });
  });

  test("never adopts or removes a target port that somebody else has in our tenant", async () => {
    await withArray(profile, async (array, lab) => {
      await array.targets.ensure(call(), targets);
      const theirs = { name: "t_n2_b", comment: "backup server" };
      await lab.client.tamper("array", "setInterfaceComment", theirs);
      const before = await array.inventory(call());
      for (const work of [
        array.targets.ensure(call(), targets),
        array.targets.remove(call(), scope),
      ]) {
        const error = await failure(work);
        expect(isDeviceError(error, "refused")).toBe(true);
        expect(error.message).toContain("backup server");
      }
      expect(await array.inventory(call())).toEqual(before);
    });
  });

  test("does not take a copy of its volume in somebody else's for its own", async () => {
    await withArray(profile, async (array, lab) => {
      await array.targets.ensure(call(), targets);
      const [made] = await array.volumes.ensure(call(), scope, volumes(1));
      const copy = { svm: "t_svm", volume: "clone_of_data", lun: "t_data01" };
      await lab.client.tamper("array", "createLun", { ...copy, sizeBytes: "1073741824" });
      const name = "/vol/clone_of_data/t_data01";
      const comment = markComment(testBedId, "volume");
      await lab.client.tamper("array", "setLunComment", { name, comment });
      expect(await array.markedDevices(call(), testBedId)).toEqual([made?.deviceName]);
      const lun = (await array.inventory(call())).find((object) => object.name.endsWith(name));
      expect(lun).toMatchObject({ class: "lun", bedId: undefined });
    });
  });

  test("never touches another's tenant, volume or group of our name", async () => {
    await withArray(profile, async (array, lab) => {
      await lab.client.tamper("array", "createSvm", { name: "t_svm" });
      const tenant = await failure(array.targets.ensure(call(), targets));
      expect(isDeviceError(tenant, "refused")).toBe(true);
      expect(isDeviceError(await failure(array.targets.remove(call(), scope)), "refused")).toBe(
        true,
      );
      const [before] = [await array.inventory(call())];
      expect(before.some((object) => object.name === "t_svm" && object.bedId === undefined)).toBe(
        true,
      );
    });
  });

  test("refuses a pool that is too small, with the figures, and can go on when there is room", async () => {
    await withArray(profile, async (array, lab) => {
      await array.targets.ensure(call(), targets);
      await lab.client.tamper("array", "fillPool", {
        pool: "aggr_a",
        freeBytes: (5n * gibibyte).toString(),
      });
      const error = await failure(array.volumes.ensure(call(), scope, volumes(2, { thin: false })));
      expect(isDeviceError(error, "refused")).toBe(true);
      expect(error.message).toContain("aggr_a");
      expect(error.message).toMatch(/5 GiB/);
      expect(error.message).toMatch(/11 GiB/);
      await lab.client.tamper("array", "fillPool", {
        pool: "aggr_a",
        freeBytes: (50n * gibibyte).toString(),
      });
      expect(await array.volumes.ensure(call(), scope, volumes(2, { thin: false }))).toHaveLength(
        2,
      );
    });
  });

  test("refuses to remove what is mapped or in use", async () => {
    await withArray(profile, async (array) => {
      await build(array, targets, 2);
      for (const work of [
        array.volumes.remove(call(), scope, ["t_data01"]),
        array.hosts.removeGroup(call(), scope, group),
        array.targets.remove(call(), scope),
      ]) {
        expect(isDeviceError(await failure(work), "refused")).toBe(true);
      }
      expect(await array.maps.list(call(), scope, group)).toHaveLength(2);
    });
  });

  test("takes one host out of a mapped group and leaves the others", async () => {
    await withArray(profile, async (array) => {
      await build(array, targets, 2);
      await array.hosts.removeHosts(call(), scope, group, [esx01]);
      // A set: initiators are added side by side.
      const left = (await array.hosts.get(call(), scope, group))?.initiators ?? [];
      expect([...left].sort()).toEqual([...esx02.initiators].sort());
      await array.hosts.removeHosts(call(), scope, group, [esx01]);
      expect(await array.maps.list(call(), scope, group)).toHaveLength(2);
    });
  });

  test("carries the mark in the group's name on every release", async () => {
    await withArray(profile, async (array) => {
      await array.targets.ensure(call(), targets);
      const made = await array.hosts.ensureGroup(call(), scope, group);
      expect(made.name).toBe(markName(testBedId, group));
      expect(await array.hosts.ensureGroup(call(), scope, made.name)).toEqual(made);
      expect(made.bedId).toBe(testBedId);
    });
  });

  test("keeps LUN numbers, and refuses one that is taken or would change", async () => {
    await withArray(profile, async (array) => {
      await build(array, targets, 2);
      expect(await array.maps.list(call(), scope, group)).toEqual([
        { volume: "t_data01", group, lun: 10 },
        { volume: "t_data02", group, lun: 11 },
      ]);
      await array.volumes.ensure(call(), scope, volumes(3));
      const taken = await failure(
        array.maps.ensure(call(), scope, [{ volume: "t_data03", group, lun: 10 }]),
      );
      expect(isDeviceError(taken, "refused")).toBe(true);
      expect(taken.message).toContain("t_data01");
      const moved = await failure(
        array.maps.ensure(call(), scope, [{ volume: "t_data01", group, lun: 20 }]),
      );
      expect(isDeviceError(moved, "refused")).toBe(true);
    });
  });

  test("names what is missing for a map", async () => {
    await withArray(profile, async (array) => {
      await array.targets.ensure(call(), targets);
      await array.volumes.ensure(call(), scope, volumes(1));
      const noGroup = await failure(array.maps.ensure(call(), scope, mapsOf(1)));
      expect(isDeviceError(noGroup, "notFound")).toBe(true);
      expect(noGroup.message).toContain(markName(testBedId, group));
      await array.hosts.ensureGroup(call(), scope, group);
      const noVolume = await failure(array.maps.ensure(call(), scope, mapsOf(2)));
      expect(isDeviceError(noVolume, "notFound")).toBe(true);
      expect(noVolume.message).toContain("t_data02");
    });
  });

  test("purges exactly its own deleted volumes", async () => {
    await withArray(profile, async (array) => {
      await array.targets.ensure(call(), targets);
      const before = await array.pools(call());
      await array.volumes.ensure(call(), scope, volumes(2, { thin: false }));
      await array.volumes.remove(call(), scope, names(volumes(2)));
      expect(await array.pools(call())).toEqual(before);
      const deleted = (await array.inventory(call())).filter((o) => o.class === "deletedVolume");
      expect(deleted).toEqual([]);
    });
  });

  test("reports a wrong password once, without the password", async () => {
    process.env["SANBED_TEST_WRONG"] = '{"user":"admin","password":"Wr0ng-Pass"}';
    await withArray(
      profile,
      async (array, lab) => {
        const work = Promise.allSettled([
          array.inventory(call()),
          array.pools(call()),
          array.facts(call()),
        ]);
        for (const result of await work) {
          if (result.status !== "rejected") throw new Error("it should have failed");
          const error = result.reason as Error;
          expect(isDeviceError(error, "unauthorized")).toBe(true);
          expect(error.message).not.toContain("Wr0ng-Pass");
        }
        // Repeated refusals lock the account.
        expect(await lab.client.requests("array")).toHaveLength(1);
      },
      { credentials: "env:SANBED_TEST_WRONG" },
    );
  });

  test("sweeps what a bed left", async () => {
    await withArray(profile, async (array) => {
      const before = await array.inventory(call());
      expect(await array.sweep(call(), testBedId)).toEqual([]);
      await build(array, targets, 2);
      expect(await array.markedDevices(call(), testBedId)).toHaveLength(2);
      const removed = await array.sweep(call(), testBedId);
      expect(removed).toContain("tenant t_svm");
      expect(removed).toContain("volume t_svm/t_data01");
      expect(await array.inventory(call())).toEqual(before);
    });
  });

  test("makes and removes pools of its own", async () => {
    await withArray(profile, async (array) => {
      const before = await array.inventory(call());
      const spec = {
        name: "fast",
        controller: model.controllers[0],
        driveCount: 6,
        raid: "raid_dp",
      };
      const pool = await array.ensurePool(call(), scope, spec);
      expect(pool.name).toBe(markName(testBedId, "fast"));
      expect(await array.ensurePool(call(), scope, spec)).toMatchObject({ name: pool.name });
      await array.removePool(call(), scope, pool.name);
      await array.removePool(call(), scope, "fast");
      expect(await array.inventory(call())).toEqual(before);
    });
  });
});
