import type { BedPlan, PlannedDatastore } from "../../bed/bed-plan";
import type { PlannedGuest } from "../../bed/guest-plan";
import { formatBytes } from "../../bed/units";
import { columns, ranges } from "./columns";
import type { SizeText } from "./sizes";

/** Lists beyond this show their beginning and their end. */
const longest = 64;

export function groupLines({ volumeGroups }: BedPlan, size: SizeText): string[] {
  return columns(volumeGroups, [
    { head: "group", cell: ({ name }) => name },
    { head: "volumes", cell: ({ volumes }) => volumes.length.toString(), right: true },
    { head: "of", cell: ({ volumes }) => size(volumes[0]?.sizeBytes), right: true },
    { head: "", cell: ({ thin }) => (thin ? "thin" : "thick") },
    { head: "host group", cell: ({ hostGroup }) => hostGroup },
    {
      head: "LUNs",
      cell: ({ volumes }) =>
        ranges(volumes.flatMap(({ lun }) => lun?.toString() ?? [])) || "numbered by the array",
    },
    {
      head: "names",
      cell: ({ volumes }) =>
        volumes.length < 2
          ? (volumes[0]?.name ?? "")
          : `${volumes[0]?.name ?? ""} to ${volumes.at(-1)?.name ?? ""}`,
    },
  ]);
}

export function datastoreLines(plan: BedPlan, size: SizeText): string[] {
  const rows = plan.volumeGroups.flatMap((group) =>
    group.volumes.map((volume) => ({ group: group.name, volume })),
  );
  const datastores = new Map<string, PlannedDatastore>(
    plan.datastores.map((one) => [one.key, one]),
  );
  const of = (row: (typeof rows)[number]): PlannedDatastore | undefined =>
    datastores.get(`${row.group}/${row.volume.key}`);
  return [
    ...shortened(
      columns(rows, [
        { head: "volume", cell: ({ group, volume }) => `${group}/${volume.key}` },
        { head: "LUN", cell: ({ volume }) => volume.lun?.toString() ?? "", right: true },
        { head: "pool", cell: ({ volume }) => volume.pool },
        { head: "datastore", cell: ({ volume }) => volume.datastore },
        { head: "room", cell: (row) => size(of(row)?.roomBytes), right: true },
        { head: "disks", cell: (row) => size(of(row)?.disksBytes), right: true },
        { head: "guests", cell: (row) => of(row)?.guests.join(" ") ?? "" },
      ]),
    ),
    ...siteDatastoreLines(plan, size),
  ];
}

/** What the guests take of the site's own datastore, whether it is known to have that or not. */
function siteDatastoreLines({ estimates }: BedPlan, size: SizeText): string[] {
  const { name, disksBytes, swapBytes, freeBytes } = estimates.siteDatastore;
  if (disksBytes + swapBytes === 0n) return [];
  const free =
    freeBytes === undefined ? "what is free is not known" : `${size(freeBytes)} are free`;
  return [
    `${name}, the site's own: disks up to ${size(disksBytes)}, swap files ${size(swapBytes)}, in all ${size(disksBytes + swapBytes)}; ${free}`,
  ];
}

export function guestLines({ guests, site }: BedPlan, size: SizeText): string[] {
  const lines = columns(guests, [
    { head: "guest", cell: ({ key }) => key },
    { head: "", cell: ({ role }) => (role === "driver" ? "drives the load" : "") },
    { head: "name", cell: ({ name }) => name },
    { head: "host", cell: ({ host }) => host },
    { head: "address", cell: ({ address }) => address },
    { head: "vCPUs", cell: ({ vcpus }) => vcpus.toString(), right: true },
    { head: "memory", cell: ({ memoryBytes }) => formatBytes(memoryBytes), right: true },
    { head: "volumes", cell: volumesOf },
  ]);
  const classes = new Map<string, PlannedGuest>();
  for (const guest of guests) if (!classes.has(guest.class)) classes.set(guest.class, guest);
  return [
    ...shortened(lines),
    ...[...classes.values()].flatMap((guest) => [
      `disks of each ${guest.class} guest (${guest.template}, ${guest.adapter}):`,
      ...diskLines(guest, size, site.hypervisor.siteDatastore).map((line) => `  ${line}`),
    ]),
  ];
}

function diskLines({ disks }: PlannedGuest, size: SizeText, siteDatastore: string): string[] {
  return columns(disks, [
    { head: "disk", cell: ({ label }) => label },
    { head: "size", cell: ({ sizeBytes }) => size(sizeBytes), right: true },
    { head: "", cell: ({ provisioning }) => provisioning },
    { head: "at", cell: ({ controller, unit }) => `${controller.toString()}:${unit.toString()}` },
    {
      head: "on",
      cell: ({ volume }) => (volume === undefined ? siteDatastore : `volumes ${volume.group}`),
    },
  ]);
}

/** `sysbench/01`, `vdbench/01-04`: where the disks of a guest lie, but for those on the site's own. */
export function volumesOf({ disks }: PlannedGuest): string {
  const groups = new Map<string, string[]>();
  for (const { volume } of disks) {
    if (volume === undefined) continue;
    const keys = groups.get(volume.group) ?? [];
    if (!keys.includes(volume.key)) keys.push(volume.key);
    groups.set(volume.group, keys);
  }
  return [...groups].map(([group, keys]) => `${group}/${ranges(keys)}`).join(", ");
}

/** The head and, of a long list, its beginning and its end. */
function shortened(lines: readonly string[]): string[] {
  const rows = lines.length - 1;
  if (rows <= longest) return [...lines];
  const half = longest / 2;
  return [
    ...lines.slice(0, half + 1),
    `... ${(rows - longest).toString()} more, all of them in --json ...`,
    ...lines.slice(-half),
  ];
}
