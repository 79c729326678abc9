import type { DataReduction, VolumeSpec } from "../block-array";
import { unitPath } from "./naming";
import type { FlexVol, Unit } from "./objects";
import type { VolumeOnArray } from "./volume-decisions";

/** What of a volume is set otherwise than asked for, and can be set in place. */
export interface SettingChanges {
  /** The FlexVol takes its space when written, or holds it. */
  readonly thin: boolean | undefined;
  /** The unit holds its space in the FlexVol. */
  readonly reserved: boolean | undefined;
  /** Only what differs. */
  readonly reduction: DataReduction | undefined;
}

/** The FlexVol takes its space when written, and nothing in it holds any. Pure. */
export function isThin(flexVol: FlexVol, unit: Unit): boolean {
  return flexVol.guarantee === "none" && unit.reserved !== true;
}

/** Undefined: all is as asked for. Space that the array does not tell of counts as such. Pure. */
export function settingChanges(
  spec: VolumeSpec,
  { flexVol, units }: VolumeOnArray,
): SettingChanges | undefined {
  const unit = units.find((one) => one.path === unitPath(spec.name));
  const { guarantee } = flexVol;
  const thin =
    guarantee === undefined || (guarantee === "none") === spec.thin ? undefined : spec.thin;
  const reserved =
    unit?.reserved === undefined || unit.reserved === !spec.thin ? undefined : !spec.thin;
  const reduction = otherwise(spec.dataReduction, flexVol.reduction);
  if (thin === undefined && reserved === undefined && reduction === undefined) return undefined;
  return { thin, reserved, reduction };
}

function otherwise(
  wanted: DataReduction | undefined,
  present: DataReduction | undefined,
): DataReduction | undefined {
  const differing = Object.entries(wanted ?? {}).filter(
    ([key, value]) => value !== undefined && present?.[key as keyof DataReduction] !== value,
  );
  return differing.length === 0 ? undefined : Object.fromEntries(differing);
}

/** `deduplication off, space held`, for messages. Pure. */
export function settingWords({ thin, reserved, reduction }: SettingChanges): string {
  const space = thin ?? (reserved === undefined ? undefined : !reserved);
  return [
    ...(space === undefined ? [] : [space ? "space taken when written" : "space held"]),
    ...Object.entries(reduction ?? {}).map(([key, value]) => `${key} ${String(value)}`),
  ].join(", ");
}
