import { labError } from "../emulator/lab-error";
import type { TamperAction } from "../emulator/emulator";
import type { Json, Zoning } from "../world/state";
import { expandConfig, expunge } from "./database";
import type { FosParts } from "./parts";
import { unique, zoneMember } from "./members";
import { sampled } from "./throttle";
import type { Owner } from "./zoning";

type Args = Readonly<Record<string, Json>>;

/** Somebody else, at the switch's console. */
const console: Owner = {
  session: undefined,
  user: "otheradmin",
  address: "none",
  application: "",
};

/** What others may do to the switch while we are not looking (`POST /tamper`). */
export function fosTamper(parts: FosParts): Readonly<Record<string, TamperAction>> {
  return {
    ...objectActions(parts),
    ...transactionActions(parts),
    ...switchActions(parts),
  };
}

function objectActions(parts: FosParts): Record<string, TamperAction> {
  return {
    "remove-object": {
      description: "name: removes an alias, zone or configuration everywhere, in force at once",
      run: (args) =>
        edit(parts, (zoning) => {
          const name = text(args, "name");
          if (!expunge(zoning.defined, name)) throw labError(`no zone object "${name}"`);
        }),
    },
    "set-zone": {
      description: "name, members, config?: makes or changes a zone, in force at once",
      run: (args) =>
        edit(parts, (zoning) => {
          setZone(zoning, args);
        }),
    },
    "set-alias": {
      description: "name, members: makes or changes an alias, in force at once",
      run: (args) =>
        edit(parts, (zoning) => {
          zoning.defined.aliases[text(args, "name")] = members(args);
        }),
    },
    "edit-defined": {
      description: "name, members: adds a zone to the enabled configuration's defined form only",
      run: (args) =>
        change(parts, (zoning) => {
          setZone(zoning, args);
        }),
    },
    "disable-config": {
      description: "leaves no configuration in force",
      run: () =>
        change(parts, (zoning) => {
          zoning.effective = undefined;
        }),
    },
    "set-default-access": {
      description: "access: none or all",
      run: (args) =>
        change(parts, (zoning) => {
          zoning.defaultAccess = text(args, "access") === "all" ? "all" : "none";
        }),
    },
  };
}

function transactionActions({ zoning, login }: FosParts): Record<string, TamperAction> {
  return {
    "open-transaction": {
      description: "another administrator opens a transaction and leaves it open",
      run: () => {
        if (zoning.transaction !== undefined) throw labError("a transaction is open already");
        zoning.stage(console, (database) => {
          database.aliases["other_admin_wip"] = ["21:00:00:24:ff:7b:99:99"];
          return true;
        });
        return {};
      },
    },
    "commit-transaction": {
      description: "the other administrator saves his transaction",
      run: () => {
        zoning.save(console, zoning.checksum);
        return {};
      },
    },
    "drop-transaction": {
      description: "cfgTransAbort on the switch: whatever is pending is gone, ours included",
      run: () => {
        zoning.drop();
        return {};
      },
    },
    "fill-sessions": {
      description: "count: other REST clients log in and stay",
      run: (args) => {
        const count = Number(args["count"] ?? 1);
        const opened = Array.from({ length: count }, () =>
          login.sessions.open("sannav", "10.0.0.9", "SANnav"),
        );
        return { opened: opened.filter((session) => session !== undefined).length };
      },
    },
    "end-sessions": {
      description: "mgmtapp --terminate: ends every REST session, with its transaction",
      run: () => {
        login.sessions.endAll();
        return {};
      },
    },
  };
}

function switchActions(parts: FosParts): Record<string, TamperAction> {
  return {
    "set-port": {
      description: "port, enabled: disables or enables a switch port",
      run: (args) => {
        const { world, device } = parts.options;
        const name = text(args, "port");
        world.change((state) => {
          const port = Object.values(state.fabrics)
            .map((fabric) => fabric.switches[device]?.ports[name])
            .find((found) => found !== undefined);
          if (port === undefined) throw labError(`${device} has no port ${name}`);
          port.enabled = args["enabled"] === true;
        });
        return {};
      },
    },
    "set-throttle": {
      description: "requests, periodMs: sampling limit; above it the switch answers 503",
      run: (args) => {
        parts.throttle = sampled(
          Number(args["requests"] ?? 30),
          Number(args["periodMs"] ?? 30_000),
        );
        return {};
      },
    },
    "set-session-cap": {
      description: "cap: max-rest-sessions, 1 to 10",
      run: (args) => {
        parts.login.sessions.setCap(Number(args["cap"] ?? 3));
        return {};
      },
    },
    "lose-objects": {
      description: "above: commits of more new aliases than this succeed and lose the rest",
      run: (args) => {
        parts.zoning.loseAbove = Number(args["above"] ?? 0);
        return {};
      },
    },
    "set-readings": {
      description: `any of ${Object.keys(parts.readings).join(", ")}: how open points behave`,
      run: (args) => {
        for (const name of Object.keys(parts.readings)) {
          if (args[name] !== undefined) Object.assign(parts.readings, { [name]: args[name] });
        }
        return { ...parts.readings };
      },
    },
  };
}

/** Changes the database and puts the enabled configuration in force again. */
function edit(parts: FosParts, mutate: (zoning: Zoning) => void): Json {
  return change(parts, (zoning) => {
    mutate(zoning);
    const enabled = zoning.effective?.name;
    if (enabled === undefined) return;
    const zones =
      enabled in zoning.defined.configs ? expandConfig(zoning.defined, enabled) : undefined;
    zoning.effective = zones === undefined ? undefined : { name: enabled, zones };
  });
}

function change(parts: FosParts, mutate: (zoning: Zoning) => void): Json {
  const { world, device } = parts.options;
  world.change((state) => {
    const fabric = Object.values(state.fabrics).find((one) => device in one.switches);
    if (fabric === undefined) return;
    // On a copy: a failing edit leaves the database as it was.
    const zoning = structuredClone(fabric.zoning);
    mutate(zoning);
    fabric.zoning = zoning;
  });
  return { checksum: parts.zoning.checksum };
}

function setZone(zoning: Zoning, args: Args): void {
  const name = text(args, "name");
  zoning.defined.zones[name] = { type: 0, members: members(args), principals: [] };
  const config = args["config"] ?? zoning.effective?.name;
  if (typeof config !== "string") return;
  const zones = zoning.defined.configs[config] ?? [];
  zoning.defined.configs[config] = unique([...zones, name]);
}

function text(args: Args, name: string): string {
  const value = args[name];
  if (typeof value !== "string") throw labError(`the action needs "${name}"`);
  return value;
}

function members(args: Args): string[] {
  const list = args["members"];
  if (!Array.isArray(list)) throw labError('the action needs "members"');
  return list.map((member) => zoneMember(typeof member === "string" ? member : ""));
}
