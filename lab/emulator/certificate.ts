import { createHash, generateKeyPairSync, randomBytes, sign, X509Certificate } from "node:crypto";
import { certificateDer } from "./x509";

/** A self-signed server certificate, made for one lab. */
export interface Certificate {
  readonly certPem: string;
  readonly keyPem: string;
  /** SHA-256 over the DER form, lower-case hex: what a client pins. */
  readonly sha256: string;
}

/**
 * Makes a self-signed certificate for `localhost` and 127.0.0.1, valid ten years from a day ago
 * (ECDSA P-256). Devices of the field come with one like it.
 */
export function makeCertificate(commonName: string, now: Date = new Date()): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const der = certificateDer({
    commonName,
    dnsNames: ["localhost", commonName],
    ipAddresses: ["127.0.0.1"],
    serial: Buffer.concat([Buffer.from([0x01]), randomBytes(15)]),
    notBefore: new Date(now.getTime() - 86_400_000),
    notAfter: new Date(now.getTime() + 3650 * 86_400_000),
    publicKey: publicKey.export({ type: "spki", format: "der" }),
    sign: (tbs) => sign("sha256", tbs, privateKey),
  });
  return {
    certPem: new X509Certificate(der).toString(),
    keyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    sha256: createHash("sha256").update(der).digest("hex"),
  };
}

/** The pin of a certificate that was read back from disk. */
export function fingerprint(certPem: string): string {
  return createHash("sha256").update(new X509Certificate(certPem).raw).digest("hex");
}
