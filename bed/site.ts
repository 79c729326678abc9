import { z } from "zod";
import { ConfigError, type Problem } from "./errors";
import { wwpnSchema } from "./identities";

/**
 * The site: a lab's own inventory. It says where a bed is built: endpoints, hosts and their ports,
 * which switch port is on which fabric, target ports, pools, templates, networks, addresses.
 * It holds no secret: credentials are references (`env:NAME`, `file:/path`, `exec:command`).
 */

/** Paths are absolute: the program and the plugin do not run in the same folder. */
const reference = z
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
const deviceConnection = z.looseObject({
  kind: z.enum(["brocade-fos", "ontap", "vcenter"]),
  /** `https://host[:port]`. */
  endpoint: z.url({ protocol: /^https$/ }),
  /** Reference to JSON text `{ "user", "password" }`. */
  credentials: reference,
  tls,
});

const fabricName = z.enum(["A", "B"]);

const host = z.strictObject({
  name: z.string().min(1),
  cluster: z.string().min(1),
  hbas: z
    .array(z.strictObject({ adapter: z.string().min(1), wwpn: wwpnSchema, fabric: fabricName }))
    .min(1),
  /** LUN numbers that this host already sees from other arrays or other people's beds. */
  lunsTaken: z.array(z.int().min(0)).default([]),
});

const targetPort = z.strictObject({
  key: z.string().regex(/^[a-z0-9_]+$/, "small letters, digits and _ only"),
  controller: z.string().min(1),
  /** Physical port on the controller, `2a`. */
  port: z.string().min(1),
  fabric: fabricName,
});

const array = z.strictObject({
  device: z.string().min(1),
  family: z.enum(["ontap"]),
  target: z.strictObject({
    /** `create`: we make tenant, service and ports and remove them. `use`: they are the site's. */
    mode: z.enum(["create", "use"]),
    /** Name of the tenant for `use`; for `create` the plan makes a name when this is absent. */
    name: z.string().optional(),
  }),
  ports: z.array(targetPort).min(1),
  pools: z
    .array(
      z.strictObject({
        name: z.string().min(1),
        controller: z.string().min(1),
        /** Free space in bytes, where the site file knows it. */
        freeBytes: z.string().regex(/^\d+$/).optional(),
      }),
    )
    .min(1),
});

const template = z.strictObject({
  name: z.string().min(1),
  user: z.string().default("root"),
  /** Public host key that guests of this template answer with, authorized_keys form. */
  hostKey: z.string().regex(/^(?:ssh|ecdsa)-\S+ \S+/, "expected an authorized_keys line"),
});

const guests = z.strictObject({
  /** Addresses that guests may take, in this order. */
  addresses: z.array(z.ipv4()).min(1),
  netmaskBits: z.int().min(1).max(32),
  gateway: z.ipv4(),
  domain: z.string().default("lab.invalid"),
  sshPort: z.int().min(1).max(65535).default(22),
  databasePort: z.int().min(1).max(65535).default(3306),
  /** Reference to the private key that the template's user accepts. */
  privateKey: reference,
});

const siteSchema = z.strictObject({
  name: z.string().min(1),
  /** Set by the embedded lab only: how much of it is real. Carried into every report. */
  lab: z
    .strictObject({
      level: z.enum(["A", "B", "C", "D"]),
      guests: z.enum(["real", "emulated"]),
      /** Bed id for a stack that has none of its own: the lab's, made with its folder. */
      bedId: z.string().optional(),
    })
    .optional(),
  devices: z.record(z.string(), deviceConnection),
  fabrics: z.strictObject({
    A: z.strictObject({ device: z.string().min(1) }),
    B: z.strictObject({ device: z.string().min(1) }),
  }),
  array,
  hypervisor: z.strictObject({
    device: z.string().min(1),
    datacenter: z.string().min(1),
    clusters: z.array(z.string().min(1)).min(1),
    /** Datastore of the site for boot disks. */
    siteDatastore: z.string().min(1),
    network: z.string().min(1),
  }),
  hosts: z.array(host).min(1),
  templates: z.record(z.string(), template),
  guests,
});

export type Site = z.infer<typeof siteSchema>;
export type SiteHost = Site["hosts"][number];
export type FabricName = z.infer<typeof fabricName>;

/**
 * Reads a site. All problems at once.
 * @throws {ConfigError} with the path of each problem.
 */
export function parseSite(input: unknown): Site {
  const result = siteSchema.safeParse(input);
  if (!result.success) {
    throw new ConfigError(
      result.error.issues.map((issue) => ({
        path: issue.path.map(String).join("."),
        message: issue.message,
      })),
      "the site inventory has problems",
    );
  }
  const problems = siteProblems(result.data);
  if (problems.length > 0) throw new ConfigError(problems, "the site inventory has problems");
  return result.data;
}

/** What the schema cannot see: references, doubles, ports that are on no or both fabrics. */
function siteProblems(site: Site): Problem[] {
  const problems: Problem[] = [];
  const device = (path: string, name: string, kind: string): void => {
    const found = site.devices[name];
    if (found?.kind !== kind) {
      problems.push({
        path,
        message: `"${name}" is no ${kind} device of this site`,
        remedy: `devices are ${Object.keys(site.devices).join(", ")}`,
      });
    }
  };
  device("fabrics.A.device", site.fabrics.A.device, "brocade-fos");
  device("fabrics.B.device", site.fabrics.B.device, "brocade-fos");
  device("array.device", site.array.device, site.array.family);
  device("hypervisor.device", site.hypervisor.device, "vcenter");
  if (site.fabrics.A.device === site.fabrics.B.device) {
    problems.push({ path: "fabrics", message: "both fabrics name the same switch" });
  }
  doubles(site.hosts.map((h) => h.name)).forEach((name) =>
    problems.push({ path: "hosts", message: `host "${name}" is listed twice` }),
  );
  doubles(site.hosts.flatMap((h) => h.hbas.map((hba) => hba.wwpn.toLowerCase()))).forEach((wwpn) =>
    problems.push({
      path: "hosts",
      message: `WWPN ${wwpn} is listed twice`,
      remedy: "a port is on one host and one fabric",
    }),
  );
  doubles(site.array.ports.map((p) => p.key)).forEach((key) =>
    problems.push({ path: "array.ports", message: `port key "${key}" is listed twice` }),
  );
  site.hosts.forEach((h, index) => {
    if (!site.hypervisor.clusters.includes(h.cluster)) {
      problems.push({
        path: `hosts[${index.toString()}].cluster`,
        message: `"${h.cluster}" is no cluster of this site`,
      });
    }
  });
  return problems;
}

function doubles(values: readonly string[]): string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}
