import type { TamperAction } from "../emulator/emulator";
import { labError } from "../emulator/lab-error";
import type { MdsParts } from "./parts";
import { type Args, text } from "../emulator/tamper-ports";
import { zoningOf } from "./tamper-arguments";
import type { Owner } from "./zone-control";

/** Sessions of another administrator, ends of ours. */
export function sessionActions(parts: MdsParts): Record<string, TamperAction> {
  return { ...zoneSessionActions(parts), ...aliasSessionActions(parts) };
}

function zoneSessionActions(parts: MdsParts): Record<string, TamperAction> {
  return {
    "open-transaction": {
      description: "vsan?, switch?: another administrator opens a zone session and leaves it open",
      run: (args) => {
        const zoning = zoningOf(parts, args);
        if (zoning.settings.mode === "basic") throw labError("the VSAN is in basic zone mode");
        if (zoning.session !== undefined) throw labError("a session is open already");
        zoning.edit(otherAdmin(parts, args), (state) => {
          state.zones["other_admin_wip"] = ["21:00:00:24:ff:7b:99:99"];
          return true;
        });
        return {};
      },
    },
    "commit-transaction": {
      description: "vsan?: the other administrator commits",
      run: (args) => {
        const zoning = zoningOf(parts, args);
        if (zoning.session === undefined) throw labError("no session is open");
        zoning.commit(zoning.session.owner);
        return {};
      },
    },
    "drop-transaction": {
      description: "vsan?: clear zone lock: whatever is pending is gone, ours included",
      run: (args) => {
        zoningOf(parts, args).session = undefined;
        return {};
      },
    },
    "zone-session": {
      description: "vsan?: who holds the zone session, what the zone server is at; changes nothing",
      run: (args) => {
        const { session, running } = zoningOf(parts, args);
        return { holder: session?.owner.user ?? null, running: running ?? null };
      },
    },
    "fail-next": {
      description: "text, vsan?: the next activation or commit of zones ends with this error",
      run: (args) => {
        zoningOf(parts, args).failNext = text(args, "text");
        return {};
      },
    },
  };
}

function aliasSessionActions(parts: MdsParts): Record<string, TamperAction> {
  const { controls } = parts.context;
  return {
    "open-alias-session": {
      description: "switch?: another administrator changes device aliases and does not commit",
      run: (args) => {
        controls.aliases.add(
          otherAdmin(parts, args),
          "other_admin_wip",
          "21:00:00:24:ff:7b:99:98",
          parts.context.release,
        );
        return {};
      },
    },
    "drop-alias-session": {
      description: "clear device-alias session: pending changes are gone, ours included",
      run: () => {
        controls.aliases.clearSession();
        return {};
      },
    },
    "end-sessions": {
      description: "every NX-API cookie expires",
      run: () => {
        parts.login.endAll();
        return {};
      },
    },
  };
}

/** Somebody else, on this switch or on the one that `switch` names. */
function otherAdmin(parts: MdsParts, args: Args): Owner {
  const device = typeof args["switch"] === "string" ? args["switch"] : parts.context.device;
  return { user: "otheradmin", device, address: "10.0.0.9" };
}
