import type { DeviceName } from "../../../bed/identities";
import { parseDeviceName, parseWwnn, wwpnFromInt64 } from "../../../bed/identities";
import type { DevicePath, HostAdapter, HostDevice } from "../host-storage";
import type { XmlElement } from "../xml";

/** Fibre Channel adapters of a host, from HostStorageDeviceInfo.hostBusAdapter. */
export function readAdapters(info: XmlElement): readonly HostAdapter[] {
  return info
    .all("hostBusAdapter")
    .filter((hba) => hba.type?.startsWith("HostFibreChannel"))
    .map(readAdapter)
    .filter((adapter) => adapter !== undefined);
}

/** An adapter without port and node name (both are required by the API) is not one we can use. */
function readAdapter(hba: XmlElement): HostAdapter | undefined {
  const port = hba.bigint("portWorldWideName");
  const node = hba.bigint("nodeWorldWideName");
  const wwnn = node === undefined ? undefined : parseWwnn(wwpnFromInt64(node));
  if (port === undefined || wwnn === undefined) return undefined;
  return {
    name: hba.string("device") ?? "",
    wwpn: wwpnFromInt64(port),
    wwnn,
    protocol: hba.string("storageProtocol") === "nvme" ? "nvme" : "scsi",
    online: hba.string("status") === "online",
    speedGbps: gigabits(hba.bigint("speed")),
  };
}

/** The API gives bits per second; some drivers say it in Gbit/s. Zero is "not negotiated". */
function gigabits(speed: bigint | undefined): number | undefined {
  if (speed === undefined || speed <= 0n) return undefined;
  return speed >= 1_000_000n ? Number(speed / 1_000_000n) / 1000 : Number(speed);
}

/** A LUN as the host knows it, with the ids that the API's calls take. */
export interface HostLun {
  readonly device: HostDevice;
  /** ScsiLun.uuid, for DetachScsiLun. */
  readonly uuid: string;
  /** HostMultipathInfoLogicalUnit.id, for SetMultipathLunPolicy; absent when not claimed by NMP. */
  readonly multipathId: string | undefined;
}

/** A VMFS volume as one host has it mounted or remembers it. */
export interface HostVmfs {
  readonly name: string;
  readonly uuid: string;
  readonly mounted: boolean;
  /** Canonical names of the devices below it. */
  readonly devices: readonly string[];
}

/** VMFS volumes from HostFileSystemVolumeInfo. */
export function readVmfs(info: XmlElement | undefined): readonly HostVmfs[] {
  return (info?.all("mountInfo") ?? [])
    .filter((mount) => mount.find("volume")?.type === "HostVmfsVolume")
    .map((mount) => ({
      name: mount.string("volume.name") ?? "",
      uuid: mount.string("volume.uuid") ?? "",
      // Absent means mounted: the property came with unmounting (vSphere API 5.0).
      mounted: mount.boolean("mountInfo.mounted") ?? true,
      devices: (mount.find("volume")?.all("extent") ?? []).map((e) => e.string("diskName") ?? ""),
    }));
}

/**
 * Fibre Channel disks of a host: those with a path over a Fibre Channel transport, and those that
 * have lost every path but are still remembered under an `naa.` name.
 */
export function readLuns(
  info: XmlElement,
  vmfs: readonly HostVmfs[],
  queueDepths: ReadonlyMap<string, number>,
): readonly HostLun[] {
  const adapters = new Map(
    info.all("hostBusAdapter").map((hba) => [hba.string("key") ?? "", hba.string("device") ?? ""]),
  );
  const units = new Map(
    (info.find("multipathInfo")?.all("lun") ?? []).map((lun) => [lun.string("lun") ?? "", lun]),
  );
  const luns: HostLun[] = [];
  for (const lun of info.all("scsiLun")) {
    const name = parseDeviceName(lun.string("canonicalName") ?? "");
    const unit = units.get(lun.string("key") ?? "");
    const paths = unit?.all("path") ?? [];
    if (name === undefined || paths.some(isOtherTransport)) continue;
    luns.push({
      uuid: lun.string("uuid") ?? "",
      multipathId: unit?.string("id"),
      device: {
        ...facts(lun, name, vmfs),
        paths: paths.map((path) => readPath(path, adapters)),
        policy: unit?.string("policy.policy"),
        queueDepth: queueDepths.get(name),
        // ScsiLun.queueDepth (vSphere Web Services API).
        maxQueueDepth: lun.number("queueDepth"),
      },
    });
  }
  return luns;
}

/** A dead path may have lost its transport; it is then still a path of ours. */
function isOtherTransport(path: XmlElement): boolean {
  const type = path.find("transport")?.type;
  return type !== undefined && !type.startsWith("HostFibreChannel");
}

function facts(
  lun: XmlElement,
  name: DeviceName,
  vmfs: readonly HostVmfs[],
): Pick<HostDevice, "name" | "state" | "capacityBytes" | "vendor" | "model" | "datastore"> {
  const blockSize = lun.bigint("capacity.blockSize") ?? 0n;
  const blocks = lun.bigint("capacity.block") ?? 0n;
  // The first state is the one in force; the others are remarks (ScsiLun.operationalState).
  const state = lun.all("operationalState")[0]?.text ?? "unknown";
  return {
    name,
    state,
    capacityBytes: blockSize * blocks,
    vendor: (lun.string("vendor") ?? "").trim(),
    model: (lun.string("model") ?? "").trim(),
    datastore: vmfs.find((volume) => volume.devices.includes(name))?.name,
  };
}

const pathStates: readonly string[] = ["active", "standby", "disabled", "dead"];

function readPath(path: XmlElement, adapters: ReadonlyMap<string, string>): DevicePath {
  const state = path.string("pathState") ?? path.string("state") ?? "unknown";
  const key = path.string("adapter") ?? "";
  const lun = /:L(\d+)$/.exec(path.string("name") ?? "")?.[1];
  const target = path.bigint("transport.portWorldWideName");
  return {
    // The key ends in the adapter's name: `key-vim.host.FibreChannelHba-vmhba2`.
    adapter: adapters.get(key) ?? key.slice(key.lastIndexOf("-") + 1),
    targetWwpn: target === undefined ? undefined : wwpnFromInt64(target),
    lun: lun === undefined ? undefined : Number(lun),
    state: pathStates.includes(state) ? (state as DevicePath["state"]) : "unknown",
  };
}
