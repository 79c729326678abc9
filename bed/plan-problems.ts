import type { Problem } from "./errors";
import type { BedPlan } from "./bed-plan";
import { formatBytes, parseBytes, parseDuration } from "./units";
import { reservedByPool } from "./volume-plan";
import { zoneNames } from "./zone-names";

/** What does not fit: limits, capacity, numbers already taken. Each with path, figure and remedy. */
export function findProblems(plan: BedPlan): Problem[] {
  return [
    ...zoningProblems(plan),
    ...nameProblems(plan),
    ...lunProblems(plan),
    ...capacityProblems(plan),
    ...guestProblems(plan),
    ...sysbenchProblems(plan),
  ];
}

function zoningProblems(plan: BedPlan): Problem[] {
  const problems: Problem[] = [];
  for (const host of plan.zoning) {
    for (const fabric of ["A", "B"] as const) {
      if (Object.keys(host.fabrics[fabric].initiators).length === 0) {
        problems.push({
          path: `site.hosts.${host.host}.hbas`,
          message: `host ${host.host} has no port on fabric ${fabric}`,
          remedy: "a bed needs both fabrics on every host",
        });
      }
    }
  }
  for (const fabric of ["A", "B"] as const) {
    if (!plan.site.array.ports.some((port) => port.fabric === fabric)) {
      problems.push({
        path: "site.array.ports",
        message: `the array has no target port on fabric ${fabric}`,
      });
    }
  }
  return problems;
}

/** Names that are different in the plan and the same on the device. */
function nameProblems(plan: BedPlan): Problem[] {
  const problems: Problem[] = [];
  const unique = (
    path: string,
    what: string,
    names: readonly (readonly [string, string])[],
  ): void => {
    const owner = new Map<string, string>();
    for (const [name, of] of names) {
      const other = owner.get(name);
      if (other !== undefined && other !== of) {
        problems.push({
          path,
          message: `${of} and ${other} would both be ${what} ${name}`,
          remedy: "names must differ in more than the characters that the device does not take",
        });
      }
      owner.set(name, of);
    }
  };
  const { bedId } = plan.settings;
  unique(
    "site.hosts",
    "alias",
    plan.hosts.flatMap((host) =>
      host.hbas.map((hba) => [
        zoneNames(bedId, host.name, hba.adapter, plan.prefix).alias,
        `${host.name} ${hba.adapter}`,
      ]),
    ),
  );
  const volumes = plan.volumeGroups.flatMap((group) =>
    group.volumes.map((volume) => ({ ...volume, of: `${group.name}/${volume.key}` })),
  );
  unique(
    "volumeGroups",
    "volume",
    volumes.map((v) => [v.name, v.of]),
  );
  unique(
    "volumeGroups",
    "datastore",
    volumes.map((v) => [v.datastore, v.of]),
  );
  return problems;
}

function lunProblems(plan: BedPlan): Problem[] {
  const problems: Problem[] = [];
  const owner = new Map<number, string>();
  for (const group of plan.volumeGroups) {
    for (const volume of group.volumes) {
      const other = owner.get(volume.lun);
      const label = `${group.name}/${volume.key}`;
      if (other !== undefined) {
        problems.push({
          path: `volumeGroups.${group.name}.firstLun`,
          message: `LUN ${volume.lun.toString()} of ${label} is also that of ${other}`,
          remedy: "give the groups ranges that do not overlap",
        });
      }
      owner.set(volume.lun, label);
    }
  }
  for (const host of plan.hosts) {
    for (const lun of host.lunsTaken.filter((n) => owner.has(n))) {
      problems.push({
        path: `volumeGroups.${owner.get(lun)?.split("/")[0] ?? ""}.firstLun`,
        message: `host ${host.name} already sees a LUN ${lun.toString()} from elsewhere`,
        remedy: "choose another firstLun",
      });
    }
  }
  // ESXi 7 and 8: 1,024 LUNs per host (VMware Configuration Maximums).
  if (owner.size > 1024) {
    problems.push({
      path: "volumeGroups",
      message: `${owner.size.toString()} LUNs per host, an ESXi host sees at most 1024`,
    });
  }
  return problems;
}

function capacityProblems(plan: BedPlan): Problem[] {
  const problems: Problem[] = [];
  const reserved = reservedByPool(plan.volumeGroups);
  for (const [index, pool] of plan.site.array.pools.entries()) {
    const needed = reserved.get(pool.name) ?? 0n;
    if (pool.freeBytes !== undefined && needed > BigInt(pool.freeBytes)) {
      problems.push({
        path: `site.array.pools[${index.toString()}]`,
        message: `pool ${pool.name} has ${formatBytes(BigInt(pool.freeBytes))} free, the thick volumes need ${formatBytes(needed)}, ${formatBytes(needed - BigInt(pool.freeBytes))} more`,
        remedy: "smaller or fewer volumes, or thin ones",
      });
    }
  }
  problems.push(...datastoreProblems(plan));
  return problems;
}

function datastoreProblems(plan: BedPlan): Problem[] {
  const used = new Map<string, bigint>();
  for (const disk of plan.guests.flatMap((guest) => guest.disks)) {
    if (disk.volume === undefined || disk.provisioning === "thin") continue;
    const label = `${disk.volume.group}/${disk.volume.key}`;
    used.set(label, (used.get(label) ?? 0n) + disk.sizeBytes);
  }
  return plan.volumeGroups.flatMap((group) =>
    group.volumes.flatMap((volume) => {
      const needed = used.get(`${group.name}/${volume.key}`) ?? 0n;
      // VMFS 6 keeps a few hundred MiB to itself; a twentieth is what small volumes lose.
      const room = volume.sizeBytes - volume.sizeBytes / 20n;
      if (needed <= room) return [];
      return [
        {
          path: `volumeGroups.${group.name}.size`,
          message: `datastore ${volume.datastore} has room for ${formatBytes(room)}, the guests' disks on it need ${formatBytes(needed)}`,
          remedy: "larger or more volumes, fewer guests, or smaller disks",
        },
      ];
    }),
  );
}

function guestProblems(plan: BedPlan): Problem[] {
  const problems: Problem[] = [];
  const addresses = plan.site.guests.addresses.length;
  if (plan.guests.length > addresses) {
    problems.push({
      path: "site.guests.addresses",
      message: `${plan.guests.length.toString()} guests need an address each, the site gives ${addresses.toString()}`,
    });
  }
  for (const disk of plan.guests[0]?.disks ?? []) {
    if (disk.volume === undefined && disk.label !== "boot" && disk.label !== "prebuilt") {
      problems.push({
        path: `phase.guest.disks.${disk.label}`,
        message:
          "only boot and prebuilt disks may lie on the site's datastore; the volume group of this one does not exist",
      });
    }
  }
  const template = "sysbench";
  if (plan.site.templates[template] === undefined) {
    problems.push({ path: "site.templates", message: `the site has no template "${template}"` });
  }
  return problems;
}

function sysbenchProblems(plan: BedPlan): Problem[] {
  const problems: Problem[] = [];
  const { sysbench } = plan;
  const test = plan.guests[0]?.disks.find((disk) => disk.label === "test");
  // 252 bytes a row with its index, measured with sysbench 1.0.20 on MariaDB 10.11; see docs/workloads/sysbench.md.
  const data = BigInt(sysbench.tables) * BigInt(sysbench.rows) * 252n;
  if (test !== undefined && data > (test.sizeBytes * 98n) / 100n) {
    problems.push({
      path: "scale.sysbench.rows",
      message: `${sysbench.tables.toString()} tables of ${sysbench.rows.toString()} rows take about ${formatBytes(data)}, the test disk has ${formatBytes(test.sizeBytes)}`,
      remedy: "fewer rows or a larger test disk",
    });
  }
  const memory = plan.guests[0]?.memoryBytes ?? 0n;
  if (parseBytes(sysbench.bufferPool) > memory) {
    problems.push({
      path: "scale.sysbench.bufferPool",
      message: `a buffer pool of ${sysbench.bufferPool} does not fit into ${formatBytes(memory)} of memory`,
    });
  }
  // InnoDB with pages of 16 KiB refuses to start with less (MariaDB 10.11, "requires innodb_buffer_pool_size >= 6 MiB").
  if (parseBytes(sysbench.bufferPool) < 6n * 1024n ** 2n) {
    problems.push({
      path: "scale.sysbench.bufferPool",
      message: `a buffer pool of ${sysbench.bufferPool} is below the 6 MiB that InnoDB needs`,
      remedy: "6 MiB or more, with data to match",
    });
  }
  if (parseDuration(sysbench.measure) < 1000) {
    problems.push({
      path: "scale.sysbench.measure",
      message: "a measured part below one second measures nothing",
    });
  }
  return problems;
}
