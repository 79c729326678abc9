import { z } from "zod";
import { secretReferenceSchema } from "../credentials";
import type { DeviceEnvironment, DeviceKind } from "../device-kind";
import type { HostStorage } from "../host-storage";
import { tlsSchema } from "../tls";
import { VimClient } from "./client";
import { HttpSoapTransport } from "./soap";
import { VcenterHosts } from "./vcenter-hosts";

export const vcenterConfig = z
  .strictObject({
    kind: z.literal("vcenter"),
    /** `https://host[:port]`, without a path. */
    endpoint: z.url({ protocol: /^https$/ }),
    credentials: secretReferenceSchema,
    tls: tlsSchema.optional(),
  })
  .meta({ id: "VcenterDevice" });

export type VcenterConfig = z.infer<typeof vcenterConfig>;

/**
 * Opens the driver. Nothing is sent until the first call; the credentials are resolved at every
 * login, so that rotation needs no restart.
 */
export function openVcenter(
  device: string,
  config: VcenterConfig,
  environment: DeviceEnvironment,
): HostStorage {
  return new VcenterHosts(openClient(device, config, environment), environment.clock);
}

/** The bare client, for those who need more of the API than {@link HostStorage}. */
export function openClient(
  device: string,
  config: VcenterConfig,
  environment: DeviceEnvironment,
): VimClient {
  const { clock, log, baseFolder } = environment;
  const transport = new HttpSoapTransport({
    device,
    endpoint: config.endpoint,
    tls: config.tls ?? {},
    log,
    clock,
    baseFolder,
  });
  return new VimClient(transport, async (signal) => {
    const { user, password } = await environment.credentials(config.credentials, signal);
    return { user, password: password.reveal() };
  });
}

const kind: DeviceKind<typeof vcenterConfig> = {
  kind: "vcenter",
  config: vcenterConfig,
  open: (device, config, environment) => ({
    role: "hypervisor",
    hosts: openVcenter(device, config, environment),
  }),
};

/** Safe to widen: `open` only ever gets what the kind's own schema has parsed. */
export const vcenterKind = kind as unknown as DeviceKind;
