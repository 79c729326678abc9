import { z } from "zod";
import { secretReferenceSchema } from "../credentials";
import type { DeviceEnvironment, DeviceKind } from "../device-kind";
import { HttpSession } from "../http-session";
import { tlsSchema } from "../tls";
import { CiscoMdsSwitch } from "./driver";
import type { MdsPatience } from "./mds-locks";
import { MdsZoning } from "./mds-zoning";
import { NxapiClient } from "./nxapi-client";

export const ciscoMdsConfig = z
  .strictObject({
    kind: z.literal("cisco-mds"),
    /** `https://switch:8443` of one switch of the fabric; always the same one. */
    endpoint: z.url({ protocol: /^https$/ }),
    credentials: secretReferenceSchema,
    tls: tlsSchema.optional(),
    /** The VSAN that is this fabric. */
    vsan: z.int().min(1).max(4093),
    /** What new aliases become. Not given: device aliases where they can hold the mark, else fcaliases. */
    aliases: z.enum(["device-alias", "fcalias"]).optional(),
    /** Save the running configuration after each change, everybody's unsaved edits with it. */
    saveRunningConfig: z.boolean().optional(),
    /** Seconds to wait for another administrator's session. */
    lockWaitSeconds: z.number().min(0).optional(),
  })
  .meta({ id: "CiscoMdsDevice" });

export type CiscoMdsConfig = z.infer<typeof ciscoMdsConfig>;

const patience: MdsPatience = {
  lockWaitMs: 60_000,
  // Large activations take tens of seconds in a fabric of many switches.
  verifyMs: 120_000,
  pollMs: 2_000,
  busyMs: 5_000,
};

/** Opens the driver. Nothing is sent until the first call. */
export function openCiscoMds(
  device: string,
  config: CiscoMdsConfig,
  environment: DeviceEnvironment,
  overrides: Partial<MdsPatience> = {},
): CiscoMdsSwitch {
  const { clock } = environment;
  const patient: MdsPatience = {
    ...patience,
    ...(config.lockWaitSeconds === undefined ? {} : { lockWaitMs: config.lockWaitSeconds * 1000 }),
    ...overrides,
  };
  const http = new HttpSession({
    device,
    endpoint: config.endpoint,
    tls: config.tls ?? {},
    // Requests of one user from one address share one command line on the switch.
    limits: { concurrency: 1 },
    // NX-API ends a command after five minutes (Programmability Guide, Limitations).
    requestTimeoutMs: 300_000,
    keepAliveMs: 10_000,
    log: environment.log,
    clock,
    baseFolder: environment.baseFolder,
  });
  const nxapi = new NxapiClient({
    device,
    http,
    credentials: (signal) => environment.credentials(config.credentials, signal),
    clock,
    busyMs: patient.busyMs,
  });
  return new CiscoMdsSwitch({
    nxapi,
    tools: { zoning: new MdsZoning(nxapi, { id: config.vsan }), clock, patience: patient },
    settings: {
      aliases: config.aliases,
      saveRunningConfig: config.saveRunningConfig ?? false,
    },
  });
}

export const ciscoMdsKind: DeviceKind<typeof ciscoMdsConfig> = {
  kind: "cisco-mds",
  config: ciscoMdsConfig,
  open: (device, config, environment) => ({
    role: "fabric",
    fabric: openCiscoMds(device, config, environment),
  }),
};
