import { readFileSync } from "node:fs";
import { vsphereProvider } from "../../../lab/plugins/vsphere/definition";
import { startProvider } from "../../../provider/kit/serve";
import { call } from "../../support/device-rig";
import { openHosts, present, sanBinary, withVcenter } from "../../support/host-rig";
import type { TestLab } from "../../support/lab";
import { withLab } from "../../support/lab";
import type { Wire } from "../../support/plugin-client";
import { CallFailed, PluginClient, secret } from "../../support/plugin-client";

jest.setTimeout(180_000);

const cluster = "cluster-mysql";
const first = "esx01.lab.invalid";
const second = "esx02.lab.invalid";
const type = (name: string): string =>
  `vsphere:index/${(name[0] ?? "").toLowerCase()}${name.slice(1)}:${name}`;

interface Made {
  readonly id: string;
  readonly inputs: Wire;
  readonly state: Wire;
}

/** The stand-in against a lab's vCenter, spoken to as the engine does. */
class Rig {
  constructor(
    readonly lab: TestLab,
    readonly client: PluginClient,
  ) {}

  async lookUp(name: string, args: Wire): Promise<Wire> {
    const { result, failures } = await this.client.invoke(`vsphere:index/${name}:${name}`, args);
    expect(failures).toEqual([]);
    return result;
  }

  async id(name: string, args: Wire): Promise<string> {
    return String((await this.lookUp(name, args))["id"]);
  }

  async create(name: string, news: Wire): Promise<Made> {
    const token = type(name);
    const { inputs, failures } = await this.client.check(token, news);
    expect(failures).toEqual([]);
    const { id, state } = await this.client.create(token, inputs);
    return { id, inputs, state };
  }

  /** The second up and the refresh of an unchanged object: nothing differs, no input changes. */
  async expectStable(name: string, made: Made): Promise<void> {
    const token = type(name);
    expect(await this.client.diff(token, made.id, made, made.inputs)).toMatchObject({
      changes: false,
    });
    const read = await this.client.read(token, made.id, made);
    expect(read.id).toBe(made.id);
    expect(read.inputs).toEqual(made.inputs);
    const differing = Object.keys(read.state).filter(
      (key) => JSON.stringify(read.state[key]) !== JSON.stringify(made.state[key]),
    );
    expect(differing).toEqual([]);
  }

  async update(name: string, made: Made, news: Wire): Promise<Made> {
    const token = type(name);
    const { inputs } = await this.client.check(token, news);
    const state = await this.client.update(token, made.id, made, inputs);
    return { id: made.id, inputs, state };
  }

  async remove(name: string, made: Made): Promise<void> {
    await this.client.delete(type(name), made.id, made.state);
    await this.client.delete(type(name), made.id, made.state);
    expect((await this.client.read(type(name), made.id, made)).id).toBe("");
  }
}

async function withRig(test: (rig: Rig) => Promise<void>): Promise<void> {
  await withLab(
    "D",
    async (lab) => {
      const running = await startProvider(vsphereProvider);
      const client = PluginClient.connect(running.port);
      try {
        const vcenter = lab.site.devices["vcenter"];
        const file = vcenter?.credentials.replace("file:", "") ?? "";
        const login = JSON.parse(readFileSync(file, "utf8")) as { user: string; password: string };
        const settings = {
          user: login.user,
          password: secret(login.password),
          vsphereServer: vcenter?.endpoint.replace("https://", "") ?? "",
          allowUnverifiedSsl: "true",
        };
        const { inputs, failures } = await client.checkConfig(settings);
        expect(failures).toEqual([]);
        await client.configure(inputs);
        await test(new Rig(lab, client));
      } finally {
        await client.close();
        await running.stop();
      }
    },
    { sanBinary: sanBinary ?? "" },
  );
}

interface Place {
  readonly datacenterId: string;
  readonly hostSystemId: string;
  readonly resourcePoolId: string;
  readonly datastoreId: string;
  readonly networkId: string;
  readonly computeClusterId: string;
}

async function place(rig: Rig, host = first): Promise<Place> {
  const { hypervisor } = rig.lab.site;
  const datacenterId = await rig.id("getDatacenter", { name: hypervisor.datacenter });
  const found = await rig.lookUp("getComputeCluster", { name: cluster, datacenterId });
  return {
    datacenterId,
    hostSystemId: await rig.id("getHost", { name: host, datacenterId }),
    resourcePoolId: String(found["resourcePoolId"]),
    computeClusterId: String(found["id"]),
    datastoreId: await rig.id("getDatastore", { name: hypervisor.siteDatastore, datacenterId }),
    networkId: await rig.id("getNetwork", { name: hypervisor.network, datacenterId }),
  };
}

function machine(at: Place, name: string, more: Wire = {}): Wire {
  return {
    name,
    resourcePoolId: at.resourcePoolId,
    hostSystemId: at.hostSystemId,
    datastoreId: at.datastoreId,
    guestId: "rhel9_64Guest",
    scsiType: "lsilogic-sas",
    numCpus: 2,
    memory: 1024,
    annotation: "made by a test",
    networkInterfaces: [{ networkId: at.networkId, adapterType: "vmxnet3" }],
    disks: [
      { label: "boot", size: 4, unitNumber: 0 },
      { label: "data", size: 2, unitNumber: 1, eagerlyScrub: true, thinProvisioned: false },
      { label: "log", size: 1, unitNumber: 2, thinProvisioned: false },
    ],
    waitForGuestNetTimeout: 0,
    ...more,
  };
}

async function clone(rig: Rig, at: Place, name: string, more: Wire = {}): Promise<Wire> {
  const { lab } = rig;
  const template = await rig.lookUp("getVirtualMachine", {
    name: lab.site.templates["sysbench"]?.name ?? "",
    datacenterId: at.datacenterId,
  });
  const [boot] = template["disks"] as Wire[];
  return machine(at, name, {
    guestId: template["guestId"],
    firmware: template["firmware"],
    disks: [
      {
        label: "boot",
        size: boot?.["size"],
        unitNumber: 0,
        thinProvisioned: boot?.["thinProvisioned"],
        eagerlyScrub: boot?.["eagerlyScrub"],
      },
      { label: "test", size: 2, unitNumber: 1, eagerlyScrub: true, thinProvisioned: false },
    ],
    clone: {
      templateUuid: template["id"],
      customize: {
        linuxOptions: { hostName: name, domain: lab.site.guests.domain },
        networkInterfaces: [
          { ipv4Address: lab.site.guests.addresses[0], ipv4Netmask: lab.site.guests.netmaskBits },
        ],
        ipv4Gateway: lab.site.guests.gateway,
      },
    },
    waitForGuestNetTimeout: 1,
    ...more,
  });
}

withVcenter("stand-in vSphere plugin", () => {
  it("looks up what beds need, and names what there is when a name is wrong", async () => {
    await withRig(async (rig) => {
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
    await withRig(async (rig) => {
      const { datacenterId } = await place(rig);
      const outer = await rig.create("Folder", { path: "outer", type: "vm", datacenterId });
      await rig.expectStable("Folder", outer);
      const inner = await rig.create("Folder", { path: "outer/inner", type: "vm", datacenterId });
      await rig.expectStable("Folder", inner);
      await expect(rig.client.delete(type("Folder"), outer.id, outer.state)).rejects.toThrow(
        /not empty/,
      );
      const moved = await rig.update("Folder", inner, { ...inner.inputs, path: "renamed" });
      await rig.expectStable("Folder", moved);
      await rig.remove("Folder", moved);
      await rig.remove("Folder", outer);
    });
  });

  it("runs the life of a datastore on a mapped device", async () => {
    await withRig(async (rig) => {
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

  it("runs the life of a machine made from nothing", async () => {
    await withRig(async (rig) => {
      const at = await place(rig);
      const made = await rig.create("VirtualMachine", machine(at, "t-scratch"));
      expect(made.state).toMatchObject({ powerState: "on", hostSystemId: at.hostSystemId });
      await rig.expectStable("VirtualMachine", made);
      const read = await rig.client.read(type("VirtualMachine"), made.id, made);
      const disks = read.state["disks"] as Wire[];
      expect(disks.map((disk) => disk["size"])).toEqual([4, 2, 1]);
      const grown = await rig.update("VirtualMachine", made, {
        ...made.inputs,
        memory: 2048,
        numCpus: 4,
        annotation: "changed",
        extraConfig: { "guestinfo.test": "yes" },
        disks: (made.inputs["disks"] as Wire[]).map((disk) =>
          disk["label"] === "data" ? { ...disk, size: 3 } : disk,
        ),
      });
      expect(grown.state).toMatchObject({ powerState: "on", memory: 2048, numCpus: 4 });
      expect(grown.state["uuid"]).toBe(made.state["uuid"]);
      await rig.expectStable("VirtualMachine", grown);
      const token = type("VirtualMachine");
      const shrunk = {
        ...grown.inputs,
        disks: (grown.inputs["disks"] as Wire[]).map((disk) => ({ ...disk, size: 1 })),
      };
      await expect(rig.client.diff(token, grown.id, grown, shrunk)).rejects.toThrow(/shrunk/);
      await rig.remove("VirtualMachine", grown);
    });
  });

  it("sees what was changed behind its back and puts it right", async () => {
    await withRig(async (rig) => {
      const at = await place(rig);
      const made = await rig.create("VirtualMachine", machine(at, "t-drift"));
      const changed = { ...made.inputs, memory: 512, annotation: "somebody was here" };
      await rig.update("VirtualMachine", made, changed);
      const token = type("VirtualMachine");
      const read = await rig.client.read(token, made.id, made);
      expect(read.inputs).toMatchObject({ memory: 512, annotation: "somebody was here" });
      const back = await rig.update("VirtualMachine", { ...read, id: made.id }, made.inputs);
      expect(back.state).toMatchObject({ memory: 1024, annotation: "made by a test" });
      await rig.remove("VirtualMachine", made);
    });
  });

  it("clones and customizes, several at once, on datastores of their own", async () => {
    await withRig(async (rig) => {
      const at = await place(rig);
      const shown = await present(rig.lab, [first, second], 1);
      const storage = openHosts(rig.lab);
      await storage.rescan(call(), [first, second]);
      const data = await rig.create("VmfsDatastore", {
        name: "t-data",
        hostSystemId: at.hostSystemId,
        disks: shown.devices,
      });
      const folder = { path: "t-guests", type: "vm", datacenterId: at.datacenterId };
      const home = await rig.create("Folder", folder);
      const names = ["t-one", "t-two", "t-three"];
      const wanted = await Promise.all(
        names.map(async (name) => {
          const base = await clone(rig, at, name, { folder: "t-guests" });
          const disks = (base["disks"] as Wire[]).map((disk) =>
            disk["label"] === "test" ? { ...disk, datastoreId: data.id } : disk,
          );
          return { ...base, disks };
        }),
      );
      const made = await Promise.all(wanted.map((news) => rig.create("VirtualMachine", news)));
      for (const vm of made) {
        expect(vm.state["defaultIpAddress"]).toBe(rig.lab.site.guests.addresses[0]);
        const test = (vm.state["disks"] as Wire[]).find((disk) => disk["label"] === "test");
        expect(test?.["datastoreId"]).toBe(data.id);
        await rig.expectStable("VirtualMachine", vm);
      }
      await expect(
        rig.client.delete(type("VmfsDatastore"), data.id, data.state, { timeout: 4 }),
      ).rejects.toThrow(/machines lie on it|deadline/);
      const token = type("VirtualMachine");
      const [one] = made;
      const other = {
        ...one?.inputs,
        clone: { ...(one?.inputs["clone"] as Wire), templateUuid: "other" },
      };
      if (one === undefined) throw new Error("nothing was made");
      expect((await rig.client.diff(token, one.id, one, other)).replaces).toContain("clone");
      await Promise.all(made.map((vm) => rig.remove("VirtualMachine", vm)));
      await rig.remove("VmfsDatastore", data);
      await rig.remove("Folder", home);
      await storage.close();
      await shown.close();
    });
  });

  it("leaves nothing behind when a machine cannot be finished", async () => {
    await withRig(async (rig) => {
      const at = await place(rig);
      const wanted = await clone(rig, at, "t-broken");
      // Two customized cards for a machine with one: the vCenter refuses after the clone.
      const spec = wanted["clone"] as Record<string, Wire>;
      const customize = spec["customize"] ?? {};
      const nics = customize["networkInterfaces"] as Wire[];
      const broken = {
        ...wanted,
        clone: { ...spec, customize: { ...customize, networkInterfaces: [...nics, ...nics] } },
      };
      const { inputs } = await rig.client.check(type("VirtualMachine"), broken);
      const failed = rig.client.create(type("VirtualMachine"), inputs);
      await expect(failed).rejects.toBeInstanceOf(CallFailed);
      const again = { name: "t-broken", datacenterId: at.datacenterId };
      await expect(rig.lookUp("getVirtualMachine", again)).rejects.toThrow(/none of that name/);
    });
  });

  it("keeps a machine in the stack when only the wait for its address failed", async () => {
    await withRig(async (rig) => {
      const at = await place(rig);
      // Without a card no address ever comes; the wait is cut by the call's time-out.
      const { inputs } = await rig.client.check(
        type("VirtualMachine"),
        machine(at, "t-silent", { waitForGuestNetTimeout: 5, networkInterfaces: [] }),
      );
      const work = rig.client.create(type("VirtualMachine"), inputs, { timeout: 4 });
      const error = await work.then(
        () => {
          throw new Error("it found an address");
        },
        (reason: unknown) => reason as CallFailed,
      );
      expect(error.initFailed?.id).toMatch(/^[0-9a-f-]{36}$/);
      await rig.client.delete(
        type("VirtualMachine"),
        error.initFailed?.id ?? "",
        error.initFailed?.state ?? {},
      );
    });
  });

  it("ties machines to hosts by groups and rules", async () => {
    await withRig(async (rig) => {
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
    await withRig(async (rig) => {
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
    await withRig(async (rig) => {
      const at = await place(rig);
      const news = machine(at, "t-unknown", { pciDeviceIds: ["0000:af:00.0"] });
      const { failures } = await rig.client.check(type("VirtualMachine"), news);
      expect(failures.map((failure) => failure.property)).toEqual(["pciDeviceIds"]);
    });
  });
});
