import { isDeviceError } from "../../bed/errors";
import type { BedContext } from "../../provider/resources/context";
import { hostZones } from "../../provider/resources/fabric-host-zones";
import { call } from "../support/device-rig";
import { Driven, testCall, withTestBed } from "../support/handler-rig";
import { withLab, type TestLab } from "../support/lab";

jest.setTimeout(60_000);

const zones = new Driven(hostZones);

interface Inputs {
  host: string;
  fabrics: Record<
    "A" | "B",
    { device: string; initiators: Record<string, string>; targets: string[]; zonePrefix: string }
  >;
}

/**
 * The two fabrics of the lab as they are: A with everything in enhanced mode, B with zoning and device
 * aliases in basic mode, where only fcaliases can hold the mark.
 */
async function withFabrics(
  test: (context: BedContext, inputs: (host: number) => Inputs, lab: TestLab) => Promise<void>,
): Promise<void> {
  await withLab(
    "D",
    async (lab) => {
      await lab.client.tamper("fabricA", "set-readings", { activationMs: 20 });
      await lab.client.tamper("fabricB", "set-readings", { activationMs: 20 });
      await withTestBed(lab, async (context) => {
        const side = async (host: number, fabric: "A" | "B"): Promise<Inputs["fabrics"]["A"]> => {
          const device = `fabric${fabric}`;
          const logins = await context.fabric(device).logins(call());
          const own = lab.site.hosts[host]!.hbas.filter((hba) => hba.fabric === fabric);
          return {
            device,
            initiators: Object.fromEntries(own.map((hba) => [hba.adapter, hba.wwpn])),
            targets: logins.filter((login) => login.role === "target").map((login) => login.wwpn),
            zonePrefix: "t",
          };
        };
        const sides = await Promise.all(
          [0, 1, 2, 3].map(async (host) => ({
            A: await side(host, "A"),
            B: await side(host, "B"),
          })),
        );
        const inputs = (host: number): Inputs => ({
          host: lab.site.hosts[host]!.name,
          fabrics: sides[host]!,
        });
        await test(context, inputs, lab);
      });
    },
    { shape: { fabric: "cisco-mds" } },
  );
}

const inventories = async (context: BedContext): Promise<unknown[]> =>
  await Promise.all([...context.fabrics.values()].map((fabric) => fabric.inventory(call())));

describe("zones of hosts on two MDS fabrics", () => {
  test("are made on both, found unchanged by a refresh, and removed without a trace", async () => {
    await withFabrics(async (context, inputs) => {
      const before = await inventories(context);
      const wanted = inputs(0);
      const made = await zones.create(context, wanted);
      const seen = await zones.read(context, made.id, made.state);
      expect(seen?.inputs).toEqual({
        ...wanted,
        fabrics: {
          A: { ...wanted.fabrics.A, targets: [...wanted.fabrics.A.targets].sort() },
          B: { ...wanted.fabrics.B, targets: [...wanted.fabrics.B.targets].sort() },
        },
      });
      expect(made.state["configurations"]).toEqual({ A: "prod_A", B: "prod_B" });
      await zones.delete(context, made.id, made.state);
      expect(await inventories(context)).toEqual(before);
      await zones.delete(context, made.id, made.state);
    });
  });

  test("of hosts that are made at the same time share one transaction per fabric", async () => {
    await withFabrics(async (context, inputs, lab) => {
      const writes = async (device: string): Promise<number> =>
        (await lab.client.requests(device)).filter((request) => request.write).length;
      const made = await Promise.all(
        [0, 1, 2, 3].map((host) => zones.create(context, inputs(host))),
      );
      // A: device aliases, zones, commit. B: everything in one request.
      expect([await writes("fabricA"), await writes("fabricB")]).toEqual([3, 1]);
      await Promise.all(made.map(({ id, state }) => zones.delete(context, id, state)));
      expect([await writes("fabricA"), await writes("fabricB")]).toEqual([6, 2]);
    });
  });

  test("are on both fabrics or on none, when one of them fails", async () => {
    await withFabrics(async (context, inputs, lab) => {
      const before = await inventories(context);
      const text = "Operation failed: [reason: fabric changing]";
      await lab.client.tamper("fabricB", "fail-next", { text });
      const error = await zones.create(context, inputs(0), testCall(context)).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(isDeviceError(error, "refused")).toBe(true);
      expect(await inventories(context)).toEqual(before);
      const made = await zones.create(context, inputs(0));
      await zones.delete(context, made.id, made.state);
      expect(await inventories(context)).toEqual(before);
    });
  });
});
