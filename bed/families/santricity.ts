import type { NameRules } from "../physical-names";
import type { FamilyLimits } from "./limits";

/** Labels of volumes, hosts and host groups: 30 characters (SANtricity Web Services REST, `name`). */
const labelRules: NameRules = { maxLength: 30, allowed: /[A-Za-z0-9_#-]/, filler: "_" };

export const santricityLimits: FamilyLimits = {
  volumeMark: "comment",
  volumeName: labelRules,
  hostGroupName: labelRules,
  names: "SANtricity Web Services REST: labels have 30 characters",
  lun: {
    min: 1,
    max: 255,
    // 0 is refused for some host types (`isLun0Restricted`), 7 is the access volume's usual number.
    reserved: [7],
    source: "SANtricity Web Services REST, volume-mappings: 0 to 255",
  },
  // Volume groups hold thick volumes only; thin ones need a dynamic disk pool.
  thin: false,
  groupsPerHost: {
    max: 1,
    source: "SANtricity Web Services REST: a host has one group, `maxMappingsPerVolume` is 1",
  },
  spaceInPool: (bytes) => bytes,
  spaceNote: "rounded to segments by the array",
};
