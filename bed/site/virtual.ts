import { z } from "zod";
import { addressPool } from "./addresses";
import { secretReference } from "./device";
import { freeSpace } from "./free-space";
import { hostKey } from "./host-key";

export const hypervisor = z.strictObject({
  device: z.string().min(1),
  datacenter: z.string().min(1),
  clusters: z.array(z.string().min(1)).min(1),
  /** Datastore of the site for boot disks. */
  siteDatastore: z.string().min(1),
  /** Datastores that exist and that a bed's disks may lie on; the one for boot disks among them. */
  datastores: z
    .array(z.strictObject({ name: z.string().min(1), freeBytes: freeSpace.optional() }))
    .optional(),
  /** Port group of the guests. */
  network: z.string().min(1),
});

/** A network besides the guests' own, for instance between load generators and servers. */
export const network = z.strictObject({
  portGroup: z.string().min(1),
  addresses: addressPool,
  netmaskBits: z.int().min(1).max(32),
  gateway: z.ipv4().optional(),
});

export const template = z.strictObject({
  name: z.string().min(1),
  user: z.string().default("root"),
  /** Public host key that guests of this template answer with, authorized_keys form. */
  hostKey,
});

export const guests = z.strictObject({
  /** Addresses that guests may take, in this order; ranges are allowed. */
  addresses: addressPool,
  netmaskBits: z.int().min(1).max(32),
  gateway: z.ipv4(),
  domain: z.string().default("lab.invalid"),
  sshPort: z.int().min(1).max(65535).default(22),
  databasePort: z.int().min(1).max(65535).default(3306),
  /** Reference to the private key that the template's user accepts. */
  privateKey: secretReference,
});

/** A file that is used as it is or not at all: installation media, licences. */
export const checkedFile = z.strictObject({
  path: z.string().regex(/^\//, "expected an absolute path"),
  /** SHA-256 of its content, hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/i, "expected 64 hex digits"),
});
