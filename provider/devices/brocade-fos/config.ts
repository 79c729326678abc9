import { z } from "zod";
import { secretReferenceSchema } from "../credentials";
import type { DeviceEnvironment, DeviceKind } from "../device-kind";
import { HttpSession } from "../http-session";
import { tlsSchema } from "../tls";
import { BrocadeFosSwitch } from "./driver";
import { SessionRecords } from "../session-records";
import { FosHttp } from "./fos-http";
import { FosLogin } from "./fos-login";
import type { FosPatience } from "./fos-patience";
import { FosSession } from "./fos-session";

export const brocadeFosConfig = z
  .strictObject({
    kind: z.literal("brocade-fos"),
    /** `https://switch` of one switch of the fabric; always the same one. */
    endpoint: z.url({ protocol: /^https$/ }),
    credentials: secretReferenceSchema,
    tls: tlsSchema.optional(),
    /** Fabric id of the logical switch, where virtual fabrics are on. */
    vfId: z.int().min(1).max(128).optional(),
    /** Requests that the switch takes within thirty seconds (`mgmtapp --config -samplerequest`). */
    requestsPer30s: z.int().min(1).optional(),
    /** Seconds to wait for another administrator's zoning transaction. */
    lockWaitSeconds: z.number().min(0).optional(),
    /** Seconds to wait for a free session. */
    sessionWaitSeconds: z.number().min(0).optional(),
  })
  .meta({ id: "BrocadeFosDevice" });

export type BrocadeFosConfig = z.infer<typeof brocadeFosConfig>;

const patience: FosPatience = {
  sessionWaitMs: 60_000,
  lockWaitMs: 60_000,
  verifyMs: 30_000,
  pollMs: 2_000,
  throttledMs: 4_000,
  busyMs: 10_000,
  // As long as an array needs between the inventory and the zoning of a bed.
  lingerMs: 10_000,
};

/** Opens the driver. Nothing is sent until the first call. */
export function openBrocadeFos(
  device: string,
  config: BrocadeFosConfig,
  environment: DeviceEnvironment,
  overrides: Partial<FosPatience> = {},
): BrocadeFosSwitch {
  const { clock } = environment;
  const http = new HttpSession({
    device,
    endpoint: config.endpoint,
    tls: config.tls ?? {},
    limits: {
      concurrency: 2,
      rate: { requests: config.requestsPer30s ?? 30, perMs: 30_000 },
    },
    // Busy switches take minutes for an enable (brocade/ansible waits 180 s).
    requestTimeoutMs: 180_000,
    // The switch drops idle connections after fifteen seconds (YANG brocade-chassis, keep-alive).
    keepAliveMs: 10_000,
    log: environment.log,
    clock,
    baseFolder: environment.baseFolder,
  });
  const patient: FosPatience = {
    ...patience,
    ...(config.lockWaitSeconds === undefined ? {} : { lockWaitMs: config.lockWaitSeconds * 1000 }),
    ...(config.sessionWaitSeconds === undefined
      ? {}
      : { sessionWaitMs: config.sessionWaitSeconds * 1000 }),
    ...overrides,
  };
  const common = { device, clock, patience: patient };
  const { stateFolder } = environment;
  const fos = new FosHttp({ ...common, http, vfId: config.vfId });
  const login = new FosLogin({
    ...common,
    http: fos,
    credentials: (signal) => environment.credentials(config.credentials, signal),
    records:
      stateFolder === undefined
        ? undefined
        : (user) =>
            new SessionRecords({
              folder: stateFolder,
              device,
              session: `${config.endpoint} as ${user}`,
            }),
  });
  const session = new FosSession({ ...common, http: fos, login });
  return new BrocadeFosSwitch({
    device,
    session,
    clock,
    patience: patient,
    vfId: config.vfId,
    closeHttp: () => http.close(),
  });
}

export const brocadeFosKind: DeviceKind<typeof brocadeFosConfig> = {
  kind: "brocade-fos",
  config: brocadeFosConfig,
  open: (device, config, environment) => ({
    role: "fabric",
    fabric: openBrocadeFos(device, config, environment),
  }),
};
