import type { BedEstimates, BedPlan, HostEstimate, PoolEstimate } from "./bed-plan";
import { disksByVolume, siteDatastoreEstimate, volumeLabel } from "./datastore-plan";
import { familyLimits } from "./families/table";
import { planQueues } from "./queue-plan";
import { parseBytes, type Bytes } from "./units";
import { expectedData, isDataDisk, writtenByCase } from "./workload-demand";

type PlanParts = Omit<BedPlan, "estimates" | "remarks" | "unchecked">;

/** Capacity, load of hosts and queues, time and data written, as far as bed and site tell. */
export function estimate(plan: PlanParts): BedEstimates {
  return {
    pools: poolEstimates(plan),
    siteDatastore: siteDatastoreEstimate(plan),
    hosts: hostEstimates(plan),
    queues: planQueues(plan),
    durationMs: plan.schedule.reduce((sum, step) => sum + (step.durationMs ?? 0), 0),
    written: writtenBytes(plan),
  };
}

interface PoolSums {
  volumes: number;
  provisioned: Bytes;
  reserved: Bytes;
  expected: Bytes;
}

function poolEstimates(plan: PlanParts): PoolEstimate[] {
  const { spaceInPool } = familyLimits[plan.bed.array.family];
  const { on, ratio } = plan.bed.array.dataReduction;
  const thousandths = on ? BigInt(Math.round(ratio * 1000)) : 1000n;
  const disks = disksByVolume(plan.guests);
  const sums = new Map<string, PoolSums>(
    plan.pools.map(({ name }) => [
      name,
      { volumes: 0, provisioned: 0n, reserved: 0n, expected: 0n },
    ]),
  );
  for (const group of plan.volumeGroups) {
    for (const volume of group.volumes) {
      const sum = sums.get(volume.pool);
      if (sum === undefined) continue;
      const space = spaceInPool(volume.sizeBytes);
      const onIt = disks.get(volumeLabel({ group: group.name, key: volume.key })) ?? [];
      const written = onIt.reduce(
        (total, { guest, disk }) => total + expectedData(plan.workload, guest, disk),
        0n,
      );
      const reduced = (written * 1000n) / thousandths;
      sum.volumes += 1;
      sum.provisioned += space;
      if (!group.thin) sum.reserved += space;
      sum.expected += group.thin && reduced < space ? reduced : space;
    }
  }
  return plan.pools.map(({ name, capacityBytes }) => {
    const sum = sums.get(name);
    const expectedBytes = sum?.expected ?? 0n;
    return {
      pool: name,
      capacityBytes,
      volumes: sum?.volumes ?? 0,
      provisionedBytes: sum?.provisioned ?? 0n,
      reservedBytes: sum?.reserved ?? 0n,
      expectedBytes,
      freeBytes: capacityBytes === undefined ? undefined : capacityBytes - expectedBytes,
    };
  });
}

function hostEstimates({ hosts, guests }: PlanParts): HostEstimate[] {
  const found = new Map(hosts.map(({ name }) => [name, { guests: 0, memory: 0n, vcpus: 0 }]));
  for (const guest of guests) {
    const host = found.get(guest.host);
    if (host === undefined) continue;
    host.guests += 1;
    host.memory += guest.memoryBytes;
    host.vcpus += guest.vcpus;
  }
  return [...found].map(([host, sum]) => ({
    host,
    guests: sum.guests,
    guestMemoryBytes: sum.memory,
    guestVcpus: sum.vcpus,
  }));
}

function writtenBytes(plan: PlanParts): BedEstimates["written"] {
  const { workload, guests, cases, bed } = plan;
  let preparationBytes = 0n;
  for (const guest of guests) {
    for (const disk of guest.disks) {
      if (disk.volume === undefined) continue;
      // Zeroing, then data.
      if (disk.provisioning === "eager") preparationBytes += disk.sizeBytes;
      preparationBytes += loadedBytes(plan, guest, disk);
    }
  }
  const perCase = cases.map((bench) => writtenByCase(workload, bench));
  const casesBytes = perCase.reduce<Bytes | undefined>(
    (sum, bytes) => (sum === undefined || bytes === undefined ? undefined : sum + bytes),
    0n,
  );
  const drive = bed.array.drives.size;
  const raw = drive === undefined ? undefined : parseBytes(drive) * BigInt(bed.array.drives.count);
  return {
    preparationBytes,
    casesBytes,
    driveFills:
      raw === undefined || casesBytes === undefined
        ? undefined
        : Number(((preparationBytes + casesBytes) * 100n) / raw) / 100,
  };
}

function loadedBytes(
  { workload }: PlanParts,
  guest: PlanParts["guests"][number],
  disk: PlanParts["guests"][number]["disks"][number],
): Bytes {
  const data = expectedData(workload, guest, disk);
  if (workload.kind !== "vdbench" || !isDataDisk(workload, guest, disk.label)) return data;
  return (data * BigInt(Math.round(workload.fillFactor * 100))) / 100n;
}
