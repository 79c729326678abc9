import { markComment, markName } from "../../bed/mark";
import { call, testBedId } from "../support/device-rig";
import { openHosts, present, withVcenter } from "../support/host-rig";
import { first, machine, place, second, tokenOf, withVsphere } from "../support/vsphere-rig";

jest.setTimeout(120_000);

withVcenter("host storage sweep: vCenter", () => {
  it("removes machines, datastores, folders, rules and devices of the bed, and nothing else", async () => {
    await withVsphere(async (rig) => {
      const storage = openHosts(rig.lab);
      const before = await storage.inventory(call());
      const at = await place(rig);
      const { datacenterId, computeClusterId } = at;
      const shown = await present(rig.lab, [first, second], 1);
      await storage.rescan(call(), [first, second]);
      const ours = markName(testBedId, "things");
      await rig.create("Folder", { path: ours, type: "vm", datacenterId });
      await rig.create("Folder", { path: ours, type: "datastore", datacenterId });
      const disk = { hostSystemId: at.hostSystemId, disks: shown.devices };
      await rig.create("VmfsDatastore", { name: "unmarked-name", ...disk });
      const annotation = markComment(testBedId, "guest");
      await rig.create("VirtualMachine", machine(at, "by-note", { annotation }));
      await rig.create("VirtualMachine", machine(at, "by-folder", { folder: ours }));
      const other = await rig.create("VirtualMachine", machine(at, "somebody-elses"));
      const group = { name: markName(testBedId, "vms"), computeClusterId };
      await rig.create("ComputeClusterVmGroup", { ...group, virtualMachineIds: [other.id] });
      const marked = (await storage.inventory(call())).filter((o) => o.bedId === testBedId);
      expect(marked.length).toBeGreaterThanOrEqual(4);
      const removed = await storage.sweep(call(60_000), testBedId, shown.devices);
      expect(removed).toEqual(
        expect.arrayContaining([
          "virtualMachine by-note",
          "virtualMachine by-folder",
          "datastore unmarked-name",
          `folder ${ours}`,
          `group ${group.name}`,
        ]),
      );
      const seen = await storage.devices(call(), first, shown.devices);
      expect(seen.map((device) => device.state)).toEqual(["off"]);
      expect(await storage.sweep(call(), testBedId, shown.devices)).toEqual([]);
      await shown.unmap();
      await storage.rescan(call(), [first, second]);
      for (const host of [first, second]) await storage.purge(call(), host, shown.devices);
      const token = tokenOf("VirtualMachine");
      expect((await rig.client.read(token, other.id, other)).id).toBe(other.id);
      await rig.remove("VirtualMachine", other);
      expect(await storage.inventory(call())).toEqual(before);
      await storage.close();
      await shown.close();
    });
  });

  it("refuses to take a machine of others along with a datastore, naming it", async () => {
    await withVsphere(async (rig) => {
      const storage = openHosts(rig.lab);
      const at = await place(rig);
      const shown = await present(rig.lab, [first, second], 1);
      await storage.rescan(call(), [first, second]);
      const disk = { hostSystemId: at.hostSystemId, disks: shown.devices };
      const data = await rig.create("VmfsDatastore", { name: "t-data", ...disk });
      const other = machine(at, "somebody-elses", { datastoreId: data.id });
      await rig.create("VirtualMachine", other);
      await expect(storage.sweep(call(60_000), testBedId, shown.devices)).rejects.toThrow(
        /t-data: machines lie on it: somebody-elses/,
      );
      await storage.close();
      await shown.close();
    });
  });
});
