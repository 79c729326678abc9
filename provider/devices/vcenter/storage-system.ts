import { isNvmeName, type DeviceName } from "../../../bed/identities";
import type { DeviceCall } from "../call";
import type { HostAdapter } from "../host-storage";
import type { VimClient } from "./client";
import { esxcli } from "./esxcli";
import type { Attempt } from "./faults";
import { isFault } from "./faults";
import type { HostEntry } from "./host-directory";
import { readOne } from "./properties";
import type { HostLun, HostVmfs } from "./storage-info";
import { readAdapters, readLuns, readVmfs } from "./storage-info";
import type { MoRef } from "./values";
import { object } from "./values";
import type { XmlElement } from "../xml";
import { readControllers, type HostController } from "./nvme";

/** What one host shows of its storage at one moment. */
export interface StorageView {
  readonly adapters: readonly HostAdapter[];
  readonly luns: readonly HostLun[];
  readonly vmfs: readonly HostVmfs[];
  readonly controllers: readonly HostController[];
}

/** Column of `esxcli storage core device list` with the queue depth under competition (DSNRO). */
const queueDepthColumn = "NoofoutstandingIOswithcompetingworlds";

/** The storage calls of one vCenter's hosts, as the API has them (HostStorageSystem). */
export class StorageSystem {
  readonly #client: VimClient;
  /** Hosts whose esxcli does not answer over the API. */
  readonly #withoutEsxcli = new Set<string>();

  constructor(client: VimClient) {
    this.#client = client;
  }

  async view(
    call: DeviceCall,
    host: HostEntry,
    system: MoRef,
    options: { readonly queueDepths: boolean },
  ): Promise<StorageView> {
    const attempt = { operation: "read the storage of host", object: host.name };
    const [values, depths] = await Promise.all([
      readOne(this.#client, call, attempt, system, ["storageDeviceInfo", "fileSystemVolumeInfo"]),
      options.queueDepths ? this.#queueDepths(call, host) : new Map<string, number>(),
    ]);
    const info = values.get("storageDeviceInfo");
    if (info === undefined) {
      throw this.#client.protocolError(attempt, "the host shows no storage devices");
    }
    const vmfs = readVmfs(values.get("fileSystemVolumeInfo"));
    return {
      adapters: readAdapters(info),
      luns: readLuns(info, vmfs, depths),
      vmfs,
      controllers: readControllers(info),
    };
  }

  /** All adapters, then VMFS: a volume is only mounted when its device is already known. */
  async rescan(call: DeviceCall, host: string, system: MoRef): Promise<void> {
    const attempt = { operation: "rescan host", object: host };
    await this.#client.invoke(call, attempt, "RescanAllHba", system, {});
    await this.#client.invoke(call, attempt, "RescanVmfs", system, {});
  }

  /** Canonical names of devices with an unresolved VMFS signature. */
  async unresolved(call: DeviceCall, host: string, system: MoRef): Promise<ReadonlySet<string>> {
    const attempt = { operation: "look for stale VMFS signatures on host", object: host };
    const answer = await this.#client.invoke(
      call,
      attempt,
      "QueryUnresolvedVmfsVolume",
      system,
      {},
    );
    const volumes = answer.all("returnval").flatMap((volume) => volume.all("extent"));
    return new Set(volumes.map((extent) => extent.string("device.diskName") ?? ""));
  }

  async setPolicy(
    call: DeviceCall,
    system: MoRef,
    what: { readonly host: string; readonly lun: HostLun; readonly policy: string },
  ): Promise<void> {
    const { host, lun, policy } = what;
    const attempt = {
      operation: `set path policy ${policy} on host ${host} for device`,
      object: lun.device.name,
    };
    const lunId = lun.multipathId ?? lun.uuid;
    // NVMe devices are claimed by the high-performance plug-in, which has a call and policies of its own.
    const [method, type] = isNvmeName(lun.device.name)
      ? ["UpdateHppMultipathLunPolicy", "HostMultipathInfoHppLogicalUnitPolicy"]
      : ["SetMultipathLunPolicy", "HostMultipathInfoLogicalUnitPolicy"];
    await this.#client.invoke(call, attempt, method, system, {
      lunId,
      policy: object(type, { policy }),
    });
  }

  /** `esxcli storage core device set --device X --sched-num-req-outstanding N`. */
  async setQueueDepth(
    call: DeviceCall,
    host: HostEntry,
    device: DeviceName,
    depth: number,
  ): Promise<void> {
    const attempt = {
      operation: `set queue depth ${depth.toString()} on host ${host.name} for device`,
      object: device,
    };
    const command = ["storage", "core", "device", "set"];
    await esxcli(this.#client, call, attempt, host.ref, command, {
      device,
      schednumreqoutstanding: depth.toString(),
    });
  }

  /** InvalidState: it is unmounted already, perhaps by somebody who did so at the same time. */
  async unmount(call: DeviceCall, host: string, system: MoRef, volume: HostVmfs): Promise<void> {
    const attempt = { operation: `unmount on host ${host} the datastore`, object: volume.name };
    await this.#tolerate(["NotFound", "InvalidState"], () =>
      this.#client.invoke(call, attempt, "UnmountVmfsVolume", system, { vmfsUuid: volume.uuid }),
    );
  }

  /** InvalidState: it is detached already. NotSupported: hosts do not detach NVMe devices everywhere. */
  async detach(call: DeviceCall, host: string, system: MoRef, lun: HostLun): Promise<void> {
    const attempt = { operation: `detach on host ${host} the device`, object: lun.device.name };
    const fine = isNvmeName(lun.device.name) ? ["NotSupported"] : [];
    await this.#tolerate(["NotFound", "InvalidState", ...fine], () =>
      this.#client.invoke(call, attempt, "DetachScsiLun", system, { lunUuid: lun.uuid }),
    );
  }

  async attach(call: DeviceCall, host: string, system: MoRef, lun: HostLun): Promise<void> {
    const attempt = { operation: `attach on host ${host} the device`, object: lun.device.name };
    await this.#client.invoke(call, attempt, "AttachScsiLun", system, { lunUuid: lun.uuid });
  }

  /** Forgets a device that was detached here and is gone. Nothing to forget is done. */
  async forgetDevice(
    call: DeviceCall,
    host: string,
    system: MoRef,
    device: DeviceName,
  ): Promise<void> {
    const attempt = { operation: `purge on host ${host} the device`, object: device };
    await this.#tolerate(["NotFound"], () =>
      this.#client.invoke(call, attempt, "DeleteScsiLunState", system, {
        lunCanonicalName: device,
      }),
    );
  }

  /** Devices that the host was told to do without and has not forgotten, also those that are gone. */
  async detachedDevices(call: DeviceCall, host: HostEntry): Promise<readonly string[]> {
    const attempt: Attempt = { operation: "list the detached devices of host", object: host.name };
    const command = ["storage", "core", "device", "detached", "list"];
    const rows = await this.#esxcliRows(call, attempt, host, command);
    return rows.flatMap((row) => row.string("DeviceUID") ?? []);
  }

  async forgetVolume(call: DeviceCall, host: string, system: MoRef, vmfs: HostVmfs): Promise<void> {
    const attempt = { operation: `purge on host ${host} the datastore`, object: vmfs.name };
    await this.#tolerate(["NotFound"], () =>
      this.#client.invoke(call, attempt, "DeleteVmfsVolumeState", system, { vmfsUuid: vmfs.uuid }),
    );
  }

  async #tolerate(faults: readonly string[], work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isFault(error, ...faults)) throw error;
    }
  }

  /** Queue depths by canonical name; empty where the host's esxcli does not answer over the API. */
  async #queueDepths(call: DeviceCall, host: HostEntry): Promise<ReadonlyMap<string, number>> {
    const attempt: Attempt = { operation: "list the queue depths of host", object: host.name };
    const command = ["storage", "core", "device", "list"];
    const depths = new Map<string, number>();
    for (const row of await this.#esxcliRows(call, attempt, host, command)) {
      const device = row.string("Device");
      const depth = row.number(queueDepthColumn);
      if (device !== undefined && depth !== undefined) depths.set(device, depth);
    }
    return depths;
  }

  /** None where the host's esxcli does not answer over the API. */
  async #esxcliRows(
    call: DeviceCall,
    attempt: Attempt,
    host: HostEntry,
    command: readonly string[],
  ): Promise<readonly XmlElement[]> {
    if (this.#withoutEsxcli.has(host.id)) return [];
    try {
      const rows = await esxcli(this.#client, call, attempt, host.ref, command);
      return rows?.elements ?? [];
    } catch (error) {
      if (!isFault(error, "MethodNotFound", "NotSupported", "ManagedObjectNotFound")) throw error;
      this.#withoutEsxcli.add(host.id);
      return [];
    }
  }
}
