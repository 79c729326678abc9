import { markComment, markName } from "../../bed/mark";
import type { HostStorage } from "../../provider/devices/host-storage";
import { ref } from "../../provider/devices/vcenter/values";
import { call, testBedId } from "../support/device-rig";
import { openHosts, present, withVcenter } from "../support/host-rig";
import { RawVcenter } from "../support/raw-vcenter";
import type { Place, VsphereRig } from "../support/vsphere-rig";
import { first, machine, place, second, tokenOf, withVsphere } from "../support/vsphere-rig";

jest.setTimeout(120_000);

const ours = markName(testBedId, "things");
const annotation = markComment(testBedId, "guest");
/** Names that the bed of these tests gives its machines. */
const planned = ["annotated", "cut-off"];

interface Rig {
  readonly rig: VsphereRig;
  readonly at: Place;
  readonly storage: HostStorage;
  readonly raw: RawVcenter;
  readonly template: string;
  readonly machineFolder: (path: string) => Promise<string>;
}

async function withRig(test: (rig: Rig) => Promise<void>): Promise<void> {
  await withVsphere(async (rig) => {
    const [storage, raw] = [openHosts(rig.lab), new RawVcenter(rig.lab)];
    const at = await place(rig);
    const { datacenterId } = at;
    try {
      await test({
        rig,
        at,
        storage,
        raw,
        template: rig.lab.site.templates["sysbench"]?.name ?? "",
        machineFolder: async (path) =>
          (await rig.create("Folder", { path, type: "vm", datacenterId })).id,
      });
    } finally {
      await storage.close();
      await raw.close();
    }
  });
}

withVcenter("host storage sweep: vCenter", () => {
  it("removes machines, datastores, folders, rules and devices of the bed, and nothing else", async () => {
    await withRig(async ({ rig, at, storage, raw, template, machineFolder }) => {
      const before = await storage.inventory(call());
      const { datacenterId, computeClusterId } = at;
      const shown = await present(rig.lab, [first, second], 1);
      await storage.rescan(call(), [first, second]);
      const folder = ref("Folder", await machineFolder(ours));
      await rig.create("Folder", { path: ours, type: "datastore", datacenterId });
      const disk = { hostSystemId: at.hostSystemId, disks: shown.devices };
      await rig.create("VmfsDatastore", { name: "unmarked-name", ...disk });
      await rig.create("VirtualMachine", machine(at, "annotated", { folder: ours, annotation }));
      await raw.clone(template, "cut-off", folder, at);
      const other = await rig.create("VirtualMachine", machine(at, "somebody-elses"));
      const group = { name: markName(testBedId, "vms"), computeClusterId };
      await rig.create("ComputeClusterVmGroup", { ...group, virtualMachineIds: [other.id] });
      const marked = (await storage.inventory(call())).filter((o) => o.bedId === testBedId);
      expect(marked.length).toBeGreaterThanOrEqual(4);
      const removed = await storage.sweep(call(60_000), testBedId, shown.devices, planned);
      expect(removed).toEqual(
        expect.arrayContaining([
          "virtualMachine annotated",
          "virtualMachine cut-off",
          "datastore unmarked-name",
          `folder ${ours}`,
          `group ${group.name}`,
        ]),
      );
      const seen = await storage.devices(call(), first, shown.devices);
      expect(seen.map((device) => device.state)).toEqual(["off"]);
      expect(await storage.sweep(call(), testBedId, shown.devices, planned)).toEqual([]);
      await shown.unmap();
      await storage.rescan(call(), [first, second]);
      for (const host of [first, second]) await storage.purge(call(), host, shown.devices);
      const token = tokenOf("VirtualMachine");
      expect((await rig.client.read(token, other.id, other)).id).toBe(other.id);
      await rig.remove("VirtualMachine", other);
      expect(await storage.inventory(call())).toEqual(before);
      await shown.close();
    });
  });

  it("leaves a machine alone that has our annotation in somebody's own folder: it is a copy", async () => {
    await withRig(async ({ rig, at, storage, raw, machineFolder }) => {
      const folder = ref("Folder", await machineFolder("somebody"));
      await machineFolder(ours);
      await rig.create("VirtualMachine", machine(at, "g01", { folder: ours, annotation }));
      await raw.clone("g01", "my-copy", folder, at);
      const removed = await storage.sweep(call(60_000), testBedId, [], planned);
      expect(removed).toEqual(["virtualMachine g01", `folder ${ours}`]);
      expect(await raw.named("VirtualMachine", "my-copy")).toHaveLength(1);
    });
  });

  it("leaves what others put into the bed's folders, and names it", async () => {
    await withRig(async ({ rig, at, storage, raw, template, machineFolder }) => {
      const folder = ref("Folder", await machineFolder(ours));
      await rig.create("VirtualMachine", machine(at, "moved-in", { folder: ours }));
      // Off now, but it has run: not a clone that was cut off.
      await raw.run("PowerOffVM_Task", await raw.only("VirtualMachine", "moved-in"), {});
      await raw.clone(template, "cut-off", folder, at);
      await expect(storage.sweep(call(60_000), testBedId, [], planned)).rejects.toThrow(
        /still holds moved-in, which is not the bed's/,
      );
      expect(await raw.named("VirtualMachine", "cut-off")).toEqual([]);
      expect(await raw.named("VirtualMachine", "moved-in")).toHaveLength(1);
    });
  });

  it("leaves a datastore that was moved into the bed's folder but lies on no device of the bed", async () => {
    await withRig(async ({ rig, at, storage, raw }) => {
      const shown = await present(rig.lab, [first, second], 1);
      await storage.rescan(call(), [first, second]);
      const { datacenterId } = at;
      await rig.create("Folder", { path: ours, type: "datastore", datacenterId });
      const disk = { hostSystemId: at.hostSystemId, disks: shown.devices };
      await rig.create("VmfsDatastore", { name: "t-foreign", folder: ours, ...disk });
      await expect(storage.sweep(call(60_000), testBedId, [], planned)).rejects.toThrow(
        /still holds t-foreign, which is not the bed's/,
      );
      expect(await raw.named("Datastore", "t-foreign")).toHaveLength(1);
      await shown.close();
    });
  });

  it("keeps the files of a machine that comes into the folder while it is being removed", async () => {
    await withRig(async ({ rig, at, storage, raw, machineFolder }) => {
      const folder = ref("Folder", await machineFolder(ours));
      await rig.create("VirtualMachine", machine(at, "latecomer"));
      const late = await raw.only("VirtualMachine", "latecomer");
      await raw.run("PowerOffVM_Task", late, {});
      const match = { method: "UnregisterAndDestroy_Task" };
      const effect = { latencyMs: 3000 };
      await rig.lab.client.addFault({ device: "vcenter", match, effect });
      const sweep = storage.sweep(call(60_000), testBedId, [], planned);
      await new Promise((resolve) => setTimeout(resolve, 1500));
      await raw.run("MoveIntoFolder_Task", folder, { list: late });
      await sweep;
      expect(await raw.named("VirtualMachine", "latecomer")).toEqual([]);
      const vms = await raw.only("Folder", "vm");
      await raw.run("RegisterVM_Task", vms, {
        path: `[${rig.lab.site.hypervisor.siteDatastore}] latecomer/latecomer.vmx`,
        asTemplate: false,
        pool: ref("ResourcePool", at.resourcePoolId),
        host: ref("HostSystem", at.hostSystemId),
      });
      expect(await raw.named("VirtualMachine", "latecomer")).toHaveLength(1);
    });
  });

  it("refuses to take a machine of others along with a datastore, naming it", async () => {
    await withRig(async ({ rig, at, storage }) => {
      const shown = await present(rig.lab, [first, second], 1);
      await storage.rescan(call(), [first, second]);
      const disk = { hostSystemId: at.hostSystemId, disks: shown.devices };
      const data = await rig.create("VmfsDatastore", { name: "t-data", ...disk });
      const other = machine(at, "somebody-elses", { datastoreId: data.id });
      await rig.create("VirtualMachine", other);
      for (const work of [
        storage.sweep(call(60_000), testBedId, shown.devices, planned),
        storage.remains.datastores(call(60_000), shown.devices),
      ]) {
        await expect(work).rejects.toThrow(
          /t-data: something is in the way.*\n.*machine \S*somebody-elses on datastore t-data/,
        );
      }
      await shown.close();
    });
  });
});

withVcenter("remains of a bed in the vCenter", () => {
  it("are cleared from one folder; machines of others in it are named", async () => {
    await withRig(async ({ rig, at, storage, raw, template, machineFolder }) => {
      const elsewhere = markName(testBedId, "elsewhere");
      const folder = ref("Folder", await machineFolder(ours));
      await machineFolder(elsewhere);
      await raw.clone(template, "cut-off", folder, at);
      await rig.create("VirtualMachine", machine(at, "annotated", { folder: ours, annotation }));
      await rig.create("VirtualMachine", machine(at, "kept", { folder: elsewhere, annotation }));
      const removed = await storage.remains.machines(call(60_000), testBedId, ours, planned);
      expect(removed).toEqual(["annotated", "cut-off"]);
      expect(await raw.named("VirtualMachine", "kept")).toHaveLength(1);
      await rig.create("VirtualMachine", machine(at, "moved-in", { folder: ours }));
      await expect(
        storage.remains.machines(call(60_000), testBedId, ours, planned),
      ).rejects.toThrow(/not the bed's: moved-in/);
      expect(await raw.named("VirtualMachine", "moved-in")).toHaveLength(1);
      await expect(
        storage.remains.machines(call(), testBedId, "somebody", planned),
      ).rejects.toThrow(/does not carry the bed's mark/);
    });
  });

  it("include a clone that still runs when they are looked for", async () => {
    await withRig(async ({ at, storage, raw, template, machineFolder }) => {
      const folder = ref("Folder", await machineFolder(ours));
      const names = Array.from({ length: 8 }, (_, index) => `late-${index.toString()}`);
      await Promise.all(names.map((name) => raw.beginClone(template, name, folder, at)));
      const removed = await storage.remains.machines(call(60_000), testBedId, ours, names);
      expect(removed).toEqual(names);
    });
  });

  it("are datastores on the named devices, whatever their names", async () => {
    await withRig(async ({ rig, at, storage, raw }) => {
      const shown = await present(rig.lab, [first, second], 2);
      await storage.rescan(call(), [first, second]);
      const [one = "", two = ""] = shown.devices;
      const host = { hostSystemId: at.hostSystemId };
      await rig.create("VmfsDatastore", { name: "t-one", ...host, disks: [one] });
      await rig.create("VmfsDatastore", { name: "t-two", ...host, disks: [two] });
      const gone = await storage.remains.datastores(call(60_000), shown.devices.slice(0, 1));
      expect(gone).toEqual(["t-one"]);
      expect(await raw.named("Datastore", "t-two")).toHaveLength(1);
      expect(await storage.remains.datastores(call(60_000), [])).toEqual([]);
      await shown.close();
    });
  });
});
