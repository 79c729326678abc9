import { parseBedId, type BedId } from "../../bed/identities";
import { brocadeFosConfig, openBrocadeFos } from "../../provider/devices/brocade-fos/config";
import type { BrocadeFosSwitch } from "../../provider/devices/brocade-fos/driver";
import type { FosPatience } from "../../provider/devices/brocade-fos/fos-patience";
import type { DeviceCall } from "../../provider/devices/call";
import { ciscoMdsConfig, openCiscoMds } from "../../provider/devices/cisco-mds/config";
import type { CiscoMdsSwitch } from "../../provider/devices/cisco-mds/driver";
import type { MdsPatience } from "../../provider/devices/cisco-mds/mds-locks";
import type { DeviceEnvironment } from "../../provider/devices/device-kind";
import { ontapConfig, openOntap } from "../../provider/devices/ontap/config";
import type { OntapArray } from "../../provider/devices/ontap/driver";
import { environment } from "./device-environment";
import type { TestLab } from "./lab";

export const testBedId: BedId = parseBedId("abcdefghij") ?? fail();

/** Waits of the drivers, short enough for tests. */
const hurry: FosPatience = {
  sessionWaitMs: 400,
  lockWaitMs: 400,
  verifyMs: 800,
  pollMs: 50,
  throttledMs: 40,
  busyMs: 40,
  lingerMs: 100,
};

/** The driver of a lab's switch, as a bed would configure it. */
export function openSwitch(
  lab: TestLab,
  device: string,
  patience: Partial<FosPatience> = {},
  settings: Readonly<Record<string, unknown>> = {},
  surroundings: Partial<DeviceEnvironment> = {},
): BrocadeFosSwitch {
  const config = brocadeFosConfig.parse({
    ...lab.site.devices[device],
    requestsPer30s: 10_000,
    ...settings,
  });
  return openBrocadeFos(
    device,
    config,
    { ...environment(), ...surroundings },
    { ...hurry, ...patience },
  );
}

const hurryMds: MdsPatience = { lockWaitMs: 400, verifyMs: 3000, pollMs: 50, busyMs: 40 };

/** The driver of a lab's MDS switch, as a bed would configure it. */
export function openMds(
  lab: TestLab,
  device: string,
  patience: Partial<MdsPatience> = {},
  settings: Readonly<Record<string, unknown>> = {},
  surroundings: Partial<DeviceEnvironment> = {},
): CiscoMdsSwitch {
  const config = ciscoMdsConfig.parse({ ...lab.site.devices[device], ...settings });
  return openCiscoMds(
    device,
    config,
    { ...environment(), ...surroundings },
    { ...hurryMds, ...patience },
  );
}

/** The driver of a lab's switch, of whichever family it is. */
export function openFabric(lab: TestLab, device: string): BrocadeFosSwitch | CiscoMdsSwitch {
  const mds = lab.site.devices[device]?.kind === "cisco-mds";
  return mds ? openMds(lab, device) : openSwitch(lab, device);
}

/** The driver of a lab's array. Pauses are cut to a hundredth. */
export function openArray(
  lab: TestLab,
  device = "array",
  settings: Readonly<Record<string, unknown>> = {},
): OntapArray {
  const config = ontapConfig.parse({ ...lab.site.devices[device], ...settings });
  return openOntap(device, config, environment(), 0.01);
}

/** Jobs of the emulated array end in a fiftieth of their usual time. */
export function quickJobs(lab: TestLab): void {
  lab.lab?.tamperActions()["array"]?.["behave"]?.run({ jobSlowness: 0.02 });
}

export function call(timeoutMs = 20_000): DeviceCall {
  return { signal: AbortSignal.timeout(timeoutMs) };
}

function fail(): never {
  throw new Error("not a bed id");
}
