import { resolveCredentials } from "../credentials";
import type { HostStorage } from "../host-storage";
import { VimClient } from "./client";
import type { SoapOptions } from "./soap";
import { HttpSoapTransport } from "./soap";
import { VcenterHosts } from "./vcenter-hosts";

export interface VcenterOptions extends SoapOptions {
  /** `file:`, `env:` or `exec:` reference to `{"user": "...", "password": "..."}`. */
  readonly credentials: string;
}

/**
 * The hosts of one vCenter. Nothing is sent before the first call; the credentials are resolved at
 * every login, so rotation needs no restart.
 */
export function openVcenter(options: VcenterOptions): HostStorage {
  return new VcenterHosts(openVimClient(options), options.clock);
}

/** The bare client, for programs that need more of the API than {@link HostStorage}. */
export function openVimClient(options: VcenterOptions): VimClient {
  return new VimClient(new HttpSoapTransport(options), async () => {
    const { user, password } = await resolveCredentials(options.credentials, options.baseFolder);
    return { user, password: password.reveal() };
  });
}
