import { markComment, markName } from "../../bed/mark";
import { ref } from "../../provider/devices/vcenter/values";
import { BedPlugin } from "../support/bed-plugin";
import { call, testBedId } from "../support/device-rig";
import { openHosts, present, withVcenter } from "../support/host-rig";
import { RawVcenter } from "../support/raw-vcenter";
import type { Place, VsphereRig } from "../support/vsphere-rig";
import { first, machine, place, second, withVsphere } from "../support/vsphere-rig";

jest.setTimeout(120_000);

const machineGuard = "sanbed:host:MachineGuard";
/** Names that the bed of these tests gives its machines. */
const machines = ["cut-off", "unrecorded", "lives"];
const datastoreGuard = "sanbed:host:DatastoreGuard";
const path = markName(testBedId, "machines");
const annotation = markComment(testBedId, "guest");

interface Rig {
  readonly rig: VsphereRig;
  readonly plugin: BedPlugin;
  readonly raw: RawVcenter;
  readonly at: Place;
}

async function withRig(test: (rig: Rig) => Promise<void>): Promise<void> {
  await withVsphere(async (rig) => {
    const plugin = await BedPlugin.start(rig.lab);
    const raw = new RawVcenter(rig.lab);
    try {
      await test({ rig, plugin, raw, at: await place(rig) });
    } finally {
      await raw.close();
      await plugin.close();
    }
  });
}

withVcenter("host:MachineGuard", () => {
  it("lets its folder go though a clone was begun that nobody knows of", async () => {
    await withRig(async ({ rig, plugin, raw, at }) => {
      const { datacenterId } = at;
      const folder = await rig.create("Folder", { path, type: "vm", datacenterId });
      const guard = await plugin.create(machineGuard, {
        device: "vcenter",
        folder: path,
        machines,
      });
      const template = rig.lab.site.templates["sysbench"]?.name ?? "";
      await raw.beginClone(template, "cut-off", ref("Folder", folder.id), at);
      await rig.create("VirtualMachine", machine(at, "unrecorded", { folder: path, annotation }));
      await plugin.delete(machineGuard, guard);
      await plugin.delete(machineGuard, guard);
      await rig.remove("Folder", folder);
      expect(await raw.named("VirtualMachine", "cut-off")).toEqual([]);
      expect(await raw.named("VirtualMachine", "unrecorded")).toEqual([]);
    });
  });

  it("refuses to be deleted while others' machines lie in the folder, naming them", async () => {
    await withRig(async ({ rig, plugin, raw, at }) => {
      const { datacenterId } = at;
      await rig.create("Folder", { path, type: "vm", datacenterId });
      const guard = await plugin.create(machineGuard, {
        device: "vcenter",
        folder: path,
        machines,
      });
      await rig.create("VirtualMachine", machine(at, "moved-in", { folder: path }));
      await expect(plugin.delete(machineGuard, guard)).rejects.toThrow(/not the bed's: moved-in/);
      expect(await raw.named("VirtualMachine", "moved-in")).toHaveLength(1);
    });
  });

  it("leaves a clone of somebody else's alone, though it was never started, and names it", async () => {
    await withRig(async ({ rig, plugin, raw, at }) => {
      const { datacenterId } = at;
      const folder = await rig.create("Folder", { path, type: "vm", datacenterId });
      const guard = await plugin.create(machineGuard, {
        device: "vcenter",
        folder: path,
        machines,
      });
      const template = rig.lab.site.templates["sysbench"]?.name ?? "";
      await raw.clone(template, "somebodys-vm", ref("Folder", folder.id), at);
      await expect(plugin.delete(machineGuard, guard)).rejects.toThrow(
        /not the bed's: somebodys-vm/,
      );
      expect(await raw.named("VirtualMachine", "somebodys-vm")).toHaveLength(1);
    });
  });

  it("stands before marked folders only, and never removes anything in an update", async () => {
    await withRig(async ({ rig, plugin, raw, at }) => {
      const wrong = plugin.create(machineGuard, {
        device: "vcenter",
        folder: "somebody",
        machines,
      });
      await expect(wrong).rejects.toThrow(/does not carry the bed's mark/);
      const { datacenterId } = at;
      await rig.create("Folder", { path, type: "vm", datacenterId });
      const guard = await plugin.create(machineGuard, {
        device: "vcenter",
        folder: path,
        machines,
      });
      await rig.create("VirtualMachine", machine(at, "lives", { folder: path, annotation }));
      const news = { device: "vcenter", folder: markName(testBedId, "renamed"), machines };
      const change = await plugin.client.diff(machineGuard, guard.id, guard, news);
      expect(change).toMatchObject({ changes: true, replaces: [] });
      await plugin.update(machineGuard, guard, news);
      expect(await raw.named("VirtualMachine", "lives")).toHaveLength(1);
    });
  });
});

withVcenter("host:DatastoreGuard", () => {
  it("lets the folder go though a datastore was made that nobody knows of", async () => {
    await withRig(async ({ rig, plugin, raw, at }) => {
      const storage = openHosts(rig.lab);
      const shown = await present(rig.lab, [first, second], 2);
      await storage.rescan(call(), [first, second]);
      const [one = "", two = ""] = shown.devices;
      const folder = { path, type: "datastore", datacenterId: at.datacenterId };
      const home = await rig.create("Folder", folder);
      const guard = await plugin.create(datastoreGuard, {
        device: "vcenter",
        group: "data",
        devices: { v0: one },
      });
      const host = { hostSystemId: at.hostSystemId };
      await rig.create("VmfsDatastore", { name: "t-lost", folder: path, ...host, disks: [one] });
      await rig.create("VmfsDatastore", { name: "t-other", ...host, disks: [two] });
      await plugin.delete(datastoreGuard, guard);
      await rig.remove("Folder", home);
      expect(await raw.named("Datastore", "t-lost")).toEqual([]);
      expect(await raw.named("Datastore", "t-other")).toHaveLength(1);
      await storage.close();
      await shown.close();
    });
  });
});
