import { z } from "zod";
import type { Aggregate, ClusterNode, Svm } from "../objects";
import { bytes, named } from "./wire";

/** Nodes, licences, aggregates, SVMs. */

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
