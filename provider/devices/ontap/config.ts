import { z } from "zod";
import { secretReferenceSchema } from "../credentials";
import type { DeviceEnvironment, DeviceKind } from "../device-kind";
import { HttpSession } from "../http-session";
import { tlsSchema } from "../tls";
import { OntapiClient } from "../ontapi/ontapi-client";
import { OntapConnection } from "./connect";
import { OntapArray } from "./driver";
import { OntapLine } from "./line";
import { RestClient } from "./rest/rest-client";

export const ontapConfig = z
  .strictObject({
    kind: z.literal("ontap"),
    /** `https://cluster`: the cluster management interface; an SVM's own sees too little. */
    endpoint: z.url({ protocol: /^https$/ }),
    credentials: secretReferenceSchema,
    tls: tlsSchema.optional(),
    /**
     * Which interface to speak. `auto`: REST from ONTAP 9.8 on, ONTAPI (ZAPI) before. Before 9.6 an account
     * with the `ontapi` application alone is refused by the first look over REST: then say `ontapi`.
     */
    api: z.enum(["auto", "rest", "ontapi"]).optional(),
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
  const line = new OntapLine({
    device,
    http,
    credentials: (signal) => environment.credentials(config.credentials, signal),
    clock: environment.clock,
    pace,
  });
  const connection = new OntapConnection(
    new RestClient(line),
    new OntapiClient(line),
    config.api ?? "auto",
  );
  return new OntapArray(connection, line, () => http.close());
}

export const ontapKind: DeviceKind<typeof ontapConfig> = {
  kind: "ontap",
  config: ontapConfig,
  open: (device, config, environment) => ({
    role: "array",
    array: openOntap(device, config, environment),
  }),
};
