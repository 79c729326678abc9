import type { BedId } from "../../../bed/identities";
import { bedOfComment } from "../../../bed/mark";
import { formatBytes, type Bytes } from "../../../bed/units";
import type { VolumeSpec } from "../block-array";
import { unitPath } from "./naming";
import type { FlexVol, Unit } from "./objects";

/** A FlexVol with the LUNs and namespaces in it, as far as they were asked for. */
export interface VolumeOnArray {
  readonly flexVol: FlexVol;
  readonly units: readonly Unit[];
}

export type VolumeDecision =
  | { readonly kind: "create" }
  /** The FlexVol of ours is there, its unit is not (an earlier try ended between the two). */
  | { readonly kind: "createUnit"; readonly growFlexVol: boolean }
  | { readonly kind: "grow"; readonly unit: Unit }
  | { readonly kind: "ready" }
  | {
      readonly kind: "refuse";
      /** Default `create volume`. */
      readonly operation?: string;
      readonly reason: string;
      readonly remedy: string;
    };

const mebibyte = 1024n * 1024n;
/** Blocks that ESXi 7 and 8 take of a namespace (ONTAP SAN host, "NVMe-oF Host Configuration for ESXi"). */
export const hostBlockBytes = 512;

/**
 * Size of the FlexVol around a LUN or namespace: a tenth more for metadata (NetApp/trident issue 555), in whole MiB,
 * and never below the least that ONTAP takes (20 MiB, code 917534).
 */
export function flexVolBytes(unitBytes: Bytes): Bytes {
  const wanted = (unitBytes * 11n + 9n) / 10n;
  const rounded = ((wanted + mebibyte - 1n) / mebibyte) * mebibyte;
  return rounded < 20n * mebibyte ? 20n * mebibyte : rounded;
}

/**
 * What to do so that the volume is as specified. Adopts only what carries our mark and matches. Pure.
 * @param fixedSize - why units cannot grow on this array; undefined: they can
 */
export function decideVolume(
  spec: VolumeSpec,
  found: VolumeOnArray | undefined,
  bedId: BedId,
  fixedSize?: string,
): VolumeDecision {
  if (found === undefined) return { kind: "create" };
  const { flexVol, units } = found;
  if (bedOfComment(flexVol.comment) !== bedId) {
    return {
      kind: "refuse",
      reason: `a volume of this name exists and does not carry the mark of bed ${bedId} (comment: "${flexVol.comment ?? ""}")`,
      remedy: "It belongs to somebody else: choose other names for the bed, or remove it yourself.",
    };
  }
  const { aggregate } = flexVol;
  if (aggregate !== undefined && aggregate !== spec.pool) {
    return {
      kind: "refuse",
      reason: `it is there, but with pool ${aggregate} instead of ${spec.pool}`,
      remedy: "Remove the volume group and make it anew; that cannot be changed in place.",
    };
  }
  const unit = units.find((candidate) => candidate.path === unitPath(spec.name));
  const flexVolTooSmall = (flexVol.sizeBytes ?? 0n) < flexVolBytes(spec.sizeBytes);
  if (unit === undefined) return { kind: "createUnit", growFlexVol: flexVolTooSmall };
  if (unit.blockBytes !== undefined && unit.blockBytes !== hostBlockBytes) {
    return {
      kind: "refuse",
      reason: `its blocks have ${unit.blockBytes.toString()} bytes; ESXi takes only ${hostBlockBytes.toString()}`,
      remedy: "Remove it and let it be made anew: a block size cannot be changed.",
    };
  }
  return decideSize(spec, unit, fixedSize);
}

function decideSize(spec: VolumeSpec, unit: Unit, fixedSize: string | undefined): VolumeDecision {
  const size = unit.sizeBytes;
  // ONTAP may round up to a whole cylinder of the geometry it reports, up to about one per cent
  // (ansible-collections/netapp issues 55 and 56).
  if (size > spec.sizeBytes + spec.sizeBytes / 100n) {
    return {
      kind: "refuse",
      reason: `it has ${formatBytes(size)}, more than the ${formatBytes(spec.sizeBytes)} asked for`,
      remedy: "Volumes never shrink: ask for at least its present size, or make it anew.",
    };
  }
  if (size >= spec.sizeBytes) return { kind: "ready" };
  if (fixedSize === undefined) return { kind: "grow", unit };
  return {
    kind: "refuse",
    operation: "grow volume",
    reason: `it has ${formatBytes(size)}, asked for are ${formatBytes(spec.sizeBytes)}: ${fixedSize}`,
    remedy:
      "Ask for its present size, or raise `generation` to have the whole group made anew, without its data.",
  };
}

/**
 * Entries of a FlexVol's root directory that are neither ONTAP's own (they begin with a dot) nor LUNs or
 * namespaces in it. Pure.
 */
export function foreignFiles(names: readonly string[], units: readonly Unit[]): readonly string[] {
  const ours = new Set(units.map((unit) => unit.path.split("/").at(-1)));
  return names.filter((name) => !name.startsWith(".") && !ours.has(name));
}

/** Why a volume may not be removed. Undefined: it may. Pure. */
export function refuseRemoval(
  found: VolumeOnArray,
  bedId: BedId,
): { readonly reason: string; readonly remedy: string } | undefined {
  const { flexVol, units } = found;
  if (bedOfComment(flexVol.comment) !== bedId) {
    return {
      reason: `it does not carry the mark of bed ${bedId} (comment: "${flexVol.comment ?? ""}")`,
      remedy: "It is not ours and stays: remove it yourself if nobody needs it.",
    };
  }
  const foreign = units.filter((unit) => bedOfComment(unit.comment) !== bedId);
  if (foreign.length > 0) {
    return {
      reason: `it holds what is not ours: ${foreign.map((unit) => unit.path).join(", ")}`,
      remedy: "Move or remove that first.",
    };
  }
  const mapped = units.filter((unit) => unit.mapped);
  if (mapped.length > 0) {
    return {
      reason: `${mapped.map((unit) => unit.path).join(", ")} is still mapped`,
      remedy: "Unmap it first, after the hosts have let go of the device.",
    };
  }
  return undefined;
}
