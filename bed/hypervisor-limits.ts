import type { Limit } from "./families/limits";
import { parseBytes, type Bytes } from "./units";

/** What hosts and virtual machines allow (VMware Configuration Maximums of the release, where nothing else is said). */
export interface HypervisorLimits {
  /** The highest LUN number that a host looks at. */
  readonly lastLun: Limit;
  readonly devicesPerHost: Limit;
  readonly pathsPerHost: Limit;
  readonly pathsPerDevice: Limit;
  /** NVMe over Fibre Channel. Undefined: this release does not have it. */
  readonly namespacesPerHost: Limit | undefined;
  readonly hostsPerDatastore: Limit;
}

/** VMFS 6, all releases. */
export const largestDatastore: { readonly max: Bytes; readonly source: string } = {
  max: parseBytes("64 TiB"),
  source: "VMware Configuration Maximums; NetApp, vSphere datastore and protocol features",
};
/** A virtual disk on VMFS, all releases. */
export const largestDisk = { ...largestDatastore, max: parseBytes("62 TiB") };

/** ESXi before 6.7 finds peripheral LUN numbers only; arrays write those above 255 as flat ones. */
const peripheralLuns: Limit = {
  max: 255,
  source:
    "ESXi before 6.7 does not find flat LUN numbers: codyhosterman.com, April 2017, ESXi and the missing LUNs",
};
/** `Disk.MaxLUN` is 1024 where nobody changed it. */
const scannedLuns: Limit = {
  max: 1023,
  source: "vSphere Storage, Change the Number of Scanned Storage Devices: Disk.MaxLUN",
};

/**
 * VMware gives the figures by a tool, not a document. Seen elsewhere as well: 512 devices and 2,000 paths
 * (6.5) and 1,024 and 4,096 (6.7) at cormachogan.com, April 2018; 1,024 LUNs and 256 namespaces (8.0) at
 * docs.netapp.com, "vSphere datastore and protocol features". The 32 namespaces of 7.0 were not.
 */
const source = (release: string): string => `VMware Configuration Maximums, vSphere ${release}`;
const limit = (max: number, release: string): Limit => ({ max, source: source(release) });

/** Limits of a release, `6.5` or `7.0 or later`: those of the newest release that is not newer. */
export function hypervisorLimits(version: string): HypervisorLimits {
  const [major = 6, minor = 5] = (/^(\d+)\.(\d+)/.exec(version) ?? []).slice(1).map(Number);
  if (major < 6 || (major === 6 && minor < 7)) {
    return {
      lastLun: peripheralLuns,
      devicesPerHost: limit(512, "6.5"),
      pathsPerHost: limit(2048, "6.5"),
      pathsPerDevice: limit(32, "6.5"),
      namespacesPerHost: undefined,
      hostsPerDatastore: limit(64, "6.5"),
    };
  }
  const release = major === 6 ? "6.7" : major === 7 ? "7.0" : "8.0";
  return {
    lastLun: scannedLuns,
    devicesPerHost: limit(1024, release),
    pathsPerHost: limit(4096, release),
    pathsPerDevice: limit(32, release),
    namespacesPerHost: major === 6 ? undefined : limit(major === 7 ? 32 : 256, release),
    hostsPerDatastore: limit(64, release),
  };
}

/** A virtual SCSI controller: how much it and each of its disks keep in flight, by themselves and at most. */
export interface VirtualAdapterLimits {
  readonly diskQueue: Limit & { readonly standard: number };
  readonly adapterQueue: Limit & { readonly standard: number };
  readonly disks: number;
}

const lsiSource = "VMware KB 1268";
const pvscsiSource = "VMware KB 2053145: 64 and 256, at most 254 and 1024";

export const virtualAdapters: Readonly<Record<"lsilogic-sas" | "pvscsi", VirtualAdapterLimits>> = {
  "lsilogic-sas": {
    diskQueue: { standard: 32, max: 32, source: lsiSource },
    adapterQueue: { standard: 128, max: 128, source: lsiSource },
    disks: 15,
  },
  pvscsi: {
    diskQueue: { standard: 64, max: 254, source: pvscsiSource },
    adapterQueue: { standard: 256, max: 1024, source: pvscsiSource },
    disks: 15,
  },
};
