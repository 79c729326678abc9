import { hostnameRules, physicalName } from "./physical-names";
import type { Phase } from "./review-bed";
import type { PlannedVolumeGroup } from "./volume-plan";
import type { Site, SiteHost } from "./site";
import { parseBytes, type Bytes } from "./units";

export interface PlannedDisk {
  readonly label: string;
  readonly sizeBytes: Bytes;
  readonly provisioning: "thin" | "thick" | "eager";
  /** Undefined: the site's own datastore. */
  readonly volume: { readonly group: string; readonly key: string } | undefined;
}

export interface PlannedGuest {
  /** Stable key: `g01`, `g02`... */
  readonly key: string;
  /** Name of the machine, and of the guest itself. */
  readonly name: string;
  readonly host: string;
  readonly address: string;
  readonly vcpus: number;
  readonly memoryBytes: Bytes;
  readonly disks: readonly PlannedDisk[];
}

/** Spreads guests over hosts and datastores in turn: guest n is on host n and datastore n, modulo. */
export function planGuests(
  site: Site,
  hosts: readonly SiteHost[],
  prefix: string,
  phase: Phase,
  groups: readonly PlannedVolumeGroup[],
): PlannedGuest[] {
  const count = Math.max(...phase.cases);
  return Array.from({ length: count }, (_, index) => {
    const key = `g${(index + 1).toString().padStart(2, "0")}`;
    return {
      key,
      name: physicalName(hostnameRules, prefix, key),
      host: hosts[index % hosts.length]?.name ?? "",
      address: site.guests.addresses[index] ?? "",
      vcpus: phase.guest.vcpus,
      memoryBytes: parseBytes(phase.guest.memory),
      disks: phase.guest.disks.map((disk) => ({
        label: disk.label,
        sizeBytes: parseBytes(disk.size),
        provisioning: disk.provisioning,
        volume: disk.on === "site" ? undefined : volumeFor(groups, disk.on, index),
      })),
    };
  });
}

function volumeFor(
  groups: readonly PlannedVolumeGroup[],
  name: string,
  index: number,
): { group: string; key: string } | undefined {
  const volumes = groups.find((group) => group.name === name)?.volumes ?? [];
  const volume = volumes[index % volumes.length];
  return volume === undefined ? undefined : { group: name, key: volume.key };
}
