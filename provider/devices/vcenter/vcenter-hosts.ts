import type { BedId, DeviceName } from "../../../bed/identities";
import { deviceIdentity } from "../call";
import type { DeviceCall, InventoryObject } from "../call";
import type { Clock } from "../clock";
import type {
  DeviceSettings,
  HostAdapter,
  HostDevice,
  HostInfo,
  HostNvme,
  HostStorage,
} from "../host-storage";
import type { StorageHolds, StorageUse, StorageUseTeller } from "../storage-use";
import { readTeardownFacts } from "../teardown-facts";
import type { HostRemains } from "../sweep";
import type { VirtualSurvey, VirtualSurveyor } from "../virtual-survey";
import { removeBedDatastores } from "./bed-datastores";
import { clearMachineFolder } from "./bed-machines";
import type { VimClient } from "./client";
import { DeviceService } from "./device-service";
import { HostAccess, lunsOf, settleAll } from "./host-access";
import { readInventory } from "./inventory";
import { NvmeHosts } from "./nvme-hosts";
import { RescanQueue } from "./rescan-queue";
import { readStorageHolds } from "./storage-holds";
import { readStorageUse, readStrayFiles } from "./storage-use";
import { sweepVcenter } from "./sweep";
import { surveyVcenter } from "./survey";
import type { StorageView } from "./storage-system";

/** {@link HostStorage} over the vSphere Web Services API, vSphere 6.5 to 9. */
export class VcenterHosts implements HostStorage, VirtualSurveyor, StorageUseTeller {
  readonly device: string;
  readonly remains: HostRemains;
  readonly nvme: HostNvme;
  readonly #client: VimClient;
  readonly #access: HostAccess;
  readonly #service: DeviceService;
  readonly #rescans: RescanQueue;

  constructor(client: VimClient, clock: Clock) {
    this.device = client.device;
    this.#client = client;
    this.#access = new HostAccess(client, clock);
    this.#service = new DeviceService(client.device, this.#access);
    this.#rescans = new RescanQueue(client.device, (host, signal) => this.#rescanOne(host, signal));
    this.nvme = new NvmeHosts(client, this.#access);
    this.remains = {
      machines: (call, bedId, folder, planned) =>
        clearMachineFolder(client, call, bedId, planned, folder),
      datastores: (call, devices) =>
        removeBedDatastores(client, call, devices, () => readTeardownFacts(this, call, devices)),
    };
  }

  async hosts(call: DeviceCall): Promise<readonly HostInfo[]> {
    const entries = await this.#access.directory.list(call);
    return entries.map(({ name, id, cluster, connected, version, nqn }) => ({
      name,
      id,
      cluster,
      connected,
      version,
      nqn,
    }));
  }

  async adapters(call: DeviceCall, host: string): Promise<readonly HostAdapter[]> {
    const view = await this.#access.view(call, host, { queueDepths: false });
    return view.adapters;
  }

  async devices(
    call: DeviceCall,
    host: string,
    only?: readonly DeviceName[],
    options: { readonly queueDepths?: boolean } = {},
  ): Promise<readonly HostDevice[]> {
    const view = await this.#access.view(call, host, { queueDepths: options.queueDepths ?? true });
    return this.#service.tell(only === undefined ? view.luns : lunsOf(view, only));
  }

  async rescan(call: DeviceCall, hosts: readonly string[]): Promise<void> {
    await settleAll([...new Set(hosts)].map((host) => this.#rescans.request(call, host)));
  }

  async staleSignatures(
    call: DeviceCall,
    host: string,
    devices: readonly DeviceName[],
  ): Promise<readonly DeviceName[]> {
    const { host: entry, system } = await this.#access.locate(
      call,
      host,
      "look for stale VMFS signatures on",
    );
    const stale = await this.#access.on(call, entry, () =>
      this.#access.storage.unresolved(call, entry.name, system),
    );
    return devices.filter((device) => stale.has(device));
  }

  configure(call: DeviceCall, host: string, settings: readonly DeviceSettings[]): Promise<void> {
    return this.#service.configure(call, host, settings);
  }

  detach(call: DeviceCall, host: string, devices: readonly DeviceName[]): Promise<void> {
    return this.#service.detach(call, host, devices);
  }

  attach(call: DeviceCall, host: string, devices: readonly DeviceName[]): Promise<void> {
    return this.#service.attach(call, host, devices);
  }

  purge(call: DeviceCall, host: string, devices: readonly DeviceName[]): Promise<void> {
    return this.#service.purge(call, host, devices);
  }

  survey(call: DeviceCall): Promise<VirtualSurvey> {
    return surveyVcenter(this.#client, call);
  }

  storageUse(call: DeviceCall): Promise<StorageUse> {
    return readStorageUse(this.#client, call);
  }

  holds(call: DeviceCall, devices: readonly string[]): Promise<StorageHolds> {
    return readStorageHolds(this.#client, call, devices);
  }

  strayFiles(call: DeviceCall, datastore: string): Promise<readonly string[]> {
    return readStrayFiles(this.#client, call, datastore);
  }

  async inventory(call: DeviceCall): Promise<readonly InventoryObject[]> {
    const hosts = await this.#access.directory.list(call);
    const connected = hosts.filter((host) => host.connected && host.storageSystem !== undefined);
    const devices = await Promise.all(
      connected.map(async (host) => ({
        host: host.name,
        ...(await this.#storageOf(call, host.name)),
        detached: await this.#access.on(call, host, () =>
          this.#access.storage.detachedDevices(call, host),
        ),
      })),
    );
    const unread = hosts.filter((host) => !connected.includes(host));
    return [
      deviceIdentity((await this.#client.content(call)).instanceUuid),
      ...(await readInventory(this.#client, call, devices)),
      // Nobody knows what such a host still holds: the certificate must.
      ...unread.map((host) => ({ class: "unreadHost", name: host.name, digest: "" })),
    ];
  }

  async sweep(
    call: DeviceCall,
    bedId: BedId,
    devices: readonly DeviceName[],
    planned: readonly string[],
  ): Promise<readonly string[]> {
    const removed = await sweepVcenter(this.#client, call, bedId, devices, planned, () =>
      readTeardownFacts(this, call, devices),
    );
    if (devices.length === 0) return removed;
    const hosts = (await this.#access.directory.list(call)).filter((host) => host.connected);
    const detached = await Promise.all(
      hosts.map(async ({ name }) => {
        const seen = await this.devices(call, name, devices);
        const serving = seen.filter((device) => device.state !== "off").map((d) => d.name);
        if (serving.length > 0) await this.detach(call, name, serving);
        return serving.map((device) => `hostDevice ${name}/${device}`);
      }),
    );
    return [...removed, ...detached.flat()];
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  async #storageOf(
    call: DeviceCall,
    host: string,
  ): Promise<{ devices: readonly HostDevice[]; controllers: StorageView["controllers"] }> {
    const { luns, controllers } = await this.#access.view(call, host, { queueDepths: true });
    return { devices: luns.map((lun) => lun.device), controllers };
  }

  async #rescanOne(host: string, signal: AbortSignal): Promise<void> {
    const call = { signal };
    const { host: entry, system } = await this.#access.locate(call, host, "rescan");
    await this.#access.on(call, entry, () => this.#access.storage.rescan(call, entry.name, system));
  }
}
