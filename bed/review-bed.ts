import { z } from "zod";
import { guestCountField, keyField, sizeField } from "./schema-fields";
import { workloadSchema } from "./workload-settings";

/**
 * A review bed: what a review declares, portable and without addresses. Beds live in
 * `stacks/beds/`. Every value is either a fact with its source or stands in `assumptions`.
 */

/** A statement of the review, or what follows from it. */
const factSchema = z.strictObject({
  what: z.string(),
  value: z.string(),
  /**
   * `stated`: said in the review. `reconstructed`: said there, figures displaced by the translation
   * that is at hand and put back. `derived`: arithmetic on its facts. `inferred`: from another review
   * of the same lab. `external`: from other public material.
   */
  basis: z.enum(["stated", "reconstructed", "derived", "inferred", "external"]),
  source: z.string(),
  note: z.string().optional(),
  /** Settings of the bed that come from it; `*` stands for one step, a path covers all below it. */
  paths: z.array(z.string()).default([]),
});

/** What the review does not state and the bed needs. Printed with every plan. */
const assumptionSchema = z.strictObject({
  what: z.string(),
  value: z.string(),
  reason: z.string(),
  paths: z.array(z.string()).min(1),
});

const arraySchema = z.strictObject({
  vendor: z.string(),
  model: z.string(),
  family: z.enum(["ontap", "santricity", "eternus", "xcubesan"]),
  /** Version of the array's software as the review gives it. Absent: the review does not say. */
  software: z.string().optional(),
  protocol: z.enum(["fcp", "nvme-fc"]),
  controllers: z.int().min(1).max(2),
  /** Target ports that were in use. */
  targetPorts: z.int().min(2).optional(),
  portSpeedGbps: z.number().positive().optional(),
  /** Drive bays of the enclosure that was tested. */
  bays: z.int().min(1).optional(),
  drives: z.strictObject({
    count: z.int().min(1),
    /** Of one drive. */
    size: sizeField.optional(),
    type: z.string(),
  }),
  /** Of all drives, as the review gives it. */
  raw: sizeField.optional(),
  raid: z.strictObject({
    level: z.string(),
    groups: z.int().min(1).optional(),
    drivesPerGroup: z.int().min(1).optional(),
  }),
  spares: z.int().min(0).optional(),
  /** Whether deduplication and compression are on; `ratio` is what they are counted with. */
  dataReduction: z
    .strictObject({ on: z.boolean(), ratio: z.number().min(1).default(1) })
    .default({ on: false, ratio: 1 }),
});

/** Space on the array for one phase: an aggregate, a volume group, a RAID group, a pool. */
const poolSchema = z.strictObject({
  /** Which controller owns it: 1 or 2, in the order of the site's ports. */
  controller: z.int().min(1).max(2),
  /** Usable size. Absent: what the site says is free. */
  size: sizeField.optional(),
});

/** Volumes that come and go together. One datastore lies on each. */
export const volumeGroupSchema = z.strictObject({
  count: z.int().min(1).max(999),
  size: sizeField,
  thin: z.boolean(),
  /** LUN number of the first volume; the others follow. Explicit, so that nothing is ever renumbered. */
  firstLun: z.int().min(0).max(4095),
  /** Raise it to replace the volumes, losing their data, with the datastores and guests on them. */
  generation: z.int().min(1).default(1),
  /** Pools of the phase that the volumes are laid over in turn. Default: all, controllers alternating. */
  pools: z.array(keyField).min(1).optional(),
  /** Cluster of the bed whose hosts see the volumes. Default: all hosts. */
  cluster: z.int().min(1).optional(),
});

const diskSchema = z.strictObject({
  /** Purpose, which is also the disk's label: `boot`, `prebuilt`, `test`. */
  label: keyField,
  size: sizeField,
  /** `site`: the site's own datastore. Else the volume group whose datastores the guests share out. */
  on: z.union([z.literal("site"), keyField]),
  provisioning: z.enum(["thin", "thick", "eager"]),
  /** Disks of a guest with the same place lie on one datastore, others on others. */
  place: z.int().min(0).max(63).default(0),
  /** Number of the virtual SCSI controller, which has a queue of its own. */
  controller: z.int().min(0).max(3).default(0),
});

/** Guests of one kind in a phase. */
const guestClassSchema = z.strictObject({
  /** `test`: carries the workload. `driver`: drives it from outside. */
  role: z.enum(["test", "driver"]).default("test"),
  /** Begins the keys of the guests: `g` makes `g01`, `g02`... */
  prefix: z.string().regex(/^[a-z]{1,4}$/, "one to four small letters"),
  /** How many. Default: as many as the largest case needs. */
  count: guestCountField.optional(),
  /** Clusters of the bed that they are spread over, first is 1. Default: all. */
  clusters: z.array(z.int().min(1)).min(1).optional(),
  /** Position of the first one in the site's list of addresses; the others follow. */
  firstAddress: z.int().min(0).default(0),
  vcpus: z.int().min(1),
  memory: sizeField,
  template: keyField,
  os: z.string().optional(),
  software: z.string().optional(),
  adapter: z.enum(["lsilogic-sas", "pvscsi"]),
  /** Requests that the guest's driver is set to keep in flight. Default: what the driver does by itself. */
  queues: z
    .strictObject({
      /** For one disk. */
      disk: z.int().min(1),
      /** For one virtual SCSI controller. */
      adapter: z.int().min(1),
    })
    .optional(),
  disks: z.array(diskSchema).min(1),
});

const hostSettingsSchema = z.strictObject({
  pathPolicy: z.string(),
  /** Outstanding requests per device with several guests on it; the bed sets it on every device. */
  queueDepth: z.int().min(1).max(4096),
  /**
   * Outstanding requests that the driver of a host's adapter takes for one device. It is set on the host with
   * a restart, never by a bed: what the site says of its adapters counts before it.
   */
  adapterQueueDepth: z.int().min(1).max(4096),
  /** Outstanding requests of one port of a host, all devices together. As above. */
  portQueueDepth: z.int().min(1).max(65_535),
});

const phaseSchema = z.strictObject({
  pools: z.record(keyField, poolSchema),
  volumeGroups: z.record(keyField, volumeGroupSchema),
  guests: z.record(keyField, guestClassSchema),
  /** Guests of role `test` in each case, in the order in which the cases run. */
  cases: z.array(guestCountField).min(1),
  workload: workloadSchema,
  /** Settings of the hosts that this phase needs otherwise than the bed. */
  host: hostSettingsSchema.partial().optional(),
});

export const reviewBedSchema = z.strictObject({
  id: z.string(),
  /** At most twelve characters of `a-z0-9_`: begins every name on a device. */
  short: z.string().regex(/^[a-z][a-z0-9_]{0,11}$/),
  title: z.string(),
  source: z.string(),
  array: arraySchema,
  hosts: z.strictObject({
    perCluster: z.int().min(1),
    clusters: z.int().min(1),
    model: z.string().optional(),
    /** Of one host. */
    memory: sizeField.optional(),
    cores: z.int().min(1).optional(),
    /** Fibre Channel ports of one host, half of them on each fabric. */
    ports: z.int().min(2).optional(),
  }),
  hypervisor: z.strictObject({ product: z.string(), version: z.string() }),
  host: hostSettingsSchema,
  phases: z.record(keyField, phaseSchema),
  facts: z.array(factSchema),
  assumptions: z.array(assumptionSchema),
});

export type ReviewBed = z.infer<typeof reviewBedSchema>;
export type ArrayFamily = ReviewBed["array"]["family"];
export type Phase = ReviewBed["phases"][string];
export type VolumeGroup = z.infer<typeof volumeGroupSchema>;
export type GuestClass = z.infer<typeof guestClassSchema>;
export type HostSettings = z.infer<typeof hostSettingsSchema>;
export type BedFact = z.infer<typeof factSchema>;
export type BedAssumption = z.infer<typeof assumptionSchema>;
