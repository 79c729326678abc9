export { ConfigError, DeviceError, GuestError, SanbedError, type Problem } from "./errors";
export {
  makeBedId,
  parseBedId,
  parseNaa,
  parseWwpn,
  type BedId,
  type Naa,
  type Wwpn,
} from "./identities";
export { formatBytes, formatDuration, parseBytes, parseDuration } from "./units";
export { parseSite, type Site, type SiteHost } from "./site";
export { reviewBedSchema, type ReviewBed } from "./review-bed";
export { parseSettings, type Scale, type Settings } from "./settings";
export { findPlan, planBed, type PlanResult } from "./plan";
export { planJson } from "./plan-json";
export { notBuiltYet } from "./not-built";
export { type BedPlan } from "./bed-plan";
export { planZoning, type HostZoning } from "./zoning-plan";
export { planSingleGroup } from "./single-group";
export { type PlannedVolumeGroup } from "./volume-plan";
export { type PlannedGuest } from "./guest-plan";
export { markName } from "./mark";
