import type { TamperAction } from "../emulator/emulator";
import { labError } from "../emulator/lab-error";
import type { Json, WorldState } from "../world/state";
import type { World } from "../world/world";

type Args = Readonly<Record<string, Json>>;

/** Things that happen to the hardware: device name `world` of `POST /tamper`. */
export function worldTamper(world: World): Readonly<Record<string, TamperAction>> {
  const action = (
    description: string,
    mutate: (state: WorldState, args: Args) => void,
  ): TamperAction => ({
    description,
    run: (args) => {
      world.change((state) => {
        mutate(state, args);
      });
      return { revision: world.revision };
    },
  });
  return {
    "set-hba": action("host, adapter, online: a host's port goes off or on", (state, args) => {
      const hba = state.hosts[text(args, "host")]?.hbas[text(args, "adapter")];
      if (hba === undefined) throw labError("no such host or adapter");
      hba.online = args["online"] === true;
    }),
    "set-array-port": action("array, port (id), enabled", (state, args) => {
      const port = state.arrays[text(args, "array")]?.ports[text(args, "port")];
      if (port === undefined) throw labError("no such array or port");
      port.enabled = args["enabled"] === true;
    }),
    "set-controller": action("array, controller, up: takes all its ports along", (state, args) => {
      const controller = state.arrays[text(args, "array")]?.controllers[text(args, "controller")];
      if (controller === undefined) throw labError("no such array or controller");
      controller.up = args["up"] === true;
    }),
    "move-cable": action("host, adapter, switch, port: re-cables a host's port", (state, args) => {
      const hba = state.hosts[text(args, "host")]?.hbas[text(args, "adapter")];
      if (hba === undefined) throw labError("no such host or adapter");
      hba.cable = { switch: text(args, "switch"), port: text(args, "port") };
    }),
    "set-volume": action("array, volume (id), online", (state, args) => {
      const volume = state.arrays[text(args, "array")]?.volumes[text(args, "volume")];
      if (volume === undefined) throw labError("no such array or volume");
      volume.online = args["online"] === true;
    }),
    "set-pool-size": action(
      "array, pool (id), sizeBytes: for full and small pools",
      (state, args) => {
        const pool = state.arrays[text(args, "array")]?.pools[text(args, "pool")];
        if (pool === undefined) throw labError("no such array or pool");
        pool.sizeBytes = BigInt(text(args, "sizeBytes"));
      },
    ),
  };
}

function text(args: Args, name: string): string {
  const value = args[name];
  if (typeof value !== "string") throw labError(`the action needs "${name}"`);
  return value;
}
