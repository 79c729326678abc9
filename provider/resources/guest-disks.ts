import { z } from "zod";
import type { MachineDisk, MachineFacts } from "../devices/machine-view";

const disk = z
  .object({
    controller: z.int().min(0).max(3).describe("Number of the virtual SCSI controller."),
    unit: z.int().min(0).max(15).describe("Unit on it; 7 is the controller's own."),
    datastore: z.string().optional().describe("Datastore that the disk must lie on."),
    blockDevice: z
      .string()
      .optional()
      .describe("Canonical name of the one block device that the datastore must lie on."),
  })
  .meta({ id: "MachineDiskPlace" });

/** What a guest's machine is checked against. */
export const machineSchema = z
  .object({
    device: z.string().describe("Name of the vCenter among the provider's devices."),
    host: z.string().describe("Host that the machine must run on."),
    inGuest: z
      .boolean()
      .default(true)
      .describe("The guest has its disks as block devices, which it shows by their UUIDs."),
    disks: z.record(z.string(), disk).describe("The machine's disks by label, all of them."),
  })
  .meta({ id: "GuestMachine" });

export type ExpectedMachine = z.infer<typeof machineSchema>;

/** A disk that the guest must find, by the UUID of its VMDK. */
export interface GuestDisk {
  readonly label: string;
  readonly uuid: string;
  readonly capacityBytes: bigint;
}

/**
 * Compares a machine's disks with the plan: VMDK, datastore, block device.
 * @returns what is wrong, and the disks that the guest itself has to show.
 */
export function checkDisks(
  expected: ExpectedMachine,
  machine: MachineFacts,
): { readonly problems: string[]; readonly disks: GuestDisk[] } {
  const problems: string[] = [];
  const disks: GuestDisk[] = [];
  const seen = new Set<MachineDisk>();
  for (const [label, wanted] of Object.entries(expected.disks)) {
    const at = `SCSI(${wanted.controller.toString()}:${wanted.unit.toString()})`;
    const found = machine.disks.find(
      ({ controller, unit }) => controller === wanted.controller && unit === wanted.unit,
    );
    if (found === undefined) {
      problems.push(`disk ${label}: the machine has none at ${at}`);
      continue;
    }
    seen.add(found);
    problems.push(...placeOf(label, wanted, found));
    disks.push({ label, uuid: found.uuid, capacityBytes: found.capacityBytes });
  }
  for (const { controller, unit, file } of machine.disks.filter((one) => !seen.has(one))) {
    problems.push(
      `the machine has a disk at SCSI(${controller.toString()}:${unit.toString()}) that is not planned: ${file}`,
    );
  }
  if (!machine.showsDiskUuids) {
    problems.push("the machine does not show its disks' UUIDs to the guest (disk.EnableUUID)");
  }
  return { problems, disks };
}

function placeOf(
  label: string,
  wanted: ExpectedMachine["disks"][string],
  found: MachineDisk,
): string[] {
  const problems: string[] = [];
  if (wanted.datastore !== undefined && found.datastore !== wanted.datastore) {
    problems.push(`disk ${label}: ${found.file} is not on datastore ${wanted.datastore}`);
  }
  const extents = found.blockDevices.join(", ");
  if (wanted.blockDevice !== undefined && extents !== wanted.blockDevice) {
    problems.push(
      `disk ${label}: datastore ${found.datastore} lies on ${extents || "no VMFS volume"}, expected ${wanted.blockDevice}`,
    );
  }
  return problems;
}

/**
 * Script for `sh -s` on the guest: what it finds of each id given as argument, one line each:
 * `<id> <size in bytes>`, or `<id> -`. The ids are the NAA names that VMware makes of the UUIDs.
 */
export const diskScript = `for id in "$@"; do
  path=/dev/disk/by-id/wwn-0x$id
  size=-
  [ -b "$path" ] && size=$(blockdev --getsize64 "$path" 2>/dev/null || echo -)
  echo "$id $size"
done
`;

/** A disk's id as the guest has it. */
export function diskId(uuid: string): string {
  return uuid.replaceAll("-", "").toLowerCase();
}

/** Path by which the guest finds a disk. */
export function diskPath(uuid: string): string {
  return `/dev/disk/by-id/wwn-0x${diskId(uuid)}`;
}

/** What the guest's answer to {@link diskScript} lacks. */
export function guestDiskProblems(disks: readonly GuestDisk[], answer: string): string[] {
  const sizes = new Map(
    answer
      .trim()
      .split("\n")
      .map((line) => line.trim().split(" ") as [string, string]),
  );
  return disks.flatMap(({ label, uuid, capacityBytes }) => {
    const size = sizes.get(diskId(uuid));
    if (size === undefined || size === "-") {
      return [`disk ${label}: the guest has no ${diskPath(uuid)}`];
    }
    if (size === capacityBytes.toString()) return [];
    return [
      `disk ${label}: the guest sees ${size} bytes, its VMDK has ${capacityBytes.toString()}`,
    ];
  });
}
