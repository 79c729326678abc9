import { fabricsOf } from "../world/fabric";
import type { World } from "../world/world";
import { AliasControl } from "./alias-control";
import type { Readings, Release } from "./release";
import { ZoneControl } from "./zone-control";

/** What the switches of one physical fabric share: zoning per VSAN, device aliases. */
export interface Controls {
  readonly readings: Readings;
  readonly aliases: AliasControl;
  /** Zoning of a VSAN that the switch carries; undefined: not configured. */
  zoning(vsan: number): ZoneControl | undefined;
  /** All VSANs of the switch, in order of their numbers. */
  vsans(): readonly number[];
  drop(): void;
}

interface ControlsOptions {
  readonly world: World;
  readonly device: string;
  readonly release: Release;
  readonly readings: Readings;
  readonly now: () => number;
}

/** By world, then by the switches' names: emulators of one fabric find each other through the world. */
const shared = new WeakMap<World, Map<string, SharedControls>>();

/** The controls of a switch's fabric; the first switch that asks makes them for all. */
export function sharedControls(options: ControlsOptions): Controls {
  const ofWorld = shared.get(options.world) ?? new Map<string, SharedControls>();
  shared.set(options.world, ofWorld);
  const first = fabricsOf(options.world.view, options.device)[0];
  if (first === undefined) throw new Error(`no switch ${options.device} in the world`);
  const key = Object.keys(first.switches).sort().join(" ");
  const found = ofWorld.get(key) ?? new SharedControls(options);
  ofWorld.set(key, found);
  return found;
}

class SharedControls implements Controls {
  readonly readings: Readings;
  readonly aliases: AliasControl;
  readonly #zoning = new Map<string, ZoneControl>();

  constructor(private readonly options: ControlsOptions) {
    this.readings = options.readings;
    this.aliases = new AliasControl({
      ...options,
      onCommit: () => {
        for (const vsan of this.vsans()) this.zoning(vsan)?.refresh();
      },
    });
  }

  zoning(vsan: number): ZoneControl | undefined {
    const { world, device, release, readings, now } = this.options;
    const fabric = fabricsOf(world.view, device).find((one) => one.id === vsan);
    if (fabric === undefined) return undefined;
    const found =
      this.#zoning.get(fabric.name) ??
      new ZoneControl({ world, fabric: fabric.name, release, readings, now });
    this.#zoning.set(fabric.name, found);
    return found;
  }

  vsans(): readonly number[] {
    const { world, device } = this.options;
    return fabricsOf(world.view, device)
      .flatMap(({ id }) => (id === undefined ? [] : [id]))
      .sort((a, b) => a - b);
  }

  drop(): void {
    this.aliases.drop();
    for (const zoning of this.#zoning.values()) zoning.drop();
  }
}
