import type { NameRules } from "../physical-names";
import type { FamilyLimits } from "./limits";

/** Volume: 32 characters without `,` and `?` (ETERNUS CLI guide, `create volume`). */
const volumeRules: NameRules = { maxLength: 32, allowed: /[A-Za-z0-9_-]/, filler: "_" };
/** RAID group, host, host group, port group, LUN group: 16 characters (ETERNUS CLI guide). */
const groupRules: NameRules = { ...volumeRules, maxLength: 16 };

export const eternusLimits: FamilyLimits = {
  volumeMark: "name",
  volumeName: volumeRules,
  hostGroupName: groupRules,
  names: "ETERNUS CLI guide: volumes have 32 characters, groups 16",
  lun: {
    min: 0,
    max: 255,
    reserved: [],
    source: "ETERNUS CLI guide: 0 to 255 unless the host response uses flat space addressing",
  },
  thin: false,
  volumesPerPool: {
    max: 128,
    source: "OpenStack Cinder release notes, Fujitsu driver: 128 volumes in a RAID group",
  },
  hostsPerGroup: {
    max: 8,
    source: "ETERNUS AF250 S3 design guide: 8 hosts in a host group; assumed for the S2",
  },
  groupsPerHost: {
    max: 1,
    source: "ETERNUS CLI guide, set host-affinity: one LUN group for a host and a port",
  },
  spaceInPool: (bytes) => bytes,
  spaceNote: "a volume needs its space in one piece",
};
