import { SanbedError } from "./errors";

/** A size in bytes. Always a bigint: 64-bit values never travel as JavaScript numbers. */
export type Bytes = bigint;
/** A span of time in milliseconds. */
export type Milliseconds = number;

const sizeUnits: Record<string, bigint> = {
  b: 1n,
  kb: 1000n,
  mb: 1000n ** 2n,
  gb: 1000n ** 3n,
  tb: 1000n ** 4n,
  kib: 1024n,
  mib: 1024n ** 2n,
  gib: 1024n ** 3n,
  tib: 1024n ** 4n,
};

/**
 * Reads a size such as `"4 TiB"`, `"1.1 TB"` or `"512 B"`. GB is 10^9 and GiB is 2^30: they differ.
 * @throws {SanbedError} `units` when there is no number, no unit, or a part of a byte is left.
 */
export function parseBytes(text: string): Bytes {
  const { scaled, scale } = readSize(text);
  if (scaled % scale !== 0n) {
    throw new SanbedError("units", `"${text}" is not a whole number of bytes`);
  }
  return scaled / scale;
}

/**
 * Reads a size that somebody measured and rounded, such as `"9.8 TiB"` of free space: a part of a byte
 * that is left is dropped.
 * @throws {SanbedError} `units` when there is no number or no unit.
 */
export function parseMeasuredBytes(text: string): Bytes {
  const { scaled, scale } = readSize(text);
  return scaled / scale;
}

function readSize(text: string): { readonly scaled: bigint; readonly scale: bigint } {
  const match = /^\s*(\d+)(?:\.(\d+))?\s*([a-z]+)\s*$/i.exec(text);
  const unit = match?.[3] === undefined ? undefined : sizeUnits[match[3].toLowerCase()];
  if (match?.[1] === undefined || unit === undefined) {
    throw new SanbedError(
      "units",
      `"${text}" is no size: write a number and a unit, such as "4 TiB"`,
    );
  }
  const fraction = match[2] ?? "";
  return { scaled: BigInt(match[1] + fraction) * unit, scale: 10n ** BigInt(fraction.length) };
}

/** Prints a size with the largest binary unit that keeps it exact to two decimals, `4 TiB`. */
export function formatBytes(bytes: Bytes): string {
  for (const unit of ["TiB", "GiB", "MiB", "KiB"]) {
    const factor = sizeUnits[unit.toLowerCase()] ?? 1n;
    if (bytes >= factor) {
      const hundredths = (bytes * 100n) / factor;
      return `${(Number(hundredths) / 100).toString()} ${unit}`;
    }
  }
  return `${bytes.toString()} B`;
}

const timeUnits: Record<string, number> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Reads a span of time such as `"2h"`, `"90s"` or `"1h30m"`.
 * @throws {SanbedError} `units` for anything else.
 */
export function parseDuration(text: string): Milliseconds {
  const compact = text.replace(/\s+/g, "").toLowerCase();
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/.test(compact)) {
    throw new SanbedError(
      "units",
      `"${text}" is no duration: write for instance "2h", "90s" or "1h30m"`,
    );
  }
  let total = 0;
  for (const part of compact.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    total += Number(part[1]) * (timeUnits[part[2] ?? "ms"] ?? 1);
  }
  return Math.round(total);
}

/** Prints a span of time: `2h`, `1m30s`, `250ms`. */
export function formatDuration(ms: Milliseconds): string {
  if (ms < 1000) return `${Math.round(ms).toString()}ms`;
  const seconds = Math.round(ms / 1000);
  const parts: [number, string][] = [
    [Math.floor(seconds / 3600), "h"],
    [Math.floor((seconds % 3600) / 60), "m"],
    [seconds % 60, "s"],
  ];
  return (
    parts
      .filter(([n]) => n > 0)
      .map(([n, unit]) => `${n.toString()}${unit}`)
      .join("") || "0s"
  );
}
