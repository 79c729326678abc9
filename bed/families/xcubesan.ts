import type { NameRules } from "../physical-names";
import type { FamilyLimits } from "./limits";

/** Volume: 32 characters (QSAN CSI driver and Go client, `createVolume`). */
const nameRules: NameRules = { maxLength: 32, allowed: /[A-Za-z0-9_-]/, filler: "_" };

export const xcubesanLimits: FamilyLimits = {
  volumeMark: "comment",
  volumeName: nameRules,
  hostGroupName: nameRules,
  names: "QSAN REST clients: names have 32 characters; assumed for targets as well",
  lun: {
    min: 0,
    max: 254,
    reserved: [],
    source: "QSAN REST clients: LUN 0 to 254",
  },
  // Pools can be thin; whether a pool is is decided when it is made, by hand.
  thin: false,
  groupsPerHost: {
    max: 1,
    source: "QSAN REST clients: a volume has one `targetId`",
  },
  spaceInPool: (bytes) => bytes,
  spaceNote: "in whole MiB",
};
