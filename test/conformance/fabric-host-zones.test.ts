import { isDeviceError } from "../../bed/errors";
import { parseWwpn } from "../../bed/identities";
import type { HostAdapter } from "../../provider/devices/host-storage";
import type { BedContext } from "../../provider/resources/context";
import { hostZones } from "../../provider/resources/fabric-host-zones";
import { call } from "../support/device-rig";
import { bedWithHosts, hostDevice, naa } from "../support/fake-hosts";
import { Driven, testCall } from "../support/handler-rig";
import type { TestLab } from "../support/lab";
import {
  failure,
  inventories,
  withTargets,
  type ZonesInputs,
  type ZonesSide,
} from "../support/zoned-bed";

jest.setTimeout(60_000);

const zones = new Driven(hostZones);

const lunName = naa("naa.600a098000000000000000000000001a");

/** The same bed with a vCenter, whose host has one device with paths on these fabrics. */
function withHost(
  context: BedContext,
  { host, fabrics }: ZonesInputs,
  paths: () => readonly ("A" | "B" | "other")[],
): BedContext {
  const port = (fabric: "A" | "B") => {
    const [[name, wwpn] = fail("no port")] = Object.entries(fabrics[fabric].initiators);
    return { name, wwpn, targetWwpn: fabrics[fabric].targets[0] };
  };
  const path = (over: "A" | "B" | "other") => {
    const { name, targetWwpn } = port(over === "other" ? "A" : over);
    const target = over === "other" ? "50:06:01:60:c7:e0:11:00" : targetWwpn;
    return { adapter: name, targetWwpn: parseWwpn(target ?? ""), lun: 1, state: "active" as const };
  };
  const { hypervisors } = bedWithHosts({
    hosts: () =>
      Promise.resolve([{ name: host, id: "h", cluster: undefined, connected: true, version: "8" }]),
    devices: () => Promise.resolve([{ ...hostDevice(lunName), paths: paths().map(path) }]),
    adapters: () =>
      Promise.resolve(
        [port("A"), port("B")].map(
          ({ name, wwpn }) => ({ name, wwpn: parseWwpn(wwpn) }) as HostAdapter,
        ),
      ),
  });
  return { ...context, hypervisors };
}

function fail(reason: string): never {
  throw new Error(reason);
}

const enables = async (lab: TestLab, device: string): Promise<number> =>
  (await lab.client.requests(device)).filter(
    (request) => request.method === "PATCH" && request.path.includes("effective-configuration"),
  ).length;

describe("zones of hosts on two fabrics", () => {
  test("are made on both, found unchanged by a refresh, and removed without a trace", async () => {
    await withTargets(async (context, inputs) => {
      const before = await inventories(context);
      const wanted = inputs(0);
      const made = await zones.create(context, wanted);
      const seen = await zones.read(context, made.id, made.state);
      expect(seen?.inputs).toEqual(wanted);
      expect(seen?.state).toEqual(made.state);
      expect(made.state["configurations"]).toEqual({ A: "prod_A", B: "prod_B" });
      await zones.delete(context, made.id, made.state);
      expect(await inventories(context)).toEqual(before);
      expect(await zones.read(context, made.id, made.state)).toBeUndefined();
      // A second delete finds nothing and is done.
      await zones.delete(context, made.id, made.state);
    });
  });

  test("of hosts that are made at the same time share one transaction per fabric", async () => {
    await withTargets(async (context, inputs, lab) => {
      const made = await Promise.all(
        [0, 1, 2, 3].map((host) => zones.create(context, inputs(host))),
      );
      expect([await enables(lab, "fabricA"), await enables(lab, "fabricB")]).toEqual([1, 1]);
      await Promise.all(made.map(({ id, state }) => zones.delete(context, id, state)));
      expect([await enables(lab, "fabricA"), await enables(lab, "fabricB")]).toEqual([2, 2]);
    });
  });

  test("fail for the one host whose port is not logged in, and are made for the others", async () => {
    await withTargets(async (context, inputs) => {
      const wrong = inputs(0);
      wrong.fabrics.A.initiators = { vmhba2: "10:00:00:10:9b:ff:ff:ff" };
      const bad = testCall(context);
      const [failed, good] = await Promise.allSettled([
        zones.create(context, wrong, bad),
        zones.create(context, inputs(1)),
      ]);
      expect(good.status).toBe("fulfilled");
      if (failed.status !== "rejected") throw new Error("it should have failed");
      const { message } = failed.reason as Error;
      expect(message).toContain("10:00:00:10:9b:ff:ff:ff");
      expect(message).toContain("fabric A (fabricA)");
      expect(message).toContain(wrong.host);
      // Nothing was begun: nothing has to be cleaned up.
      expect(bad.begun).toEqual([]);
    });
  });

  test("refuse the physical port in place of the virtual one, and name the virtual ones", async () => {
    await withTargets(async (context, inputs) => {
      const logins = await context.fabric("fabricA").logins(call());
      const [virtual] = inputs(0).fabrics.A.targets;
      const physical = logins.find((login) => login.wwpn === virtual)?.physicalWwpn;
      const wrong = inputs(0);
      wrong.fabrics.A.targets = [physical!];
      const error = await failure(zones.create(context, wrong));
      expect(isDeviceError(error, "refused")).toBe(true);
      expect(error.message).toContain("physical port");
      expect(error.message).toContain(virtual);
      expect(error.message).toContain(physical);
    });
  });

  test("say when a port is on the other fabric", async () => {
    await withTargets(async (context, inputs) => {
      const wrong = inputs(0);
      [wrong.fabrics.A.initiators, wrong.fabrics.B.initiators] = [
        wrong.fabrics.B.initiators,
        wrong.fabrics.A.initiators,
      ];
      const error = await failure(zones.create(context, wrong));
      expect(error.message).toContain(
        "not logged in on fabric A (fabricA) but on fabric B (fabricB)",
      );
    });
  });

  test("leave both fabrics as they were when the second cannot be enabled", async () => {
    await withTargets(async (context, inputs, lab) => {
      const before = await inventories(context);
      await lab.client.addFault({
        device: "fabricB",
        match: { method: "PATCH", path: "effective-configuration", body: "cfg-name" },
        effect: { status: 400 },
      });
      const bad = testCall(context);
      const error = await failure(zones.create(context, inputs(0), bad));
      expect(error.message).toContain("fabricB");
      expect(bad.begun[0]?.id).toBe(`${inputs(0).host}@A=fabricA,B=fabricB`);
      expect(await inventories(context)).toEqual(before);
    });
  });

  test("are put back on the first fabric when the second cannot take them away", async () => {
    await withTargets(async (context, inputs, lab) => {
      const made = await zones.create(context, inputs(0));
      const before = await inventories(context);
      const id = await lab.client.addFault({
        device: "fabricB",
        match: { method: "PATCH", path: "effective-configuration", body: "cfg-name" },
        times: 1,
        effect: { status: 400 },
      });
      const error = await failure(zones.delete(context, made.id, made.state));
      expect(error.message).toContain("fabricB");
      expect(await inventories(context)).toEqual(before);
      await lab.client.removeFault(id);
      await zones.delete(context, made.id, made.state);
      expect(await zones.read(context, made.id, made.state)).toBeUndefined();
    });
  });

  test("stay while they carry the last paths of a device that the host has", async () => {
    await withTargets(async (context, inputs) => {
      const made = await zones.create(context, inputs(0));
      const before = await inventories(context);
      const error = await failure(
        zones.delete(
          withHost(context, inputs(0), () => ["A", "B"]),
          made.id,
          made.state,
        ),
      );
      expect(isDeviceError(error, "refused")).toBe(true);
      expect(error.message).toContain(`${lunName} on ${inputs(0).host} would lose every path`);
      expect(await inventories(context)).toEqual(before);
      // Unmapped meanwhile: nothing is in their way any more.
      await zones.delete(
        withHost(context, inputs(0), () => []),
        made.id,
        made.state,
      );
      expect(await zones.read(context, made.id, made.state)).toBeUndefined();
    });
  });

  test("are put back when a path that was counted on is gone before the second fabric's turn", async () => {
    await withTargets(async (context, inputs) => {
      const made = await zones.create(context, inputs(0));
      const before = await inventories(context);
      let looks = 0;
      // A path beside the bed's carries the device at first, and breaks.
      const bed = withHost(context, inputs(0), () => (looks++ === 0 ? ["A", "B", "other"] : ["B"]));
      const error = await failure(zones.delete(bed, made.id, made.state));
      expect(error.message).toContain("would lose every path");
      expect(looks).toBe(2);
      expect(await inventories(context)).toEqual(before);
    });
  });

  test("leave a foreign zone of our name alone, on create and on delete", async () => {
    await withTargets(async (context, inputs, lab) => {
      const wanted = inputs(0);
      const made = await zones.create(context, wanted);
      const { zone: name } = namesOf(made.state, "B", "vmhba3");
      await zones.delete(context, made.id, made.state);
      const members = ["50:06:01:60:c7:e0:11:05", "50:06:01:60:c7:e0:11:06"];
      await lab.client.tamper("fabricB", "set-zone", { name, members });
      const before = await inventories(context);
      const error = await failure(zones.create(context, wanted));
      expect(isDeviceError(error, "refused")).toBe(true);
      expect(error.message).toContain(name);
      await zones.delete(context, made.id, made.state);
      expect(await inventories(context)).toEqual(before);
    });
  });

  test.each(["A", "B"] as const)(
    "that were changed on fabric %s show in a refresh, and are repaired",
    async (fabric) => {
      await withTargets(async (context, inputs, lab) => {
        const wanted = inputs(0);
        const made = await zones.create(context, wanted);
        const device = `fabric${fabric}`;
        const [hba] = Object.keys(wanted.fabrics[fabric].initiators);
        const { alias, zone } = namesOf(made.state, fabric, hba!);
        const tampering: (() => Promise<unknown>)[] = [
          () => lab.client.tamper(device, "remove-object", { name: zone }),
          () =>
            lab.client.tamper(device, "set-zone", {
              name: zone,
              members: [alias, wanted.fabrics[fabric].targets[0]!],
            }),
          () =>
            lab.client.tamper(device, "set-alias", {
              name: alias,
              members: ["50:06:01:60:c7:e0:11:05"],
            }),
          () => lab.client.tamper(device, "edit-defined", { name: zone, members: [alias] }),
        ];
        let { state } = made;
        for (const change of tampering) {
          await change();
          const seen = await zones.read(context, made.id, state);
          expect(seen?.inputs).not.toEqual(wanted);
          state = await zones.update(context, made.id, seen!.state, wanted);
          expect((await zones.read(context, made.id, state))?.inputs).toEqual(wanted);
        }
        const before = state;
        await zones.delete(context, made.id, before);
      });
    },
  );

  test("whose alias was taken out by somebody are theirs from then on, and are named", async () => {
    await withTargets(async (context, inputs, lab) => {
      const made = await zones.create(context, inputs(0));
      const { alias, zone } = namesOf(made.state, "A", "vmhba2");
      await lab.client.tamper("fabricA", "remove-object", { name: alias });
      const seen = await zones.read(context, made.id, made.state);
      expect(seen?.inputs).not.toEqual(inputs(0));
      const error = await failure(zones.update(context, made.id, seen!.state, inputs(0)));
      expect(isDeviceError(error, "refused")).toBe(true);
      expect(error.message).toContain(zone);
    });
  });

  test("can be imported by host and switches", async () => {
    await withTargets(async (context, inputs) => {
      const wanted = inputs(2);
      const made = await zones.create(context, wanted);
      const imported = await zones.read(context, made.id);
      const sorted = {
        ...wanted,
        fabrics: { A: sideSorted(wanted.fabrics.A), B: sideSorted(wanted.fabrics.B) },
      };
      const got = imported?.inputs as unknown as ZonesInputs;
      expect({
        ...got,
        fabrics: { A: sideSorted(got.fabrics.A), B: sideSorted(got.fabrics.B) },
      }).toEqual(sorted);
      await zones.delete(context, made.id, imported!.state);
      expect(await zones.read(context, made.id)).toBeUndefined();
    });
  });

  test("follow a new zone prefix and new targets in one step, old names gone", async () => {
    await withTargets(async (context, inputs) => {
      const before = await inventories(context);
      const made = await zones.create(context, inputs(0));
      const news = inputs(0);
      news.fabrics.A.zonePrefix = "other";
      news.fabrics.B.targets = news.fabrics.B.targets.slice(0, 1);
      const state = await zones.update(context, made.id, made.state, news);
      expect((await zones.read(context, made.id, state))?.inputs).toEqual(news);
      const names = [...(await context.fabric("fabricA").zoning(call())).zones.keys()];
      expect(names.filter((name) => name.startsWith("t_"))).toEqual([]);
      await zones.delete(context, made.id, state);
      expect(await inventories(context)).toEqual(before);
    });
  });

  test("leave nothing staged when the call is cancelled", async () => {
    await withTargets(async (context, inputs, lab) => {
      const before = await inventories(context);
      await lab.client.addFault({
        device: "fabricB",
        match: { method: "POST", path: "defined-configuration" },
        effect: { latencyMs: 30_000 },
      });
      const controller = new AbortController();
      const work = zones.create(context, inputs(0), testCall(context, controller.signal));
      setTimeout(() => {
        controller.abort(new Error("cancelled"));
      }, 400);
      await failure(work);
      // The batch cleans up on its own: the next call waits for it.
      expect(await inventories(context)).toEqual(before);
    });
  });
});

function namesOf(
  state: Record<string, unknown>,
  fabric: string,
  hba: string,
): { alias: string; zone: string } {
  const owned = state["owned"] as Record<
    string,
    { ports: Record<string, { alias: string; zone: string }[]> }
  >;
  return owned[fabric]!.ports[hba]![0]!;
}

function sideSorted(side: ZonesSide): ZonesSide {
  return { ...side, targets: [...side.targets].sort() };
}
