import * as pulumi from "@pulumi/pulumi";
import * as vsphere from "@pulumi/vsphere";
import { SanbedError } from "../bed/errors";
import type { PlannedDisk, PlannedGuest, PlannedPlacement } from "../bed/guest-plan";
import type { BedId } from "../bed/identities";
import { markComment } from "../bed/mark";
import type { Site } from "../bed/site";
import type { Bytes } from "../bed/units";
import { windowsName } from "../bed/windows-name";
import { MachineGuard } from "../provider/sdk/host";
import { byKey } from "./keyed";
import { pinMachines } from "./placement";

/** What machines of every kind are made of. */
export interface MachinesArgs {
  readonly bedId: BedId;
  readonly site: Site;
  readonly guests: readonly PlannedGuest[];
  /** Which guests stay on which host. */
  readonly placement: readonly PlannedPlacement[];
  /** Datastores by `<group>/<key>`. */
  readonly datastores: Readonly<Record<string, vsphere.VmfsDatastore>>;
  /** Folder for the machines; its name carries the mark. */
  readonly folder: string;
}

export interface Machines {
  /** By guest key. */
  readonly machines: Readonly<Record<string, vsphere.VirtualMachine>>;
  /** What keeps a guest on its host, by guest key: whatever measures comes after it. */
  readonly pins: Readonly<Record<string, readonly pulumi.Resource[]>>;
}

/**
 * Clones of the site's templates, each on its host and its datastores, customized, started and pinned;
 * with the folder that they are in and the guard that clears it of those which nobody recorded.
 */
export function createMachines(
  name: string,
  args: MachinesArgs,
  parent: pulumi.Resource,
): Machines {
  const place = lookUp(args, parent);
  const folder = new vsphere.Folder(
    `${name}-folder`,
    { path: args.folder, type: "vm", datacenterId: place.datacenterId },
    { parent },
  );
  const guard = new MachineGuard(
    `${name}-guard`,
    {
      device: args.site.hypervisor.device,
      folder: folder.path,
      machines: args.guests.map((guest) => guest.name),
    },
    // Machines that nobody recorded go before the datastores that they lie on.
    { parent, dependsOn: Object.values(args.datastores) },
  );
  const home: Home = { ...place, folder, guard };
  const machines = Object.fromEntries(
    args.guests.map((guest) => [
      guest.key,
      createMachine(`${name}-${guest.key}`, args, guest, home, parent),
    ]),
  );
  const pins = pinMachines(name, args, machines, parent);
  return { machines, pins };
}

interface Place {
  readonly datacenterId: pulumi.Output<string>;
  readonly networkId: pulumi.Output<string>;
  readonly siteDatastoreId: pulumi.Output<string>;
  /** By the bed's name of the template. */
  readonly templates: Readonly<Record<string, pulumi.Output<vsphere.GetVirtualMachineResult>>>;
}

/** With what the machines stand in and behind. */
interface Home extends Place {
  readonly folder: vsphere.Folder;
  readonly guard: MachineGuard;
}

function lookUp({ site, guests }: MachinesArgs, parent: pulumi.Resource): Place {
  const { hypervisor } = site;
  const datacenterId = vsphere.getDatacenterOutput({ name: hypervisor.datacenter }, { parent }).id;
  const kinds = [...new Set(guests.map((guest) => guest.template))];
  return {
    datacenterId,
    networkId: vsphere.getNetworkOutput({ name: hypervisor.network, datacenterId }, { parent }).id,
    siteDatastoreId: vsphere.getDatastoreOutput(
      { name: hypervisor.siteDatastore, datacenterId },
      { parent },
    ).id,
    templates: Object.fromEntries(
      kinds.map((kind) => [
        kind,
        vsphere.getVirtualMachineOutput(
          { name: templateOf(site, kind).name, datacenterId },
          { parent },
        ),
      ]),
    ),
  };
}

/** @throws {SanbedError} when the site has none of that name. */
export function templateOf(site: Site, kind: string): Site["templates"][string] {
  const template = site.templates[kind];
  if (template !== undefined) return template;
  throw new SanbedError("config", `the site has no template "${kind}"`);
}

/** Whether there is a guest to log in to: not in a lab that only shows the machines. */
export function isEmulated(site: Site, guest: PlannedGuest): boolean {
  return site.lab?.guests === "emulated" || templateOf(site, guest.template).emulated === true;
}

function createMachine(
  name: string,
  args: MachinesArgs,
  guest: PlannedGuest,
  place: Home,
  parent: pulumi.Resource,
): vsphere.VirtualMachine {
  const host = vsphere.getHostOutput(
    { name: guest.host, datacenterId: place.datacenterId },
    { parent },
  );
  const cluster = vsphere.getComputeClusterOutput(
    {
      name: args.site.hosts.find((h) => h.name === guest.host)?.cluster ?? "",
      datacenterId: place.datacenterId,
    },
    { parent },
  );
  const template = byKey(place.templates, guest.template, "template");
  return new vsphere.VirtualMachine(
    name,
    {
      name: guest.name,
      folder: place.folder.path,
      annotation: markComment(args.bedId, "guest"),
      resourcePoolId: cluster.resourcePoolId,
      hostSystemId: host.id,
      datastoreId: place.siteDatastoreId,
      guestId: template.guestId,
      firmware: template.apply((found) => found.firmware ?? "bios"),
      scsiType: guest.adapter,
      scsiControllerCount: Math.max(...guest.disks.map((disk) => disk.controller)) + 1,
      // The guest then finds its disks by the UUID of the VMDK, however its kernel names them.
      enableDiskUuid: true,
      numCpus: guest.vcpus,
      memory: mebibytes(guest.memoryBytes),
      networkInterfaces: [{ networkId: place.networkId, adapterType: "vmxnet3" }],
      // Ready waits for the guest and says why it does not come. The plugin's own wait passes over loopback
      // addresses, which the lab's guests have.
      waitForGuestNetTimeout: 0,
      disks: guest.disks.map((disk) => virtualDisk(args, disk)),
      // A machine goes before the datastores that its disks lie on, and before the guard, which takes
      // what is left for forgotten. The engine asks what an unknown property as a whole would do: of
      // `disks` alone that is an update, so this says it.
      replaceTrigger: pulumi
        .all([place.guard.id, ...datastoreIds(args, guest)])
        .apply((ids) => ids.join()),
      clone: { templateUuid: template.id, customize: customization(args, guest) },
    },
    { parent, deleteBeforeReplace: true },
  );
}

function customization({ site, bedId }: MachinesArgs, guest: PlannedGuest) {
  const { guests } = site;
  const system =
    templateOf(site, guest.template).system === "windows"
      ? // The administrator's password and the product key are the template's: they never pass through here.
        { windowsOptions: { computerName: windowsName(bedId, guest.key), workgroup: "SANBED" } }
      : { linuxOptions: { hostName: guest.name, domain: guests.domain } };
  return {
    ...system,
    networkInterfaces: [{ ipv4Address: guest.address, ipv4Netmask: guests.netmaskBits }],
    ipv4Gateway: guests.gateway,
  };
}

/** Datastores of the bed that a machine needs. */
function datastoreIds(args: MachinesArgs, guest: PlannedGuest): pulumi.Output<string>[] {
  return guest.disks.flatMap((disk) => datastoreId(args, disk) ?? []);
}

/** Undefined: the disk lies on the site's own datastore. */
function datastoreId(
  args: MachinesArgs,
  { volume }: PlannedDisk,
): pulumi.Output<string> | undefined {
  return volume === undefined
    ? undefined
    : byKey(args.datastores, `${volume.group}/${volume.key}`, "datastore").id;
}

function virtualDisk(args: MachinesArgs, disk: PlannedDisk) {
  const datastore = datastoreId(args, disk);
  return {
    label: disk.label,
    unitNumber: unitNumber(disk),
    size: gibibytes(disk.sizeBytes),
    thinProvisioned: disk.provisioning === "thin",
    eagerlyScrub: disk.provisioning === "eager",
    ...(datastore === undefined ? {} : { datastoreId: datastore }),
  };
}

/** The provider counts 15 places for each controller and leaves out the controller's own, unit 7. */
export function unitNumber({ controller, unit }: PlannedDisk): number {
  return controller * 15 + (unit > 7 ? unit - 1 : unit);
}

/** vSphere counts memory in MiB. */
function mebibytes(bytes: Bytes): number {
  return Number(bytes / 1024n ** 2n);
}

/** vSphere counts disks in whole GiB: rounded up, so that the data always fits. */
function gibibytes(bytes: Bytes): number {
  const unit = 1024n ** 3n;
  return Number((bytes + unit - 1n) / unit);
}
