import { z } from "zod";
import { parseBytes, parseDuration } from "./units";

/**
 * A review bed: what a review declares, portable and without addresses. Beds live in
 * `stacks/beds/`. Every value is either stated by the review or stands in `assumptions`.
 */

const size = z
  .string()
  .refine((text) => canParse(parseBytes, text), { error: 'expected a size such as "270 GB"' });
const duration = z
  .string()
  .refine((text) => canParse(parseDuration, text), { error: 'expected a duration such as "2h"' });
const key = z.string().regex(/^[a-z][a-z0-9_]*$/, "small letters, digits and _, a letter first");

/** Volumes that come and go together. One datastore lies on each. */
export const volumeGroupSchema = z.strictObject({
  count: z.int().min(1).max(999),
  size,
  thin: z.boolean(),
  /** LUN number of the first volume; the others follow. Explicit, so that nothing is ever renumbered. */
  firstLun: z.int().min(1).max(4095),
  /** Raise it to replace the volumes, losing their data, with the datastores and guests on them. */
  generation: z.int().min(1).default(1),
});

const diskSchema = z.strictObject({
  /** Purpose, which is also the disk's label: `boot`, `prebuilt`, `test`. */
  label: key,
  size,
  /** `site`: the site's own datastore. Else the volume group whose datastores the guests share out. */
  on: z.union([z.literal("site"), key]),
  provisioning: z.enum(["thin", "thick", "eager"]),
});

const guestSchema = z.strictObject({
  vcpus: z.int().min(1),
  memory: size,
  disks: z.array(diskSchema).min(1),
  template: key,
});

/** The Sysbench OLTP workload of one guest. */
export const sysbenchSchema = z.strictObject({
  tables: z.int().min(1),
  rows: z.int().min(1),
  threads: z.int().min(1),
  bufferPool: size,
  precondition: duration,
  measure: duration,
  reportInterval: duration,
});

const phaseSchema = z.strictObject({
  workload: z.literal("sysbench"),
  volumeGroups: z.record(key, volumeGroupSchema),
  guest: guestSchema,
  /** Guests of each case, in the order in which the cases run. */
  cases: z.array(z.int().min(1)).min(1),
  sysbench: sysbenchSchema,
});

export const reviewBedSchema = z.strictObject({
  id: z.string(),
  /** At most twelve characters of `a-z0-9_`: begins every name on a device. */
  short: z.string().regex(/^[a-z][a-z0-9_]{0,11}$/),
  title: z.string(),
  source: z.string(),
  array: z.strictObject({
    family: z.enum(["ontap"]),
    model: z.string(),
    software: z.string(),
    protocol: z.enum(["fcp"]),
  }),
  hosts: z.strictObject({ perCluster: z.int().min(1), clusters: z.int().min(1) }),
  host: z.strictObject({
    pathPolicy: z.string(),
    /** Outstanding requests per device. */
    queueDepth: z.int().min(1).max(4096),
  }),
  phases: z.record(key, phaseSchema),
  assumptions: z.array(z.strictObject({ what: z.string(), value: z.string(), reason: z.string() })),
});

export type ReviewBed = z.infer<typeof reviewBedSchema>;
export type Phase = ReviewBed["phases"][string];
export type VolumeGroup = z.infer<typeof volumeGroupSchema>;
export type SysbenchSettings = z.infer<typeof sysbenchSchema>;

function canParse(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}
