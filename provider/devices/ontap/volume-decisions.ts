import type { BedId } from "../../../bed/identities";
import { bedOfComment } from "../../../bed/mark";
import { formatBytes, type Bytes } from "../../../bed/units";
import type { VolumeSpec } from "../block-array";
import { lunPath } from "./naming";
import type { FlexVol, Lun } from "./objects";

/** A FlexVol with the LUNs in it. */
export interface VolumeOnArray {
  readonly flexVol: FlexVol;
  readonly luns: readonly Lun[];
}

export type VolumeDecision =
  | { readonly kind: "create" }
  /** The FlexVol of ours is there, its LUN is not (an earlier try ended between the two). */
  | { readonly kind: "createLun"; readonly growFlexVol: boolean }
  | { readonly kind: "grow"; readonly lun: Lun }
  | { readonly kind: "ready" }
  | { readonly kind: "refuse"; readonly reason: string; readonly remedy: string };

const mebibyte = 1024n * 1024n;

/**
 * Size of the FlexVol around a LUN: a tenth more for metadata (NetApp/trident issue 555), in whole MiB,
 * and never below the least that ONTAP takes (20 MiB, code 917534).
 */
export function flexVolBytes(lunBytes: Bytes): Bytes {
  const wanted = (lunBytes * 11n + 9n) / 10n;
  const rounded = ((wanted + mebibyte - 1n) / mebibyte) * mebibyte;
  return rounded < 20n * mebibyte ? 20n * mebibyte : rounded;
}

/** What to do so that the volume is as specified. Adopts only what carries our mark and matches. Pure. */
export function decideVolume(
  spec: VolumeSpec,
  found: VolumeOnArray | undefined,
  bedId: BedId,
): VolumeDecision {
  if (found === undefined) return { kind: "create" };
  const { flexVol, luns } = found;
  if (bedOfComment(flexVol.comment) !== bedId) {
    return {
      kind: "refuse",
      reason: `a volume of this name exists and does not carry the mark of bed ${bedId} (comment: "${flexVol.comment ?? ""}")`,
      remedy: "It belongs to somebody else: choose other names for the bed, or remove it yourself.",
    };
  }
  const different = differences(spec, flexVol);
  if (different.length > 0) {
    return {
      kind: "refuse",
      reason: `it is there, but with ${different.join(" and ")}`,
      remedy: "Remove the volume group and make it anew; that cannot be changed in place.",
    };
  }
  const lun = luns.find((candidate) => candidate.path === lunPath(spec.name));
  const flexVolTooSmall = (flexVol.sizeBytes ?? 0n) < flexVolBytes(spec.sizeBytes);
  if (lun === undefined) return { kind: "createLun", growFlexVol: flexVolTooSmall };
  return decideSize(spec, lun);
}

function decideSize(spec: VolumeSpec, lun: Lun): VolumeDecision {
  const size = lun.sizeBytes;
  // ONTAP may round up to a whole cylinder of the geometry it reports, up to about one per cent
  // (ansible-collections/netapp issues 55 and 56).
  if (size > spec.sizeBytes + spec.sizeBytes / 100n) {
    return {
      kind: "refuse",
      reason: `it has ${formatBytes(size)}, more than the ${formatBytes(spec.sizeBytes)} asked for`,
      remedy: "Volumes never shrink: ask for at least its present size, or make it anew.",
    };
  }
  return size < spec.sizeBytes ? { kind: "grow", lun } : { kind: "ready" };
}

function differences(spec: VolumeSpec, flexVol: FlexVol): string[] {
  const different: string[] = [];
  const { aggregate, guarantee } = flexVol;
  if (aggregate !== undefined && aggregate !== spec.pool) {
    different.push(`pool ${aggregate} instead of ${spec.pool}`);
  }
  if (guarantee !== undefined && (guarantee === "none") !== spec.thin) {
    different.push(`space guarantee ${guarantee} instead of ${spec.thin ? "none" : "volume"}`);
  }
  return different;
}

/** Why a volume may not be removed. Undefined: it may. Pure. */
export function refuseRemoval(
  found: VolumeOnArray,
  bedId: BedId,
): { readonly reason: string; readonly remedy: string } | undefined {
  const { flexVol, luns } = found;
  if (bedOfComment(flexVol.comment) !== bedId) {
    return {
      reason: `it does not carry the mark of bed ${bedId} (comment: "${flexVol.comment ?? ""}")`,
      remedy: "It is not ours and stays: remove it yourself if nobody needs it.",
    };
  }
  const foreign = luns.filter((lun) => bedOfComment(lun.comment) !== bedId);
  if (foreign.length > 0) {
    return {
      reason: `it holds LUNs that are not ours: ${foreign.map((lun) => lun.path).join(", ")}`,
      remedy: "Move or remove those LUNs first.",
    };
  }
  const mapped = luns.filter((lun) => lun.mapped);
  if (mapped.length > 0) {
    return {
      reason: `${mapped.map((lun) => lun.path).join(", ")} is still mapped`,
      remedy: "Unmap it first, after the hosts have let go of the device.",
    };
  }
  return undefined;
}
