import { z } from "zod";
import { secretReferenceSchema } from "../credentials";
import type { DeviceEnvironment, DeviceKind } from "../device-kind";
import { HttpSession } from "../http-session";
import { tlsSchema } from "../tls";
import { OntapArray } from "./driver";
import { OntapClient } from "./ontap-client";

export const ontapConfig = z
  .strictObject({
    kind: z.literal("ontap"),
    /** `https://cluster`: the cluster management interface; an SVM's own sees too little. */
    endpoint: z.url({ protocol: /^https$/ }),
    credentials: secretReferenceSchema,
    tls: tlsSchema.optional(),
    /** Requests in flight: the REST service queues few and refuses connections beyond. */
    concurrency: z.int().min(1).max(16).optional(),
  })
  .meta({ id: "OntapDevice" });

export type OntapConfig = z.infer<typeof ontapConfig>;

/** Opens the driver. Nothing is sent until the first call. `pace` below 1 shortens pauses (tests). */
export function openOntap(
  device: string,
  config: OntapConfig,
  environment: DeviceEnvironment,
  pace = 1,
): OntapArray {
  const http = new HttpSession({
    device,
    endpoint: config.endpoint,
    tls: config.tls ?? {},
    // Six is what NetApp's Terraform provider keeps in flight.
    limits: { concurrency: config.concurrency ?? 6 },
    requestTimeoutMs: 120_000,
    keepAliveMs: 30_000,
    log: environment.log,
    clock: environment.clock,
    baseFolder: environment.baseFolder,
  });
  const client = new OntapClient({
    device,
    http,
    credentials: (signal) => environment.credentials(config.credentials, signal),
    clock: environment.clock,
    pace,
  });
  return new OntapArray(client);
}

export const ontapKind: DeviceKind<typeof ontapConfig> = {
  kind: "ontap",
  config: ontapConfig,
  open: (device, config, environment) => ({
    role: "array",
    array: openOntap(device, config, environment),
  }),
};
