import type { BedPlan, PlannedDatastore, SiteDatastoreEstimate } from "./bed-plan";
import type { PlannedDisk, PlannedGuest } from "./guest-plan";
import type { Bytes } from "./units";
import type { PlannedVolumeGroup } from "./volume-plan";
import { expectedData } from "./workload-demand";
import type { WorkloadSettings } from "./workload-settings";

/** `<group>/<key>` of a volume and of the datastore on it. */
export const volumeLabel = (volume: { readonly group: string; readonly key: string }): string =>
  `${volume.group}/${volume.key}`;

/** VMFS 6 keeps a few hundred MiB to itself; a twentieth is what small volumes lose. */
const vmfsRoom = (volumeBytes: Bytes): Bytes => volumeBytes - volumeBytes / 20n;

/** One VMFS datastore for each volume, with what the guests put on it. */
export function planDatastores(
  groups: readonly PlannedVolumeGroup[],
  guests: readonly PlannedGuest[],
  workload: WorkloadSettings,
): PlannedDatastore[] {
  const disks = disksByVolume(guests);
  return groups.flatMap((group) =>
    group.volumes.map((volume): PlannedDatastore => {
      const key = volumeLabel({ group: group.name, key: volume.key });
      const on = disks.get(key) ?? [];
      return {
        key,
        name: volume.datastore,
        roomBytes: vmfsRoom(volume.sizeBytes),
        disksBytes: on.reduce((sum, { disk }) => sum + disk.sizeBytes, 0n),
        neededBytes: on.reduce(
          (sum, { guest, disk }) =>
            sum +
            (disk.provisioning === "thin" ? expectedData(workload, guest, disk) : disk.sizeBytes),
          0n,
        ),
        guests: [...new Set(on.map(({ guest }) => guest.key))],
      };
    }),
  );
}

/** Disks with their guests, by {@link volumeLabel}. */
export function disksByVolume(
  guests: readonly PlannedGuest[],
): ReadonlyMap<string, readonly { readonly guest: PlannedGuest; readonly disk: PlannedDisk }[]> {
  const found = new Map<string, { guest: PlannedGuest; disk: PlannedDisk }[]>();
  for (const guest of guests) {
    for (const disk of guest.disks) {
      if (disk.volume === undefined) continue;
      const label = volumeLabel(disk.volume);
      const list = found.get(label);
      if (list === undefined) found.set(label, [{ guest, disk }]);
      else list.push({ guest, disk });
    }
  }
  return found;
}

/**
 * What lies on the site's own datastore: disks at their full size, which thin ones may grow to, and the
 * machines' own files. Machines are built there, and without a reservation of memory: then the swap file is
 * as large as the memory (vSphere Resource Management, "Swap Space and Memory Overcommitment").
 */
export function siteDatastoreEstimate({
  site,
  guests,
}: Pick<BedPlan, "site" | "guests">): SiteDatastoreEstimate {
  const { siteDatastore: name, datastores } = site.hypervisor;
  const free = datastores?.find((datastore) => datastore.name === name)?.freeBytes;
  const disks = guests.flatMap((guest) => guest.disks).filter((disk) => disk.volume === undefined);
  return {
    name,
    disksBytes: disks.reduce((sum, disk) => sum + wholeGibibytes(disk.sizeBytes), 0n),
    swapBytes: guests.reduce((sum, guest) => sum + guest.memoryBytes, 0n),
    freeBytes: free === undefined ? undefined : BigInt(free),
  };
}

/** A disk as it is built: vSphere counts whole GiB, rounded up. */
export function wholeGibibytes(bytes: Bytes): Bytes {
  const unit = 1024n ** 3n;
  return ((bytes + unit - 1n) / unit) * unit;
}
