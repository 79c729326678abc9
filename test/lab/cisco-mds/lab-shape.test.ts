import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Lab } from "../../../lab/lab";
import type { LabShape } from "../../../lab/presets/lab-shape";
import { worldInventory } from "../../../lab/world/inventory";
import { withLab } from "../../support/lab";
import { NxapiClient } from "../../support/nxapi-client";

describe("a lab with MDS switches", () => {
  it("says in its site which VSAN is the bed's, and where hosts and array are cabled", () =>
    withLab(
      "D",
      ({ site }) => {
        expect(site.devices).toMatchObject({
          fabricA: { kind: "cisco-mds", vsan: 101 },
          fabricB: { kind: "cisco-mds", vsan: 102 },
          array: { kind: "ontap" },
          vcenter: { kind: "vcenter" },
        });
        expect(site.hosts[0]?.hbas.map(({ fabric }) => fabric)).toEqual(["A", "B"]);
        expect(site.array.ports.map(({ key }) => key)).toEqual(["n1a", "n1b", "n2a", "n2b"]);
        return Promise.resolve();
      },
      { shape: { fabric: "cisco-mds" } },
    ));

  it("has zones of others in force as an activation would put them", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab);
        const zoningOf = () => lab.lab!.world.view.fabrics["A"]!.zoning.effective?.zones;
        const before = structuredClone(zoningOf());
        const member = "member pwwn 21:00:00:24:ff:7b:77:01";
        await client.configure(
          "zone name z1 vsan 101",
          member,
          "zoneset name prod_A vsan 101",
          "member z1",
          "zoneset activate name prod_A vsan 101",
          "zone commit vsan 101",
        );
        await client.settled(101);
        const { z1, ...others } = zoningOf() ?? {};
        expect(z1?.members).toEqual(["21:00:00:24:ff:7b:77:01"]);
        expect(others).toEqual(before);
      },
      { shape: { fabric: "cisco-mds" } },
    ));

  it("goes back to its own preset on reset, sessions and all", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab);
        const before = worldInventory(lab.lab!.world.view);
        await client.configure("zone name z1 vsan 101", "zone commit vsan 101");
        await client.settled(101);
        await client.configure("zone name z2 vsan 101");
        await client.configure("device-alias database", "no device-alias name erp_db01");
        expect(worldInventory(lab.lab!.world.view)).not.toEqual(before);
        await lab.client.reset();
        expect(worldInventory(lab.lab!.world.view)).toEqual(before);
        expect(await client.status(101)).toMatchObject({ session: "none", status: "" });
        expect(await client.show("show device-alias status")).not.toHaveProperty("Locked_by_user");
      },
      { shape: { fabric: "cisco-mds" } },
    ));

  it("keeps its shape over restarts, and refuses another one for what it holds", async () => {
    const dir = mkdtempSync(join(tmpdir(), `sanbed-test-lab-${process.pid.toString()}-`));
    const kinds = async (
      shape?: Partial<LabShape>,
      then?: (lab: Lab) => void,
    ): Promise<(string | undefined)[]> => {
      const lab = await Lab.start({
        dir,
        probe: { level: "D", missing: {} },
        token: "t",
        log: () => undefined,
        ...(shape === undefined ? {} : { shape }),
      });
      const found = ["fabricA", "fabricA2"].map((device) => lab.site().devices[device]?.kind);
      then?.(lab);
      await lab.stop();
      return found;
    };
    try {
      const two = { fabric: "cisco-mds", switchesPerFabric: 2 } as const;
      expect(await kinds(two)).toEqual(["cisco-mds", "cisco-mds"]);
      const leaveZone = (lab: Lab): void => {
        lab.world.change(({ fabrics }) => {
          fabrics["A"]!.zoning.defined.zones["left"] = { type: 0, members: [], principals: [] };
        });
      };
      expect(await kinds(undefined, leaveZone)).toEqual(["cisco-mds", "cisco-mds"]);
      await expect(kinds({ fabric: "brocade-fos" })).rejects.toThrow(
        /holds a lab with aff-a250 and 2 cisco-mds per fabric, asked for is one with aff-a250 and 2 bro/,
      );
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
