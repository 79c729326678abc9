import * as pulumi from "@pulumi/pulumi";
import type * as vsphere from "@pulumi/vsphere";
import type { PlannedGuest } from "../bed/guest-plan";
import { parseBytes } from "../bed/units";
import type { SysbenchSettings } from "../bed/workload-settings";
import type { Ready } from "../provider/sdk/guest";
import { plainSysbenchBootstrap, sysbenchBootstrap } from "../templates/sysbench-bootstrap";
import { diskById, runBootstrap } from "./bootstrap";
import { guestRoot, hasBlockDevices } from "./guest-address";
import { byKey } from "./keyed";
import { createMachines, isEmulated, type Machines } from "./machines";
import { provenReady, type ReadinessArgs } from "./readiness";

export interface SysbenchGuestsArgs extends ReadinessArgs {
  readonly sysbench: SysbenchSettings;
  /** Private key that the template's user accepts (PEM or OpenSSH); kept as a secret. */
  readonly privateKey: pulumi.Input<string>;
}

/**
 * Guests for Sysbench: cloned from the site's template, each on its host and datastore, started,
 * bootstrapped over SSH (file system on the disk under test, MariaDB on it) and proven ready.
 */
export class SysbenchGuests extends pulumi.ComponentResource {
  /** By guest key. */
  readonly machines: Machines["machines"];
  /** What keeps a guest on its host, by guest key. */
  readonly pins: Machines["pins"];
  /** By guest key. Where guests are emulated only their machines are proven. */
  readonly ready: Readonly<Record<string, Ready>>;

  constructor(name: string, args: SysbenchGuestsArgs, opts?: pulumi.ComponentResourceOptions) {
    super("sanbed:components:SysbenchGuests", name, {}, opts);
    const { machines, pins } = createMachines(name, args, this);
    this.machines = machines;
    this.pins = pins;
    this.ready = Object.fromEntries(
      args.guests.map((guest) => [guest.key, this.prepare(`${name}-${guest.key}`, args, guest)]),
    );
    this.registerOutputs({});
  }

  private prepare(name: string, args: SysbenchGuestsArgs, guest: PlannedGuest): Ready {
    const machine = byKey(this.machines, guest.key, "machine");
    const { site, privateKey } = args;
    const script = bootstrapScript(args, guest, machine);
    const bootstrap = { site, guest, machine, script, privateKey };
    const made = isEmulated(site, guest)
      ? []
      : [runBootstrap(`${name}-bootstrap`, bootstrap, this)];
    const opts = { parent: this, dependsOn: made };
    return provenReady(`${name}-ready`, args, guest, machine, ["sysbench"], opts);
  }
}

function bootstrapScript(
  { bedId, site, sysbench }: SysbenchGuestsArgs,
  guest: PlannedGuest,
  machine: vsphere.VirtualMachine,
): pulumi.Input<string> {
  const common = {
    bedId,
    address: guest.address,
    databasePort: site.guests.databasePort,
    bufferPoolBytes: parseBytes(sysbench.bufferPool),
    tables: sysbench.tables,
    threads: sysbench.threads,
  };
  if (!hasBlockDevices(site)) {
    const root = guestRoot(site, guest);
    const folder = `${root}/disks/${diskName(guest)}`;
    return plainSysbenchBootstrap(common, { root, folder, socketOnly: root !== "" });
  }
  return diskById(machine, "test").apply((testDisk) => sysbenchBootstrap({ ...common, testDisk }));
}

/** Folder that stands for the disk under test at levels B and C of the lab: unit 1 is `sdb`. */
function diskName(guest: PlannedGuest): string {
  const unit = guest.disks.findIndex((disk) => disk.label === "test");
  return `sd${String.fromCharCode("a".charCodeAt(0) + Math.max(unit, 0))}`;
}
