import type { BedId } from "../../bed/identities";
import { bedOfName } from "../../bed/mark";
import type { ZoningChange, ZoningState } from "./fabric-switch";
import type { Refusal } from "./zoning-edit";

/** What is left of a bed on a fabric, and the change that removes it. */
export interface ZoningSweep {
  readonly change: ZoningChange;
  /** `<class> <name>` of each object. */
  readonly removed: readonly string[];
}

/**
 * Zones and aliases that a bed left behind. A zone is the bed's when the bed noted its name (`noted`)
 * and one marked alias is its one alias; any other zone with our alias is somebody else's, and is named
 * as the reason for a refusal. Pure.
 */
export function planSweep(
  state: ZoningState,
  bedId: BedId,
  noted: readonly string[],
): ZoningSweep | { refusal: Refusal } {
  const aliases = [...state.aliases.keys()].filter((name) => bedOfName(name) === bedId);
  const ours = new Set(aliases);
  const zones: string[] = [];
  for (const [name, zone] of state.zones) {
    const marked = zone.members.filter((member) => ours.has(member));
    const [alias] = marked;
    if (alias === undefined) continue;
    const others = zone.members.filter((m) => state.aliases.has(m) && !ours.has(m));
    const alone = marked.length === 1 && others.length === 0;
    if (noted.includes(name) && alone && zone.type === "standard") {
      zones.push(name);
      continue;
    }
    return {
      refusal: {
        object: `alias ${alias}`,
        reason: `zone ${name}, which the bed has not noted as its own, uses it`,
        remedy: `Take ${alias} out of zone ${name} first; or remove that zone, if the bed made it and lost its folder.`,
      },
    };
  }
  return {
    change: {
      upsertAliases: new Map(),
      upsertZones: new Map(),
      removeAliases: aliases,
      removeZones: zones,
    },
    removed: [...zones.map((name) => `zone ${name}`), ...aliases.map((name) => `alias ${name}`)],
  };
}
