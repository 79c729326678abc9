import { z } from "zod";
import type { Group, UnitMap } from "../objects";
import { named } from "./wire";

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
