import { fabricsOf, logins } from "../world/fabric";
import type { Fabric, Switch, SwitchPort } from "../world/state";
import type { DeepReadonly, World, WorldView } from "../world/world";
import type { Controls } from "./controls";
import { CliError, invalidCommand, vsanNotConfigured } from "./errors";
import { type CommandOf, findCommand, type Mode } from "./grammar";
import { type Output, silent } from "./output";
import { applyFilters, splitPipes } from "./pipes";
import type { Release } from "./release";
import type { SwitchLog } from "./switch-log";
import type { Owner, ZoneControl } from "./zone-control";

/** What commands reach into. */
export interface ShellContext {
  readonly world: World;
  readonly device: string;
  readonly release: Release;
  readonly controls: Controls;
  readonly commands: readonly CommandOf<Shell>[];
  readonly log: SwitchLog;
  readonly now: () => number;
  /** When the switch was started, milliseconds since the epoch. */
  readonly bootedAtMs: number;
}

/** Where the shell stands: sub-mode with the object that it is about. */
export interface Place {
  readonly mode: Mode;
  readonly name?: string;
  readonly vsan?: number;
}

/**
 * The command line behind NX-API: one for all commands of a request, so that sub-modes carry over.
 * Configuration commands need no `configure terminal` (mdssdk sends none).
 */
export class Shell {
  place: Place = { mode: "exec" };
  /** `terminal dont-ask`: questions are answered with yes; without, with their default, no. */
  dontAsk = false;
  /** The account may only show. */
  readOnly = false;
  /** A line that no command fits came by. */
  unknownCommand = false;

  constructor(
    readonly context: ShellContext,
    readonly owner: Owner,
  ) {}

  get view(): WorldView {
    return this.context.world.view;
  }

  /** This switch as one of its VSANs has it (name, WWN, domain; ports of that VSAN only). */
  get device(): DeepReadonly<Switch> {
    const { device } = this.context;
    const own = this.fabrics[0]?.switches[device];
    if (own === undefined) throw new Error(`no switch ${device} in the world`);
    return own;
  }

  /** The switch's VSANs in the world, in order of their numbers. */
  get fabrics(): readonly DeepReadonly<Fabric>[] {
    return [...fabricsOf(this.view, this.context.device)].sort((a, b) => (a.id ?? 0) - (b.id ?? 0));
  }

  /** @throws {CliError} `VSAN n is not configured`. */
  zoning(vsan: number): ZoneControl {
    const zoning = this.context.controls.zoning(vsan);
    if (zoning === undefined) throw vsanNotConfigured(vsan);
    return zoning;
  }

  /** One VSAN, or all of the switch. */
  zonings(vsan: number | undefined): readonly ZoneControl[] {
    const vsans = vsan === undefined ? this.context.controls.vsans() : [vsan];
    return vsans.map((one) => this.zoning(one));
  }

  /** Ports of a VSAN, on all its switches, behind which somebody is logged in: `device port`. */
  loggedIn(fabric: string): ReadonlySet<string> {
    const here = logins(this.view).filter((login) => login.fabric === fabric);
    return new Set(here.map((login) => `${login.switch} ${login.switchPort.name}`));
  }

  /** A port of this switch with its VSAN. @throws {CliError} */
  port(name: string): { readonly port: DeepReadonly<SwitchPort>; readonly vsan: number } {
    for (const fabric of this.fabrics) {
      const port = fabric.switches[this.context.device]?.ports[name];
      if (port !== undefined) return { port, vsan: fabric.id ?? 1 };
    }
    throw new CliError("% Invalid interface format");
  }

  /** Runs one command, with its pipes. @throws {CliError} */
  run(line: string): Output {
    const { command, filters } = splitPipes(line);
    const words = command.split(/\s+/).filter((word) => word !== "");
    if (words.length === 0) return silent;
    const found = findCommand(this.context.commands, this.place.mode, words);
    if (found === undefined) {
      this.unknownCommand = true;
      throw invalidCommand();
    }
    if (this.readOnly && found.command.show !== true) {
      throw new CliError("% Permission denied for the role", "401");
    }
    const output = found.command.run(this, found.args);
    if (filters.length === 0) return output;
    return { text: applyFilters(output.text, filters) };
  }

  /** Answers a question of the switch. @throws {CliError} without `terminal dont-ask`. */
  confirm(question: string): void {
    if (!this.dontAsk) throw new CliError(`${question} (y/n) [n]`);
  }
}

export function isShowWord(word: string): boolean {
  return word.length >= 2 && "show".startsWith(word.toLowerCase());
}
