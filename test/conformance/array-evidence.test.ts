import { takeOffline } from "../support/array-admin";
import { build, modelOf, names, targetsOf, volumes, withArray } from "../support/array-bed";
import { call } from "../support/device-rig";

jest.setTimeout(20_000);

describe.each([["9.5"], ["9.8"], ["9.9.1"]])("an array running ONTAP %s as evidence", (profile) => {
  const targets = targetsOf(profile);
  const model = modelOf(profile);

  test("tells controllers, ports, drives, pools, settings and counters as evidence", async () => {
    await withArray(profile, async (array, lab) => {
      await build(array, targets, 2);
      const writes = (await lab.client.requests("array")).filter((r) => r.write).length;
      const place = { target: "t_svm", protocol: "fcp", volumes: names(volumes(2)) } as const;
      const details = await array.evidence.details(call(), place);
      expect(details.controllers.map((one) => one.name)).toEqual(model.controllers);
      for (const { serial, software, model: type } of details.controllers) {
        expect(serial).toMatch(/^\d+$/);
        expect(software).toContain(profile);
        expect(type).toMatch(/^AFF-A\d+$/);
      }
      const port = details.ports.find(
        (one) => one.controller === model.controllers[0] && one.name === model.ports[0],
      );
      expect(port?.wwpn).toMatch(/^(?:[0-9a-f]{2}:){7}[0-9a-f]{2}$/);
      expect(details.pools.find((one) => one.name === "aggr_a")).toMatchObject({
        controller: model.controllers[0],
        raid: expect.stringContaining("raid") as string,
      });
      expect(details.volumes.map((one) => one.name)).toEqual(names(volumes(2)));
      expect(details.drives.length).toBeGreaterThan(0);
      const counters = await array.evidence.counters(call(), place);
      const of = (kind: string) =>
        counters.filter((one) => one.kind === kind).map((one) => one.name);
      expect(of("volume").sort()).toEqual(names(volumes(2)));
      expect(of("port").sort()).toEqual(["t_n1_a", "t_n1_b", "t_n2_a", "t_n2_b"]);
      for (const { at, readOps, writeMicroseconds } of counters) {
        expect(Date.parse(at)).not.toBeNaN();
        expect([typeof readOps, typeof writeMicroseconds]).toEqual(["bigint", "bigint"]);
      }
      expect(await array.evidence.events(call(), "2020-01-01T00:00:00Z")).toBeInstanceOf(Array);
      expect((await lab.client.requests("array")).filter((r) => r.write)).toHaveLength(writes);
    });
  });

  test("shows as evidence a limit that somebody set, and the events of the array since a moment", async () => {
    await withArray(profile, async (array, lab) => {
      await build(array, targets, 2);
      const place = { target: "t_svm", protocol: "fcp", volumes: names(volumes(2)) } as const;
      const limits = async (): Promise<unknown> =>
        (await array.evidence.details(call(), place)).volumes.map((one) => one.qosPolicy);
      expect(await limits()).toEqual([undefined, undefined]);
      const gold = { volume: "t_data02", policy: "gold", maxIops: "5000" };
      await lab.client.tamper("array", "limitVolume", gold);
      expect(await limits()).toEqual([undefined, "gold"]);
      const events = (since: string) => array.evidence.events(call(), since);
      const before = new Date(Date.now() - 60_000).toISOString();
      const node = model.controllers[1];
      await lab.client.tamper("array", "takeOver", { node });
      await takeOffline(lab, profile, "t_svm", "t_data01");
      const seen = await events(before);
      expect(seen.map((one) => one.name)).toEqual(
        expect.arrayContaining(["wafl.vvol.offline", "cf.fsm.takeoverStarted"]),
      );
      expect(seen.find((one) => one.name === "wafl.vvol.offline")).toMatchObject({
        controller: model.controllers[0],
        severity: "notice",
        text: expect.stringContaining("t_data01") as string,
      });
      expect(await events(new Date(Date.now() + 3_600_000).toISOString())).toEqual([]);
    });
  });
});
