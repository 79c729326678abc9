import { createHash } from "node:crypto";
import type { ServerHostKeyAlgorithm } from "ssh2";
import { ConfigError } from "../../../bed/errors";

/** The pinned public key of a guest. */
export interface HostKey {
  readonly type: string;
  /** Key blob as it travels on the wire (RFC 4253, section 6.6). */
  readonly blob: Buffer;
  /** Signature algorithms that prove possession of a key of this type. */
  readonly algorithms: ServerHostKeyAlgorithm[];
}

const algorithmsOfType: Readonly<Record<string, ServerHostKeyAlgorithm[]>> = {
  "ssh-ed25519": ["ssh-ed25519"],
  "ecdsa-sha2-nistp256": ["ecdsa-sha2-nistp256"],
  "ecdsa-sha2-nistp384": ["ecdsa-sha2-nistp384"],
  "ecdsa-sha2-nistp521": ["ecdsa-sha2-nistp521"],
  // RFC 8332: a key of type ssh-rsa signs with SHA-2; the SHA-1 form is not offered.
  "ssh-rsa": ["rsa-sha2-512", "rsa-sha2-256"],
};

/**
 * Reads `ssh-ed25519 AAAA... comment`.
 * @throws {ConfigError} for anything else: a guest is never reached without a pinned key.
 */
export function parseHostKey(text: string, path = "guest.hostKey"): HostKey {
  const [type = "", base64 = ""] = text.trim().split(/\s+/);
  const algorithms = algorithmsOfType[type];
  const blob = Buffer.from(base64, "base64");
  const named =
    blob.length > 4 ? blob.subarray(4, 4 + blob.readUInt32BE(0)).toString("latin1") : "";
  if (algorithms === undefined || named !== type) {
    throw new ConfigError([
      {
        path,
        message: "not a public host key",
        remedy: "give the line of the guest's /etc/ssh/ssh_host_ed25519_key.pub",
      },
    ]);
  }
  return { type, blob, algorithms };
}

/** Fingerprint as OpenSSH prints it: `SHA256:...`. */
export function fingerprint(blob: Buffer): string {
  return `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`;
}
