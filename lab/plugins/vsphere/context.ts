import { z } from "zod";
import { RequestLog } from "../../../provider/devices/request-log";
import { systemClock } from "../../../provider/devices/clock";
import { VimClient } from "../../../provider/devices/vcenter/client";
import { HttpSoapTransport } from "../../../provider/devices/vcenter/soap";
import { CisSession } from "./cis-session";

/** Settings of the official provider that are honoured; names, defaults and meaning are its own. */
export const vsphereConfig = z.object({
  user: z.string().describe("User name."),
  password: z.string().meta({ secret: true }).describe("Password."),
  vsphereServer: z.string().optional().describe("Host, or host:port."),
  allowUnverifiedSsl: z
    .boolean()
    .default(false)
    .describe("Skip the check of the server's certificate."),
  apiTimeout: z.int().min(1).default(5).describe("Longest wait for an operation, minutes."),
});

export type VsphereConfig = z.infer<typeof vsphereConfig>;

/** What the handlers get: the two APIs of one vCenter. */
export interface VsphereContext {
  readonly client: VimClient;
  /** Tags live in the Automation API, which has sessions of its own. */
  readonly cis: CisSession;
  readonly apiTimeoutMs: number;
}

export function openContext(config: VsphereConfig): VsphereContext {
  const options = {
    device: "vsphere",
    endpoint: `https://${config.vsphereServer ?? ""}`,
    tls: { insecure: config.allowUnverifiedSsl },
    log: new RequestLog(),
    clock: systemClock,
    baseFolder: process.cwd(),
  };
  const { user, password } = config;
  return {
    client: new VimClient(new HttpSoapTransport(options), () =>
      Promise.resolve({ user, password }),
    ),
    cis: new CisSession({ ...options, user, password }),
    apiTimeoutMs: config.apiTimeout * 60_000,
  };
}

export async function closeContext(context: VsphereContext): Promise<void> {
  await Promise.all([context.client.close(), context.cis.close()]);
}
