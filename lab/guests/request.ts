import { z } from "zod";
import { ConfigError } from "../../bed/errors";
import type { GuestSpec } from "../control/guest-supervisor";

/** Names of virtual machines become folder and cgroup names. */
export const VmName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/, "use letters, digits, '.', '_' and '-', at most 80");

const unitsPerAdapter = 16;
const adapterUnit = 7;

const Disk = z.object({
  label: z.string(),
  /** SCSI unit, 16 for each of the four adapters: 1 is /dev/sdb. Unit 0 is the boot disk, 7 of each adapter itself. */
  unit: z
    .int()
    .min(1)
    .max(63)
    .refine((unit) => unit % unitsPerAdapter !== adapterUnit, "unit 7 is the SCSI adapter"),
  /** UUID of the virtual disk, where the machine shows it to the guest. */
  uuid: z.uuid().optional(),
  sizeBytes: z.string().regex(/^\d+$/),
  file: z.string().startsWith("/"),
});

/** Body of `POST /guests/:vm/power-on` (docs/lab-protocol.md). */
const PowerOn = z.object({
  uuid: z.string().min(1),
  hostname: z.string().regex(/^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9-]+)*$/),
  address: z.ipv4().startsWith("127.", "guests live on loopback addresses"),
  memoryMiB: z.number().positive(),
  cpus: z.number().positive(),
  template: z.string().min(1),
  host: z.string().min(1),
  disks: z.array(Disk),
});

export type PowerOnRequest = z.infer<typeof PowerOn> & GuestSpec;

/** A data disk of a guest. */
export type GuestDisk = z.infer<typeof Disk>;

/**
 * Name of a disk's device in the guest: unit 1 is `sdb`. Unit 7 of an adapter does not exist and takes no
 * letter. Behind `sdz` comes `sdaa`. A guest goes by the disk's id: a kernel names disks as it finds them.
 */
export function diskDevice(unit: number): string {
  const adapter = Math.floor(unit / unitsPerAdapter);
  const place = unit % unitsPerAdapter;
  const position = adapter * (unitsPerAdapter - 1) + (place > adapterUnit ? place - 1 : place);
  const letter = (n: number): string => String.fromCharCode("a".charCodeAt(0) + n);
  const first = Math.floor(position / 26);
  return `sd${first === 0 ? "" : letter(first - 1)}${letter(position % 26)}`;
}

/** The link below /dev/disk/by-id that udev makes of the UUID that VMware gives as the disk's NAA name. */
export function diskLink(uuid: string): string {
  return `wwn-0x${uuid.replaceAll("-", "").toLowerCase()}`;
}

/** Checks a request that came over the control port. @throws ConfigError with every problem */
export function parsePowerOn(vm: string, body: unknown): PowerOnRequest {
  const name = VmName.safeParse(vm);
  const request = PowerOn.safeParse(body);
  if (name.success && request.success) return request.data;
  const problems = [
    ...(name.error?.issues ?? []).map((issue) => ({ path: "vm", message: issue.message })),
    ...(request.error?.issues ?? []).map((i) => ({ path: i.path.join("."), message: i.message })),
  ];
  throw new ConfigError(problems, `the power-on request of ${vm} has problems`);
}
