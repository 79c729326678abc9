import { z } from "zod";
import { wwpnSchema } from "../identities";
import { parseBytes } from "../units";
import { arrayFamily } from "./device";

const fabricName = z.enum(["A", "B"]);

/** A port of a switch as the switch names it: `0/12` of `sw-a1`, `fc1/5` of `mds-b`. */
const switchPort = z.strictObject({ switch: z.string().min(1), port: z.string().min(1) });

/** SAM-5: 14 bits of a flat LUN; ESXi takes LUN numbers to 16,383 (VMware Configuration Maximums). */
export const lunNumber = z.int().min(0).max(16383);

/**
 * NVMe qualified name, at most 223 bytes, `nqn.<year>-<month>.<reverse domain>:<rest>` (NVMe base
 * specification 2.0, section 4.5). Case counts.
 */
const nqn = z
  .string()
  .max(223)
  .regex(
    /^nqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]+:\S+$/,
    "not an NQN: expected for instance nqn.2014-08.com.vmware:nvme:esx01",
  );

export const hba = z.strictObject({
  /** Adapter as the host names it, `vmhba2`. */
  adapter: z.string().min(1),
  wwpn: wwpnSchema,
  fabric: fabricName,
  /** The adapter that the same port has for NVMe, where the host shows one: `vmhba66`. */
  nvmeAdapter: z.string().min(1).optional(),
  /** Where it is plugged in. */
  switchPort: switchPort.optional(),
});

export const host = z.strictObject({
  /** Name as the vCenter shows it. */
  name: z.string().min(1),
  cluster: z.string().min(1),
  hbas: z.array(hba).min(1),
  /** Name of the host in NVMe over Fibre Channel. */
  nqn: nqn.optional(),
  /** LUN numbers that this host already sees from other arrays or other people's beds. */
  lunsTaken: z.array(lunNumber).default([]),
  /** The host has an entry on the array that stays the site's: only maps to it are ours. */
  entry: z.strictObject({ mode: z.literal("use"), name: z.string().min(1) }).optional(),
});

export const targetPort = z.strictObject({
  key: z.string().regex(/^[a-z0-9_]+$/, "small letters, digits and _ only"),
  controller: z.string().min(1),
  /** Physical port on the controller, `2a`. */
  port: z.string().min(1),
  fabric: fabricName,
  /** Name of the port that hosts are zoned with, where it is there already and fixed. */
  wwpn: wwpnSchema.optional(),
  switchPort: switchPort.optional(),
});

export const pool = z.strictObject({
  name: z.string().min(1),
  controller: z.string().min(1),
  /** Free space: bytes as digits, or a size such as "9.8 TiB". Comes out as digits. */
  freeBytes: z
    .string()
    .transform((text, context) => {
      if (/^\d+$/.test(text)) return text;
      try {
        return parseBytes(text).toString();
      } catch {
        context.addIssue({
          code: "custom",
          message: 'expected bytes as digits, or a size of whole bytes such as "9.5 TiB"',
        });
        return z.NEVER;
      }
    })
    .optional(),
});

/** `create`: we make tenant, service and ports and remove them. `use`: they are the site's. */
const target = z.strictObject({
  mode: z.enum(["create", "use"]),
  /** Name of the tenant for `use`; for `create` the plan makes a name when this is absent. */
  name: z.string().min(1).optional(),
});

export const array = z
  .strictObject({
    device: z.string().min(1),
    family: arrayFamily,
    /** Left out where the family has no tenants: its ports are there and used. */
    target: target.optional(),
    ports: z.array(targetPort).min(1),
    /** Pools that exist and that a bed may take space from. */
    pools: z.array(pool).min(1),
  })
  .transform((given) => ({ ...given, target: given.target ?? { mode: "use" as const } }));
