import { labError } from "../emulator/lab-error";
import type { WorldState } from "../world/state";
import type { WorldView } from "../world/world";
import { a250Preset } from "./a250";
import { coreSwitches } from "./core-switches";
import { mdsSwitches } from "./mds-switches";
import type { NetappModel } from "./netapp-array";
import { virtualFabrics } from "./virtual-fabrics";

/** What a lab is made of, where it is not the usual. Kept with the world: a lab never changes shape. */
export interface LabShape {
  readonly fabric: "brocade-fos" | "cisco-mds";
  /** 2: hosts on one switch of each fabric, the array on the other (`fabricA2`, `fabricB2`). */
  readonly switchesPerFabric: 1 | 2;
  /** Brocade only: the bed's fabrics are logical switches, FID 10 and 20. */
  readonly virtualFabrics: boolean;
}

const usualShape: LabShape = {
  fabric: "brocade-fos",
  switchesPerFabric: 1,
  virtualFabrics: false,
};

/** The world that a lab of this shape and array starts with. */
export function labPreset(shape: LabShape, model?: NetappModel): () => WorldState {
  return () => {
    const usual = a250Preset(model);
    if (shape.fabric === "cisco-mds") {
      const world = mdsSwitches(usual);
      return shape.switchesPerFabric === 2 ? coreSwitches(world) : world;
    }
    const world = shape.switchesPerFabric === 2 ? coreSwitches(usual) : usual;
    return shape.virtualFabrics ? virtualFabrics(world) : world;
  };
}

/** Shape of a lab that was started before. */
function shapeOf(world: WorldView): LabShape {
  const switches = Object.values(world.fabrics["A"]?.switches ?? {});
  const mds = switches.some((one) => one.family === "cisco-mds");
  return {
    fabric: mds ? "cisco-mds" : "brocade-fos",
    switchesPerFabric: switches.length > 1 ? 2 : 1,
    virtualFabrics: !mds && world.fabrics["A"]?.id !== undefined,
  };
}

/**
 * The shape to start with: what is asked for, else as the lab was before, else the usual.
 * @throws {SanbedError} `lab` when the lab was of another shape before.
 */
export function chooseShape(
  wanted: Partial<LabShape>,
  before: WorldView | undefined,
  folder: string,
): LabShape {
  const had = before === undefined ? undefined : shapeOf(before);
  const shape = { ...(had ?? usualShape), ...wanted };
  if (shape.virtualFabrics && shape.fabric !== "brocade-fos") {
    throw labError("virtual fabrics are of Brocade switches; MDS switches have VSANs anyway");
  }
  if (had === undefined || JSON.stringify(had) === JSON.stringify(shape)) return shape;
  throw labError(
    `${folder} holds a lab with ${words(had)}, asked for is one with ${words(shape)}; ` +
      "name another folder, or remove this one",
  );
}

function words({ fabric, switchesPerFabric, virtualFabrics: virtual }: LabShape): string {
  const tail = virtual ? " and virtual fabrics" : "";
  return `${switchesPerFabric.toString()} ${fabric} per fabric${tail}`;
}
