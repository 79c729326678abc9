import { z } from "zod";
import { parseDeviceName } from "../../bed/identities";
import { fn } from "../kit/handler";
import type { BedContext } from "./context";
import { deviceNameSchema } from "./host-block-devices";

const host = z.object({
  device: z.string().describe("The vCenter, by its name in the bed."),
  host: z.string().describe("The host, by its name in the vCenter."),
});

const adapter = z
  .object({
    wwpn: z.string().describe("Port name, with colons."),
    wwnn: z.string().describe("Node name, with colons."),
    protocol: z.string().describe("`scsi` or `nvme`."),
    online: z.boolean(),
    speedGbps: z.number().optional().describe("Negotiated speed, Gbit/s."),
  })
  .meta({ id: "FoundHostAdapter" });

const adaptersOutput = z.object({
  adapters: z.record(z.string(), adapter).describe("By name on the host, `vmhba2`."),
  nqn: z.string().optional().describe("Name of the host over NVMe, where the hypervisor tells it."),
});

/** Fibre Channel adapters of a host. */
export const getHostAdapters = fn<BedContext, typeof host, typeof adaptersOutput>({
  token: "sanbed:host:getHostAdapters",
  description: "Fibre Channel adapters of a host with their port names.",
  inputs: host,
  outputs: adaptersOutput,
  async invoke(call, args) {
    const storage = call.context.hosts(args.device);
    const [found, hosts] = await Promise.all([
      storage.adapters(call, args.host),
      storage.hosts(call),
    ]);
    const nqn = hosts.find(({ name, id }) => name === args.host || id === args.host)?.nqn;
    return {
      ...(nqn === undefined ? {} : { nqn }),
      adapters: Object.fromEntries(found.map(({ name, ...facts }) => [name, { ...facts }])),
    };
  },
});

const path = z
  .object({
    adapter: z.string(),
    targetWwpn: z
      .string()
      .optional()
      .describe("Target port; absent when the host has forgotten it."),
    lun: z.int().optional().describe("LUN number."),
    state: z.string().describe("`active`, `standby`, `disabled`, `dead` or `unknown`."),
  })
  .meta({ id: "FoundDevicePath" });

const device = z
  .object({
    state: z
      .string()
      .describe("`ok`, `off` (detached), `lostCommunication` or the host's own word."),
    capacityBytes: z.string().describe("Bytes, decimal."),
    vendor: z.string(),
    model: z.string(),
    policy: z.string().optional().describe("Path selection policy."),
    queueDepth: z.int().optional().describe("Outstanding requests with several guests (DSNRO)."),
    datastore: z.string().optional().describe("Datastore on it."),
    paths: z.array(path),
  })
  .meta({ id: "FoundHostDevice" });

const devicesInput = host.extend({
  devices: z
    .array(deviceNameSchema)
    .optional()
    .describe("Only these; default all Fibre Channel devices."),
});
const devicesOutput = z.object({
  devices: z.record(z.string(), device).describe("By name of the device."),
});

/** Fibre Channel devices of a host with their paths and settings. Does not rescan. */
export const getDevicePaths = fn<BedContext, typeof devicesInput, typeof devicesOutput>({
  token: "sanbed:host:getDevicePaths",
  description: "Fibre Channel devices of a host with states, settings and paths.",
  inputs: devicesInput,
  outputs: devicesOutput,
  async invoke(call, args) {
    const only = args.devices?.flatMap((text) => parseDeviceName(text) ?? []);
    const found = await call.context.hosts(args.device).devices(call, args.host, only);
    return {
      devices: Object.fromEntries(
        found.map(({ name, ...facts }) => [
          name,
          {
            ...facts,
            capacityBytes: facts.capacityBytes.toString(),
            paths: facts.paths.map((p) => ({ ...p })),
          },
        ]),
      ),
    };
  },
});
