import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import path from "node:path";
import type { LabClient } from "../../lab/client";
import { labDown, labUp } from "../../lab/start";
import { systemClock } from "../../provider/devices/clock";
import { resolveCredentials } from "../../provider/devices/credentials";
import { openDevices, sanDeviceKinds } from "../../provider/devices/registry";
import { RequestLog } from "../../provider/devices/request-log";
import { projectRoot, workFolder } from "../../tools/setup/paths";
import { leastTime } from "./array-least";
import { workOf, type ArrayCase, type ArrayLoad, type WorkStep } from "./array-steps";
import { mostAtOnce, type DeviceRequest } from "./critical-path";
import { workName } from "./leftovers";

export interface ArraySpeedOptions extends ArrayLoad {
  readonly latencyMs: number;
}

interface StepFigures {
  readonly step: string;
  readonly wallMs: number;
  readonly leastMs: number;
  readonly reads: number;
  readonly writes: number;
}

export interface ArraySpeed extends ArrayCase {
  readonly volumes: number;
  readonly hosts: number;
  readonly latencyMs: number;
  readonly operation: "build" | "remove";
  readonly steps: readonly StepFigures[];
  readonly wallMs: number;
  /** Critical path: the least time of all steps, one after the other. */
  readonly leastMs: number;
  readonly ratio: number;
  readonly mostAtOnce: number;
}

/** Releases and protocols of the lab's arrays. */
export const arrayCases: readonly ArrayCase[] = [
  { release: "9.5", protocol: "fcp" },
  { release: "9.8", protocol: "fcp" },
  { release: "9.9.1", protocol: "fcp" },
  { release: "9.9.1", protocol: "nvme-fc" },
];

/** What NetApp's own Terraform provider keeps in flight, and our driver's default. */
const inFlight = 6;

/** Volumes, host group and maps made and taken away again through the driver, on a lab of its own. */
export async function measureArray(
  one: ArrayCase,
  options: ArraySpeedOptions,
): Promise<readonly ArraySpeed[]> {
  const folder = workFolder("bench", workName(randomBytes(3).toString("hex")));
  const dir = path.join(folder, "lab");
  try {
    const lab = await labUp({
      dir,
      level: "D",
      sanBinary: process.env["SANBED_SAN_BINARY"],
      profiles: { array: one.release },
      daemonScript: path.join(projectRoot(), "dist", "lab", "daemon.js"),
    });
    return await measureOn(lab, one, options);
  } finally {
    await labDown(dir);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureOn(
  lab: LabClient,
  one: ArrayCase,
  options: ArraySpeedOptions,
): Promise<readonly ArraySpeed[]> {
  const site = lab.site();
  const { device } = site.array;
  const devices = openDevices(
    sanDeviceKinds,
    { [device]: site.devices[device] },
    {
      log: new RequestLog(),
      clock: systemClock,
      baseFolder: process.cwd(),
      credentials: (reference, signal) => resolveCredentials(reference, process.cwd(), signal),
    },
  );
  try {
    const array = devices.arrays.get(device);
    if (array === undefined) throw new Error(`the lab's site has no array ${device}`);
    const work = workOf({ array, site, ...one, ...options });
    await work.prepare();
    await lab.addFault({ device, effect: { latencyMs: options.latencyMs } });
    const measured: ArraySpeed[] = [];
    for (const operation of ["build", "remove"] as const) {
      measured.push(
        await measureSteps(lab, device, work[operation], {
          ...one,
          ...options,
          operation,
        }),
      );
    }
    return measured;
  } finally {
    await devices.close();
  }
}

async function measureSteps(
  lab: LabClient,
  device: string,
  steps: readonly WorkStep[],
  about: Pick<ArraySpeed, "release" | "protocol" | "volumes" | "hosts" | "latencyMs" | "operation">,
): Promise<ArraySpeed> {
  const figures: StepFigures[] = [];
  const all: DeviceRequest[] = [];
  for (const step of steps) {
    const since = (await lab.requests(device)).at(-1)?.seq ?? 0;
    const startedAt = performance.now();
    await step.run();
    const wallMs = performance.now() - startedAt;
    const requests = await lab.requests(device, since);
    all.push(...requests);
    const writes = requests.filter(({ write }) => write).length;
    figures.push({
      step: step.name,
      wallMs,
      leastMs: leastTime(step, requests, inFlight),
      reads: requests.length - writes,
      writes,
    });
  }
  const wallMs = total(figures, "wallMs");
  const leastMs = total(figures, "leastMs");
  const { release, protocol, volumes, hosts, latencyMs, operation } = about;
  return {
    release,
    protocol,
    volumes,
    hosts,
    latencyMs,
    operation,
    steps: figures,
    wallMs,
    leastMs,
    ratio: wallMs / leastMs,
    mostAtOnce: mostAtOnce(all),
  };
}

function total(figures: readonly StepFigures[], what: "wallMs" | "leastMs"): number {
  return figures.reduce((sum, one) => sum + one[what], 0);
}
