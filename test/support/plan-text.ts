import type { BedPlan } from "../../bed/bed-plan";
import { formatBytes, formatDuration, type Bytes } from "../../bed/units";

/**
 * A plan as text that a reader can hold against the review: facts and assumptions first, then what
 * follows from them. Only for the golden files; `sanbed plan` has tables of its own.
 */
export function planText(plan: BedPlan): string {
  return [
    `${plan.bed.title}: phase ${plan.settings.phase}`,
    plan.bed.source,
    ...section("facts", factLines(plan)),
    ...section("assumptions", assumptionLines(plan)),
    ...section("target ports and zoning", zoningLines(plan)),
    ...section("pools", poolLines(plan)),
    ...section("volumes and datastores", volumeLines(plan)),
    ...section("the site's own datastore", siteDatastoreLines(plan)),
    ...section("guests", guestLines(plan)),
    ...section("placement", placementLines(plan)),
    ...section("cases", caseLines(plan)),
    ...section("schedule", scheduleLines(plan)),
    ...section("queues", queueLines(plan)),
    ...section("data written", writtenLines(plan)),
    ...section(
      "remarks",
      plan.remarks.map(({ path, message }) => `${path}: ${message}`),
    ),
    ...section(
      "not checked",
      plan.unchecked.map(({ path, message }) => `${path}: ${message}`),
    ),
    "",
  ].join("\n");
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ["", `== ${title}`, ...lines];

/** Columns, each as wide as its widest cell. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, cell.length);
    });
  }
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** In decimal units, as the reviews print sizes. */
function bytes(value: Bytes | undefined): string {
  if (value === undefined) return "unknown";
  const [unit, factor] =
    value < 10n ** 12n && value > -(10n ** 12n) ? ["GB", 10n ** 9n] : ["TB", 10n ** 12n];
  return `${(Number((value * 1000n) / factor) / 1000).toString()} ${unit}`;
}

function factLines({ bed }: BedPlan): string[] {
  return bed.facts.flatMap(({ what, value, basis, source, note }) => [
    `${what}: ${value}`,
    `    ${basis}, ${source}${note === undefined ? "" : `; ${note}`}`,
  ]);
}

function assumptionLines({ assumptions }: BedPlan): string[] {
  return assumptions.flatMap(({ what, value, reason }) => [
    `${what}: ${value}`,
    `    because: ${reason}`,
  ]);
}

function zoningLines(plan: BedPlan): string[] {
  const { site, zoning } = plan;
  const rows = zoning.map(({ host, fabrics, expectedPaths }) => [
    host,
    ...(["A", "B"] as const).map(
      (fabric) =>
        `${fabric}: ${Object.entries(fabrics[fabric].initiators)
          .map(([adapter, wwpn]) => `${adapter} ${wwpn}`)
          .join(", ")} -> ${fabrics[fabric].targetKeys.join(", ")}`,
    ),
    `${expectedPaths.toString()} paths`,
  ]);
  return [
    ...table(
      site.array.ports.map(({ key, controller, fabric }) => [key, controller, `fabric ${fabric}`]),
    ),
    "",
    ...table(rows),
    ...plan.hostGroups.map(
      ({ name, hosts }) => `host group ${name}: ${hosts.length.toString()} hosts`,
    ),
  ];
}

function poolLines({ pools, estimates }: BedPlan): string[] {
  return table([
    ["pool", "controller", "capacity", "volumes", "provisioned", "reserved", "will hold", "free"],
    ...estimates.pools.map((one) => [
      one.pool,
      pools.find(({ name }) => name === one.pool)?.controller ?? "",
      bytes(one.capacityBytes),
      one.volumes.toString(),
      bytes(one.provisionedBytes),
      bytes(one.reservedBytes),
      bytes(one.expectedBytes),
      bytes(one.freeBytes),
    ]),
  ]);
}

function volumeLines({ volumeGroups, datastores }: BedPlan): string[] {
  return volumeGroups.flatMap((group) => [
    `group ${group.name}, ${group.thin ? "thin" : "thick"}, for hosts "${group.hostGroup}"`,
    ...table([
      ["key", "name", "size", "pool", "LUN", "datastore", "room", "disks", "guests"],
      ...group.volumes.map((volume) => {
        const datastore = datastores.find(({ key }) => key === `${group.name}/${volume.key}`);
        return [
          volume.key,
          volume.name,
          bytes(volume.sizeBytes),
          volume.pool,
          volume.lun?.toString() ?? "-",
          volume.datastore,
          bytes(datastore?.roomBytes),
          bytes(datastore?.disksBytes),
          datastore?.guests.join(" ") ?? "",
        ];
      }),
    ]),
  ]);
}

function siteDatastoreLines({ estimates }: BedPlan): string[] {
  const { name, disksBytes, swapBytes, freeBytes } = estimates.siteDatastore;
  return [
    `${name}: disks up to ${bytes(disksBytes)}, swap files ${bytes(swapBytes)}, in all ${bytes(disksBytes + swapBytes)}; free ${bytes(freeBytes)}`,
  ];
}

function guestLines({ guests }: BedPlan): string[] {
  return table(
    guests.map((guest) => [
      guest.key,
      guest.role,
      guest.name,
      guest.host,
      guest.address,
      `${guest.vcpus.toString()} CPUs, ${formatBytes(guest.memoryBytes)}, ${guest.adapter}`,
      guest.disks
        .map(
          (disk) =>
            `${disk.label} ${bytes(disk.sizeBytes)} ${disk.provisioning} ${disk.controller.toString()}:${disk.unit.toString()} on ${disk.volume === undefined ? "site" : `${disk.volume.group}/${disk.volume.key}`}`,
        )
        .join("; "),
    ]),
  );
}

function placementLines({ placement }: BedPlan): string[] {
  return table(
    placement.map(({ host, cluster, rule, guests }) => [host, cluster, rule, guests.join(" ")]),
  );
}

function caseLines({ cases }: BedPlan): string[] {
  return cases.map(
    ({ name, guests, drivers }) =>
      `${name}: ${guests.join(" ")}${drivers.length === 0 ? "" : `; driven by ${drivers.join(" ")}`}`,
  );
}

function scheduleLines({ schedule, estimates }: BedPlan): string[] {
  return [
    ...table(
      schedule.map(({ name, kind, startMs, durationMs }) => [
        `at ${formatDuration(startMs)}`,
        kind,
        name,
        durationMs === undefined ? "unknown" : formatDuration(durationMs),
      ]),
    ),
    `in all ${formatDuration(estimates.durationMs)} besides what is unknown`,
  ];
}

function queueLines({ estimates }: BedPlan): string[] {
  return table([
    ["queue", "fullest", "in flight", "depth"],
    ...estimates.queues.map(({ where, name, plannedRequests, depth }) => [
      where,
      name,
      plannedRequests.toString(),
      depth.toString(),
    ]),
  ]);
}

function writtenLines({ estimates }: BedPlan): string[] {
  const { preparationBytes, casesBytes, driveFills } = estimates.written;
  return [
    `preparation: ${bytes(preparationBytes)}`,
    `cases, by the published rates: ${bytes(casesBytes)}`,
    `all drives written over: ${driveFills === undefined ? "unknown" : `${driveFills.toString()} times`}`,
  ];
}
