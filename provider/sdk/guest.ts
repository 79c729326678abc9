// Made from provider/schema.json by tools/generate-sdk.ts. Do not edit.
import * as pulumi from "@pulumi/pulumi";
import { packageVersion, required } from "./version";

/** A guest that is reachable, with its host key, tools and clock checked. */
export class Ready extends pulumi.CustomResource {
  /** @internal */
  public static readonly __pulumiType = "sanbed:guest:Ready";

  /** Looks up an existing resource by its id. */
  public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Ready {
    return new Ready(name, undefined as never, { ...opts, id });
  }

  /** True for a Ready, also from another copy of this SDK in the same process. */
  public static override isInstance(value: unknown): value is Ready {
    return (value as { __pulumiType?: unknown } | undefined)?.__pulumiType === Ready.__pulumiType;
  }

  /** UUID of the machine: another machine is another guest. */
  declare public readonly vmUuid: pulumi.Output<string>;

  /** How the guest is reached. */
  declare public readonly guest: pulumi.Output<GuestConnection>;

  /** Programs that must be there; the first line of `--version` is recorded. */
  declare public readonly tools: pulumi.Output<string[]>;

  /** Where the machine and its disks must be, checked at the vCenter and in the guest. */
  declare public readonly machine: pulumi.Output<GuestMachine | undefined>;

  /** False: only the vCenter is asked, for guests without a POSIX shell over SSH. */
  declare public readonly login: pulumi.Output<boolean>;

  /** A service must keep the guest's clock in step. */
  declare public readonly timeSync: pulumi.Output<boolean>;

  /** MiB that must be free where jobs write their output. */
  declare public readonly freeMib: pulumi.Output<number>;

  /** How long the guest may take to become reachable. */
  declare public readonly timeoutSeconds: pulumi.Output<number>;

  /** What the guest says about itself. */
  declare public readonly facts: pulumi.Output<GuestFacts | undefined>;

  constructor(name: string, args: ReadyArgs, opts: pulumi.CustomResourceOptions = {}) {
    const inputs: pulumi.Inputs = {};
    const given: Partial<ReadyArgs> = (args as ReadyArgs | undefined) ?? {};
    if (opts.id === undefined) {
      if (opts.urn === undefined) {
        required(given.guest, "guest");
        required(given.vmUuid, "vmUuid");
      }
      inputs["vmUuid"] = given.vmUuid;
      inputs["guest"] = given.guest;
      inputs["tools"] = given.tools;
      inputs["machine"] = given.machine;
      inputs["login"] = given.login;
      inputs["timeSync"] = given.timeSync;
      inputs["freeMib"] = given.freeMib;
      inputs["timeoutSeconds"] = given.timeoutSeconds;
      inputs["facts"] = undefined;
    } else {
      inputs["vmUuid"] = undefined;
      inputs["guest"] = undefined;
      inputs["tools"] = undefined;
      inputs["machine"] = undefined;
      inputs["login"] = undefined;
      inputs["timeSync"] = undefined;
      inputs["freeMib"] = undefined;
      inputs["timeoutSeconds"] = undefined;
      inputs["facts"] = undefined;
    }
    const own = { version: packageVersion };
    super(Ready.__pulumiType, name, inputs, pulumi.mergeOptions(own, opts));
  }
}

/** Arguments of {@link Ready}. */
export interface ReadyArgs {
  /** UUID of the machine: another machine is another guest. */
  readonly vmUuid: pulumi.Input<string>;
  /** How the guest is reached. */
  readonly guest: pulumi.Input<GuestConnectionArgs>;
  /** Programs that must be there; the first line of `--version` is recorded. */
  readonly tools?: pulumi.Input<pulumi.Input<string>[]>;
  /** Where the machine and its disks must be, checked at the vCenter and in the guest. */
  readonly machine?: pulumi.Input<GuestMachineArgs>;
  /** False: only the vCenter is asked, for guests without a POSIX shell over SSH. */
  readonly login?: pulumi.Input<boolean>;
  /** A service must keep the guest's clock in step. */
  readonly timeSync?: pulumi.Input<boolean>;
  /** MiB that must be free where jobs write their output. */
  readonly freeMib?: pulumi.Input<number>;
  /** How long the guest may take to become reachable. */
  readonly timeoutSeconds?: pulumi.Input<number>;
}

export interface GuestConnection {
  /** Name of the guest: in messages, results and as a folder's name. */
  readonly name: string;
  /** Address of its SSH server. */
  readonly host: string;
  /** Port of its SSH server. */
  readonly port?: number;
  /** User with the rights of root. */
  readonly user?: string;
  /** Reference (`env:`, `file:`, `exec:`) to the user's private key. */
  readonly privateKey: string;
  /** Public host key as one authorized_keys line; a guest with another is refused. */
  readonly hostKey: string;
  /** Folder on the guest in which each bed has a folder of its own. */
  readonly workRoot?: string;
  /** Who looks after detached jobs: `systemd-run`, or a session of their own. */
  readonly supervisor?: JobSupervisor;
}

export interface GuestConnectionArgs {
  /** Name of the guest: in messages, results and as a folder's name. */
  readonly name: pulumi.Input<string>;
  /** Address of its SSH server. */
  readonly host: pulumi.Input<string>;
  /** Port of its SSH server. */
  readonly port?: pulumi.Input<number>;
  /** User with the rights of root. */
  readonly user?: pulumi.Input<string>;
  /** Reference (`env:`, `file:`, `exec:`) to the user's private key. */
  readonly privateKey: pulumi.Input<string>;
  /** Public host key as one authorized_keys line; a guest with another is refused. */
  readonly hostKey: pulumi.Input<string>;
  /** Folder on the guest in which each bed has a folder of its own. */
  readonly workRoot?: pulumi.Input<string>;
  /** Who looks after detached jobs: `systemd-run`, or a session of their own. */
  readonly supervisor?: pulumi.Input<JobSupervisor>;
}

export interface GuestFacts {
  readonly hostname: string;
  readonly kernel: string;
  /** Changes with every start of the guest. */
  readonly bootId: string;
  readonly cpus: number;
  readonly memoryBytes: string;
  /** systemd is its init system and looks after jobs. */
  readonly systemd: boolean;
  /** Guest clock minus ours. */
  readonly clockOffsetMs: number;
  readonly clockUncertaintyMs: number;
  /** Version lines by program. */
  readonly tools: Record<string, string>;
  /** What keeps its clock in step. */
  readonly timeService?: string;
  /** Path of each disk in the guest, by label: the UUID of its VMDK. */
  readonly disks?: Record<string, string>;
}

export interface GuestMachine {
  /** Name of the vCenter among the provider's devices. */
  readonly device: string;
  /** Host that the machine must run on. */
  readonly host: string;
  /** The guest has its disks as block devices, which it shows by their UUIDs. */
  readonly inGuest?: boolean;
  /** The machine's disks by label, all of them. */
  readonly disks: Record<string, MachineDiskPlace>;
}

export interface GuestMachineArgs {
  /** Name of the vCenter among the provider's devices. */
  readonly device: pulumi.Input<string>;
  /** Host that the machine must run on. */
  readonly host: pulumi.Input<string>;
  /** The guest has its disks as block devices, which it shows by their UUIDs. */
  readonly inGuest?: pulumi.Input<boolean>;
  /** The machine's disks by label, all of them. */
  readonly disks: pulumi.Input<Record<string, pulumi.Input<MachineDiskPlaceArgs>>>;
}

export const JobSupervisor = {
  Auto: "auto",
  Systemd: "systemd",
  Session: "session",
} as const;

export type JobSupervisor = (typeof JobSupervisor)[keyof typeof JobSupervisor];

export interface MachineDiskPlace {
  /** Number of the virtual SCSI controller. */
  readonly controller: number;
  /** Unit on it; 7 is the controller's own. */
  readonly unit: number;
  /** Datastore that the disk must lie on. */
  readonly datastore?: string;
  /** Canonical name of the one block device that the datastore must lie on. */
  readonly blockDevice?: string;
}

export interface MachineDiskPlaceArgs {
  /** Number of the virtual SCSI controller. */
  readonly controller: pulumi.Input<number>;
  /** Unit on it; 7 is the controller's own. */
  readonly unit: pulumi.Input<number>;
  /** Datastore that the disk must lie on. */
  readonly datastore?: pulumi.Input<string>;
  /** Canonical name of the one block device that the datastore must lie on. */
  readonly blockDevice?: pulumi.Input<string>;
}
