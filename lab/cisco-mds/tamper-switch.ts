import type { TamperAction } from "../emulator/emulator";
import { labError } from "../emulator/lab-error";
import { portCounters, type SwitchPort } from "../world/state";
import type { MdsParts } from "./parts";
import { text, zoningOf } from "./tamper-arguments";
import { setAttributes } from "./vsan-state";

/** Ports, counters, messages; the account's role and the open points' readings. */
export function switchActions(parts: MdsParts): Record<string, TamperAction> {
  return { ...hardwareActions(parts), ...settingActions(parts) };
}

function hardwareActions(parts: MdsParts): Record<string, TamperAction> {
  return {
    "set-port": {
      description: "port, enabled: disables or enables a switch port",
      run: (args) => {
        const name = text(args, "port");
        changePort(parts, name, (port) => {
          port.enabled = args["enabled"] === true;
        });
        const word = args["enabled"] === true ? "up" : "down (Link failure)";
        parts.context.log.add("PORT-5-IF_DOWN_LINK_FAILURE", `Interface ${name} is ${word}`);
        return {};
      },
    },
    "add-errors": {
      description: `port, by, counter: one of ${portCounters.join(", ")}`,
      run: (args) => {
        const counter = portCounters.find((one) => one === text(args, "counter"));
        if (counter === undefined) throw labError(`counters are ${portCounters.join(", ")}`);
        const by = BigInt(Number(args["by"] ?? 1));
        changePort(parts, text(args, "port"), (port) => {
          port.counters = { ...port.counters, [counter]: (port.counters?.[counter] ?? 0n) + by };
        });
        return {};
      },
    },
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

function changePort(parts: MdsParts, name: string, mutate: (port: SwitchPort) => void): void {
  const { world, device } = parts.context;
  world.change((state) => {
    const port = Object.values(state.fabrics)
      .map((fabric) => fabric.switches[device]?.ports[name])
      .find((found) => found !== undefined);
    if (port === undefined) throw labError(`${device} has no port ${name}`);
    mutate(port);
  });
}
