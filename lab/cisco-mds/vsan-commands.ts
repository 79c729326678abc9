import type { WorldState } from "../world/state";
import type { Command } from "./command";
import { argument, type Arguments, vsanArgument } from "./grammar";
import { CliError } from "./errors";
import { type Output, silent } from "./output";
import type { Shell } from "./shell";
import { setAttributes, usualVsanName, vsanSettings } from "./vsan-state";

/**
 * Commands that make VSANs and put ports into them. They take effect at once on this switch's fabric.
 * Texts: tests of mdssdk (test_vsan).
 */
export const vsanCommands: readonly Command[] = [
  {
    mode: "config",
    pattern: "vsan database",
    run: (shell) => {
      shell.place = { mode: "vsan-db" };
      return silent;
    },
  },
  inDatabase("vsan <vsan>", (shell, args) => create(shell, args, undefined)),
  inDatabase("vsan <vsan> name <name>", (shell, args) =>
    create(shell, args, argument(args, "name").replace(/^(["'])(.*)\1$/, "$2")),
  ),
  inDatabase("no vsan <vsan>", remove),
  inDatabase("vsan <vsan> suspend", (shell, args) => suspend(shell, args, true)),
  inDatabase("no vsan <vsan> suspend", (shell, args) => suspend(shell, args, false)),
  inDatabase("vsan <vsan> interface <interface>", movePort),
  ...interfaceCommands(),
];

function inDatabase(pattern: string, run: Command["run"]): Command {
  return { mode: "vsan-db", pattern, run };
}

function create(shell: Shell, args: Arguments, name: string | undefined): Output {
  const vsan = vsanArgument(args);
  if (vsan === 4079 || vsan === 4094) {
    throw new CliError(`vsan ${vsan.toString()}:vsan(s) reserved`);
  }
  if (name !== undefined && name.length > 32) {
    throw new CliError("% String exceeded max length of (32)");
  }
  const others = shell.fabrics.filter(({ id }) => id !== vsan);
  if (name !== undefined && others.some((fabric) => vsanSettings(fabric).name === name)) {
    throw new CliError("vsan name is already in use");
  }
  shell.context.world.change((state) => {
    const found =
      ownFabrics(state, shell).find(({ id }) => id === vsan) ?? addVsan(state, shell, vsan);
    if (name !== undefined) setAttributes(found, { vsanName: name });
  });
  return silent;
}

/** A new VSAN on all switches of the fabric: no ports, no zones, the fabric's device aliases. */
function addVsan(state: WorldState, shell: Shell, vsan: number): WorldState["fabrics"][string] {
  const [first] = ownFabrics(state, shell);
  if (first === undefined) throw new Error(`no switch ${shell.context.device} in the world`);
  const root = first.name.split("-")[0] ?? first.name;
  const name = `${root}-vsan${vsan.toString()}`;
  const { aliasMode, aliasDistribution } = vsanSettings(first);
  const fabric = {
    name,
    id: vsan,
    switches: Object.fromEntries(
      Object.entries(first.switches).map(([device, one]) => [device, { ...one, ports: {} }]),
    ),
    zoning: {
      defined: {
        aliases: structuredClone(first.zoning.defined.aliases),
        zones: {},
        configs: {},
      },
      effective: undefined,
      defaultAccess: "none" as const,
      defaultCoversUnzoned: true,
    },
    attributes: { vsanName: usualVsanName(vsan), aliasMode, aliasDistribution },
  };
  state.fabrics[name] = fabric;
  return fabric;
}

/** Its ports fall back into VSAN 1 (in truth they are isolated until somebody moves them). */
function remove(shell: Shell, args: Arguments): Output {
  const vsan = vsanArgument(args);
  if (vsan === 1) throw new CliError("vsan 1:cannot delete default vsan");
  const found = shell.fabrics.find(({ id }) => id === vsan);
  if (found === undefined) throw new CliError(`vsan ${vsan.toString()}:vsan not configured`);
  shell.confirm("Do you want to continue?");
  shell.context.world.change((state) => {
    const gone = state.fabrics[found.name];
    const rest = ownFabrics(state, shell).find(({ id }) => id === 1);
    for (const [device, one] of Object.entries(gone?.switches ?? {})) {
      Object.assign(rest?.switches[device]?.ports ?? {}, one.ports);
    }
    Reflect.deleteProperty(state.fabrics, found.name);
  });
  return silent;
}

/** Suspending a VSAN that is not there makes it (tests of mdssdk). */
function suspend(shell: Shell, args: Arguments, suspended: boolean): Output {
  if (suspended) create(shell, args, undefined);
  const zoning = shell.zoning(vsanArgument(args));
  zoning.change((fabric) => {
    setAttributes(fabric, { suspended });
    for (const one of Object.values(fabric.switches)) one.enabled = !suspended;
  });
  return silent;
}

function movePort(shell: Shell, args: Arguments): Output {
  const vsan = vsanArgument(args);
  const target = shell.zoning(vsan).fabric.name;
  const name = argument(args, "interface");
  const { port, vsan: from } = shell.port(name);
  if (from === vsan) {
    throw new CliError("membership being configured is already configured for the interface");
  }
  shell.confirm("Traffic on the interface may be impacted. Do you want to continue?");
  const { device } = shell.context;
  shell.context.world.change((state) => {
    for (const fabric of ownFabrics(state, shell)) {
      const ports = fabric.switches[device]?.ports;
      if (ports === undefined) continue;
      if (fabric.name === target) ports[name] = structuredClone(port);
      else Reflect.deleteProperty(ports, name);
    }
  });
  for (const zoning of shell.zonings(undefined)) zoning.refresh();
  return silent;
}

function interfaceCommands(): Command[] {
  const setEnabled = (shell: Shell, enabled: boolean): Output => {
    const { device, world, log } = shell.context;
    const name = shell.place.name ?? "";
    world.change((state) => {
      for (const fabric of ownFabrics(state, shell)) {
        const port = fabric.switches[device]?.ports[name];
        if (port !== undefined) port.enabled = enabled;
      }
    });
    const tag = enabled ? "PORT-5-IF_UP" : "PORT-5-IF_DOWN_ADMIN_DOWN";
    log.add(tag, `Interface ${name} is ${enabled ? "up" : "down (Administratively down)"}`);
    return silent;
  };
  return [
    {
      mode: "config",
      pattern: "interface <interface>",
      run: (shell, args) => {
        const { port } = shell.port(argument(args, "interface"));
        shell.place = { mode: "interface", name: port.name };
        return silent;
      },
    },
    { mode: "interface", pattern: "shutdown", run: (shell) => setEnabled(shell, false) },
    { mode: "interface", pattern: "no shutdown", run: (shell) => setEnabled(shell, true) },
  ];
}

function ownFabrics(state: WorldState, shell: Shell): WorldState["fabrics"][string][] {
  const { device } = shell.context;
  return Object.values(state.fabrics).filter((fabric) => device in fabric.switches);
}
