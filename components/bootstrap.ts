import * as command from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import type * as vsphere from "@pulumi/vsphere";
import type { PlannedGuest } from "../bed/guest-plan";
import type { Site } from "../bed/site";
import { guestAddress } from "./guest-address";

export interface BootstrapArgs {
  readonly site: Site;
  readonly guest: PlannedGuest;
  readonly machine: vsphere.VirtualMachine;
  /** What the guest is to run; it may be run again, and holds no secret: it is kept in the state. */
  readonly script: pulumi.Input<string>;
  /** What must stand first, beside the machine. */
  readonly after?: readonly pulumi.Resource[];
  /** Program on the guest that reads the script from its standard input. Default `sh -s`. */
  readonly interpreter?: string;
  /** Private key that the template's user accepts (PEM or OpenSSH); kept as a secret. */
  readonly privateKey: pulumi.Input<string>;
}

/** Runs a script on a guest once, again when the script changes, and forgets it with the machine. */
export function runBootstrap(
  name: string,
  { site, guest, machine, script, after = [], interpreter, privateKey }: BootstrapArgs,
  parent: pulumi.Resource,
): command.remote.Command {
  const address = guestAddress(site, guest);
  return new command.remote.Command(
    name,
    {
      connection: {
        host: address.host,
        port: address.port,
        user: address.user,
        privateKey,
        hostKey: address.hostKey,
        dialErrorLimit: 20,
        perDialTimeout: 10,
      },
      create: interpreter ?? "sh -s",
      // A changed connection must not run it again; what must is in the triggers.
      update: interpreter === undefined ? ":" : "rem",
      stdin: script,
      triggers: [machine.uuid, script],
      logging: "none",
      addPreviousOutputInEnv: false,
    },
    { parent, dependsOn: [machine, ...after], deletedWith: machine },
  );
}

/**
 * A disk as the guest finds it whatever its kernel calls it: the NAA name that VMware makes of the
 * VMDK's UUID, as udev links it below /dev/disk/by-id.
 */
export function diskById(machine: vsphere.VirtualMachine, label: string): pulumi.Output<string> {
  return diskUuid(machine, label).apply((uuid) => `/dev/disk/by-id/wwn-0x${uuid}`);
}

/** UUID of a machine's disk in small letters without dashes. */
export function diskUuid(machine: vsphere.VirtualMachine, label: string): pulumi.Output<string> {
  return machine.disks.apply((disks) => {
    const uuid = disks.find((disk) => disk.label === label)?.uuid;
    if (uuid === undefined) throw new pulumi.RunError(`the machine has no disk "${label}"`);
    return uuid.replaceAll("-", "").toLowerCase();
  });
}
