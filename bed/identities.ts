import { z } from "zod";

declare const brand: unique symbol;
type Branded<T, Name extends string> = T & { readonly [brand]: Name };

/** Fibre Channel port name: eight lower-case hex pairs with colons, `10:00:00:10:9b:aa:00:01`. */
export type Wwpn = Branded<string, "Wwpn">;
/** Fibre Channel node name, same form as a {@link Wwpn}. */
export type Wwnn = Branded<string, "Wwnn">;
/** SCSI name of a device as a host shows it: `naa.` and 16 or 32 lower-case hex digits. */
export type Naa = Branded<string, "Naa">;
/**
 * Name of a block device as hosts show it: a SCSI one ({@link Naa}), or that of an NVMe namespace,
 * `uuid.` and 32 or `eui.` and 16 or 32 lower-case hex digits (vSphere Storage, "Storage Device Names and
 * Identifiers").
 */
export type DeviceName = Naa | NvmeName;
type NvmeName = Branded<string, "NvmeName">;
/** NVMe qualified name of a host or subsystem; case matters. */
export type Nqn = Branded<string, "Nqn">;
/** Identity of one bed, made once: ten characters of `a-z2-7`. */
export type BedId = Branded<string, "BedId">;

const worldWideName = /^(?:[0-9a-f]{2}:){7}[0-9a-f]{2}$/;

/** Reads any usual spelling (`10000010 9BAA0001`, `0x1000...`, colons, dashes). Undefined if it is no WWN. */
export function parseWwpn(text: string): Wwpn | undefined {
  return normalWwn(text) as Wwpn | undefined;
}

export function parseWwnn(text: string): Wwnn | undefined {
  return normalWwn(text) as Wwnn | undefined;
}

/** Reads a WWN that an API gives as a signed or unsigned 64-bit decimal (vSphere does). */
export function wwpnFromInt64(value: bigint): Wwpn {
  const hex = BigInt.asUintN(64, value).toString(16).padStart(16, "0");
  return withColons(hex) as Wwpn;
}

export function parseNaa(text: string): Naa | undefined {
  const lower = text.trim().toLowerCase();
  return /^naa\.(?:[0-9a-f]{16}|[0-9a-f]{32})$/.test(lower) ? (lower as Naa) : undefined;
}

/** Reads a device name of either kind; dashes of a UUID are dropped. */
export function parseDeviceName(text: string): DeviceName | undefined {
  return parseNaa(text) ?? parseNvmeName(text);
}

/** True for the name of an NVMe namespace. */
export function isNvmeName(name: string): boolean {
  return parseNvmeName(name) !== undefined;
}

function parseNvmeName(text: string): NvmeName | undefined {
  const lower = text.trim().toLowerCase();
  const plain = lower.startsWith("uuid.") ? lower.replace(/-/g, "") : lower;
  return /^(?:uuid\.[0-9a-f]{32}|eui\.(?:[0-9a-f]{16}|[0-9a-f]{32}))$/.test(plain)
    ? (plain as NvmeName)
    : undefined;
}

/** Reads an NQN: `nqn.<yyyy-mm>.<reversed domain>:<name>`, at most 223 bytes (NVMe Base, 4.5). */
export function parseNqn(text: string): Nqn | undefined {
  return /^nqn\.\d{4}-\d{2}\.[^\s:]+:\S+$/.test(text) && text.length <= 223
    ? (text as Nqn)
    : undefined;
}

export function parseBedId(text: string): BedId | undefined {
  return /^[a-z2-7]{10}$/.test(text) ? (text as BedId) : undefined;
}

/** Makes a bed id of 50 random bits. `random` gives bytes (the caller brings the source of chance). */
export function makeBedId(random: (size: number) => Uint8Array): BedId {
  const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
  return Array.from(random(10), (byte) => alphabet.charAt(byte & 31)).join("") as BedId;
}

/** zod type of a WWPN in any usual spelling; comes out canonical. */
export const wwpnSchema = z.string().refine((text) => parseWwpn(text) !== undefined, {
  error: "not a WWPN: expected eight hex pairs such as 10:00:00:10:9b:aa:00:01",
});

function normalWwn(text: string): string | undefined {
  const lower = text.trim().toLowerCase();
  if (worldWideName.test(lower)) return lower;
  const hex = lower.replace(/^0x/, "").replace(/[\s:-]/g, "");
  return /^[0-9a-f]{16}$/.test(hex) ? withColons(hex) : undefined;
}

function withColons(hex: string): string {
  return hex.replace(/(..)(?=.)/g, "$1:");
}
