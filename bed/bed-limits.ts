import type { FamilyLimits } from "./families/limits";
import { familyLimits } from "./families/table";
import { hypervisorLimits } from "./hypervisor-limits";
import type { ReviewBed } from "./review-bed";

/** Limits of a bed's array, LUN numbers no further than its hosts look. */
export function limitsOf({ array, hypervisor }: ReviewBed): FamilyLimits {
  const limits = familyLimits[array.family];
  const { lastLun } = hypervisorLimits(hypervisor.version);
  if (lastLun.max >= limits.lun.max) return limits;
  return { ...limits, lun: { ...limits.lun, max: lastLun.max, source: lastLun.source } };
}
