import { z } from "zod";
import { parseWwpn, wwpnSchema } from "../identities";
import { arrayFamily } from "./device";
import { freeSpace } from "./free-space";

/**
 * Name of a port. Its first digit says what kind of name it is (FC-FS, Name_Identifier, "NAA"): 0 stands for
 * none, 4 for an IP address, 6 begins names of devices. `ff` is what erased memory gives.
 */
const portName = wwpnSchema.refine(
  (text) => /^(?:[1235c-e]|f(?!f)|$)/.test(parseWwpn(text) ?? ""),
  "no port has such a WWPN: its first digit is 1, 2, 3, 5 or c to f, and it does not begin with ff",
);

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

/** Requests in flight. */
const queueDepth = z.int().min(1).max(65_535);

export const hba = z.strictObject({
  /** Adapter as the host names it, `vmhba2`. */
  adapter: z.string().min(1),
  wwpn: portName,
  fabric: fabricName,
  /** The adapter that the same port has for NVMe, where the host shows one: `vmhba66`. */
  nvmeAdapter: z.string().min(1).optional(),
  /** Where it is plugged in. */
  switchPort: switchPort.optional(),
  /**
   * Requests that the port's driver keeps in flight for one device, as it is set (`esxcli storage core
   * device list`, "Device Max Queue Depth"). Absent: the bed's assumption counts.
   */
  deviceQueueDepth: queueDepth.optional(),
  /** The same for the port as a whole, all devices together. */
  portQueueDepth: queueDepth.optional(),
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
  wwpn: portName.optional(),
  switchPort: switchPort.optional(),
});

export const pool = z.strictObject({
  name: z.string().min(1),
  controller: z.string().min(1),
  freeBytes: freeSpace.optional(),
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
