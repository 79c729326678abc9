import { z } from "zod";
import type { DataService, FcInterface, FcPort } from "../objects";
import { named } from "./wire";

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
