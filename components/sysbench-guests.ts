import * as command from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import * as vsphere from "@pulumi/vsphere";
import { SanbedError } from "../bed/errors";
import type { PlannedDisk, PlannedGuest } from "../bed/guest-plan";
import { markComment } from "../bed/mark";
import type { BedId } from "../bed/identities";
import type { Site } from "../bed/site";
import { parseBytes, type Bytes } from "../bed/units";
import type { SysbenchSettings } from "../bed/workload-settings";
import { Ready } from "../provider/sdk/guest";
import { MachineGuard } from "../provider/sdk/host";
import {
  databaseSocket,
  plainSysbenchBootstrap,
  sysbenchBootstrap,
} from "../templates/sysbench-bootstrap";
import { byKey } from "./keyed";

export interface SysbenchGuestsArgs {
  readonly bedId: BedId;
  readonly site: Site;
  readonly guests: readonly PlannedGuest[];
  readonly sysbench: SysbenchSettings;
  /** Datastores by `<group>/<key>`. */
  readonly datastores: Readonly<Record<string, vsphere.VmfsDatastore>>;
  /** Folder for the machines; its name carries the mark. */
  readonly folder: string;
  /** Private key that the template's user accepts (PEM or OpenSSH); kept as a secret. */
  readonly privateKey: pulumi.Input<string>;
}

/**
 * Guests for Sysbench: cloned from the site's template, each on its host and datastore, started,
 * bootstrapped over SSH (file system on the disk under test, MariaDB on it) and proven ready.
 */
export class SysbenchGuests extends pulumi.ComponentResource {
  /** By guest key. */
  readonly machines: Readonly<Record<string, vsphere.VirtualMachine>>;
  readonly ready: Readonly<Record<string, Ready>>;

  constructor(name: string, args: SysbenchGuestsArgs, opts?: pulumi.ComponentResourceOptions) {
    super("sanbed:components:SysbenchGuests", name, {}, opts);
    const template = args.site.templates["sysbench"];
    if (template === undefined) {
      throw new SanbedError("config", 'the site has no template "sysbench"');
    }
    const place = lookUp(args.site, template.name, this);
    const folder = new vsphere.Folder(
      `${name}-folder`,
      { path: args.folder, type: "vm", datacenterId: place.datacenterId },
      { parent: this },
    );
    const guard = new MachineGuard(
      `${name}-guard`,
      {
        device: args.site.hypervisor.device,
        folder: folder.path,
        machines: args.guests.map((guest) => guest.name),
      },
      // Machines that nobody recorded go before the datastores that they lie on.
      { parent: this, dependsOn: Object.values(args.datastores) },
    );
    const home: Home = { ...place, folder, guard };
    const machines: Record<string, vsphere.VirtualMachine> = {};
    const ready: Record<string, Ready> = {};
    for (const guest of args.guests) {
      const machine = createMachine(`${name}-${guest.key}`, args, guest, home, this);
      machines[guest.key] = machine;
      // Where guests are emulated (the lab without root) there is nothing to log in to.
      if (args.site.lab?.guests === "emulated") continue;
      const bootstrap = runBootstrap(`${name}-${guest.key}-bootstrap`, args, guest, machine, this);
      ready[guest.key] = new Ready(
        `${name}-${guest.key}-ready`,
        { vmUuid: machine.uuid, guest: guestAddress(args.site, guest) },
        { parent: this, dependsOn: [bootstrap] },
      );
    }
    this.machines = machines;
    this.ready = ready;
    this.registerOutputs({});
  }
}

/** How the provider reaches a guest: by reference to the key, with the template's host key pinned. */
export function guestAddress(site: Site, guest: PlannedGuest) {
  const template = site.templates["sysbench"];
  const root = guestRoot(site, guest);
  return {
    name: guest.name,
    host: guest.address,
    port: site.guests.sshPort,
    user: template?.user ?? "root",
    privateKey: site.guests.privateKey,
    hostKey: template?.hostKey ?? "",
    // The machine that lends its shell to such a guest may well run systemd: it is not the guest's.
    ...(root === "" ? {} : { workRoot: `${root}/var/lib/sanbed`, supervisor: "session" as const }),
  };
}

/** Socket of a guest's database server; undefined: where the template's MariaDB has it. */
export function guestSocket(site: Site, guest: PlannedGuest): string | undefined {
  const root = guestRoot(site, guest);
  return root === "" ? undefined : databaseSocket(root);
}

/** Root folder of a guest that has no root of its own (lab level C); else empty. */
function guestRoot(site: Site, guest: PlannedGuest): string {
  const roots = site.lab?.guestRoots;
  return roots === undefined ? "" : `${roots}/${guest.address}`;
}

interface Place {
  readonly datacenterId: pulumi.Output<string>;
  readonly networkId: pulumi.Output<string>;
  readonly siteDatastoreId: pulumi.Output<string>;
  readonly template: pulumi.Output<vsphere.GetVirtualMachineResult>;
  readonly site: Site;
}

/** With what the machines stand in and behind. */
interface Home extends Place {
  readonly folder: vsphere.Folder;
  readonly guard: MachineGuard;
}

function lookUp(site: Site, templateName: string, parent: pulumi.Resource): Place {
  const { hypervisor } = site;
  const datacenterId = vsphere.getDatacenterOutput({ name: hypervisor.datacenter }, { parent }).id;
  return {
    datacenterId,
    networkId: vsphere.getNetworkOutput({ name: hypervisor.network, datacenterId }, { parent }).id,
    siteDatastoreId: vsphere.getDatastoreOutput(
      { name: hypervisor.siteDatastore, datacenterId },
      { parent },
    ).id,
    template: vsphere.getVirtualMachineOutput({ name: templateName, datacenterId }, { parent }),
    site,
  };
}

function createMachine(
  name: string,
  args: SysbenchGuestsArgs,
  guest: PlannedGuest,
  place: Home,
  parent: pulumi.Resource,
): vsphere.VirtualMachine {
  const { guests, hosts } = args.site;
  const host = vsphere.getHostOutput(
    { name: guest.host, datacenterId: place.datacenterId },
    { parent },
  );
  const cluster = vsphere.getComputeClusterOutput(
    {
      name: hosts.find((h) => h.name === guest.host)?.cluster ?? "",
      datacenterId: place.datacenterId,
    },
    { parent },
  );
  return new vsphere.VirtualMachine(
    name,
    {
      name: guest.name,
      folder: place.folder.path,
      annotation: markComment(args.bedId, "guest"),
      resourcePoolId: cluster.resourcePoolId,
      hostSystemId: host.id,
      datastoreId: place.siteDatastoreId,
      guestId: place.template.guestId,
      firmware: place.template.apply((found) => found.firmware ?? "bios"),
      scsiType: "lsilogic-sas",
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
      clone: {
        templateUuid: place.template.id,
        customize: {
          linuxOptions: { hostName: guest.name, domain: guests.domain },
          networkInterfaces: [{ ipv4Address: guest.address, ipv4Netmask: guests.netmaskBits }],
          ipv4Gateway: guests.gateway,
        },
      },
    },
    { parent, deleteBeforeReplace: true },
  );
}

/** Datastores of the bed that a machine needs. */
function datastoreIds(args: SysbenchGuestsArgs, guest: PlannedGuest): pulumi.Output<string>[] {
  return guest.disks.flatMap((disk) => datastoreId(args, disk) ?? []);
}

/** Undefined: the disk lies on the site's own datastore. */
function datastoreId(
  args: SysbenchGuestsArgs,
  { volume }: PlannedDisk,
): pulumi.Output<string> | undefined {
  return volume === undefined
    ? undefined
    : byKey(args.datastores, `${volume.group}/${volume.key}`, "datastore").id;
}

function virtualDisk(args: SysbenchGuestsArgs, disk: PlannedDisk) {
  const datastore = datastoreId(args, disk);
  return {
    label: disk.label,
    unitNumber: disk.unit,
    size: gibibytes(disk.sizeBytes),
    thinProvisioned: disk.provisioning === "thin",
    eagerlyScrub: disk.provisioning === "eager",
    ...(datastore === undefined ? {} : { datastoreId: datastore }),
  };
}

function runBootstrap(
  name: string,
  args: SysbenchGuestsArgs,
  guest: PlannedGuest,
  machine: vsphere.VirtualMachine,
  parent: pulumi.Resource,
): command.remote.Command {
  const address = guestAddress(args.site, guest);
  const script = bootstrapScript(args, guest);
  return new command.remote.Command(
    name,
    {
      connection: {
        host: address.host,
        port: address.port,
        user: address.user,
        privateKey: args.privateKey,
        hostKey: address.hostKey,
        dialErrorLimit: 20,
        perDialTimeout: 10,
      },
      create: "sh -s",
      // A changed connection must not run it again; what must is in the triggers.
      update: ":",
      stdin: script,
      triggers: [machine.uuid, script],
      logging: "none",
      addPreviousOutputInEnv: false,
    },
    { parent, dependsOn: [machine], deletedWith: machine },
  );
}

function bootstrapScript(args: SysbenchGuestsArgs, guest: PlannedGuest): string {
  const { site, sysbench } = args;
  const common = {
    bedId: args.bedId,
    address: guest.address,
    databasePort: site.guests.databasePort,
    bufferPoolBytes: parseBytes(sysbench.bufferPool),
    tables: sysbench.tables,
    threads: sysbench.threads,
  };
  const testDisk = devicePath(guest);
  const level = site.lab?.level;
  if (level !== "B" && level !== "C") return sysbenchBootstrap({ ...common, testDisk });
  const root = guestRoot(site, guest);
  const folder = `${root}/disks/${testDisk.replace("/dev/", "")}`;
  return plainSysbenchBootstrap(common, { root, folder, socketOnly: root !== "" });
}

/** The disk under test as the guest names it: unit 1 is the second SCSI disk. */
function devicePath(guest: PlannedGuest): string {
  const unit = guest.disks.findIndex((disk) => disk.label === "test");
  return `/dev/sd${String.fromCharCode("a".charCodeAt(0) + Math.max(unit, 0))}`;
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
