import { existsSync, readlinkSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { SanbedError } from "../../bed/errors";
import type { GuestSupervisorOptions } from "../control/guest-supervisor";
import { makeLabCgroup, removeListedCgroups } from "./cgroups";
import type { GuestRoom, RunningGuest } from "./guest-room";
import { ensureGuestsFit, restoreHostLimits } from "./host-limits";
import { NamespaceGuest } from "./namespace-guest";
import type { PowerOnRequest } from "./request";
import { Slots } from "./slots";
import { customizeUpper } from "./upper-layer";

/**
 * Guests of level A: systemd in namespaces and a control group of their own, disks as block devices.
 *
 * @throws SanbedError when /proc is that of another PID namespace
 */
export class LevelARoom implements GuestRoom {
  private readonly fits = new Slots(1);
  private labCgroup: Promise<string> | undefined;

  constructor(private readonly options: GuestSupervisorOptions) {
    requireOwnProc();
  }

  async customize(vm: string, request: PowerOnRequest): Promise<void> {
    requireDisks(request);
    const upper = path.join(this.options.dir, vm, "upper");
    await mkdir(upper, { recursive: true });
    await customizeUpper(upper, request, this.options);
  }

  async start(vm: string, request: PowerOnRequest, running: number): Promise<RunningGuest> {
    const { cgroupList, tree, log } = this.options;
    // One after the other: each reads the setting that the one before may have changed.
    await this.fits.take(() =>
      ensureGuestsFit(running, cgroupList, (line) => {
        log(`guests: ${line}`);
      }),
    );
    this.labCgroup ??= makeLabCgroup(cgroupList);
    const dir = path.join(this.options.dir, vm);
    return NamespaceGuest.start({ vm, dir, tree, labCgroup: await this.labCgroup }, request);
  }

  async close(): Promise<void> {
    await removeListedCgroups(this.options.cgroupList);
    await restoreHostLimits(this.options.cgroupList);
    this.labCgroup = undefined;
  }
}

/** @throws SanbedError when the supervisor is not in a PID namespace of its own */
export function requireOwnProc(): void {
  if (readlinkSync("/proc/self") === String(process.pid)) return;
  throw new SanbedError(
    "lab",
    "the guest supervisor sees the /proc of another PID namespace. Start it with `unshare --mount-proc`.",
  );
}

/** @throws Error that names the first disk without its file */
export function requireDisks(request: PowerOnRequest): void {
  const lost = request.disks.find((disk) => !existsSync(disk.file));
  if (lost !== undefined) throw new Error(`disk ${lost.label}: ${lost.file} does not exist`);
}
