import { createBrocadeFosEmulator } from "./brocade-fos/emulator";
import { createCiscoMdsEmulator } from "./cisco-mds/emulator";
import type { Emulator, EmulatorOptions } from "./emulator/emulator";
import { labError } from "./emulator/lab-error";
import { createOntapEmulator } from "./ontap/emulator";
import { netappModelOf, netappRelease } from "./presets/netapp-array";
import { vsphereReleases, type VsphereRelease } from "./world/state";
import type { World, WorldView } from "./world/world";

/** An emulated device of a lab: which family's emulator, and as which release. */
export interface DeviceSpec {
  readonly device: string;
  readonly kind: "brocade-fos" | "cisco-mds" | "ontap";
  readonly profile: string;
}

/** Releases of switches when nothing else is asked for: one of each line. */
const usualProfiles: Readonly<
  Record<"brocade-fos" | "cisco-mds", Readonly<Record<string, string>>>
> = {
  "brocade-fos": { fabricB: "8.2.3c", fabricB2: "8.2.3c", other: "9.1.1b" },
  "cisco-mds": { fabricB: "8.4(2c)", fabricB2: "8.4(2c)", other: "9.3(2)" },
};

/** Attribute of an array: the release that it ran with, which it keeps over restarts. */
const lastRelease = "lastRelease";

/** The vCenter among the devices that a release may be asked for. */
const vcenterDevice = "vcenter";

/**
 * Release of the vCenter: the one asked for, else the one it ran as before, else the newest.
 * @throws {SanbedError} `lab` for one that the lab does not run.
 */
export function vcenterRelease(
  world: WorldView,
  profiles: Readonly<Record<string, string>>,
): VsphereRelease {
  const asked = profiles[vcenterDevice] ?? world.vcenter.release ?? "8.0";
  const found = vsphereReleases.find((release) => release === asked);
  if (found !== undefined) return found;
  throw labError(`no vSphere release "${asked}"; the lab runs ${vsphereReleases.join(", ")}`);
}

/** Keeps the releases of the arrays and of the vCenter for the next start. */
export function noteReleases(world: World, profiles: ReadonlyMap<string, string>): void {
  world.change(({ arrays, vcenter }) => {
    vcenter.release = vcenterRelease(world.view, Object.fromEntries(profiles));
    for (const array of Object.values(arrays)) {
      array.attributes[lastRelease] = profiles.get(array.name) ?? "";
    }
  });
}

/**
 * The emulated devices of a world.
 * @param profiles release by device name, where another than the usual is wanted.
 * @throws {SanbedError} `lab` when one is for a device that the world does not have.
 */
export function deviceSpecs(
  world: WorldView,
  profiles: Readonly<Record<string, string>>,
): DeviceSpec[] {
  const spec = (device: string, kind: keyof typeof usualProfiles): DeviceSpec => {
    const usual = usualProfiles[kind];
    return { device, kind, profile: profiles[device] ?? usual[device] ?? usual["other"] ?? "" };
  };
  const switches = Object.values(world.fabrics).flatMap((fabric) =>
    Object.values(fabric.switches).map((one) => spec(one.device, one.family ?? "brocade-fos")),
  );
  // A switch that carries several fabrics stands in each of them.
  const once = new Map(switches.map((one) => [one.device, one]));
  const specs = [
    ...once.values(),
    ...Object.values(world.arrays).map((array): DeviceSpec => {
      const model = netappModelOf(array);
      if (model === undefined) throw labError(`no emulator for arrays of ${array.family}`);
      const before = array.attributes[lastRelease];
      const asked = profiles[array.name] ?? (typeof before === "string" ? before : undefined);
      const profile = netappRelease(model, asked);
      return { device: array.name, kind: "ontap", profile };
    }),
  ];
  const known = [...specs.map(({ device }) => device), vcenterDevice];
  const unknown = Object.keys(profiles).filter((device) => !known.includes(device));
  if (unknown.length === 0) return specs;
  throw labError(
    `a release was asked for ${unknown.join(", ")}, which is no emulated device of this lab; ` +
      `there are ${known.join(", ")}`,
  );
}

export function createEmulator(kind: DeviceSpec["kind"], options: EmulatorOptions): Emulator {
  switch (kind) {
    case "brocade-fos":
      return createBrocadeFosEmulator(options);
    case "cisco-mds":
      return createCiscoMdsEmulator(options);
    case "ontap":
      return createOntapEmulator(options);
  }
}
