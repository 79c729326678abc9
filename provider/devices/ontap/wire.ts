import { z } from "zod";

/**
 * Shapes of the ONTAP REST API, as far as they are read (ONTAP REST API Reference, releases 9.8 and
 * 9.9.1). Unknown fields pass; fields that a release leaves out when they are unset are optional.
 */

/** Sizes come as integers below 2^53; from here on they are bigint. */
const bytes = z.int().transform((value) => BigInt(value));

const named = z.looseObject({ name: z.string() });

export const clusterShape = z.looseObject({
  name: z.string(),
  uuid: z.string(),
  version: z.looseObject({
    full: z.string(),
    generation: z.int(),
    major: z.int(),
    minor: z.int(),
  }),
});

export const nodeShape = z.looseObject({
  name: z.string(),
  model: z.string().optional(),
  state: z.string().optional(),
});

export const licenceShape = z.looseObject({ name: z.string(), state: z.string().optional() });

export const aggregateShape = z.looseObject({
  uuid: z.string(),
  name: z.string(),
  state: z.string().optional(),
  node: named.optional(),
  home_node: named.optional(),
  space: z
    .looseObject({ block_storage: z.looseObject({ size: bytes, available: bytes }) })
    .optional(),
  block_storage: z
    .looseObject({
      primary: z
        .looseObject({ disk_count: z.int().optional(), raid_type: z.string().optional() })
        .optional(),
    })
    .optional(),
});

export const svmShape = z.looseObject({
  uuid: z.string(),
  name: z.string(),
  state: z.string().optional(),
  comment: z.string().optional(),
  aggregates: z.array(named).optional(),
});

export const fcpServiceShape = z.looseObject({
  svm: z.looseObject({ name: z.string(), uuid: z.string().optional() }),
  enabled: z.boolean().optional(),
  target: named.optional(),
});

const fcLocation = z.looseObject({
  home_node: named.optional(),
  home_port: z.looseObject({ name: z.string(), node: named.optional() }).optional(),
});

export const fcPortShape = z.looseObject({
  name: z.string(),
  node: named,
  wwpn: z.string(),
  state: z.string().optional(),
  /** Left out while the port is in no fabric. */
  fabric: z.looseObject({ switch_port: z.string().optional() }).optional(),
});

export const fcInterfaceShape = z.looseObject({
  uuid: z.string(),
  name: z.string(),
  svm: named,
  data_protocol: z.string().optional(),
  enabled: z.boolean().optional(),
  state: z.string().optional(),
  wwpn: z.string(),
  wwnn: z.string(),
  comment: z.string().optional(),
  location: fcLocation.optional(),
});

export const volumeShape = z.looseObject({
  uuid: z.string(),
  name: z.string(),
  svm: named,
  state: z.string().optional(),
  size: bytes.optional(),
  comment: z.string().optional(),
  aggregates: z.array(named).optional(),
  guarantee: z.looseObject({ type: z.string() }).optional(),
  is_svm_root: z.boolean().optional(),
});

export const lunShape = z.looseObject({
  uuid: z.string(),
  /** Full path, `/vol/<volume>/<lun>`. */
  name: z.string(),
  svm: named,
  serial_number: z.string(),
  os_type: z.string().optional(),
  comment: z.string().optional(),
  location: z.looseObject({ volume: named.optional() }).optional(),
  space: z.looseObject({
    size: bytes,
    guarantee: z.looseObject({ requested: z.boolean().optional() }).optional(),
  }),
  status: z
    .looseObject({ state: z.string().optional(), mapped: z.boolean().optional() })
    .optional(),
});

export const igroupShape = z.looseObject({
  uuid: z.string(),
  name: z.string(),
  svm: named,
  os_type: z.string().optional(),
  protocol: z.string().optional(),
  comment: z.string().optional(),
  /** Left out when there is none. */
  initiators: z.array(named).optional(),
});

export const lunMapShape = z.looseObject({
  svm: named,
  lun: z.looseObject({ name: z.string(), uuid: z.string() }),
  igroup: z.looseObject({ name: z.string(), uuid: z.string() }),
  logical_unit_number: z.coerce.number().int(),
});

export const recoveryEntryShape = z.looseObject({ vserver: z.string(), volume: z.string() });

export type WireAggregate = z.infer<typeof aggregateShape>;
export type WireSvm = z.infer<typeof svmShape>;
export type WireFcInterface = z.infer<typeof fcInterfaceShape>;
export type WireVolume = z.infer<typeof volumeShape>;
export type WireLun = z.infer<typeof lunShape>;
export type WireIgroup = z.infer<typeof igroupShape>;
export type WireLunMap = z.infer<typeof lunMapShape>;

/** The page of a collection. An empty one says so: anything without `records` is no answer of ONTAP. */
export const pageShape = z.looseObject({
  records: z.array(z.unknown()),
  _links: z.looseObject({ next: z.looseObject({ href: z.string() }).optional() }).optional(),
});

const codeText = z.union([z.string(), z.number()]).transform(String);

const errorContent = z.looseObject({
  message: z.string().optional(),
  code: codeText.optional(),
  target: z.string().optional(),
});

export const errorShape = z.looseObject({ error: errorContent });

export const jobReferenceShape = z.looseObject({ job: z.looseObject({ uuid: z.string() }) });

export const jobShape = z.looseObject({
  uuid: z.string(),
  state: z.string(),
  message: z.string().optional(),
  code: codeText.optional(),
  error: errorContent.optional(),
});
