import { CliError, zoneNotPresent, zoneSetNotPresent } from "./errors";
import { type Member, memberOf, memberText, sameMember } from "./members";
import { checkZoneName } from "./names";
import { limits } from "./release";
import type { ZoneState } from "./vsan-state";

/** One change of zones or zone sets. @returns whether anything changed. */
export type ZoneEdit = (state: ZoneState) => boolean;

export function createZone(name: string): ZoneEdit {
  return (state) => create(state.zones, name, limits.zones, "zones");
}

export function createZoneSet(name: string): ZoneEdit {
  return (state) => create(state.zoneSets, name, limits.zoneSets, "zonesets");
}

/** Deletes a zone, and with it its place in every zone set (the active one stays as it is). */
export function deleteZone(name: string): ZoneEdit {
  return (state) => {
    if (!Object.hasOwn(state.zones, name)) throw zoneNotPresent();
    Reflect.deleteProperty(state.zones, name);
    for (const [set, zones] of Object.entries(state.zoneSets)) {
      state.zoneSets[set] = zones.filter((zone) => zone !== name);
    }
    return true;
  };
}

export function deleteZoneSet(name: string): ZoneEdit {
  return (state) => {
    if (!Object.hasOwn(state.zoneSets, name)) throw zoneSetNotPresent();
    Reflect.deleteProperty(state.zoneSets, name);
    return true;
  };
}

/** Texts: mdssdk zone.py (`Duplicate member`), its tests (`Member not present`). */
export function addMember(zone: string, member: Member): ZoneEdit {
  return (state) => {
    const members = own(state.zones, zone);
    if (members === undefined) throw zoneNotPresent();
    if (members.includes(memberText(member))) throw new CliError("Duplicate member");
    if (member.type === "fcalias" && !Object.hasOwn(state.fcAliases, member.value)) {
      throw new CliError("Alias not present");
    }
    // A member that is there with another role takes the new role.
    const others = members.filter((text) => !sameMember(memberOf(text), member));
    checkMemberLimit(state);
    state.zones[zone] = [...others, memberText(member)];
    return true;
  };
}

export function removeMember(zone: string, member: Member): ZoneEdit {
  return (state) => {
    const members = own(state.zones, zone);
    if (members === undefined) throw zoneNotPresent();
    const rest = members.filter((text) => !sameMember(memberOf(text), member));
    if (rest.length === members.length) throw new CliError("Member not present");
    state.zones[zone] = rest;
    return true;
  };
}

export function addZoneToSet(set: string, zone: string): ZoneEdit {
  return (state) => {
    const zones = own(state.zoneSets, set);
    if (zones === undefined) throw zoneSetNotPresent();
    if (!Object.hasOwn(state.zones, zone)) throw zoneNotPresent();
    if (zones.includes(zone)) throw new CliError("Duplicate member");
    state.zoneSets[set] = [...zones, zone];
    return true;
  };
}

export function removeZoneFromSet(set: string, zone: string): ZoneEdit {
  return (state) => {
    const zones = own(state.zoneSets, set);
    if (zones === undefined) throw zoneSetNotPresent();
    if (!zones.includes(zone)) throw zoneNotPresent();
    state.zoneSets[set] = zones.filter((one) => one !== zone);
    return true;
  };
}

/** Texts: CoprHD networksystem-mds-dialog.properties. */
export function renameZone(from: string, to: string): ZoneEdit {
  return (state) => {
    checkZoneName(to);
    if (!Object.hasOwn(state.zones, from)) throw new CliError("non existing zone");
    if (Object.hasOwn(state.zones, to)) throw new CliError("zone name already in use");
    state.zones[to] = state.zones[from] ?? [];
    Reflect.deleteProperty(state.zones, from);
    for (const [set, zones] of Object.entries(state.zoneSets)) {
      state.zoneSets[set] = zones.map((zone) => (zone === from ? to : zone));
    }
    return true;
  };
}

export function cloneZoneSet(from: string, to: string): ZoneEdit {
  return (state) => {
    checkZoneName(to);
    const zones = own(state.zoneSets, from);
    if (zones === undefined) throw zoneSetNotPresent();
    if (Object.hasOwn(state.zoneSets, to)) throw new CliError("zoneset name already in use");
    state.zoneSets[to] = [...zones];
    return true;
  };
}

/** Names such as `constructor` are good names for a zone. */
function own(objects: Record<string, string[]>, name: string): string[] | undefined {
  return Object.hasOwn(objects, name) ? objects[name] : undefined;
}

export function create(
  objects: Record<string, string[]>,
  name: string,
  max: number,
  what: string,
): boolean {
  checkZoneName(name);
  if (Object.hasOwn(objects, name)) return false;
  // Text not published.
  if (Object.keys(objects).length >= max) throw new CliError(`Maximum number of ${what} reached`);
  objects[name] = [];
  return true;
}

function checkMemberLimit(state: ZoneState): void {
  let count = 0;
  for (const members of Object.values(state.zones)) count += members.length;
  // Text not published.
  if (count >= limits.members) throw new CliError("Maximum number of zone members reached");
}
