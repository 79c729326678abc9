import type { BedPlan, PlannedDatastore } from "../bed-plan";
import { volumeLabel, wholeGibibytes } from "../datastore-plan";
import type { Problem } from "../errors";
import { formatBytes, type Bytes } from "../units";

/** Disks that do not fit on datastores: the bed's, and the site's own. */
export function datastoreProblems(plan: BedPlan): Problem[] {
  return [...ownDatastores(plan), ...roundedUp(plan), ...siteDatastore(plan)];
}

/** One problem a volume group: its fullest datastore. */
function ownDatastores(plan: BedPlan): Problem[] {
  const fullest = new Map<string, PlannedDatastore>();
  const over = (one: PlannedDatastore): Bytes => one.neededBytes - one.roomBytes;
  for (const datastore of plan.datastores) {
    const group = datastore.key.split("/")[0] ?? "";
    const worst = fullest.get(group);
    if (worst === undefined || over(datastore) > over(worst)) fullest.set(group, datastore);
  }
  return [...fullest].flatMap(([group, datastore]) => {
    const tooMuch = over(datastore);
    if (tooMuch <= 0n) return [];
    const guests = BigInt(datastore.guests.length);
    const each = datastore.neededBytes / guests;
    const fits = `${(datastore.roomBytes / each).toString()} guests of ${formatBytes(each)} fit on one, there are ${guests.toString()}`;
    return [
      {
        path: `volumeGroups.${group}.size`,
        message: `datastore ${datastore.name} has room for ${formatBytes(datastore.roomBytes)}, the guests' disks on it need ${formatBytes(datastore.neededBytes)}, ${formatBytes(tooMuch)} more`,
        remedy: `larger or more volumes, fewer guests, smaller disks, or some of them on the site's own datastore; ${fits}`,
      },
    ];
  });
}

/** Thick disks that fit as declared, and do not as they are built. One problem a volume group. */
function roundedUp({ datastores, guests }: BedPlan): Problem[] {
  const grown = new Map<string, Bytes>();
  for (const { provisioning, sizeBytes, volume } of guests.flatMap((guest) => guest.disks)) {
    if (provisioning === "thin" || volume === undefined) continue;
    const label = volumeLabel(volume);
    grown.set(label, (grown.get(label) ?? 0n) + wholeGibibytes(sizeBytes) - sizeBytes);
  }
  const told = new Set<string>();
  return datastores.flatMap(({ key, name, neededBytes, roomBytes }) => {
    const group = key.split("/")[0] ?? "";
    const built = neededBytes + (grown.get(key) ?? 0n);
    if (neededBytes > roomBytes || built <= roomBytes || told.has(group)) return [];
    told.add(group);
    return [
      {
        path: `volumeGroups.${group}.size`,
        message: `datastore ${name} has room for ${formatBytes(roomBytes)}, the guests' disks on it need ${formatBytes(built)}: vSphere makes thick disks of whole GiB`,
        remedy: "larger volumes, or disks that are a whole GiB smaller",
      },
    ];
  });
}

/** Disks at their full size, since thin ones may grow to it, and the swap files of the machines. */
function siteDatastore({ estimates }: BedPlan): Problem[] {
  const { name, disksBytes, swapBytes, freeBytes } = estimates.siteDatastore;
  const needed = disksBytes + swapBytes;
  if (freeBytes === undefined || needed <= freeBytes) return [];
  return [
    {
      path: "site.hypervisor.siteDatastore",
      message: `datastore ${name} has ${formatBytes(freeBytes)} free, the guests' disks on it need up to ${formatBytes(disksBytes)} and their swap files ${formatBytes(swapBytes)}, ${formatBytes(needed - freeBytes)} more`,
      remedy: "a larger datastore, fewer guests, or leave disks out (null in scale.guests)",
    },
  ];
}
