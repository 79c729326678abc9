/** A virtual disk of a guest, beyond its boot disk. */
interface GuestDisk {
  readonly label: string;
  /** SCSI unit number: 1 is `/dev/sdb` in the guest, 2 `/dev/sdc`. */
  readonly unit: number;
  /** Decimal. */
  readonly sizeBytes: string;
  /** Absolute path of the block device file. */
  readonly file: string;
}

/** Body of `POST /guests/:vm/power-on` (docs/lab-protocol.md). */
export interface GuestSpec {
  readonly uuid: string;
  readonly hostname: string;
  readonly address: string;
  readonly memoryMiB: number;
  readonly cpus: number;
  readonly template: string;
  /** The hypervisor host that it runs on. */
  readonly host: string;
  readonly disks: readonly GuestDisk[];
}

export interface GuestStatus {
  readonly vm: string;
  readonly running: boolean;
  readonly address: string | undefined;
  /** Why it is not running, or what its start is waiting for. */
  readonly note: string | undefined;
}

/** What the daemon gives the supervisor: `createGuestSupervisor(options)` in `lab/guests/`. */
export interface GuestSupervisorOptions {
  /** Folder of the guests' own files: one folder per machine below it. */
  readonly dir: string;
  /** Every cgroup directory that is made, absolute, one a line: `lab down` removes them after a kill. */
  readonly cgroupList: string;
  /** Read-only lower layer of every guest. */
  readonly tree: string;
  readonly sshPort: number;
  readonly databasePort: number;
  /** Line for the guests' authorized_keys. */
  readonly authorizedKey: string;
  /** Host key that every guest answers with, OpenSSH private key file. */
  readonly hostKeyFile: string;
  readonly log: (message: string) => void;
}

/** Starts and stops the lab's guests. Implemented in `lab/guests/`. */
export interface GuestSupervisor {
  /** Answers when the guest is reachable. @throws {SanbedError} `lab` with the reason why not. */
  powerOn(vm: string, spec: GuestSpec): Promise<void>;
  /** Answers when it is off and its block devices are free. Unknown or off: done. */
  powerOff(vm: string, options: { readonly hard: boolean }): Promise<void>;
  /** Removes the guest's own files. Powers it off hard first when it runs. */
  remove(vm: string): Promise<void>;
  status(): readonly GuestStatus[];
}
