import { createBrocadeFosEmulator } from "./brocade-fos/emulator";
import type { Emulator, EmulatorOptions } from "./emulator/emulator";
import { labError } from "./emulator/lab-error";
import { createOntapEmulator } from "./ontap/emulator";
import type { WorldView } from "./world/world";

/** An emulated device of a lab: which family's emulator, and as which release. */
export interface DeviceSpec {
  readonly device: string;
  readonly kind: "brocade-fos" | "ontap";
  readonly profile: string;
}

/** Releases when nothing else is asked for: one switch of each line, the array as in the FCP review. */
const usualProfiles: Readonly<Record<string, string>> = {
  fabricA: "9.1.1b",
  fabricB: "8.2.3c",
  ontap: "9.8",
};

/**
 * The emulated devices of a world.
 * @param profiles release by device name, where another than the usual is wanted.
 */
export function deviceSpecs(
  world: WorldView,
  profiles: Readonly<Record<string, string>>,
): DeviceSpec[] {
  const switches = Object.values(world.fabrics).flatMap((fabric) => Object.keys(fabric.switches));
  return [
    ...switches.map((device): DeviceSpec => {
      const profile = profiles[device] ?? usualProfiles[device] ?? "9.1.1b";
      return { device, kind: "brocade-fos", profile };
    }),
    ...Object.values(world.arrays).map((array): DeviceSpec => {
      if (array.family !== "ontap") throw labError(`no emulator for arrays of ${array.family}`);
      const profile = profiles[array.name] ?? usualProfiles[array.family] ?? "9.8";
      return { device: array.name, kind: array.family, profile };
    }),
  ];
}

export function createEmulator(kind: DeviceSpec["kind"], options: EmulatorOptions): Emulator {
  switch (kind) {
    case "brocade-fos":
      return createBrocadeFosEmulator(options);
    case "ontap":
      return createOntapEmulator(options);
  }
}
