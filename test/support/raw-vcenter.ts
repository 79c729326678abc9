import { openClient, vcenterConfig } from "../../provider/devices/vcenter/config";
import type { VimClient } from "../../provider/devices/vcenter/client";
import { readAll, readOne } from "../../provider/devices/vcenter/properties";
import { runTask, startTask } from "../../provider/devices/vcenter/tasks";
import type { MoRef, VimValue } from "../../provider/devices/vcenter/values";
import { object, ref } from "../../provider/devices/vcenter/values";
import { environment } from "./device-environment";
import { call } from "./device-rig";
import type { TestLab } from "./lab";
import type { Place } from "./vsphere-rig";

/** Somebody at the vCenter who is not a bed. */
export class RawVcenter {
  private readonly client: VimClient;

  constructor(lab: TestLab) {
    const config = vcenterConfig.parse(lab.site.devices["vcenter"]);
    this.client = openClient("vcenter", config, environment());
  }

  /** Objects of a type by name. */
  async named(type: string, name: string): Promise<MoRef[]> {
    const { rootFolder } = await this.client.content(call());
    const attempt = { operation: "look" };
    const found = await readAll(this.client, call(), attempt, rootFolder, { [type]: ["name"] });
    return found.filter((o) => o.values.get("name")?.text === name).map((o) => o.ref);
  }

  async only(type: string, name: string): Promise<MoRef> {
    const [found, ...others] = await this.named(type, name);
    if (found === undefined || others.length > 0) throw new Error(`not one ${type} ${name}`);
    return found;
  }

  async run(method: string, self: MoRef, args: Readonly<Record<string, VimValue>>): Promise<void> {
    await runTask(this.client, call(60_000), { operation: method }, method, self, args);
  }

  /** A clone that stays off, as one that was cut off before it was finished; started, not awaited. */
  async beginClone(source: string, name: string, folder: MoRef, at: Place): Promise<void> {
    const template = await this.only("VirtualMachine", source);
    const spec = object("VirtualMachineCloneSpec", {
      location: object("VirtualMachineRelocateSpec", {
        datastore: ref("Datastore", at.datastoreId),
        pool: ref("ResourcePool", at.resourcePoolId),
        host: ref("HostSystem", at.hostSystemId),
      }),
      template: false,
      powerOn: false,
    });
    const attempt = { operation: "clone" };
    await startTask(this.client, call(), attempt, "CloneVM_Task", template, { folder, name, spec });
  }

  async clone(source: string, name: string, folder: MoRef, at: Place): Promise<void> {
    await this.beginClone(source, name, folder, at);
    while ((await this.named("VirtualMachine", name)).length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Scans all adapters of a host, as an administrator does. */
  async rescan(host: string): Promise<void> {
    const system = await this.only("HostSystem", host);
    const look = { operation: "look" };
    const found = await readOne(this.client, call(), look, system, ["configManager.storageSystem"]);
    const storage = found.get("configManager.storageSystem")?.text ?? "";
    const attempt = { operation: "RescanAllHba" };
    const self: MoRef = { type: "HostStorageSystem", value: storage };
    await this.client.invoke(call(60_000), attempt, "RescanAllHba", self, {});
  }

  /** A call that answers at once, without a task. */
  async mark(method: string, self: MoRef): Promise<void> {
    await this.client.invoke(call(), { operation: method }, method, self, {});
  }

  /** Forgets a machine; its files stay. */
  async unregister(name: string): Promise<void> {
    const machine = await this.only("VirtualMachine", name);
    await this.run("PowerOffVM_Task", machine, {});
    await this.mark("UnregisterVM", machine);
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
