import { z } from "zod";
import type { Reduction } from "../../block-array";
import type { DeletedVolume, FlexVol, Unit } from "../objects";
import { bytes, named } from "./wire";

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

export const recoveryEntryShape = z
  .looseObject({ vserver: z.string(), volume: z.string() })
  .transform((one): DeletedVolume => ({ svm: one.vserver, entry: one.volume }));
