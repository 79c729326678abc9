import type { PlannedDisk, PlannedGuest } from "./guest-plan";
import { parseBytes, parseDuration, type Bytes } from "./units";
import type { VdbenchProfile, WorkloadSettings } from "./workload-settings";

/** What a workload asks of disks: data, requests in flight, bytes written. */

/**
 * 252 bytes a row with its index, measured with sysbench 1.0.20 on MariaDB 10.11; see
 * docs/workloads/sysbench.md.
 */
const sysbenchBytesPerRow = 252n;

/** The disks that a workload works on. */
export function isDataDisk(
  workload: WorkloadSettings,
  guest: PlannedGuest,
  label: string,
): boolean {
  if (guest.role !== "test") return false;
  switch (workload.kind) {
    case "sysbench":
      return label === "test";
    case "sqlserver":
      return label === "data";
    case "vdbench":
      return label.startsWith("data");
  }
}

/** Data of one sysbench database. */
export function sysbenchData(settings: { readonly tables: number; readonly rows: number }): Bytes {
  return BigInt(settings.tables) * BigInt(settings.rows) * sysbenchBytesPerRow;
}

/** What will have been written to a disk: the workload's data, or all of a disk that is nothing else. */
export function expectedData(
  workload: WorkloadSettings,
  guest: PlannedGuest,
  disk: PlannedDisk,
): Bytes {
  if (!isDataDisk(workload, guest, disk.label)) return disk.sizeBytes;
  const data =
    workload.kind === "sysbench"
      ? sysbenchData(workload)
      : workload.kind === "sqlserver"
        ? parseBytes(workload.dataPerGuest)
        : disk.sizeBytes;
  return data < disk.sizeBytes ? data : disk.sizeBytes;
}

/** Requests that a workload keeps in flight on one of its disks. */
export function requestsPerDisk(workload: WorkloadSettings): number {
  switch (workload.kind) {
    case "sysbench":
      return workload.threads;
    case "sqlserver":
      return workload.outstandingPerGuest;
    case "vdbench":
      return Math.max(
        0,
        ...Object.values(workload.profiles).map((profile) => profile.threadsPerVolume),
      );
  }
}

/** Bytes that a case writes by the rates that are known; undefined when one is missing. */
export function writtenByCase(
  workload: WorkloadSettings,
  bench: { readonly guests: readonly string[]; readonly profile: string | undefined },
): Bytes | undefined {
  const guests = bench.guests.length;
  if (workload.kind === "vdbench") {
    const profile = workload.profiles[bench.profile ?? ""];
    return profile?.expectedIops === undefined
      ? undefined
      : curveBytes(profile, profile.expectedIops, workload);
  }
  const seconds = (parseDuration(workload.precondition) + parseDuration(workload.measure)) / 1000;
  const tps =
    workload.kind === "sysbench"
      ? workload.expectedTps[guests.toString()]
      : (guests * workload.usersPerGuest * 1000) / workload.thinkTimeMs;
  if (tps === undefined || !Number.isFinite(tps)) return undefined;
  return BigInt(Math.round(tps * seconds)) * parseBytes(workload.bytesWrittenPerTransaction);
}

/** The highest rate, then each point at its share of it; nothing runs faster than that. */
function curveBytes(
  profile: VdbenchProfile,
  peakIops: number,
  settings: Extract<WorkloadSettings, { kind: "vdbench" }>,
): Bytes {
  const pointSeconds = (parseDuration(settings.warmup) + parseDuration(settings.measure)) / 1000;
  const points = 1 + settings.curvePercent.reduce((sum, p) => sum + Math.min(p, 100) / 100, 0);
  const bytesPerRequest = profile.streams.reduce(
    (sum, stream) =>
      sum +
      (stream.skewPercent / 100) * (1 - stream.readPercent / 100) * meanBytes(stream.writeKib),
    0,
  );
  return BigInt(Math.round(peakIops * pointSeconds * points * bytesPerRequest));
}

/** Mean of sizes in KiB with their shares; 0 where nothing is written. */
function meanBytes(shares: Readonly<Record<string, number>> | undefined): number {
  const entries = Object.entries(shares ?? {});
  const total = entries.reduce((sum, [, share]) => sum + share, 0);
  if (total === 0) return 0;
  return entries.reduce((sum, [kib, share]) => sum + Number(kib) * 1024 * share, 0) / total;
}
