import { z } from "zod";
import type { Reduction } from "../../block-array";
import type {
  Aggregate,
  ClusterNode,
  DeletedVolume,
  DataService,
  FcInterface,
  FcPort,
  FlexVol,
  Group,
  Svm,
  Unit,
  UnitMap,
} from "../objects";

/**
 * Shapes of the ONTAP REST API, as far as they are read (ONTAP REST API Reference, releases 9.8 and
 * 9.9.1), with what they mean. Unknown fields pass; fields that a release leaves out when they are unset
 * are optional.
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

export type WireCluster = z.infer<typeof clusterShape>;

export const nodeShape = z
  .looseObject({
    name: z.string(),
    model: z.string().optional(),
    state: z.string().optional(),
  })
  .transform((one): ClusterNode => ({
    name: one.name,
    model: one.model,
    state: one.state ?? "unknown",
  }));

export const licenceShape = z.looseObject({ name: z.string(), state: z.string().optional() });

export const aggregateShape = z
  .looseObject({
    uuid: z.string(),
    name: z.string(),
    node: named.optional(),
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
  })
  .transform((one): Aggregate => ({
    uuid: one.uuid,
    name: one.name,
    node: one.node?.name,
    sizeBytes: one.space?.block_storage.size,
    freeBytes: one.space?.block_storage.available,
    disks: one.block_storage?.primary?.disk_count,
    raid: one.block_storage?.primary?.raid_type,
  }));

export const svmShape = z
  .looseObject({
    uuid: z.string(),
    name: z.string(),
    state: z.string().optional(),
    comment: z.string().optional(),
    aggregates: z.array(named).optional(),
  })
  .transform((one): Svm => ({
    uuid: one.uuid,
    name: one.name,
    state: one.state,
    comment: one.comment,
    aggregates: (one.aggregates ?? []).map((aggregate) => aggregate.name),
  }));

/** FCP tells what hosts see it as, NVMe does not. */
export const serviceShape = z
  .looseObject({ svm: named, enabled: z.boolean().optional(), target: named.optional() })
  .transform((one): DataService => ({
    svm: one.svm.name,
    enabled: one.enabled === true,
    target: one.target?.name,
  }));

const fcLocation = z.looseObject({
  home_node: named.optional(),
  home_port: z.looseObject({ name: z.string(), node: named.optional() }).optional(),
});

export const fcPortShape = z
  .looseObject({
    name: z.string(),
    node: named,
    wwpn: z.string(),
    state: z.string().optional(),
    /** Left out while the port is in no fabric. */
    fabric: z.looseObject({ switch_port: z.string().optional() }).optional(),
  })
  .transform((one): FcPort => ({
    name: one.name,
    node: one.node.name,
    wwpn: one.wwpn,
    online: one.state === "online",
    switchPort: one.fabric?.switch_port,
  }));

export const fcInterfaceShape = z
  .looseObject({
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
  })
  .transform((one): FcInterface => {
    const { home_port: port, home_node: node } = one.location ?? {};
    return {
      uuid: one.uuid,
      name: one.name,
      svm: one.svm.name,
      protocol: one.data_protocol,
      enabled: one.enabled !== false,
      up: one.state === "up",
      wwpn: one.wwpn,
      wwnn: one.wwnn,
      comment: one.comment,
      homeNode: port?.node?.name ?? node?.name,
      homePort: port?.name,
    };
  });

/** `none` of ONTAP is off; `mixed` and what else it may say one day are not told on. */
const reduction = z
  .enum(["none", "inline", "background", "both"])
  .transform((word): Reduction => (word === "none" ? "off" : word))
  .optional()
  .catch(undefined);
const compaction = z
  .enum(["none", "inline"])
  .transform((word) => (word === "none" ? "off" : word))
  .optional()
  .catch(undefined);

export const volumeShape = z
  .looseObject({
    uuid: z.string(),
    name: z.string(),
    svm: named,
    state: z.string().optional(),
    size: bytes.optional(),
    comment: z.string().optional(),
    aggregates: z.array(named).optional(),
    guarantee: z.looseObject({ type: z.string() }).optional(),
    efficiency: z.looseObject({ dedupe: reduction, compression: reduction, compaction }).optional(),
    is_svm_root: z.boolean().optional(),
  })
  .transform((one): FlexVol => ({
    uuid: one.uuid,
    name: one.name,
    svm: one.svm.name,
    state: one.state,
    sizeBytes: one.size,
    comment: one.comment,
    aggregate: one.aggregates?.[0]?.name,
    guarantee: one.guarantee?.type,
    reduction: one.efficiency && {
      deduplication: one.efficiency.dedupe,
      compression: one.efficiency.compression,
      compaction: one.efficiency.compaction,
    },
    isRoot: one.is_svm_root === true || one.name === `${one.svm.name}_root`,
  }));

export const lunShape = z
  .looseObject({
    uuid: z.string(),
    /** Full path, `/vol/<volume>/<lun>`. */
    name: z.string(),
    svm: named,
    serial_number: z.string(),
    os_type: z.string().optional(),
    comment: z.string().optional(),
    space: z.looseObject({
      size: bytes,
      guarantee: z.looseObject({ requested: z.boolean().optional() }).optional(),
    }),
    status: z
      .looseObject({ state: z.string().optional(), mapped: z.boolean().optional() })
      .optional(),
  })
  .transform((one): Unit => ({
    uuid: one.uuid,
    path: one.name,
    svm: one.svm.name,
    serial: one.serial_number,
    osType: one.os_type,
    comment: one.comment,
    sizeBytes: one.space.size,
    blockBytes: undefined,
    state: one.status?.state,
    reserved: one.space.guarantee?.requested,
    mapped: one.status?.mapped === true,
  }));

export const namespaceShape = z
  .looseObject({
    /** Also its identity for hosts. */
    uuid: z.string(),
    name: z.string(),
    svm: named,
    os_type: z.string().optional(),
    comment: z.string().optional(),
    space: z.looseObject({ size: bytes, block_size: z.int().optional() }),
    status: z
      .looseObject({ state: z.string().optional(), mapped: z.boolean().optional() })
      .optional(),
  })
  .transform((one): Unit => ({
    uuid: one.uuid,
    path: one.name,
    svm: one.svm.name,
    serial: one.uuid,
    osType: one.os_type,
    comment: one.comment,
    sizeBytes: one.space.size,
    blockBytes: one.space.block_size,
    state: one.status?.state,
    reserved: undefined,
    mapped: one.status?.mapped === true,
  }));

export const igroupShape = z
  .looseObject({
    uuid: z.string(),
    name: z.string(),
    svm: named,
    os_type: z.string().optional(),
    protocol: z.string().optional(),
    comment: z.string().optional(),
    /** Left out when there is none. */
    initiators: z.array(named).optional(),
  })
  .transform((one): Group => ({
    uuid: one.uuid,
    name: one.name,
    svm: one.svm.name,
    osType: one.os_type,
    protocol: one.protocol,
    comment: one.comment,
    members: (one.initiators ?? []).map((initiator) => initiator.name),
    nqn: undefined,
  }));

export const subsystemShape = z
  .looseObject({
    uuid: z.string(),
    name: z.string(),
    svm: named,
    os_type: z.string().optional(),
    comment: z.string().optional(),
    target_nqn: z.string().optional(),
    hosts: z.array(z.looseObject({ nqn: z.string() })).optional(),
  })
  .transform((one): Group => ({
    uuid: one.uuid,
    name: one.name,
    svm: one.svm.name,
    osType: one.os_type,
    protocol: undefined,
    comment: one.comment,
    members: (one.hosts ?? []).map((host) => host.nqn),
    nqn: one.target_nqn,
  }));

export const lunMapShape = z
  .looseObject({
    svm: named,
    lun: z.looseObject({ name: z.string(), uuid: z.string() }),
    igroup: z.looseObject({ name: z.string(), uuid: z.string() }),
    logical_unit_number: z.coerce.number().int(),
  })
  .transform((one): UnitMap => ({
    svm: one.svm.name,
    path: one.lun.name,
    unitUuid: one.lun.uuid,
    group: one.igroup.name,
    groupUuid: one.igroup.uuid,
    number: one.logical_unit_number,
  }));

/** Hex digits with an `h` behind, `0000001Fh`. */
const nsid = z
  .string()
  .regex(/^[0-9a-f]+h$/i)
  .transform((text) => Number.parseInt(text, 16));

export const subsystemMapShape = z
  .looseObject({
    svm: named,
    namespace: z.looseObject({ name: z.string(), uuid: z.string() }),
    subsystem: z.looseObject({ name: z.string(), uuid: z.string() }),
    nsid,
  })
  .transform((one): UnitMap => ({
    svm: one.svm.name,
    path: one.namespace.name,
    unitUuid: one.namespace.uuid,
    group: one.subsystem.name,
    groupUuid: one.subsystem.uuid,
    number: one.nsid,
  }));

export const recoveryEntryShape = z
  .looseObject({ vserver: z.string(), volume: z.string() })
  .transform((one): DeletedVolume => ({ svm: one.vserver, entry: one.volume }));

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
