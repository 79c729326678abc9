import * as pulumi from "@pulumi/pulumi";
import type * as vsphere from "@pulumi/vsphere";
import type { PlannedDisk, PlannedGuest } from "../bed/guest-plan";
import type { Ready } from "../provider/sdk/guest";
import { workerBootstrap } from "../templates/worker-bootstrap";
import { diskById, runBootstrap } from "./bootstrap";
import { hasBlockDevices } from "./guest-address";
import { byKey } from "./keyed";
import { createMachines, isEmulated, type Machines } from "./machines";
import { provenReady, type ReadinessArgs } from "./readiness";

export interface VdbenchGuestsArgs extends ReadinessArgs {
  /** Private key that the template's user accepts (PEM or OpenSSH); kept as a secret. */
  readonly privateKey: pulumi.Input<string>;
}

/**
 * Workers that drive raw disks: each on its host, its data disks on datastores and SCSI controllers of
 * their own. Vdbench is in the site's template, or nowhere: its licence forbids to bring it along. The
 * embedded lab's guests have fio instead.
 */
export class VdbenchGuests extends pulumi.ComponentResource {
  /** By guest key. */
  readonly machines: Machines["machines"];
  /** What keeps a guest on its host, by guest key. */
  readonly pins: Machines["pins"];
  /** By guest key. Where guests are emulated only their machines are proven. */
  readonly ready: Readonly<Record<string, Ready>>;

  constructor(name: string, args: VdbenchGuestsArgs, opts?: pulumi.ComponentResourceOptions) {
    super("sanbed:components:VdbenchGuests", name, {}, opts);
    const { machines, pins } = createMachines(name, args, this);
    this.machines = machines;
    this.pins = pins;
    this.ready = Object.fromEntries(
      args.guests.map((guest) => [guest.key, this.prepare(`${name}-${guest.key}`, args, guest)]),
    );
    this.registerOutputs({});
  }

  private prepare(name: string, args: VdbenchGuestsArgs, guest: PlannedGuest): Ready {
    const machine = byKey(this.machines, guest.key, "machine");
    const { site, privateKey } = args;
    const tool = site.lab === undefined ? "vdbench" : "fio";
    const script = bootstrapScript(args.bedId, tool, guest, machine);
    const bootstrap = { site, guest, machine, script, privateKey };
    // Raw disks are only there where disks are block devices.
    const made =
      isEmulated(site, guest) || !hasBlockDevices(site)
        ? []
        : [runBootstrap(`${name}-bootstrap`, bootstrap, this)];
    const opts = { parent: this, dependsOn: made };
    const tools = tool === "fio" ? ["fio"] : ["java"];
    return provenReady(`${name}-ready`, args, guest, machine, tools, opts);
  }
}

/** All but the boot disk carry load. */
const isUnderLoad = ({ label }: PlannedDisk): boolean => label !== "boot";

function bootstrapScript(
  bedId: string,
  tool: "vdbench" | "fio",
  guest: PlannedGuest,
  machine: vsphere.VirtualMachine,
): pulumi.Output<string> {
  const disks = guest.disks.filter(isUnderLoad);
  const sizes = Object.fromEntries(disks.map(({ label, sizeBytes }) => [label, sizeBytes]));
  return pulumi
    .all(Object.fromEntries(disks.map(({ label }) => [label, diskById(machine, label)])))
    .apply((paths) => workerBootstrap({ bedId, tool, disks: paths, sizes }));
}
