import type { Fabric, ZoneBody, Zoning } from "../world/state";
import type { DeepReadonly } from "../world/world";
import { CliError, zoneSetNotPresent } from "./errors";
import { type Member, memberOf } from "./members";
import type { ActiveSet, ZoneState } from "./vsan-state";

/** Aliases of the switches, each with its port WWN. */
type Aliases = Readonly<Record<string, readonly string[]>>;

/**
 * The zone set as it would be activated now: a copy of its zones.
 * @throws {CliError} when it is not there or no zone of it has a member: it does not become active
 *   then (mdssdk test_zonesetactivate.py; text not published).
 */
export function activeSetOf(state: ZoneState, name: string): ActiveSet {
  const zones = Object.hasOwn(state.zoneSets, name) ? state.zoneSets[name] : undefined;
  if (zones === undefined) throw zoneSetNotPresent();
  const set = {
    name,
    zones: Object.fromEntries(zones.map((zone) => [zone, activeMembers(state, zone)])),
  };
  if (Object.values(set.zones).every((members) => members.length === 0)) {
    throw new CliError("Zones in the zoneset do not have members");
  }
  return set;
}

/** In force an fcalias is what it stands for (fixtures of cisco.nxos). */
function activeMembers(state: ZoneState, zone: string): string[] {
  const members = (state.zones[zone] ?? []).flatMap((text) => {
    const member = memberOf(text);
    return member.type === "fcalias" ? (state.fcAliases[member.value] ?? []) : [text];
  });
  return [...new Set(members)];
}

export function sameActive(a: ActiveSet | undefined, b: ActiveSet | undefined): boolean {
  return JSON.stringify(canonicalSet(a)) === JSON.stringify(canonicalSet(b));
}

function canonicalSet(set: ActiveSet | undefined): unknown {
  if (set === undefined) return null;
  const zones = Object.entries(set.zones).sort(([a], [b]) => (a < b ? -1 : 1));
  return [set.name, zones.map(([name, members]) => [name, [...members].sort()])];
}

/** The zones in force as the world's ports feel them: every member resolved to what names a port. */
export function effectiveOf(fabric: DeepReadonly<Fabric>, state: ZoneState): Zoning["effective"] {
  const { active } = state;
  if (active === undefined) return undefined;
  const { aliases } = fabric.zoning.defined;
  return {
    name: active.name,
    zones: Object.fromEntries(
      Object.entries(active.zones).map(([zone, members]) => [
        zone,
        zoneBody(fabric, aliases, members.map(memberOf), state.smartZoning),
      ]),
    ),
  };
}

/**
 * Under smart zoning initiators reach targets only. A member without a role counts as both: the
 * switch programs it towards everybody (assumed; the guide says only that roles limit the pairs).
 */
function zoneBody(
  fabric: DeepReadonly<Fabric>,
  aliases: Aliases,
  members: readonly Member[],
  smart: boolean,
): ZoneBody {
  const resolved = (chosen: readonly Member[]): string[] => [
    ...new Set(chosen.flatMap((member) => resolve(fabric, aliases, member))),
  ];
  if (!smart) return { type: 0, members: resolved(members), principals: [] };
  return {
    type: 1,
    members: resolved(members.filter(({ deviceType }) => deviceType !== "target")),
    principals: resolved(members.filter(({ deviceType }) => deviceType !== "init")),
  };
}

/** What names the port in the world: WWN, fabric address, `domain,index`, fabric port. */
function resolve(
  fabric: DeepReadonly<Fabric>,
  aliases: Aliases,
  member: Member,
): readonly string[] {
  switch (member.type) {
    case "pwwn":
      return [member.value];
    case "device-alias":
      return Object.hasOwn(aliases, member.value) ? (aliases[member.value] ?? []) : [];
    case "fwwn":
      return [`fwwn ${member.value}`];
    case "fcid":
      return [member.value.slice(2)];
    case "interface": {
      const device = Object.values(fabric.switches).find((one) => one.wwn === member.swwn);
      const port = device?.ports[member.value];
      return device === undefined || port === undefined
        ? []
        : [`${device.domain.toString()},${port.index.toString()}`];
    }
    case "ip-address":
    case "symbolic-nodename":
    case "fcalias":
      return [];
  }
}
