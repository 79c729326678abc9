import type { TamperAction } from "../emulator/emulator";
import { portActions, text } from "../emulator/tamper-ports";
import type { MdsParts } from "./parts";
import { zoningOf } from "./tamper-arguments";
import { setAttributes } from "./vsan-state";

/** Ports, counters, messages; the account's role and the open points' readings. */
export function switchActions(parts: MdsParts): Record<string, TamperAction> {
  return { ...hardwareActions(parts), ...settingActions(parts) };
}

function hardwareActions(parts: MdsParts): Record<string, TamperAction> {
  return {
    ...portActions(parts.context.world, parts.context.device, (name, enabled) => {
      const word = enabled ? "up" : "down (Link failure)";
      parts.context.log.add("PORT-5-IF_DOWN_LINK_FAILURE", `Interface ${name} is ${word}`);
    }),
    log: {
      description: "tag, text: a system message, such as PORT-5-IF_DOWN_LINK_FAILURE",
      run: (args) => {
        parts.context.log.add(text(args, "tag"), text(args, "text"));
        return {};
      },
    },
  };
}

function settingActions(parts: MdsParts): Record<string, TamperAction> {
  return {
    "set-role": {
      description: "readOnly: the account has the role network-operator only, or its own again",
      run: (args) => {
        parts.readOnly = args["readOnly"] === true;
        return {};
      },
    },
    "set-zone-mode": {
      description: "mode: basic or enhanced, vsan?",
      run: (args) => {
        const mode = text(args, "mode") === "enhanced" ? "enhanced" : "basic";
        zoningOf(parts, args).change((fabric) => {
          setAttributes(fabric, { zoneMode: mode });
        });
        return {};
      },
    },
    "set-readings": {
      description: `any of ${Object.keys(parts.context.controls.readings).join(", ")}`,
      run: (args) => {
        const { readings } = parts.context.controls;
        for (const name of Object.keys(readings)) {
          if (args[name] !== undefined) Object.assign(readings, { [name]: args[name] });
        }
        return { ...readings };
      },
    },
  };
}
