import type { PlannedDatastore } from "./bed-plan";
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
