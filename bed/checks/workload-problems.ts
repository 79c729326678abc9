import type { BedPlan } from "../bed-plan";
import type { Problem } from "../errors";
import type { PlannedGuest } from "../guest-plan";
import { formatBytes, parseBytes, parseDuration } from "../units";
import { isDataDisk, sysbenchData } from "../workload-demand";
import type { SqlServerSettings, SysbenchSettings, VdbenchSettings } from "../workload-settings";

type Guest = PlannedGuest | undefined;

/** Settings of a workload that its guests cannot carry. */
export function workloadProblems(plan: BedPlan): Problem[] {
  const { workload } = plan;
  const guest = plan.guests.find((one) => one.role === "test");
  const problems = guest === undefined ? [] : dataDiskProblems(plan, guest);
  switch (workload.kind) {
    case "sysbench":
      return [...problems, ...sysbenchProblems(workload, guest)];
    case "sqlserver":
      return [...problems, ...sqlServerProblems(workload, guest)];
    case "vdbench":
      return [...problems, ...vdbenchProblems(workload)];
  }
}

function dataDiskProblems({ workload }: BedPlan, guest: PlannedGuest): Problem[] {
  const disks = guest.disks.filter((disk) => isDataDisk(workload, guest, disk.label));
  const path = `guests.${guest.class}.disks`;
  if (disks.length === 0) {
    const label = { sysbench: "test", sqlserver: "data", vdbench: "data1" }[workload.kind];
    return [
      {
        path,
        message: `no disk that ${workload.kind} works on`,
        remedy: `a disk labelled ${label}`,
      },
    ];
  }
  return disks
    .filter((disk) => disk.volume === undefined)
    .map((disk) => ({
      path: `${path}.${disk.label}`,
      message: "the disk under test lies on no volume of the bed: the array would not be measured",
      remedy: "put it on a volume group",
    }));
}

function sysbenchProblems(settings: SysbenchSettings, guest: Guest): Problem[] {
  const problems: Problem[] = [];
  const test = guest?.disks.find((disk) => disk.label === "test");
  const data = sysbenchData(settings);
  if (test !== undefined && data > (test.sizeBytes * 98n) / 100n) {
    const rows = (BigInt(settings.rows) * test.sizeBytes * 98n) / (data * 100n);
    problems.push({
      path: "scale.sysbench.rows",
      message: `${settings.tables.toString()} tables of ${settings.rows.toString()} rows take about ${formatBytes(data)}, the test disk has ${formatBytes(test.sizeBytes)}`,
      remedy: `at most ${rows.toString()} rows, or a larger test disk`,
    });
  }
  problems.push(...bufferPoolProblems("scale.sysbench.bufferPool", settings.bufferPool, guest));
  // InnoDB with pages of 16 KiB refuses to start with less (MariaDB 10.11, "requires innodb_buffer_pool_size >= 6 MiB").
  if (parseBytes(settings.bufferPool) < 6n * 1024n ** 2n) {
    problems.push({
      path: "scale.sysbench.bufferPool",
      message: `a buffer pool of ${settings.bufferPool} is below the 6 MiB that InnoDB needs`,
      remedy: "6 MiB or more, with data to match",
    });
  }
  return problems;
}

function sqlServerProblems(settings: SqlServerSettings, guest: Guest): Problem[] {
  const problems = bufferPoolProblems("scale.sqlserver.bufferPool", settings.bufferPool, guest);
  const disk = guest?.disks.find((one) => one.label === "data");
  const data = parseBytes(settings.dataPerGuest);
  if (disk !== undefined && data > disk.sizeBytes) {
    problems.push({
      path: "scale.sqlserver.dataPerGuest",
      message: `a database of ${formatBytes(data)} on a disk of ${formatBytes(disk.sizeBytes)}, ${formatBytes(data - disk.sizeBytes)} too large`,
      remedy: "fewer warehouses or a larger data disk",
    });
  }
  // TPC-C standard specification, clause 4.2: ten terminals for each warehouse.
  if (settings.usersPerGuest > settings.scale * 10) {
    problems.push({
      path: "scale.sqlserver.usersPerGuest",
      message: `${settings.usersPerGuest.toString()} users on ${settings.scale.toString()} warehouses, TPC-C has ten a warehouse`,
      remedy: `at most ${(settings.scale * 10).toString()} users`,
    });
  }
  return problems;
}

function vdbenchProblems(settings: VdbenchSettings): Problem[] {
  const problems: Problem[] = [];
  for (const [name, { streams }] of Object.entries(settings.profiles)) {
    const skew = streams.reduce((sum, stream) => sum + stream.skewPercent, 0);
    if (Math.abs(skew - 100) <= 0.01) continue;
    problems.push({
      path: `workload.profiles.${name}.streams`,
      message: `the shares of the streams add up to ${skew.toString()} %, not to 100`,
    });
  }
  // Vdbench users guide, `elapsed`: at least two intervals.
  if (parseDuration(settings.measure) < 2 * parseDuration(settings.reportInterval)) {
    problems.push({
      path: "scale.vdbench.measure",
      message: `${settings.measure} are less than two intervals of ${settings.reportInterval}`,
      remedy: "measure longer or report more often",
    });
  }
  return problems;
}

function bufferPoolProblems(path: string, bufferPool: string, guest: Guest): Problem[] {
  const memory = guest?.memoryBytes ?? 0n;
  if (parseBytes(bufferPool) <= memory) return [];
  return [
    {
      path,
      message: `a buffer pool of ${bufferPool} does not fit into ${formatBytes(memory)} of memory`,
    },
  ];
}
