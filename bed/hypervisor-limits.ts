import type { Limit } from "./families/limits";

/** What hosts and virtual machines allow (VMware Configuration Maximums of the release). */
export interface HypervisorLimits {
  readonly devicesPerHost: Limit;
  readonly pathsPerHost: Limit;
  readonly pathsPerDevice: Limit;
  /** NVMe over Fibre Channel. Undefined: this release does not have it. */
  readonly namespacesPerHost: Limit | undefined;
  readonly hostsPerDatastore: Limit;
}

const source = (release: string): string => `VMware Configuration Maximums, vSphere ${release}`;
const limit = (max: number, release: string): Limit => ({ max, source: source(release) });

/** Limits of a release, `6.5` or `7.0 or later`: those of the newest release that is not newer. */
export function hypervisorLimits(version: string): HypervisorLimits {
  const [major = 6, minor = 5] = (/^(\d+)\.(\d+)/.exec(version) ?? []).slice(1).map(Number);
  if (major < 6 || (major === 6 && minor < 7)) {
    return {
      devicesPerHost: limit(512, "6.5"),
      pathsPerHost: limit(2048, "6.5"),
      pathsPerDevice: limit(32, "6.5"),
      namespacesPerHost: undefined,
      hostsPerDatastore: limit(64, "6.5"),
    };
  }
  const release = major === 6 ? "6.7" : major === 7 ? "7.0" : "8.0";
  return {
    devicesPerHost: limit(1024, release),
    pathsPerHost: limit(4096, release),
    pathsPerDevice: limit(32, release),
    namespacesPerHost: major === 6 ? undefined : limit(major === 7 ? 32 : 256, release),
    hostsPerDatastore: limit(64, release),
  };
}

/** A virtual SCSI controller: how much it and each of its disks keep in flight. */
export interface VirtualAdapterLimits {
  readonly diskQueue: Limit;
  readonly adapterQueue: Limit;
  readonly disks: number;
}

const adapterSource =
  "VMware KB 1268 and 2053145: LSI Logic SAS 32 a disk, 128 an adapter; PVSCSI up to 254 and 1024";

export const virtualAdapters: Readonly<Record<"lsilogic-sas" | "pvscsi", VirtualAdapterLimits>> = {
  "lsilogic-sas": {
    diskQueue: { max: 32, source: adapterSource },
    adapterQueue: { max: 128, source: adapterSource },
    disks: 15,
  },
  pvscsi: {
    diskQueue: { max: 254, source: adapterSource },
    adapterQueue: { max: 1024, source: adapterSource },
    disks: 15,
  },
};
