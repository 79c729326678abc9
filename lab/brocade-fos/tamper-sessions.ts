import { labError } from "../emulator/lab-error";
import type { TamperAction } from "../emulator/emulator";
import type { FosParts } from "./parts";
import { logicalOf } from "./tamper-arguments";
import type { Owner } from "./transactions";

/** Somebody else, at the switch's console. */
const console: Owner = {
  session: undefined,
  user: "otheradmin",
  address: "none",
  application: "",
};

/** Transactions of others and the ends of REST sessions. */
export function transactionActions(parts: FosParts): Record<string, TamperAction> {
  const { login } = parts;
  return {
    "open-transaction": {
      description: "another administrator opens a transaction and leaves it open",
      run: (args) => {
        const { zoning } = logicalOf(parts, args);
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
      run: (args) => {
        const { zoning } = logicalOf(parts, args);
        zoning.save(console, zoning.checksum);
        return {};
      },
    },
    "drop-transaction": {
      description: "cfgTransAbort on the switch: whatever is pending is gone, ours included",
      run: (args) => {
        logicalOf(parts, args).zoning.drop();
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
