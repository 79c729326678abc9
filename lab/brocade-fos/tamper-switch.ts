import type { TamperAction } from "../emulator/emulator";
import { portActions, text } from "../emulator/tamper-ports";
import type { FosParts } from "./parts";
import { logicalOf } from "./tamper-arguments";
import { sampled } from "./throttle";

/** Ports, counters, messages; limits and open points of the switch. */
export function switchActions(parts: FosParts): Record<string, TamperAction> {
  return { ...hardwareActions(parts), ...settingActions(parts) };
}

function hardwareActions(parts: FosParts): Record<string, TamperAction> {
  return {
    ...portActions(parts.options.world, parts.options.device),
    log: {
      description: "id, text, severity?: a message of the switch, such as C2-1012",
      run: (args) => {
        const known = ["info", "warning", "error", "critical"] as const;
        const severity = known.find((one) => one === args["severity"]) ?? "info";
        parts.log.add({ id: text(args, "id"), text: text(args, "text"), severity });
        return {};
      },
    },
  };
}

function settingActions(parts: FosParts): Record<string, TamperAction> {
  return {
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
        logicalOf(parts, args).zoning.loseAbove = Number(args["above"] ?? 0);
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
