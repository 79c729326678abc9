import { z } from "zod";

/** Kinds of devices that there are drivers for, and those that a family of arrays may have. */
const switchKinds = ["brocade-fos", "cisco-mds"] as const;
const arrayKinds = ["ontap", "santricity", "eternus", "xcubesan"] as const;

export const isSwitchKind = (kind: string): boolean => switchKinds.some((one) => one === kind);

/** Families whose volumes live in tenants: their targets may be made, others' are there. */
export const hasTenants = (family: string): boolean => family === "ontap";

/** Families whose host entries hold several hosts; elsewhere an entry is one host. */
export const hasSharedEntries = (family: string): boolean => family === "ontap";

export const arrayFamily = z.enum(arrayKinds);

/** Paths are absolute: the program and the plugin do not run in the same folder. */
export const secretReference = z
  .string()
  .regex(
    /^(?:env:.+|file:\/.+|exec:.+)/s,
    "expected a reference: env:NAME, file:/absolute/path or exec:program argument ...",
  );

const tls = z
  .strictObject({
    /** SHA-256 of the certificate (hex, colons allowed): pins exactly this one. */
    sha256: z.string().optional(),
    /** PEM text or path of the authority that signs it. */
    ca: z.string().optional(),
    /** Switches verification off. Reported wherever results are. */
    insecure: z.boolean().optional(),
  })
  .default({});

/** Further settings belong to the driver of the kind, which checks them: `vfId`, `concurrency`... */
export const deviceConnection = z.looseObject({
  kind: z.enum([...switchKinds, ...arrayKinds, "vcenter"]),
  /** `https://host[:port]`. */
  endpoint: z
    .url({ protocol: /^https$/, error: "expected https://host[:port]" })
    .refine((text) => !hasMore(text), {
      error: "expected https://host[:port] and nothing more: no user, password, path or query",
    }),
  /** Reference to JSON text `{ "user", "password" }`. */
  credentials: secretReference,
  tls,
  /**
   * Cisco MDS: the VSAN that is this fabric. 1 to 4093; 4094 is the isolated one (MDS 9000 Fabric
   * Configuration Guide, "VSAN Attributes").
   */
  vsan: z.int().min(1).max(4093).optional(),
});

export type DeviceConnection = z.infer<typeof deviceConnection>;

function hasMore(text: string): boolean {
  const url = URL.parse(text);
  return `${url?.origin ?? ""}/` !== url?.href;
}
