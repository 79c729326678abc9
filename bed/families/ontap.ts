import { ontapVolumeRules, type NameRules } from "../physical-names";
import { parseBytes, type Bytes } from "../units";
import type { FamilyLimits } from "./limits";

/** igroup: 1 to 96 characters (ONTAP 9 REST reference, `POST /protocols/san/igroups`, `name`). */
const igroupRules: NameRules = { maxLength: 96, allowed: /[A-Za-z0-9_.-]/, filler: "_" };

const mebibyte = 1024n ** 2n;

/**
 * The FlexVol around a LUN: a tenth more for its metadata (NetApp/trident issue 555), in whole MiB and
 * 20 MiB at least. The driver makes it so (`provider/devices/ontap`); a test holds the two together.
 */
function flexVolBytes(lunBytes: Bytes): Bytes {
  const wanted = (lunBytes * 11n + 9n) / 10n;
  const rounded = ((wanted + mebibyte - 1n) / mebibyte) * mebibyte;
  return rounded < 20n * mebibyte ? 20n * mebibyte : rounded;
}

export const ontapLimits: FamilyLimits = {
  volumeMark: "comment",
  volumeName: ontapVolumeRules,
  hostGroupName: igroupRules,
  names: "ONTAP 9 REST reference: FlexVol 203 characters, igroup 96",
  lun: {
    min: 0,
    // The array takes 0 to 4095; hosts look no further than 1023 where nobody changed it.
    max: 1023,
    reserved: [],
    source:
      "ONTAP 9 REST reference, lun-maps: 0 to 4095; vSphere Storage, Disk.MaxLUN: 1024 numbers are looked at",
  },
  thin: true,
  largestVolumeBytes: {
    max: parseBytes("16 TiB"),
    source: "ONTAP 9 REST reference, luns, `space.size`: 16 TiB where no larger ones are licensed",
  },
  pathsPerController: {
    max: 8,
    source: "ONTAP SAN configuration, Recommended number of paths from host to nodes",
  },
  nvmePortsPerController: {
    max: 2,
    source:
      "ONTAP 9 REST reference, fc/interfaces, error 72089901: two NVMe interfaces a node and SVM",
  },
  nvmeSince: {
    release: [9, 7],
    source: "ONTAP SAN host configuration, NVMe-oF Host Configuration for ESXi 7.x with ONTAP",
  },
  targetPortQueue: {
    max: 2048,
    source: "ONTAP SAN configuration, Calculating queue depth",
  },
  spaceInPool: flexVolBytes,
  spaceNote: "a tenth for metadata included",
};
