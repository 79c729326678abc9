import { DeviceError } from "../../../bed/errors";
import type { DeviceName } from "../../../bed/identities";
import type { DeviceCall } from "../call";
import type { DeviceSettings, HostDevice } from "../host-storage";
import { lunsOf, settleAll, type HostAccess, type Located } from "./host-access";
import type { HostLun } from "./storage-info";
import type { StorageView } from "./storage-system";

/** Devices of a host set up, taken out of service, put back and forgotten. */
export class DeviceService {
  /** Ids that belong to the devices that were told: they are no part of the contract. */
  readonly #told = new WeakMap<HostDevice, HostLun>();

  constructor(
    private readonly device: string,
    private readonly access: HostAccess,
  ) {}

  /** Remembers what was read, so that it need not be read again to be configured. */
  tell(luns: readonly HostLun[]): readonly HostDevice[] {
    for (const lun of luns) this.#told.set(lun.device, lun);
    return luns.map((lun) => lun.device);
  }

  async configure(
    call: DeviceCall,
    host: string,
    settings: readonly DeviceSettings[],
  ): Promise<void> {
    if (settings.length === 0) return;
    const at = await this.access.locate(call, host, "configure devices on");
    const unseen = settings.filter(({ seen }) => seen === undefined || !this.#told.has(seen));
    const queueDepths = unseen.some((setting) => setting.queueDepth !== undefined);
    const view =
      unseen.length === 0 ? undefined : await this.access.viewOf(call, at, { queueDepths });
    const pairs = settings.map((setting) => ({
      setting,
      lun:
        (setting.seen && this.#told.get(setting.seen)) ?? this.#needLun(view, at, setting.device),
    }));
    await settleAll(pairs.map(({ setting, lun }) => this.#configureOne(call, at, lun, setting)));
  }

  async detach(call: DeviceCall, host: string, devices: readonly DeviceName[]): Promise<void> {
    const { host: entry, system } = await this.access.locate(call, host, "detach devices on");
    const view = await this.access.viewOf(call, { host: entry, system }, { queueDepths: false });
    await settleAll(
      lunsOf(view, devices).map((lun) =>
        this.access.on(call, entry, async () => {
          const volumes = view.vmfs.filter((v) => v.mounted && v.devices.includes(lun.device.name));
          for (const volume of volumes) {
            await this.access.storage.unmount(call, entry.name, system, volume);
          }
          if (lun.device.state === "off") return;
          await this.access.storage.detach(call, entry.name, system, lun);
        }),
      ),
    );
  }

  async attach(call: DeviceCall, host: string, devices: readonly DeviceName[]): Promise<void> {
    const { host: entry, system } = await this.access.locate(call, host, "attach devices on");
    const view = await this.access.viewOf(call, { host: entry, system }, { queueDepths: false });
    const detached = lunsOf(view, devices).filter((lun) => lun.device.state === "off");
    await settleAll(
      detached.map((lun) =>
        this.access.on(call, entry, () =>
          this.access.storage.attach(call, entry.name, system, lun),
        ),
      ),
    );
  }

  async purge(call: DeviceCall, host: string, devices: readonly DeviceName[]): Promise<void> {
    const { host: entry, system } = await this.access.locate(call, host, "purge devices on");
    const view = await this.access.viewOf(call, { host: entry, system }, { queueDepths: false });
    // A device that is lost while a datastore is mounted on it stays known until that is gone.
    const gone = devices.filter((device) => !isServing(view, device) && !carries(view, device));
    await settleAll(
      gone.map((device) =>
        this.access.on(call, entry, async () => {
          const volumes = view.vmfs.filter((v) => !v.mounted && v.devices.includes(device));
          for (const volume of volumes) {
            await this.access.storage.forgetVolume(call, entry.name, system, volume);
          }
          await this.access.storage.forgetDevice(call, entry.name, system, device);
        }),
      ),
    );
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
      await this.access.on(call, at.host, () =>
        this.access.storage.setPolicy(call, at.system, what),
      );
    }
    if (queueDepth !== undefined && queueDepth !== lun.device.queueDepth) {
      await this.access.on(call, at.host, () =>
        this.access.storage.setQueueDepth(call, at.host, setting.device, queueDepth),
      );
    }
  }

  #needLun(view: StorageView | undefined, at: Located, device: DeviceName): HostLun {
    const lun = view && lunsOf(view, [device])[0];
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
