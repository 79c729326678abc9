import { call } from "../support/device-rig";
import { openHosts, present, withVcenter } from "../support/host-rig";
import type { Made } from "../support/vsphere-rig";
import {
  cluster,
  first,
  machine,
  place,
  second,
  tokenOf,
  withVsphere,
} from "../support/vsphere-rig";

jest.setTimeout(180_000);

withVcenter("stand-in vSphere plugin: inventory", () => {
  it("looks up what beds need, and names what there is when a name is wrong", async () => {
    await withVsphere(async (rig) => {
      const at = await place(rig);
      for (const id of Object.values(at)) expect(id).not.toBe("");
      const host = await rig.lookUp("getHost", { name: first, datacenterId: at.datacenterId });
      expect(host["resourcePoolId"]).toBe(at.resourcePoolId);
      const pool = { name: `${cluster}/Resources`, datacenterId: at.datacenterId };
      expect(await rig.id("getResourcePool", pool)).toBe(at.resourcePoolId);
      const template = rig.lab.site.templates["sysbench"]?.name ?? "";
      const found = await rig.lookUp("getVirtualMachine", {
        name: template,
        datacenterId: at.datacenterId,
      });
      expect(found).toMatchObject({ scsiType: "lsilogic-sas", networkInterfaceTypes: ["vmxnet3"] });
      await expect(
        rig.lookUp("getHost", { name: "nope", datacenterId: at.datacenterId }),
      ).rejects.toThrow(first);
    });
  });

  it("makes, keeps, moves and removes folders; one that holds something stays", async () => {
    await withVsphere(async (rig) => {
      const { datacenterId } = await place(rig);
      const outer = await rig.create("Folder", { path: "outer", type: "vm", datacenterId });
      await rig.expectStable("Folder", outer);
      const inner = await rig.create("Folder", { path: "outer/inner", type: "vm", datacenterId });
      await rig.expectStable("Folder", inner);
      await expect(rig.client.delete(tokenOf("Folder"), outer.id, outer.state)).rejects.toThrow(
        /not empty/,
      );
      const moved = await rig.update("Folder", inner, { ...inner.inputs, path: "renamed" });
      await rig.expectStable("Folder", moved);
      await rig.remove("Folder", moved);
      await rig.remove("Folder", outer);
    });
  });

  it("runs the life of a datastore on a mapped device", async () => {
    await withVsphere(async (rig) => {
      const at = await place(rig);
      const shown = await present(rig.lab, [first, second], 1);
      const storage = openHosts(rig.lab);
      const [device] = shown.devices;
      const wanted = { name: "t-data", hostSystemId: at.hostSystemId, disks: [device ?? ""] };
      await expect(rig.create("VmfsDatastore", wanted)).rejects.toThrow(/not available/);
      await storage.rescan(call(), [first, second]);
      const folder = { path: "t-folder", type: "datastore", datacenterId: at.datacenterId };
      const home = await rig.create("Folder", folder);
      const made = await rig.create("VmfsDatastore", { ...wanted, folder: "t-folder" });
      expect(made.state).toMatchObject({ capacity: 20 * 1024, accessible: true });
      await rig.expectStable("VmfsDatastore", made);
      const seen = await storage.devices(call(), second, shown.devices);
      expect(seen[0]?.datastore).toBe("t-data");
      const disks = await rig.lookUp("getVmfsDisks", { hostSystemId: at.hostSystemId });
      expect(disks["disks"]).toContain(device);
      const renamed = await rig.update("VmfsDatastore", made, { ...made.inputs, name: "t-other" });
      await rig.expectStable("VmfsDatastore", renamed);
      await rig.remove("VmfsDatastore", renamed);
      await rig.remove("Folder", home);
      await storage.close();
      await shown.close();
    });
  });

  it("ties machines to hosts by groups and rules", async () => {
    await withVsphere(async (rig) => {
      const at = await place(rig);
      const { computeClusterId } = at;
      const vms = await Promise.all(
        ["t-a", "t-b"].map((name) => rig.create("VirtualMachine", machine(at, name))),
      );
      const virtualMachineIds = vms.map((vm) => vm.id);
      const vmGroup = await rig.create("ComputeClusterVmGroup", {
        name: "t-vms",
        computeClusterId,
        virtualMachineIds,
      });
      const hostGroup = await rig.create("ComputeClusterHostGroup", {
        name: "t-hosts",
        computeClusterId,
        hostSystemIds: [at.hostSystemId],
      });
      const rule = await rig.create("ComputeClusterVmHostRule", {
        name: "t-pin",
        computeClusterId,
        vmGroupName: "t-vms",
        affinityHostGroupName: "t-hosts",
        mandatory: true,
      });
      const apart = await rig.create("ComputeClusterVmAntiAffinityRule", {
        name: "t-apart",
        computeClusterId,
        virtualMachineIds,
      });
      const [vm] = vms;
      const override = await rig.create("DrsVmOverride", {
        computeClusterId,
        virtualMachineId: vm?.id,
        drsEnabled: false,
      });
      const pool = await rig.create("ResourcePool", {
        name: "t-pool",
        parentResourcePoolId: at.resourcePoolId,
      });
      const all: [string, Made][] = [
        ["ComputeClusterVmHostRule", rule],
        ["ComputeClusterVmAntiAffinityRule", apart],
        ["DrsVmOverride", override],
        ["ComputeClusterVmGroup", vmGroup],
        ["ComputeClusterHostGroup", hostGroup],
        ["ResourcePool", pool],
      ];
      for (const [name, made] of all) await rig.expectStable(name, made);
      const loose = await rig.update("ComputeClusterVmHostRule", rule, {
        ...rule.inputs,
        mandatory: false,
      });
      await rig.expectStable("ComputeClusterVmHostRule", loose);
      const fewer = await rig.update("ComputeClusterVmGroup", vmGroup, {
        ...vmGroup.inputs,
        virtualMachineIds: virtualMachineIds.slice(0, 1),
      });
      await rig.expectStable("ComputeClusterVmGroup", fewer);
      for (const [name, made] of all) await rig.remove(name, made);
      for (const made of vms) await rig.remove("VirtualMachine", made);
    });
  });

  it("makes tags and puts them on machines", async () => {
    await withVsphere(async (rig) => {
      const at = await place(rig);
      const category = await rig.create("TagCategory", {
        name: "t-category",
        cardinality: "SINGLE",
        associableTypes: ["VirtualMachine", "Datastore"],
      });
      await rig.expectStable("TagCategory", category);
      const tag = await rig.create("Tag", { name: "t-tag", categoryId: category.id });
      await rig.expectStable("Tag", tag);
      const vm = await rig.create("VirtualMachine", machine(at, "t-tagged", { tags: [tag.id] }));
      await rig.expectStable("VirtualMachine", vm);
      const bare = await rig.update("VirtualMachine", vm, { ...vm.inputs, tags: [] });
      await rig.expectStable("VirtualMachine", bare);
      await rig.remove("VirtualMachine", bare);
      await rig.remove("Tag", tag);
      await rig.remove("TagCategory", category);
    });
  });

  it("refuses what it does not have by name", async () => {
    await withVsphere(async (rig) => {
      const at = await place(rig);
      const news = machine(at, "t-unknown", { pciDeviceIds: ["0000:af:00.0"] });
      const { failures } = await rig.client.check(tokenOf("VirtualMachine"), news);
      expect(failures.map((failure) => failure.property)).toEqual(["pciDeviceIds"]);
    });
  });
});
