import type { BedPlan } from "../../bed/bed-plan";
import { formatBytes, type Bytes } from "../../bed/units";

/** Prints sizes of one plan, all in one kind of units. */
export type SizeText = (bytes: Bytes | undefined) => string;

/**
 * Decimal units where the bed's own sizes are whole in them (reviews print GB), else binary ones: then a
 * reader finds the figures again, and never has to add GB and GiB.
 */
export function sizesOf(plan: BedPlan): SizeText {
  const sizes = [
    ...plan.volumeGroups.flatMap(({ volumes }) => volumes.map((volume) => volume.sizeBytes)),
    ...plan.guests.flatMap(({ disks }) => disks.map((disk) => disk.sizeBytes)),
  ];
  const whole = (unit: bigint): number => sizes.filter((bytes) => bytes % unit === 0n).length;
  const format = whole(10n ** 9n) > whole(1024n ** 3n) ? decimal : formatBytes;
  return (bytes) => {
    if (bytes === undefined) return "?";
    return bytes < 0n ? `-${format(-bytes)}` : format(bytes);
  };
}

function decimal(bytes: Bytes): string {
  for (const [unit, factor] of [
    ["TB", 10n ** 12n],
    ["GB", 10n ** 9n],
    ["MB", 10n ** 6n],
  ] as const) {
    if (bytes >= factor) {
      return `${(Number((bytes * 100n) / factor) / 100).toString()} ${unit}`;
    }
  }
  return `${bytes.toString()} B`;
}
