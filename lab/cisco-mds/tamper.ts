import type { TamperAction } from "../emulator/emulator";
import { labError } from "../emulator/lab-error";
import type { Json } from "../world/state";
import { activeSetOf, effectiveOf } from "./activation";
import { CliError } from "./errors";
import { memberOf, memberText } from "./members";
import type { MdsParts } from "./parts";
import { type Args, text } from "../emulator/tamper-ports";
import { members, zoningOf } from "./tamper-arguments";
import { sessionActions } from "./tamper-sessions";
import { switchActions } from "./tamper-switch";
import { writeZoneState, type ZoneState } from "./vsan-state";

/** What others may do to the switch while we are not looking (`POST /tamper`). */
export function mdsTamper(parts: MdsParts): Readonly<Record<string, TamperAction>> {
  return { ...objectActions(parts), ...sessionActions(parts), ...switchActions(parts) };
}

function objectActions(parts: MdsParts): Record<string, TamperAction> {
  const action = (
    description: string,
    mutate: (state: ZoneState, args: Args) => void,
    reactivate: boolean,
  ): TamperAction => ({
    description: `${description}; vsan? names another VSAN than the first`,
    run: (args) => changeZoning(parts, args, mutate, reactivate),
  });
  return {
    "remove-object": action(
      "name: removes a zone or zone set everywhere, in force at once",
      (state, args) => {
        removeObject(state, text(args, "name"));
      },
      true,
    ),
    "set-zone": action(
      "name, members, config?: makes or changes a zone, in force at once",
      setZone,
      true,
    ),
    "edit-defined": action(
      "name, members: adds a zone to the active zone set's full form only",
      setZone,
      false,
    ),
    "disable-config": action(
      "deactivates the zone set",
      (state) => {
        state.active = undefined;
      },
      false,
    ),
    "set-default-access": action(
      "access: none or all (default zone deny or permit)",
      (state, args) => {
        state.permitDefault = text(args, "access") === "all";
      },
      false,
    ),
    "set-alias": {
      description: "name, members: makes or changes a device alias, in force at once",
      run: (args) => setAlias(parts, text(args, "name"), members(args)[0]),
    },
    "remove-alias": {
      description: "name: removes a device alias, in force at once",
      run: (args) => setAlias(parts, text(args, "name"), undefined),
    },
  };
}

function changeZoning(
  parts: MdsParts,
  args: Args,
  mutate: (state: ZoneState, args: Args) => void,
  reactivate: boolean,
): Json {
  const zoning = zoningOf(parts, args);
  const state = zoning.committed;
  mutate(state, args);
  if (reactivate && state.active !== undefined) {
    state.active = reactivated(state, state.active.name);
  }
  zoning.change((fabric) => {
    writeZoneState(fabric, state, effectiveOf(fabric, state));
  });
  return {};
}

/** An emptied or removed zone set leaves nothing in force. */
function reactivated(state: ZoneState, name: string): ZoneState["active"] {
  try {
    return activeSetOf(state, name);
  } catch (error) {
    if (error instanceof CliError) return undefined;
    throw error;
  }
}

function removeObject(state: ZoneState, name: string): void {
  const known = Object.hasOwn(state.zones, name) || Object.hasOwn(state.zoneSets, name);
  if (!known) throw labError(`no zone or zone set "${name}"`);
  Reflect.deleteProperty(state.zones, name);
  Reflect.deleteProperty(state.zoneSets, name);
  for (const [set, zones] of Object.entries(state.zoneSets)) {
    state.zoneSets[set] = zones.filter((zone) => zone !== name);
  }
}

function setZone(state: ZoneState, args: Args): void {
  const name = text(args, "name");
  state.zones[name] = members(args).map((member) => memberText(memberOf(member)));
  const config = args["config"] ?? state.active?.name;
  if (typeof config !== "string") return;
  state.zoneSets[config] = [...new Set([...(state.zoneSets[config] ?? []), name])];
}

function setAlias(parts: MdsParts, name: string, wwn: string | undefined): Json {
  const { world, device, controls } = parts.context;
  world.change((state) => {
    for (const fabric of Object.values(state.fabrics)) {
      if (!(device in fabric.switches)) continue;
      const { aliases } = fabric.zoning.defined;
      if (wwn === undefined) Reflect.deleteProperty(aliases, name);
      else aliases[name] = [wwn.toLowerCase()];
    }
  });
  for (const vsan of controls.vsans()) controls.zoning(vsan)?.refresh();
  return {};
}
