import { portCounters, type Json, type SwitchPort } from "../world/state";
import type { World } from "../world/world";
import type { TamperAction } from "./emulator";
import { labError } from "./lab-error";

export type Args = Readonly<Record<string, Json>>;

export function text(args: Args, name: string): string {
  const value = args[name];
  if (typeof value !== "string") throw labError(`the action needs "${name}"`);
  return value;
}

/**
 * Hardware of a switch, of whichever family: its ports and what they count. `onSet` is told of a port that was
 * disabled or enabled, for the switch's own log.
 */
export function portActions(
  world: World,
  device: string,
  onSet: (port: string, enabled: boolean) => void = () => undefined,
): Record<string, TamperAction> {
  const change = (args: Args, mutate: (port: SwitchPort) => void): void => {
    const name = text(args, "port");
    world.change((state) => {
      const port = Object.values(state.fabrics)
        .map((fabric) => fabric.switches[device]?.ports[name])
        .find((found) => found !== undefined);
      if (port === undefined) throw labError(`${device} has no port ${name}`);
      mutate(port);
    });
  };
  return {
    "set-port": {
      description: "port, enabled: disables or enables a switch port",
      run: (args) => {
        const enabled = args["enabled"] === true;
        change(args, (port) => {
          port.enabled = enabled;
        });
        onSet(text(args, "port"), enabled);
        return {};
      },
    },
    "add-errors": {
      description: `port, by, counter: one of ${portCounters.join(", ")}`,
      run: (args) => {
        const counter = portCounters.find((one) => one === text(args, "counter"));
        if (counter === undefined) throw labError(`counters are ${portCounters.join(", ")}`);
        const by = BigInt(Number(args["by"] ?? 1));
        change(args, (port) => {
          port.counters = { ...port.counters, [counter]: (port.counters?.[counter] ?? 0n) + by };
        });
        return {};
      },
    },
  };
}
