import { markComment, markName } from "../../bed/mark";
import { object, ref, TypedValue } from "../../provider/devices/vcenter/values";
import { testBedId } from "../support/device-rig";
import { withVcenter } from "../support/host-rig";
import type { StandingGroup } from "../support/teardown-rig";
import { datastoreName, gate, withStandingGroup } from "../support/teardown-rig";
import { cluster, first, machine, second } from "../support/vsphere-rig";

jest.setTimeout(120_000);

interface Obstacle {
  /** Brings it about; answers how it is taken away again. */
  readonly put: (group: StandingGroup) => Promise<() => Promise<void>>;
  /** What the refusal must name: the thing, where it is, what to do. */
  readonly names: readonly RegExp[];
}

const onDatastore = new RegExp(`datastore ${datastoreName}`);

async function foreignMachine({ rig, at, datastore }: StandingGroup) {
  return rig.create("VirtualMachine", machine(at, "theirs", { datastoreId: datastore.id }));
}

/** What happens to a host or a cluster without anybody calling the API. */
async function happens(group: StandingGroup, path: string, body: object): Promise<void> {
  await group.rig.lab.client.call("POST", `/san/${path}`, body);
}

async function setOption(group: StandingGroup, host: string, key: string, value: string) {
  const system = await group.raw.only("HostSystem", host);
  const manager = await group.raw.refOf(system, "configManager.advancedOption");
  const changedValue = [object("OptionValue", { key, value: new TypedValue("xsd:string", value) })];
  await group.raw.call("UpdateOptions", manager, { changedValue });
}

async function everything({ rig }: StandingGroup): Promise<unknown> {
  const { client } = rig.lab;
  return [await client.inventory(), await client.call("GET", "/san/inventory")];
}

async function setCluster(group: StandingGroup, das: object): Promise<void> {
  const self = await group.raw.only("ClusterComputeResource", cluster);
  const spec = object("ClusterConfigSpecEx", {
    dasConfig: object("ClusterDasConfigInfo", das as never),
  });
  await group.raw.run("ReconfigureComputeResource_Task", self, { spec, modify: true });
}

const obstacles: Readonly<Record<string, Obstacle>> = {
  "a machine of others": {
    put: async (group) => {
      const made = await foreignMachine(group);
      return () => group.rig.remove("VirtualMachine", made);
    },
    names: [
      onDatastore,
      /machine lab\/vm\/theirs/,
      new RegExp(`host ${first}`),
      /Move the machine/,
    ],
  },
  "a template of others": {
    put: async (group) => {
      const made = await foreignMachine(group);
      const self = await group.raw.only("VirtualMachine", "theirs");
      await group.raw.run("PowerOffVM_Task", self, {});
      await group.raw.mark("MarkAsTemplate", self);
      return async () => {
        await group.raw.call("MarkAsVirtualMachine", self, {
          pool: ref("ResourcePool", group.at.resourcePoolId),
        });
        await group.rig.remove("VirtualMachine", made);
      };
    },
    names: [onDatastore, /template lab\/vm\/theirs/, /Move the template/],
  },
  "an image": {
    put: async (group) => {
      await group.raw.upload(datastoreName, "images/rhel9.iso");
      return () => group.raw.deleteFile(datastoreName, "images");
    },
    names: [onDatastore, /file \[t-data\] images\/rhel9\.iso/, /Move the file elsewhere/],
  },
  "a file of others": {
    put: async (group) => {
      await group.raw.upload(datastoreName, "notes.txt");
      return () => group.raw.deleteFile(datastoreName, "notes.txt");
    },
    names: [onDatastore, /file \[t-data\] notes\.txt/],
  },
  "a core dump file": {
    put: async (group) => {
      await group.raw.upload(datastoreName, "vmkdump/4C4C4544.dumpfile");
      return () => group.raw.deleteFile(datastoreName, "vmkdump");
    },
    names: [/vmkdump\/4C4C4544\.dumpfile/, /esxcli system coredump file/],
  },
  "an agent machine of the vCenter": {
    put: async (group) => {
      await happens(group, "agents", { cluster, datastore: datastoreName });
      const id = (await group.raw.only("ClusterComputeResource", cluster)).value;
      const key = `config.vcls.clusters.${id}.enabled`;
      return async () => {
        const changedValue = [
          object("OptionValue", { key, value: new TypedValue("xsd:string", "false") }),
        ];
        await group.raw.call("UpdateOptions", await group.raw.service("setting"), { changedValue });
      };
    },
    names: [
      onDatastore,
      /machine lab\/vm\/vCLS\/vCLS-/,
      /vSphere Cluster Services/,
      /retreat mode/,
    ],
  },
  "heartbeats of high availability": {
    put: async (group) => {
      await setCluster(group, { enabled: true });
      return async () => {
        const heartbeatDatastore = [await group.raw.only("Datastore", "site-local")];
        await setCluster(group, {
          heartbeatDatastore,
          hBDatastoreCandidatePolicy: "userSelectedDs",
        });
      };
    },
    names: [
      onDatastore,
      /heartbeats of vSphere HA of cluster cluster-mysql/,
      new RegExp(second),
      /Choose other/,
    ],
  },
  "enabled I/O control": {
    put: async (group) => {
      const manager = await group.raw.service("storageResourceManager");
      const datastore = await group.raw.only("Datastore", datastoreName);
      const set = (enabled: boolean): Promise<void> =>
        group.raw.run("ConfigureDatastoreIORM_Task", manager, {
          datastore,
          spec: object("StorageIORMConfigSpec", { enabled }),
        });
      await set(true);
      return () => set(false);
    },
    names: [onDatastore, /Storage I\/O Control/, /Disable Storage I\/O Control/],
  },
  "the scratch location of a host": {
    put: async (group) => {
      const key = "ScratchConfig.CurrentScratchLocation";
      const datastore = await group.raw.only("Datastore", datastoreName);
      const uuid = await group.raw.text(datastore, "info", "vmfs.uuid");
      await setOption(group, second, key, `/vmfs/volumes/${uuid}/.locker-esx02`);
      return () => setOption(group, second, key, "/tmp/scratch");
    },
    names: [
      onDatastore,
      new RegExp(`on host ${second}`),
      /ScratchConfig/,
      /another scratch location/,
    ],
  },
  "a snapshot on the array": {
    put: async (group) => {
      const volume = group.shown.volumes[0]?.name ?? "";
      const { client } = group.rig.lab;
      await client.tamper("array", "createSnapshot", { volume, name: "nightly" });
      return async () => {
        await client.tamper("array", "deleteSnapshot", { volume, name: "nightly" });
      };
    },
    names: [/snapshot nightly of volume \S+_v0 \(array/, /Remove it, if nobody needs it/],
  },
  "a raw device mapping": {
    put: async (group) => {
      const made = await group.rig.create("VirtualMachine", machine(group.at, "mapper"));
      const self = await group.raw.only("VirtualMachine", "mapper");
      const deviceName = `/vmfs/devices/disks/${group.shown.devices[0] ?? ""}`;
      const backing = object("VirtualDiskRawDiskMappingVer1BackingInfo", {
        ...{ fileName: "[site-local]", deviceName, compatibilityMode: "virtualMode" },
        diskMode: "persistent",
      });
      const disk = { key: -1, backing, controllerKey: 1000, unitNumber: 5, capacityInKB: 1024n };
      const add = object("VirtualDeviceConfigSpec", {
        ...{ operation: "add", fileOperation: "create", device: object("VirtualDisk", disk) },
      });
      const spec = object("VirtualMachineConfigSpec", { deviceChange: [add] });
      await group.raw.run("ReconfigVM_Task", self, { spec });
      return () => group.rig.remove("VirtualMachine", made);
    },
    names: [/device naa\.\w+/, /machine mapper/, /raw device mapping/],
  },
  "the diagnostic partition of a host": {
    put: async (group) => {
      await happens(group, "hosts", { host: second, dumpDevice: group.shown.devices[0] });
      return () => happens(group, "hosts", { host: second, dumpDevice: "" });
    },
    names: [/device naa\.\w+/, new RegExp(`on host ${second}`), /diagnostic partition/],
  },
  "a host that is disconnected": {
    put: async (group) => {
      await happens(group, "hosts", { host: second, connection: "disconnected" });
      return () => happens(group, "hosts", { host: second, connection: "connected" });
    },
    names: [new RegExp(`host ${second} does not answer`), onDatastore, /Reconnect host/],
  },
  "a host that does not respond": {
    put: async (group) => {
      await happens(group, "hosts", { host: second, connection: "notResponding" });
      return () => happens(group, "hosts", { host: second, connection: "connected" });
    },
    names: [new RegExp(`host ${second} does not answer`), /Reconnect host/],
  },
};

withVcenter("taking a volume group down", () => {
  it.each(Object.entries(obstacles))(
    "is refused while nothing was changed for %s, and ends clean when that is gone",
    async (_name, { put, names }) => {
      await withStandingGroup(async (group) => {
        const takeAway = await put(group);
        const before = await everything(group);
        expect(await group.remains()).not.toEqual([]);
        const refusal = await message(group.teardown());
        for (const name of names) expect(refusal).toMatch(name);
        expect(await everything(group)).toEqual(before);
        await takeAway();
        await group.teardown();
        expect(await group.remains()).toEqual([]);
        await group.teardown();
      });
    },
  );

  it("names all obstacles at once", async () => {
    await withStandingGroup(async (group) => {
      for (const name of ["a machine of others", "an image", "the scratch location of a host"]) {
        await obstacles[name]?.put(group);
      }
      await happens(group, "hosts", { host: second, connection: "disconnected" });
      const refusal = await message(group.plugin.delete(gate, group.gate));
      expect(refusal).toMatch(/3 things/);
      for (const name of [/theirs/, /rhel9\.iso/, /esx02\S* does not answer/]) {
        expect(refusal).toMatch(name);
      }
    });
  });

  it("goes on with a host in maintenance mode", async () => {
    await withStandingGroup(async (group) => {
      const host = await group.raw.only("HostSystem", second);
      await group.raw.run("EnterMaintenanceMode_Task", host, { timeout: 0 });
      await group.teardown();
      expect(await group.remains()).toEqual([]);
    });
  });

  it("lets the bed's own machines pass, also one that was cut off before it got its mark", async () => {
    await withStandingGroup(async (group) => {
      const { rig, at, datastore, plugin } = group;
      const folder = markName(testBedId, "machines");
      const { datacenterId } = at;
      await rig.create("Folder", { path: folder, type: "vm", datacenterId });
      await plugin.create("sanbed:host:MachineGuard", {
        ...{ device: "vcenter", folder, machines: ["cut-off"] },
      });
      const more = { datastoreId: datastore.id, folder };
      await rig.create("VirtualMachine", machine(at, "cut-off", more));
      const annotation = markComment(testBedId, "guest");
      await rig.create("VirtualMachine", machine(at, "g01", { ...more, annotation }));
      await plugin.delete(gate, group.gate);
      await expect(plugin.delete("sanbed:host:DatastoreGuard", group.guard)).rejects.toThrow(/g01/);
    });
  });

  it("never removes a datastore with a file that came after the gate was passed", async () => {
    await withStandingGroup(async (group) => {
      await group.plugin.delete(gate, group.gate);
      await group.raw.upload(datastoreName, "late.iso");
      const refusal = await message(group.teardown());
      expect(refusal).toMatch(/late\.iso/);
      expect(await group.raw.named("Datastore", datastoreName)).toHaveLength(1);
    });
  });
});

async function message(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error("it was not refused");
}
