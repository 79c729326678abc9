import { createHash, type X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { TLSSocket } from "node:tls";
import { buildConnector } from "undici";
import { z } from "zod";

/** How a device proves who it is. Nothing given: the system's authorities and the host name decide. */
export const tlsSchema = z
  .strictObject({
    /** SHA-256 of the device's certificate, hex, colons allowed: exactly this one is trusted. */
    sha256: z
      .string()
      .regex(/^(?:[0-9a-f]{2}:?){32}$/i, "expected 64 hex digits, colons allowed")
      .optional(),
    /** Authority that signs it: PEM text, or the path of a PEM file. */
    ca: z.string().min(1).optional(),
    /** Switches verification off. Reported as a warning of the device. */
    insecure: z.boolean().optional(),
  })
  .meta({ id: "Tls" });

export type TlsSettings = z.infer<typeof tlsSchema>;

/** Code of the error that a connection fails with when the pinned certificate is another. */
export const pinMismatch = "SANBED_TLS_PIN";

/** Connector for one device: verifies by pin, by authority, or (only when told so) not at all. */
export function tlsConnector(
  tls: TlsSettings,
  options: { readonly baseFolder: string; readonly connectTimeoutMs: number },
): buildConnector.connector {
  const pin = tls.sha256?.replaceAll(":", "").toLowerCase();
  const verify = pin === undefined && tls.insecure !== true;
  const connect = buildConnector({
    timeout: options.connectTimeoutMs,
    rejectUnauthorized: verify,
    // A resumed session does not show its certificate again: every connection is checked.
    maxCachedSessions: 0,
    ...(verify && tls.ca !== undefined ? { ca: authority(tls.ca, options.baseFolder) } : {}),
  });
  if (pin === undefined) return connect;
  return (connectOptions, callback) => {
    connect(connectOptions, (...result) => {
      const [error, socket] = result;
      if (error !== null || !(socket instanceof TLSSocket)) {
        callback(...result);
        return;
      }
      const seen = socket.getPeerX509Certificate();
      if (seen !== undefined && certificateSha256(seen) === pin) {
        callback(null, socket);
        return;
      }
      socket.destroy();
      callback(pinError(seen, pin), null);
    });
  };
}

/** SHA-256 over the DER form of a certificate, 64 lower-case hex digits. */
function certificateSha256(certificate: X509Certificate): string {
  return createHash("sha256").update(certificate.raw).digest("hex");
}

function authority(ca: string, baseFolder: string): string {
  return ca.includes("-----BEGIN") ? ca : readFileSync(resolve(baseFolder, ca), "utf8");
}

function pinError(seen: X509Certificate | undefined, pin: string): Error {
  const shown = seen === undefined ? "no certificate" : `certificate ${certificateSha256(seen)}`;
  return Object.assign(new Error(`the device shows ${shown}, the pin is ${pin}`), {
    code: pinMismatch,
  });
}
