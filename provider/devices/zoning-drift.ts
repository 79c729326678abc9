import type { ZoningChange, ZoningState } from "./fabric-switch";
import { expandMembers } from "./zoning-members";

/**
 * How the defined form of the effective configuration differs from what is in force, apart from the
 * zones of this change. Enabling would put these edits of somebody else into force with ours. Pure.
 */
export function foreignDrift(state: ZoningState, change: ZoningChange): readonly string[] {
  if (state.effective === undefined) return [];
  const ours = new Set([...change.upsertZones.keys(), ...change.removeZones]);
  const config = state.configs.get(state.effective.name);
  if (config === undefined)
    return [`${state.effective.name} is in effect but not defined any more`];
  const defined = new Set(config.zones);
  const differences: string[] = [];
  for (const [name, members] of state.effective.zones) {
    if (ours.has(name)) continue;
    if (!defined.has(name)) differences.push(`zone ${name} is in effect but no longer a member`);
    else differences.push(...memberDrift(state, name, members));
  }
  for (const name of defined) {
    if (ours.has(name) || state.effective.zones.has(name)) continue;
    differences.push(`zone ${name} is a member but not in effect`);
  }
  return differences;
}

function memberDrift(
  state: ZoningState,
  name: string,
  effective: readonly string[],
): readonly string[] {
  const zone = state.zones.get(name);
  if (zone === undefined) return [`zone ${name} is in effect but not defined any more`];
  const wanted = expandMembers(zone.members, state.aliases);
  const inForce = [...new Set(effective)].sort();
  const added = wanted.filter((member) => !inForce.includes(member));
  const gone = inForce.filter((member) => !wanted.includes(member));
  if (added.length + gone.length === 0) return [];
  const words = [
    ...(added.length > 0 ? [`${added.join(", ")} defined but not in effect`] : []),
    ...(gone.length > 0 ? [`${gone.join(", ")} in effect but no longer defined`] : []),
  ];
  return [`zone ${name}: ${words.join("; ")}`];
}
