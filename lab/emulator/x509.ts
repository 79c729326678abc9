/**
 * Just enough DER (ITU-T X.690) to write a self-signed X.509 v3 server certificate (RFC 5280):
 * Node can read certificates and sign, but not build one, and the lab must not need openssl.
 */
export interface CertificateParts {
  readonly commonName: string;
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  /** Positive: the first byte below 0x80 and not 0. */
  readonly serial: Uint8Array;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKey: Uint8Array;
  /** Signs with ECDSA over SHA-256 and answers the DER form. */
  readonly sign: (tbs: Uint8Array) => Uint8Array;
}

/** DER of the whole certificate. */
export function certificateDer(parts: CertificateParts): Buffer {
  const name = sequence(set(sequence(oid("2.5.4.3"), der(0x0c, Buffer.from(parts.commonName)))));
  const algorithm = sequence(oid("1.2.840.10045.4.3.2"));
  const tbs = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, parts.serial),
    algorithm,
    name,
    sequence(time(parts.notBefore), time(parts.notAfter)),
    name,
    parts.publicKey,
    der(0xa3, sequence(subjectAltName(parts), basicConstraints())),
  );
  return sequence(tbs, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), parts.sign(tbs)])));
}

function subjectAltName(parts: CertificateParts): Buffer {
  const names = sequence(
    ...parts.dnsNames.map((dns) => der(0x82, Buffer.from(dns))),
    ...parts.ipAddresses.map((ip) => der(0x87, Buffer.from(ip.split(".").map(Number)))),
  );
  return sequence(oid("2.5.29.17"), der(0x04, names));
}

/** CA:TRUE, so that the certificate may also be handed to clients as their authority file. */
function basicConstraints(): Buffer {
  const critical = der(0x01, Buffer.from([0xff]));
  return sequence(oid("2.5.29.19"), critical, der(0x04, sequence(critical)));
}

function sequence(...items: readonly Uint8Array[]): Buffer {
  return der(0x30, Buffer.concat(items));
}

function set(...items: readonly Uint8Array[]): Buffer {
  return der(0x31, Buffer.concat(items));
}

function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]/g, "").slice(0, 14);
  return der(0x18, Buffer.from(`${digits}Z`));
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

function der(tag: number, content: Uint8Array): Buffer {
  const size = content.length;
  const length =
    size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}
