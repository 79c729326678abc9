import { z } from "zod";
import { ConfigError } from "../../bed/errors";
import type { GuestSpec } from "../control/guest-supervisor";

/** Names of virtual machines become folder and cgroup names. */
export const VmName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/, "use letters, digits, '.', '_' and '-', at most 80");

const Disk = z.object({
  label: z.string(),
  /** SCSI unit: 1 is /dev/sdb, 2 /dev/sdc. Unit 0 is the boot disk, 7 the adapter itself. */
  unit: z
    .int()
    .min(1)
    .max(15)
    .refine((unit) => unit !== 7, "unit 7 is the SCSI adapter"),
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

/** Name of a disk's device in the guest: unit 1 is `sdb`. Unit 7 does not exist and takes no letter. */
export function diskDevice(unit: number): string {
  const position = unit > 7 ? unit - 1 : unit;
  return `sd${String.fromCharCode("a".charCodeAt(0) + position)}`;
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
