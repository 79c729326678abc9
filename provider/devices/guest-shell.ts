import type { DeviceCall } from "./call";

/** How to reach a guest. `privateKey` is a credential reference, never the key. */
export interface GuestAddress {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** `file:`, `env:` or `exec:` reference to a private key. */
  readonly privateKey: string;
  /** Public host key in authorized_keys form, `ssh-ed25519 AAAA...`. Always checked. */
  readonly hostKey: string;
}

export interface ExecResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ExecOptions {
  readonly stdin?: string;
  /** Answer non-zero exits instead of throwing. */
  readonly allowFailure?: boolean;
  /** Most bytes of output kept; more is an error. Default 4 MiB. */
  readonly maxBytes?: number;
}

/** A session on a guest. Connections are reused and re-made; losing one never loses a detached job. */
export interface GuestShell {
  readonly guest: string;
  /** Runs a program by argument vector; nothing is spliced into a shell unquoted. */
  exec(call: DeviceCall, argv: readonly string[], options?: ExecOptions): Promise<ExecResult>;
  writeFile(call: DeviceCall, path: string, content: string, mode?: number): Promise<void>;
  /** Streams a file from the guest into `localPath` (made whole under a temporary name, then renamed). */
  fetchFile(
    call: DeviceCall,
    path: string,
    localPath: string,
  ): Promise<{ bytes: number; sha256: string }>;
  /** Guest clock minus ours, in milliseconds, with the uncertainty of the measurement. */
  clockOffset(call: DeviceCall): Promise<{ offsetMs: number; uncertaintyMs: number }>;
  close(): Promise<void>;
}
