import { labError } from "../emulator/lab-error";
import type { WorldState } from "../world/state";
import { worldInventory } from "../world/inventory";
import type { WorldView } from "../world/world";
import { a250Preset } from "./a250";
import { coreSwitches } from "./core-switches";
import { mdsSwitches } from "./mds-switches";
import { type NetappModel, netappModelOf } from "./netapp-array";
import { virtualFabrics } from "./virtual-fabrics";

/**
 * What a lab is made of, where it is not the usual. Kept with the world: a lab changes its shape only while
 * it holds nothing beyond its preset.
 */
export interface LabShape {
  readonly array: NetappModel;
  readonly fabric: "brocade-fos" | "cisco-mds";
  /** 2: hosts on one switch of each fabric, the array on the other (`fabricA2`, `fabricB2`). */
  readonly switchesPerFabric: 1 | 2;
  /** Brocade only: the bed's fabrics are logical switches, FID 10 and 20. */
  readonly virtualFabrics: boolean;
}

const usualShape: LabShape = {
  array: "aff-a250",
  fabric: "brocade-fos",
  switchesPerFabric: 1,
  virtualFabrics: false,
};

/** The world that a lab of this shape starts with. */
export function labPreset(shape: LabShape): () => WorldState {
  return () => {
    const usual = a250Preset(shape.array);
    if (shape.fabric === "cisco-mds") {
      const world = mdsSwitches(usual);
      return shape.switchesPerFabric === 2 ? coreSwitches(world) : world;
    }
    const world = shape.switchesPerFabric === 2 ? coreSwitches(usual) : usual;
    return shape.virtualFabrics ? virtualFabrics(world) : world;
  };
}

/** What a release asked for says of the shape: 9.5 runs on the A800 only. */
export function shapeOfReleases(profiles: Readonly<Record<string, string>>): Partial<LabShape> {
  return profiles["array"] === "9.5" ? { array: "aff-a800" } : {};
}

/** Shape of a lab that was started before. */
function shapeOf(world: WorldView): LabShape {
  const switches = Object.values(world.fabrics["A"]?.switches ?? {});
  const mds = switches.some((one) => one.family === "cisco-mds");
  const [array] = Object.values(world.arrays);
  return {
    array: (array && netappModelOf(array)) ?? usualShape.array,
    fabric: mds ? "cisco-mds" : "brocade-fos",
    switchesPerFabric: switches.length > 1 ? 2 : 1,
    virtualFabrics: !mds && world.fabrics["A"]?.id !== undefined,
  };
}

export interface LabStart {
  readonly shape: LabShape;
  /** What the lab goes on with; undefined: its preset. */
  readonly world: WorldState | undefined;
}

/**
 * What a lab starts with: the shape that is asked for, else as the lab was before, else the usual.
 * @throws {SanbedError} `lab` when the lab was of another shape before and holds more than its preset.
 */
export function chooseStart(
  wanted: Partial<LabShape>,
  before: WorldState | undefined,
  folder: string,
): LabStart {
  const had = before === undefined ? undefined : shapeOf(before);
  const shape = { ...(had ?? usualShape), ...wanted };
  if (shape.virtualFabrics && shape.fabric !== "brocade-fos") {
    throw labError("virtual fabrics are of Brocade switches; MDS switches have VSANs anyway");
  }
  if (before === undefined || had === undefined || same(had, shape)) {
    return { shape, world: before };
  }
  if (same(worldInventory(before), worldInventory(labPreset(had)()))) {
    return { shape, world: undefined };
  }
  throw labError(
    `${folder} holds a lab with ${shapeWords(had)}, asked for is one with ${shapeWords(shape)}; beds, or what else is not of ` +
      "its preset, still lie on it: destroy them, or `npx sanbed lab reset` it, or name another folder",
  );
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A shape as people name it; equal for equal shapes. */
export function shapeWords({
  array,
  fabric,
  switchesPerFabric,
  virtualFabrics: virtual,
}: LabShape): string {
  const tail = virtual ? " and virtual fabrics" : "";
  return `${array} and ${switchesPerFabric.toString()} ${fabric} per fabric${tail}`;
}
