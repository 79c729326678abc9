import type { BedId } from "./identities";
import { markName } from "./mark";
import { physicalName, zoneNameRules } from "./physical-names";

/**
 * Names of one initiator's alias and zone. The alias carries the mark, since zones have no comment.
 * Characters that a switch does not take become `_`, so different host names may meet: the planner
 * refuses that (`plan-problems.ts`).
 */
export function zoneNames(
  bedId: BedId,
  host: string,
  hba: string,
  zonePrefix: string,
): { readonly alias: string; readonly zone: string } {
  return {
    alias: physicalName(zoneNameRules, markName(bedId, host), hba),
    zone: physicalName(zoneNameRules, zonePrefix, host, hba),
  };
}
