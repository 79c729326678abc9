import { generateKeyPairSync, randomBytes } from "node:crypto";

export interface SshKeyPair {
  /** `openssh-key-v1` text, as ssh, sshd and every client take it. */
  readonly privateKey: string;
  /** `ssh-ed25519 AAAA...`. */
  readonly publicKey: string;
}

const algorithm = "ssh-ed25519";

/** Makes an Ed25519 key pair in the form of OpenSSH (openssh-portable, PROTOCOL.key), not encrypted. */
export function makeSshKeyPair(comment: string): SshKeyPair {
  const jwk = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  const publicBytes = Buffer.from(jwk.x ?? "", "base64url");
  const seed = Buffer.from(jwk.d ?? "", "base64url");
  const publicBlob = Buffer.concat([text(algorithm), text(publicBytes)]);
  const check = randomBytes(4);
  const secret = Buffer.concat([
    check,
    check,
    publicBlob,
    text(Buffer.concat([seed, publicBytes])),
    text(comment),
  ]);
  const blob = Buffer.concat([
    Buffer.from("openssh-key-v1\0"),
    text("none"),
    text("none"),
    text(""),
    uint32(1),
    text(publicBlob),
    text(padded(secret)),
  ]);
  return {
    privateKey: pem(blob),
    publicKey: `${algorithm} ${publicBlob.toString("base64")}`,
  };
}

/** To a multiple of eight with 1, 2, 3... */
function padded(secret: Buffer): Buffer {
  const missing = (8 - (secret.length % 8)) % 8;
  return Buffer.concat([secret, Buffer.from(Array.from({ length: missing }, (_, i) => i + 1))]);
}

function text(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value as string);
  return Buffer.concat([uint32(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function pem(blob: Buffer): string {
  const lines = blob.toString("base64").match(/.{1,70}/g) ?? [];
  const name = "OPENSSH PRIVATE KEY";
  return `-----BEGIN ${name}-----\n${lines.join("\n")}\n-----END ${name}-----\n`;
}
