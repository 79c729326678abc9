import { fabricsOf } from "../world/fabric";
import type { Fabric, Switch } from "../world/state";
import type { DeepReadonly, World } from "../world/world";
import { FosError } from "./errors";
import type { Readings, Release } from "./release";
import type { SwitchLog } from "./switch-log";
import { ZoningControl } from "./zoning";

/** Fabric id of the default logical switch, and the home of accounts as they come. */
const defaultFid = 128;

/** One logical switch of the chassis; the only one where Virtual Fabrics are off. */
export interface LogicalSwitch {
  /** Fabric id, 1 to 128; undefined with Virtual Fabrics off. */
  readonly fid: number | undefined;
  readonly fabric: DeepReadonly<Fabric>;
  /** The switch with the domain, WWN and ports that it has in this fabric. */
  readonly device: DeepReadonly<Switch>;
  readonly zoning: ZoningControl;
}

interface LogicalSwitchesOptions {
  readonly world: World;
  readonly device: string;
  readonly release: Release;
  readonly readings: Readings;
  readonly log: SwitchLog;
  readonly now: () => number;
}

/**
 * The logical switches of a chassis: Virtual Fabrics are on where the world gives its fabrics numbers.
 * Source: brocade-fibrechannel-logical-switch.yang; FOS REST API Reference, Virtual Fabrics.
 */
export class LogicalSwitches {
  readonly #zoning = new Map<string, ZoningControl>();

  constructor(private readonly options: LogicalSwitchesOptions) {
    // A preset whose switch is nowhere is a mistake of the lab: say so at the start.
    this.first();
  }

  get enabled(): boolean {
    return this.all().some(({ fid }) => fid !== undefined);
  }

  all(): readonly LogicalSwitch[] {
    const { world, device } = this.options;
    return fabricsOf(world.view, device).flatMap((fabric) => {
      const own = fabric.switches[device];
      if (own === undefined) return [];
      return [{ fid: fabric.id, fabric, device: own, zoning: this.#zoningOf(fabric.name) }];
    });
  }

  /** The bed's own. */
  first(): LogicalSwitch {
    const [first] = this.all();
    if (first === undefined) throw new Error(`no switch ${this.options.device} in the world`);
    return first;
  }

  /** Where calls without `vf-id` go: the account's home. */
  home(): LogicalSwitch {
    return this.all().find(({ fid }) => fid === defaultFid) ?? this.first();
  }

  /**
   * The logical switch that `vf-id` names.
   * @throws {FosError} 400 for one that is not there, and for a number while Virtual Fabrics are off
   *   (texts not published).
   */
  select(id: string | null): LogicalSwitch {
    if (id === null) return this.home();
    if (!this.enabled) {
      if (id === "-1") return this.first();
      throw invalidId("Virtual Fabrics is not enabled");
    }
    const found = this.all().find(({ fid }) => fid?.toString() === id);
    if (found === undefined) throw invalidId(`No logical switch with fabric ID ${id}`);
    return found;
  }

  sessionEnded(session: number): void {
    for (const { zoning } of this.all()) zoning.sessionEnded(session);
  }

  /** The world went back to its preset: no transaction, no fault. */
  reset(): void {
    for (const { zoning } of this.all()) {
      zoning.drop();
      zoning.loseAbove = undefined;
    }
  }

  #zoningOf(fabric: string): ZoningControl {
    const found = this.#zoning.get(fabric) ?? new ZoningControl({ ...this.options, fabric });
    this.#zoning.set(fabric, found);
    return found;
  }
}

function invalidId(message: string): FosError {
  return new FosError(400, message, { module: "rest", tag: "invalid-value" });
}
