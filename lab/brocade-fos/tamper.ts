import { labError } from "../emulator/lab-error";
import type { TamperAction } from "../emulator/emulator";
import type { Json, Zoning } from "../world/state";
import { expandConfig, expunge } from "./database";
import type { FosParts } from "./parts";
import { unique } from "./members";
import { type Args, text } from "../emulator/tamper-ports";
import { logicalOf, members } from "./tamper-arguments";
import { transactionActions } from "./tamper-sessions";
import { switchActions } from "./tamper-switch";

/** What others may do to the switch while we are not looking (`POST /tamper`). */
export function fosTamper(parts: FosParts): Readonly<Record<string, TamperAction>> {
  return {
    ...objectActions(parts),
    "set-ti-zone": {
      description: "name, members: a traffic isolation zone, which REST does not show",
      run: (args) => setTiZone(parts, args),
    },
    ...transactionActions(parts),
    ...switchActions(parts),
  };
}

function objectActions(parts: FosParts): Record<string, TamperAction> {
  return {
    "remove-object": {
      description: "name: removes an alias, zone or configuration everywhere, in force at once",
      run: (args) =>
        edit(parts, args, (zoning) => {
          const name = text(args, "name");
          if (!expunge(zoning.defined, name)) throw labError(`no zone object "${name}"`);
        }),
    },
    "set-zone": {
      description: "name, members, config?: makes or changes a zone, in force at once",
      run: (args) =>
        edit(parts, args, (zoning) => {
          setZone(zoning, args);
        }),
    },
    "set-alias": {
      description: "name, members: makes or changes an alias, in force at once",
      run: (args) =>
        edit(parts, args, (zoning) => {
          zoning.defined.aliases[text(args, "name")] = members(args);
        }),
    },
    "edit-defined": {
      description: "name, members: adds a zone to the enabled configuration's defined form only",
      run: (args) =>
        change(parts, args, (zoning) => {
          setZone(zoning, args);
        }),
    },
    "disable-config": {
      description: "leaves no configuration in force",
      run: (args) =>
        change(parts, args, (zoning) => {
          zoning.effective = undefined;
        }),
    },
    "set-default-access": {
      description: "access: none or all",
      run: (args) =>
        change(parts, args, (zoning) => {
          zoning.defaultAccess = text(args, "access") === "all" ? "all" : "none";
        }),
    },
  };
}

/** Changes the database and puts the enabled configuration in force again. */
function edit(parts: FosParts, args: Args, mutate: (zoning: Zoning) => void): Json {
  return change(parts, args, (zoning) => {
    mutate(zoning);
    const enabled = zoning.effective?.name;
    if (enabled === undefined) return;
    const zones =
      enabled in zoning.defined.configs ? expandConfig(zoning.defined, enabled) : undefined;
    zoning.effective = zones === undefined ? undefined : { name: enabled, zones };
  });
}

function change(parts: FosParts, args: Args, mutate: (zoning: Zoning) => void): Json {
  const { fabric: of, zoning: control } = logicalOf(parts, args);
  parts.options.world.change((state) => {
    const fabric = state.fabrics[of.name];
    if (fabric === undefined) return;
    // On a copy: a failing edit leaves the database as it was.
    const zoning = structuredClone(fabric.zoning);
    mutate(zoning);
    fabric.zoning = zoning;
  });
  return { checksum: control.checksum };
}

function setTiZone(parts: FosParts, args: Args): Json {
  const { fabric: of, zoning } = logicalOf(parts, args);
  parts.options.world.change((state) => {
    const fabric = state.fabrics[of.name];
    if (fabric === undefined) return;
    const before = (fabric.attributes?.["tiZones"] ?? {}) as Record<string, string[]>;
    const tiZones = { ...before, [text(args, "name")]: members(args) };
    fabric.attributes = { ...fabric.attributes, tiZones };
  });
  return { checksum: zoning.checksum };
}

function setZone(zoning: Zoning, args: Args): void {
  const name = text(args, "name");
  zoning.defined.zones[name] = { type: 0, members: members(args), principals: [] };
  const config = args["config"] ?? zoning.effective?.name;
  if (typeof config !== "string") return;
  const zones = zoning.defined.configs[config] ?? [];
  zoning.defined.configs[config] = unique([...zones, name]);
}
