import type * as pulumi from "@pulumi/pulumi";
import type * as vsphere from "@pulumi/vsphere";
import type { PlannedGuest } from "../bed/guest-plan";
import { Ready } from "../provider/sdk/guest";
import { guestAddress, hasBlockDevices } from "./guest-address";
import { byKey } from "./keyed";
import { isEmulated, templateOf, type MachinesArgs } from "./machines";

export interface ReadinessArgs extends MachinesArgs {
  /** What the bed's own datastores lie on, by `<group>/<key>`; others are the site's. */
  readonly blockDevices: Readonly<Record<string, pulumi.Input<string>>>;
}

/** Proves a guest fit: reachable, on its host, its disks where the plan has them, its tools there. */
export function provenReady(
  name: string,
  args: ReadinessArgs,
  guest: PlannedGuest,
  machine: vsphere.VirtualMachine,
  tools: readonly string[],
  opts: pulumi.CustomResourceOptions,
): Ready {
  const { site } = args;
  const disks = guest.disks.map(({ label, controller, unit, volume }) => {
    const key = volume === undefined ? undefined : `${volume.group}/${volume.key}`;
    const on =
      key === undefined
        ? {}
        : {
            datastore: byKey(args.datastores, key, "datastore").name,
            blockDevice: byKey(args.blockDevices, key, "block device"),
          };
    return [label, { controller, unit, ...on }] as const;
  });
  return new Ready(
    name,
    {
      vmUuid: machine.uuid,
      guest: guestAddress(site, guest),
      tools: [...tools],
      machine: {
        device: site.hypervisor.device,
        host: guest.host,
        inGuest: hasBlockDevices(site),
        disks: Object.fromEntries(disks),
      },
      // Nobody logs in to an emulated guest; Windows has another shell. The vCenter is asked all the same.
      ...(isEmulated(site, guest) || isWindows(site, guest) ? { login: false } : {}),
      // Guests of the lab have the clock of the machine that it runs on.
      timeSync: site.lab === undefined,
    },
    opts,
  );
}

function isWindows(site: MachinesArgs["site"], guest: PlannedGuest): boolean {
  return templateOf(site, guest.template).system === "windows";
}
