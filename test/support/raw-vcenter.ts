import { Agent, request } from "undici";
import { openClient, vcenterConfig } from "../../provider/devices/vcenter/config";
import type { VimClient } from "../../provider/devices/vcenter/client";
import { readAll, readOne } from "../../provider/devices/vcenter/properties";
import { runTask, startTask } from "../../provider/devices/vcenter/tasks";
import type { MoRef, VimValue } from "../../provider/devices/vcenter/values";
import { object, ref, refOf } from "../../provider/devices/vcenter/values";
import { environment } from "./device-environment";
import { call } from "./device-rig";
import type { TestLab } from "./lab";
import type { Place } from "./vsphere-rig";

/** Somebody at the vCenter who is not a bed. */
export class RawVcenter {
  private readonly client: VimClient;

  constructor(private readonly lab: Pick<TestLab, "site">) {
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

  async names(type: string, wanted: (name: string) => boolean): Promise<string[]> {
    const { rootFolder } = await this.client.content(call());
    const attempt = { operation: "look" };
    const found = await readAll(this.client, call(), attempt, rootFolder, { [type]: ["name"] });
    return found.flatMap((o) => o.values.get("name")?.text ?? []).filter(wanted);
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

  /** One of the service's own objects, `storageResourceManager`. */
  async service(name: string): Promise<MoRef> {
    const self = ref("ServiceInstance", "ServiceInstance");
    const look = { operation: "look" };
    const found = await readOne(this.client, call(), look, self, ["content"]);
    const manager = refOf(found.get("content")?.find(name));
    if (manager === undefined) throw new Error(`the vCenter has no ${name}`);
    return manager;
  }

  /** A property that is a reference. */
  async refOf(of: MoRef, path: string): Promise<MoRef> {
    const found = await readOne(this.client, call(), { operation: "look" }, of, [path]);
    const value = refOf(found.get(path));
    if (value === undefined) throw new Error(`${of.value} has no ${path}`);
    return value;
  }

  /** The text of a property, or of an element in it. */
  async text(of: MoRef, path: string, element: string): Promise<string> {
    const found = await readOne(this.client, call(), { operation: "look" }, of, [path]);
    return found.get(path)?.string(element) ?? "";
  }

  /** Puts a file onto a datastore, as the datastore browser does. */
  async upload(datastore: string, path: string): Promise<void> {
    const { endpoint } = this.lab.site.devices["vcenter"] ?? { endpoint: "" };
    const query = `dcPath=${this.lab.site.hypervisor.datacenter}&dsName=${datastore}`;
    const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
    const url = `${endpoint}/folder/${path}?${query}`;
    const { statusCode, body } = await request(url, { method: "PUT", body: "x", dispatcher });
    await body.dump();
    await dispatcher.close();
    if (statusCode >= 300) throw new Error(`${url}: status ${statusCode.toString()}`);
  }

  /** Deletes a file or a folder. */
  async deleteFile(datastore: string, path: string): Promise<void> {
    await this.run("DeleteDatastoreFile_Task", await this.service("fileManager"), {
      name: `[${datastore}] ${path}`,
      datacenter: await this.only("Datacenter", this.lab.site.hypervisor.datacenter),
    });
  }

  /** Calls a method that is not a task. */
  async call(method: string, self: MoRef, args: Readonly<Record<string, VimValue>>): Promise<void> {
    await this.client.invoke(call(), { operation: method }, method, self, args);
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
