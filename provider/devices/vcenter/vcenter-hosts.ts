import type { BedId, DeviceName, Nqn } from "../../../bed/identities";
import { DeviceError } from "../../../bed/errors";
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
  NvmeTarget,
} from "../host-storage";
import { abortedError } from "../http-session";
import { Limiter } from "../limiter";
import type { StorageHolds, StorageUse, StorageUseTeller } from "../storage-use";
import { readTeardownFacts } from "../teardown-facts";
import type { HostRemains } from "../sweep";
import type { VirtualSurvey, VirtualSurveyor } from "../virtual-survey";
import { removeBedDatastores } from "./bed-datastores";
import { clearMachineFolder } from "./bed-machines";
import type { VimClient } from "./client";
import { isFault } from "./faults";
import type { HostEntry } from "./host-directory";
import { HostDirectory } from "./host-directory";
import { readInventory } from "./inventory";
import { hostConcurrency } from "./limits";
import { NvmeCalls } from "./nvme";
import { RescanQueue } from "./rescan-queue";
import { readStorageHolds } from "./storage-holds";
import { readStorageUse, readStrayFiles } from "./storage-use";
import { sweepVcenter } from "./sweep";
import { surveyVcenter } from "./survey";
import type { HostLun } from "./storage-info";
import type { StorageView } from "./storage-system";
import { StorageSystem } from "./storage-system";
import type { MoRef } from "./values";

interface Located {
  readonly host: HostEntry;
  readonly system: MoRef;
}

/** {@link HostStorage} over the vSphere Web Services API, vSphere 6.5 to 9. */
export class VcenterHosts implements HostStorage, VirtualSurveyor, StorageUseTeller {
  readonly device: string;
  readonly remains: HostRemains;
  readonly nvme: HostNvme;
  readonly #client: VimClient;
  readonly #directory: HostDirectory;
  readonly #storage: StorageSystem;
  readonly #rescans: RescanQueue;
  readonly #limiters = new Map<string, Limiter>();
  readonly #clock: Clock;
  /** Ids that belong to the devices that were told: they are no part of the contract. */
  readonly #told = new WeakMap<HostDevice, HostLun>();

  constructor(client: VimClient, clock: Clock) {
    this.device = client.device;
    this.#client = client;
    this.#clock = clock;
    this.#directory = new HostDirectory(client);
    this.#storage = new StorageSystem(client);
    this.#rescans = new RescanQueue(client.device, (host, signal) => this.#rescanOne(host, signal));
    const nvme = new NvmeCalls(client);
    this.nvme = {
      controllers: async (call, host) =>
        (await this.#view(call, host, { queueDepths: false })).controllers,
      connect: (call, host, targets) => this.#connectNvme(nvme, call, host, targets),
      disconnect: (call, host, subsystem) => this.#disconnectNvme(nvme, call, host, subsystem),
    };
    this.remains = {
      machines: (call, bedId, folder, planned) =>
        clearMachineFolder(client, call, bedId, planned, folder),
      datastores: (call, devices) =>
        removeBedDatastores(client, call, devices, () => readTeardownFacts(this, call, devices)),
    };
  }

  async hosts(call: DeviceCall): Promise<readonly HostInfo[]> {
    const entries = await this.#directory.list(call);
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
    const view = await this.#view(call, host, { queueDepths: false });
    return view.adapters;
  }

  async devices(
    call: DeviceCall,
    host: string,
    only?: readonly DeviceName[],
    options: { readonly queueDepths?: boolean } = {},
  ): Promise<readonly HostDevice[]> {
    const view = await this.#view(call, host, { queueDepths: options.queueDepths ?? true });
    const luns = only === undefined ? view.luns : this.#lunsOf(view, only);
    for (const lun of luns) this.#told.set(lun.device, lun);
    return luns.map((lun) => lun.device);
  }

  async rescan(call: DeviceCall, hosts: readonly string[]): Promise<void> {
    await settleAll([...new Set(hosts)].map((host) => this.#rescans.request(call, host)));
  }

  async staleSignatures(
    call: DeviceCall,
    host: string,
    devices: readonly DeviceName[],
  ): Promise<readonly DeviceName[]> {
    const { host: entry, system } = await this.#locate(
      call,
      host,
      "look for stale VMFS signatures on",
    );
    const stale = await this.#on(call, entry, () =>
      this.#storage.unresolved(call, entry.name, system),
    );
    return devices.filter((device) => stale.has(device));
  }

  async configure(
    call: DeviceCall,
    host: string,
    settings: readonly DeviceSettings[],
  ): Promise<void> {
    if (settings.length === 0) return;
    const at = await this.#locate(call, host, "configure devices on");
    const unseen = settings.filter(({ seen }) => seen === undefined || !this.#told.has(seen));
    const queueDepths = unseen.some((setting) => setting.queueDepth !== undefined);
    const view = unseen.length === 0 ? undefined : await this.#viewOf(call, at, { queueDepths });
    const pairs = settings.map((setting) => ({
      setting,
      lun:
        (setting.seen && this.#told.get(setting.seen)) ?? this.#needLun(view, at, setting.device),
    }));
    await settleAll(pairs.map(({ setting, lun }) => this.#configureOne(call, at, lun, setting)));
  }

  async detach(call: DeviceCall, host: string, devices: readonly DeviceName[]): Promise<void> {
    const { host: entry, system } = await this.#locate(call, host, "detach devices on");
    const view = await this.#viewOf(call, { host: entry, system }, { queueDepths: false });
    await settleAll(
      this.#lunsOf(view, devices).map((lun) =>
        this.#on(call, entry, async () => {
          const volumes = view.vmfs.filter((v) => v.mounted && v.devices.includes(lun.device.name));
          for (const volume of volumes) {
            await this.#storage.unmount(call, entry.name, system, volume);
          }
          if (lun.device.state === "off") return;
          await this.#storage.detach(call, entry.name, system, lun);
        }),
      ),
    );
  }

  async attach(call: DeviceCall, host: string, devices: readonly DeviceName[]): Promise<void> {
    const { host: entry, system } = await this.#locate(call, host, "attach devices on");
    const view = await this.#viewOf(call, { host: entry, system }, { queueDepths: false });
    const detached = this.#lunsOf(view, devices).filter((lun) => lun.device.state === "off");
    await settleAll(
      detached.map((lun) =>
        this.#on(call, entry, () => this.#storage.attach(call, entry.name, system, lun)),
      ),
    );
  }

  async purge(call: DeviceCall, host: string, devices: readonly DeviceName[]): Promise<void> {
    const { host: entry, system } = await this.#locate(call, host, "purge devices on");
    const view = await this.#viewOf(call, { host: entry, system }, { queueDepths: false });
    // A device that is lost while a datastore is mounted on it stays known until that is gone.
    const gone = devices.filter((device) => !isServing(view, device) && !carries(view, device));
    await settleAll(
      gone.map((device) =>
        this.#on(call, entry, async () => {
          const volumes = view.vmfs.filter((v) => !v.mounted && v.devices.includes(device));
          for (const volume of volumes) {
            await this.#storage.forgetVolume(call, entry.name, system, volume);
          }
          await this.#storage.forgetDevice(call, entry.name, system, device);
        }),
      ),
    );
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
    const hosts = await this.#directory.list(call);
    const connected = hosts.filter((host) => host.connected && host.storageSystem !== undefined);
    const devices = await Promise.all(
      connected.map(async (host) => ({
        host: host.name,
        ...(await this.#storageOf(call, host.name)),
        detached: await this.#on(call, host, () => this.#storage.detachedDevices(call, host)),
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
    const hosts = (await this.#directory.list(call)).filter((host) => host.connected);
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
    const { luns, controllers } = await this.#view(call, host, { queueDepths: true });
    return { devices: luns.map((lun) => lun.device), controllers };
  }

  /** Each adapter with each target, one after the other: a host takes few such calls at once. */
  async #connectNvme(
    nvme: NvmeCalls,
    call: DeviceCall,
    host: string,
    targets: readonly NvmeTarget[],
  ): Promise<void> {
    const at = await this.#locate(call, host, "connect NVMe controllers on");
    const view = await this.#viewOf(call, at, { queueDepths: false });
    for (const { name } of view.adapters.filter((one) => one.protocol === "nvme" && one.online)) {
      for (const target of targets) {
        await this.#on(call, at.host, () =>
          nvme.discover(call, at.host.name, at.system, name, target),
        );
      }
    }
  }

  async #disconnectNvme(
    nvme: NvmeCalls,
    call: DeviceCall,
    host: string,
    subsystem: Nqn,
  ): Promise<void> {
    const at = await this.#locate(call, host, "disconnect NVMe controllers on");
    const { controllers } = await this.#viewOf(call, at, { queueDepths: false });
    const idle = controllers.filter(
      (one) => one.subsystem === subsystem && one.namespaces.length === 0,
    );
    for (const controller of idle) {
      await this.#on(call, at.host, () =>
        nvme.disconnect(call, at.host.name, at.system, controller),
      );
    }
  }

  async #rescanOne(host: string, signal: AbortSignal): Promise<void> {
    const call = { signal };
    const { host: entry, system } = await this.#locate(call, host, "rescan");
    await this.#on(call, entry, () => this.#storage.rescan(call, entry.name, system));
  }

  async #view(
    call: DeviceCall,
    host: string,
    options: { readonly queueDepths: boolean },
  ): Promise<StorageView> {
    return this.#viewOf(call, await this.#locate(call, host, "read the storage of"), options);
  }

  #viewOf(
    call: DeviceCall,
    at: Located,
    options: { readonly queueDepths: boolean },
  ): Promise<StorageView> {
    return this.#on(call, at.host, () => this.#storage.view(call, at.host, at.system, options));
  }

  async #locate(call: DeviceCall, host: string, operation: string): Promise<Located> {
    const attempt = { operation: `${operation} host`, object: host };
    const entry = await this.#directory.find(call, attempt, host);
    return { host: entry, system: await this.#directory.storageSystem(call, attempt, host) };
  }

  #lunsOf(view: StorageView, devices: readonly DeviceName[]): readonly HostLun[] {
    const wanted = new Set<string>(devices);
    return view.luns.filter((lun) => wanted.has(lun.device.name));
  }

  async #configureOne(
    call: DeviceCall,
    at: Located,
    lun: HostLun,
    setting: DeviceSettings,
  ): Promise<void> {
    const { policy, queueDepth } = setting;
    if (policy !== undefined && policy !== lun.device.policy) {
      const what = { host: at.host.name, lun, policy };
      await this.#on(call, at.host, () => this.#storage.setPolicy(call, at.system, what));
    }
    if (queueDepth !== undefined && queueDepth !== lun.device.queueDepth) {
      await this.#on(call, at.host, () =>
        this.#storage.setQueueDepth(call, at.host, setting.device, queueDepth),
      );
    }
  }

  #needLun(view: StorageView | undefined, at: Located, device: DeviceName): HostLun {
    const lun = view && this.#lunsOf(view, [device])[0];
    if (lun !== undefined) return lun;
    throw new DeviceError({
      kind: "notFound",
      device: this.device,
      operation: "configure device",
      object: device,
      reason: `host ${at.host.name} does not see it`,
      remedy: "Check zoning and mapping, then rescan the host.",
    });
  }

  async #on<T>(call: DeviceCall, host: HostEntry, work: () => Promise<T>): Promise<T> {
    const limiter =
      this.#limiters.get(host.id) ?? new Limiter({ concurrency: hostConcurrency }, this.#clock);
    this.#limiters.set(host.id, limiter);
    try {
      return await limiter.run(call.signal, work);
    } catch (error) {
      // A host that was removed and added again has new references: look them up next time.
      if (isFault(error, "ManagedObjectNotFound")) this.#directory.forget();
      if (error instanceof DeviceError) throw error;
      const fields = { device: this.device, operation: "work on host", object: host.name };
      throw call.signal.aborted ? abortedError(fields, call.signal) : error;
    }
  }
}

/** A device with a path that works, or one that is simply in service, must not be forgotten. */
function isServing(view: StorageView, device: DeviceName): boolean {
  const lun = view.luns.find((candidate) => candidate.device.name === device);
  return (
    lun !== undefined &&
    (lun.device.state === "ok" ||
      lun.device.paths.some((path) => path.state === "active" || path.state === "standby"))
  );
}

/** A datastore is mounted on the device. */
function carries({ vmfs }: StorageView, device: DeviceName): boolean {
  return vmfs.some((volume) => volume.mounted && volume.devices.includes(device));
}

/** Lets all work end before it fails with the first error: nothing goes on behind the caller's back. */
async function settleAll(work: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(work);
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
