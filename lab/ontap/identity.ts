import {
  parseNaa,
  parseWwnn,
  parseWwpn,
  type Naa,
  type Wwnn,
  type Wwpn,
} from "../../bed/identities";
import { SanbedError } from "../../bed/errors";
import type { NamespaceName } from "../world/state";

/** NetApp's OUI behind NAA type 6. */
const naaPrefix = "naa.600a0980";
/** Signs that serial numbers of LUNs are made of; case and symbols matter. */
const serialSigns = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789$?+-/<>[]";

/** Bytes of chance; replaced by a seeded source in tests. */
export type Random = (size: number) => Uint8Array;

/** A UUID in the text form of version 1, as ONTAP shows its ids. */
export function newUuid(random: Random): string {
  const hex = Buffer.from(random(16)).toString("hex");
  const variant = "89ab".charAt(parseInt(hex.charAt(16), 16) & 3);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `1${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

/**
 * Serial number of a LUN: 12 printable characters. Every one made here holds a symbol, so that a
 * client that does not turn it into hex byte by byte is found out.
 */
export function newSerial(random: Random): string {
  const bytes = random(12);
  const signs = Array.from(bytes, (byte) => serialSigns.charAt(byte % serialSigns.length));
  signs[6] = "$?+-/<>[]".charAt((bytes[6] ?? 0) % 9);
  return signs.join("");
}

/** What a host calls the LUN: the OUI and the serial number's characters in hex. */
export function deviceName(serial: string): Naa {
  return made(parseNaa(naaPrefix + Buffer.from(serial, "latin1").toString("hex")), serial);
}

/** What a host calls an NVMe namespace: its UUID without dashes (ESXi host configuration, NVMe-oF). */
export function namespaceName(uuid: string): NamespaceName {
  return `uuid.${uuid.replaceAll("-", "").toLowerCase()}`;
}

/**
 * World wide names of SVMs and FC interfaces: `20:nn:00:a0:98:…`, one number space per cluster, so
 * that no two ever share one.
 */
export function clusterWwn(number: number, suffix: string): { wwpn: Wwpn; wwnn: Wwnn } {
  const [high, low] = [number >> 8, number & 0xff].map((n) => n.toString(16).padStart(2, "0"));
  const text = `20:${low ?? ""}:00:a0:98:${suffix}:${high ?? ""}`;
  return { wwpn: made(parseWwpn(text), text), wwnn: made(parseWwnn(text), text) };
}

function made<T>(value: T | undefined, text: string): T {
  if (value === undefined) throw new SanbedError("lab", `"${text}" made no valid name`);
  return value;
}
