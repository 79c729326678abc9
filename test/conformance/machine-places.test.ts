import { placeProblems } from "../../provider/resources/machine-places";
import { call } from "../support/device-rig";
import { openHosts, present, withVcenter } from "../support/host-rig";
import type { Wire } from "../support/plugin-client";
import { first, machine, place, second, withVsphere } from "../support/vsphere-rig";

jest.setTimeout(120_000);

withVcenter("where machines are", () => {
  it("follows each disk to its block device, over several controllers, and sees a move", async () => {
    await withVsphere(async (rig) => {
      const at = await place(rig);
      const shown = await present(rig.lab, [first, second], 2);
      const storage = openHosts(rig.lab);
      await storage.rescan(call(), [first, second]);
      const stores = await Promise.all(
        shown.devices.map((device, index) =>
          rig.create("VmfsDatastore", {
            name: `t-place-${index.toString()}`,
            hostSystemId: at.hostSystemId,
            disks: [device],
          }),
        ),
      );
      const data = (index: number, unitNumber: number): Wire => ({
        label: `data${index.toString()}`,
        size: 2,
        unitNumber,
        datastoreId: stores[index]?.id ?? "",
        eagerlyScrub: true,
        thinProvisioned: false,
      });
      const made = await rig.create(
        "VirtualMachine",
        machine(at, "t-placed", {
          scsiControllerCount: 2,
          enableDiskUuid: true,
          disks: [{ label: "boot", size: 4, unitNumber: 0 }, data(0, 1), data(1, 15)],
        }),
      );
      const uuid = String(made.state["uuid"]);
      const [facts, ...others] = await storage.machines(call(), [uuid, "no-such-uuid"]);
      expect(others).toEqual([]);
      const gib = 1024n ** 3n;
      expect(facts).toMatchObject({
        uuid,
        name: "t-placed",
        host: first,
        poweredOn: true,
        showsDiskUuids: true,
        disks: [
          { controller: 0, unit: 0, datastore: rig.lab.site.hypervisor.siteDatastore },
          { controller: 0, unit: 1, capacityBytes: 2n * gib, datastore: "t-place-0" },
          { controller: 1, unit: 0, capacityBytes: 2n * gib, datastore: "t-place-1" },
        ],
      });
      expect(facts?.disks.slice(1).map(({ blockDevices }) => blockDevices)).toEqual(
        shown.devices.map((device) => [device]),
      );
      // The ids that programs get are those that the guest is asked for.
      const ids = (made.state["disks"] as Wire[]).map((disk) => String(disk["uuid"]).toLowerCase());
      expect(facts?.disks.map((disk) => disk.uuid)).toEqual(ids);
      expect(new Set(ids).size).toBe(3);

      const other = (await place(rig, second)).hostSystemId;
      const moved = await rig.update("VirtualMachine", made, {
        ...made.inputs,
        hostSystemId: other,
      });
      const expected = [{ guest: "t-placed", vmUuid: uuid, host: first }];
      expect(placeProblems(expected, await storage.machines(call(), [uuid]))).toEqual([
        `t-placed: machine t-placed runs on ${second}, expected ${first}`,
      ]);
      await rig.remove("VirtualMachine", moved);
      for (const store of stores) await rig.remove("VmfsDatastore", store);
      await storage.close();
      await shown.close();
    });
  });
});
