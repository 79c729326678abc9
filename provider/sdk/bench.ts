// Made from provider/schema.json by tools/generate-sdk.ts. Do not edit.
import * as pulumi from "@pulumi/pulumi";
import { packageVersion, required } from "./version";

/**
 * Inventory of every device before the bed; on delete the proof that nothing of the bed is left.
 */
export class Certificate extends pulumi.CustomResource {
  /** @internal */
  public static readonly __pulumiType = "sanbed:bench:Certificate";

  /** Looks up an existing resource by its id. */
  public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Certificate {
    return new Certificate(name, undefined as never, { ...opts, id });
  }

  /** True for a Certificate, also from another copy of this SDK in the same process. */
  public static override isInstance(value: unknown): value is Certificate {
    return (value as { __pulumiType?: unknown } | undefined)?.__pulumiType === Certificate.__pulumiType;
  }

  /** Devices whose inventory is taken, by their names in the bed. */
  declare public readonly devices: pulumi.Output<string[]>;

  /**
   * Reference (`env:`, `file:`, `exec:`) to an Ed25519 private key in PEM that signs the
   * certificate. Default: a hash chain.
   */
  declare public readonly signingKey: pulumi.Output<string | undefined>;

  /** SHA-256 of the inventory before the bed, which lies in the bed folder. */
  declare public readonly digest: pulumi.Output<string>;

  /** Number of objects before the bed, by device and class. */
  declare public readonly objects: pulumi.Output<Record<string, number>>;

  /** When the inventory was taken (ISO 8601). */
  declare public readonly takenAt: pulumi.Output<string>;

  /** Folder with the inventories and, after destroy, certificate.json. */
  declare public readonly folder: pulumi.Output<string>;

  constructor(name: string, args: CertificateArgs, opts: pulumi.CustomResourceOptions = {}) {
    const inputs: pulumi.Inputs = {};
    const given: Partial<CertificateArgs> = (args as CertificateArgs | undefined) ?? {};
    if (opts.id === undefined) {
      if (opts.urn === undefined) {
        required(given.devices, "devices");
      }
      inputs["devices"] = given.devices;
      inputs["signingKey"] = given.signingKey;
      inputs["digest"] = undefined;
      inputs["objects"] = undefined;
      inputs["takenAt"] = undefined;
      inputs["folder"] = undefined;
    } else {
      inputs["devices"] = undefined;
      inputs["signingKey"] = undefined;
      inputs["digest"] = undefined;
      inputs["objects"] = undefined;
      inputs["takenAt"] = undefined;
      inputs["folder"] = undefined;
    }
    const own = { version: packageVersion };
    super(Certificate.__pulumiType, name, inputs, pulumi.mergeOptions(own, opts));
  }
}

/** Arguments of {@link Certificate}. */
export interface CertificateArgs {
  /** Devices whose inventory is taken, by their names in the bed. */
  readonly devices: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Reference (`env:`, `file:`, `exec:`) to an Ed25519 private key in PEM that signs the
   * certificate. Default: a hash chain.
   */
  readonly signingKey?: pulumi.Input<string>;
}

/** Sysbench tables in a guest's database, loaded, counted and reused while valid. */
export class Dataset extends pulumi.CustomResource {
  /** @internal */
  public static readonly __pulumiType = "sanbed:bench:Dataset";

  /** Looks up an existing resource by its id. */
  public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Dataset {
    return new Dataset(name, undefined as never, { ...opts, id });
  }

  /** True for a Dataset, also from another copy of this SDK in the same process. */
  public static override isInstance(value: unknown): value is Dataset {
    return (value as { __pulumiType?: unknown } | undefined)?.__pulumiType === Dataset.__pulumiType;
  }

  /** UUID of the machine: its data go with it. */
  declare public readonly vmUuid: pulumi.Output<string>;

  /** How the guest is reached. */
  declare public readonly guest: pulumi.Output<GuestConnection>;

  /** Id of the `guest:Ready` of this guest; orders the two. */
  declare public readonly ready: pulumi.Output<string>;

  /** Database server. */
  declare public readonly engine: pulumi.Output<DatabaseEngine>;

  /** Number of Sysbench tables. */
  declare public readonly tables: pulumi.Output<number>;

  /** Rows of each table. */
  declare public readonly rows: pulumi.Output<number>;

  /** Buffer pool that the server must have been started with, in bytes. */
  declare public readonly bufferPoolBytes: pulumi.Output<string>;

  /** Connections that load at once. */
  declare public readonly loadThreads: pulumi.Output<number>;

  /** Socket of the database server. */
  declare public readonly socket: pulumi.Output<string>;

  /** `leave`: the data end with the machine. `drop`: database and user are dropped. */
  declare public readonly onDelete: pulumi.Output<DatasetOnDelete>;

  /** Name of the database; it carries the bed's mark. */
  declare public readonly database: pulumi.Output<string>;

  /** Stands for tables, rows, row counts and the settings that shape the data. */
  declare public readonly fingerprint: pulumi.Output<string>;

  /** Tables and indexes, in bytes. */
  declare public readonly dataBytes: pulumi.Output<string | undefined>;

  /** Version of the database server. */
  declare public readonly server: pulumi.Output<string | undefined>;

  /** It was there and whole, and was not loaded again. */
  declare public readonly reused: pulumi.Output<boolean | undefined>;

  constructor(name: string, args: DatasetArgs, opts: pulumi.CustomResourceOptions = {}) {
    const inputs: pulumi.Inputs = {};
    const given: Partial<DatasetArgs> = (args as DatasetArgs | undefined) ?? {};
    if (opts.id === undefined) {
      if (opts.urn === undefined) {
        required(given.bufferPoolBytes, "bufferPoolBytes");
        required(given.engine, "engine");
        required(given.guest, "guest");
        required(given.ready, "ready");
        required(given.rows, "rows");
        required(given.tables, "tables");
        required(given.vmUuid, "vmUuid");
      }
      inputs["vmUuid"] = given.vmUuid;
      inputs["guest"] = given.guest;
      inputs["ready"] = given.ready;
      inputs["engine"] = given.engine;
      inputs["tables"] = given.tables;
      inputs["rows"] = given.rows;
      inputs["bufferPoolBytes"] = given.bufferPoolBytes;
      inputs["loadThreads"] = given.loadThreads;
      inputs["socket"] = given.socket;
      inputs["onDelete"] = given.onDelete;
      inputs["database"] = undefined;
      inputs["fingerprint"] = undefined;
      inputs["dataBytes"] = undefined;
      inputs["server"] = undefined;
      inputs["reused"] = undefined;
    } else {
      inputs["vmUuid"] = undefined;
      inputs["guest"] = undefined;
      inputs["ready"] = undefined;
      inputs["engine"] = undefined;
      inputs["tables"] = undefined;
      inputs["rows"] = undefined;
      inputs["bufferPoolBytes"] = undefined;
      inputs["loadThreads"] = undefined;
      inputs["socket"] = undefined;
      inputs["onDelete"] = undefined;
      inputs["database"] = undefined;
      inputs["fingerprint"] = undefined;
      inputs["dataBytes"] = undefined;
      inputs["server"] = undefined;
      inputs["reused"] = undefined;
    }
    const own = { version: packageVersion };
    super(Dataset.__pulumiType, name, inputs, pulumi.mergeOptions(own, opts));
  }
}

/** Arguments of {@link Dataset}. */
export interface DatasetArgs {
  /** UUID of the machine: its data go with it. */
  readonly vmUuid: pulumi.Input<string>;
  /** How the guest is reached. */
  readonly guest: pulumi.Input<GuestConnectionArgs>;
  /** Id of the `guest:Ready` of this guest; orders the two. */
  readonly ready: pulumi.Input<string>;
  /** Database server. */
  readonly engine: pulumi.Input<DatabaseEngine>;
  /** Number of Sysbench tables. */
  readonly tables: pulumi.Input<number>;
  /** Rows of each table. */
  readonly rows: pulumi.Input<number>;
  /** Buffer pool that the server must have been started with, in bytes. */
  readonly bufferPoolBytes: pulumi.Input<string>;
  /** Connections that load at once. */
  readonly loadThreads?: pulumi.Input<number>;
  /** Socket of the database server. */
  readonly socket?: pulumi.Input<string>;
  /** `leave`: the data end with the machine. `drop`: database and user are dropped. */
  readonly onDelete?: pulumi.Input<DatasetOnDelete>;
}

/** One benchmark case on a set of guests: started together, watched, harvested, judged. */
export class Run extends pulumi.CustomResource {
  /** @internal */
  public static readonly __pulumiType = "sanbed:bench:Run";

  /** Looks up an existing resource by its id. */
  public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Run {
    return new Run(name, undefined as never, { ...opts, id });
  }

  /** True for a Run, also from another copy of this SDK in the same process. */
  public static override isInstance(value: unknown): value is Run {
    return (value as { __pulumiType?: unknown } | undefined)?.__pulumiType === Run.__pulumiType;
  }

  /** Name of the case in its suite, for instance `oltp-8vm`. */
  declare public readonly case: pulumi.Output<string>;

  /** Another run id asks for a new measurement; the same one continues or keeps the old. */
  declare public readonly runId: pulumi.Output<string>;

  /** Guests that carry the load, started together, by stable key. */
  declare public readonly guests: pulumi.Output<Record<string, RunGuest>>;

  /** The case, the same on every guest. */
  declare public readonly workload: pulumi.Output<SysbenchWorkload>;

  /** What the case measures, kept with the run for reports and comparability. */
  declare public readonly platform: pulumi.Output<RunPlatform | undefined>;

  /** Only a valid run is evidence. */
  declare public readonly verdict: pulumi.Output<RunVerdict>;

  /** True for the verdict `valid`. */
  declare public readonly valid: pulumi.Output<boolean>;

  /** Why it is not valid, with the guest. */
  declare public readonly reasons: pulumi.Output<string[]>;

  /** Run folder with raw output, samples and manifest. */
  declare public readonly folder: pulumi.Output<string>;

  /** What to know of a valid run. */
  declare public readonly warnings: pulumi.Output<string[] | undefined>;

  /** Transactions per second, all guests. */
  declare public readonly tps: pulumi.Output<number | undefined>;

  /** Mean latency of all transactions, in ms. */
  declare public readonly avgMs: pulumi.Output<number | undefined>;

  /** 99th percentile of the merged histograms, in ms. */
  declare public readonly p99Ms: pulumi.Output<number | undefined>;

  /** Latest start minus earliest, in ms. */
  declare public readonly startSkewMs: pulumi.Output<number | undefined>;

  /** TPS x mean latency / threads; 1 when nothing was lost or misread. */
  declare public readonly littleRatio: pulumi.Output<number | undefined>;

  /** SHA-256 of the run's manifest. */
  declare public readonly sha256: pulumi.Output<string | undefined>;

  /** Measured now, continued, or kept from before. */
  declare public readonly origin: pulumi.Output<RunOrigin | undefined>;

  constructor(name: string, args: RunArgs, opts: pulumi.CustomResourceOptions = {}) {
    const inputs: pulumi.Inputs = {};
    const given: Partial<RunArgs> = (args as RunArgs | undefined) ?? {};
    if (opts.id === undefined) {
      if (opts.urn === undefined) {
        required(given.case, "case");
        required(given.guests, "guests");
        required(given.runId, "runId");
        required(given.workload, "workload");
      }
      inputs["case"] = given.case;
      inputs["runId"] = given.runId;
      inputs["guests"] = given.guests;
      inputs["workload"] = given.workload;
      inputs["platform"] = given.platform;
      inputs["verdict"] = undefined;
      inputs["valid"] = undefined;
      inputs["reasons"] = undefined;
      inputs["folder"] = undefined;
      inputs["warnings"] = undefined;
      inputs["tps"] = undefined;
      inputs["avgMs"] = undefined;
      inputs["p99Ms"] = undefined;
      inputs["startSkewMs"] = undefined;
      inputs["littleRatio"] = undefined;
      inputs["sha256"] = undefined;
      inputs["origin"] = undefined;
    } else {
      inputs["case"] = undefined;
      inputs["runId"] = undefined;
      inputs["guests"] = undefined;
      inputs["workload"] = undefined;
      inputs["platform"] = undefined;
      inputs["verdict"] = undefined;
      inputs["valid"] = undefined;
      inputs["reasons"] = undefined;
      inputs["folder"] = undefined;
      inputs["warnings"] = undefined;
      inputs["tps"] = undefined;
      inputs["avgMs"] = undefined;
      inputs["p99Ms"] = undefined;
      inputs["startSkewMs"] = undefined;
      inputs["littleRatio"] = undefined;
      inputs["sha256"] = undefined;
      inputs["origin"] = undefined;
    }
    const own = { version: packageVersion };
    super(Run.__pulumiType, name, inputs, pulumi.mergeOptions(own, opts));
  }
}

/** Arguments of {@link Run}. */
export interface RunArgs {
  /** Name of the case in its suite, for instance `oltp-8vm`. */
  readonly case: pulumi.Input<string>;
  /** Another run id asks for a new measurement; the same one continues or keeps the old. */
  readonly runId: pulumi.Input<string>;
  /** Guests that carry the load, started together, by stable key. */
  readonly guests: pulumi.Input<Record<string, pulumi.Input<RunGuestArgs>>>;
  /** The case, the same on every guest. */
  readonly workload: pulumi.Input<SysbenchWorkloadArgs>;
  /** What the case measures, kept with the run for reports and comparability. */
  readonly platform?: pulumi.Input<RunPlatformArgs>;
}

/** Fails when a case of a suite is invalid or missing, listing all of them. */
export class Verdict extends pulumi.CustomResource {
  /** @internal */
  public static readonly __pulumiType = "sanbed:bench:Verdict";

  /** Looks up an existing resource by its id. */
  public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Verdict {
    return new Verdict(name, undefined as never, { ...opts, id });
  }

  /** True for a Verdict, also from another copy of this SDK in the same process. */
  public static override isInstance(value: unknown): value is Verdict {
    return (value as { __pulumiType?: unknown } | undefined)?.__pulumiType === Verdict.__pulumiType;
  }

  /** Name of the suite. */
  declare public readonly suite: pulumi.Output<string>;

  /** Cases that the suite must hold. */
  declare public readonly expected: pulumi.Output<string[]>;

  /** Verdict of each case, by name. */
  declare public readonly cases: pulumi.Output<Record<string, JudgedCase>>;

  /** Number of valid cases. */
  declare public readonly validCases: pulumi.Output<number>;

  constructor(name: string, args: VerdictArgs, opts: pulumi.CustomResourceOptions = {}) {
    const inputs: pulumi.Inputs = {};
    const given: Partial<VerdictArgs> = (args as VerdictArgs | undefined) ?? {};
    if (opts.id === undefined) {
      if (opts.urn === undefined) {
        required(given.cases, "cases");
      }
      inputs["suite"] = given.suite;
      inputs["expected"] = given.expected;
      inputs["cases"] = given.cases;
      inputs["validCases"] = undefined;
    } else {
      inputs["suite"] = undefined;
      inputs["expected"] = undefined;
      inputs["cases"] = undefined;
      inputs["validCases"] = undefined;
    }
    const own = { version: packageVersion };
    super(Verdict.__pulumiType, name, inputs, pulumi.mergeOptions(own, opts));
  }
}

/** Arguments of {@link Verdict}. */
export interface VerdictArgs {
  /** Name of the suite. */
  readonly suite?: pulumi.Input<string>;
  /** Cases that the suite must hold. */
  readonly expected?: pulumi.Input<pulumi.Input<string>[]>;
  /** Verdict of each case, by name. */
  readonly cases: pulumi.Input<Record<string, pulumi.Input<JudgedCaseArgs>>>;
}

export const DatabaseEngine = {
  Mariadb: "mariadb",
} as const;

export type DatabaseEngine = (typeof DatabaseEngine)[keyof typeof DatabaseEngine];

export const DatasetOnDelete = {
  Leave: "leave",
  Drop: "drop",
} as const;

export type DatasetOnDelete = (typeof DatasetOnDelete)[keyof typeof DatasetOnDelete];

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

export const JobSupervisor = {
  Auto: "auto",
  Systemd: "systemd",
  Session: "session",
} as const;

export type JobSupervisor = (typeof JobSupervisor)[keyof typeof JobSupervisor];

export interface JudgedCase {
  /** It is evidence. */
  readonly valid: boolean;
  /** Why it is not valid. */
  readonly reasons?: string[];
  /** Its run folder. */
  readonly folder?: string;
}

export interface JudgedCaseArgs {
  /** It is evidence. */
  readonly valid: pulumi.Input<boolean>;
  /** Why it is not valid. */
  readonly reasons?: pulumi.Input<pulumi.Input<string>[]>;
  /** Its run folder. */
  readonly folder?: pulumi.Input<string>;
}

export const PlatformKind = {
  Lab: "lab",
  Hardware: "hardware",
} as const;

export type PlatformKind = (typeof PlatformKind)[keyof typeof PlatformKind];

export interface RunGuest {
  /** UUID of the machine: another machine is another run. */
  readonly vmUuid: string;
  /** How the guest is reached. */
  readonly guest: GuestConnection;
  /** Fingerprint of the guest's data set. */
  readonly dataset: string;
  /** Socket of the database server. */
  readonly socket?: string;
}

export interface RunGuestArgs {
  /** UUID of the machine: another machine is another run. */
  readonly vmUuid: pulumi.Input<string>;
  /** How the guest is reached. */
  readonly guest: pulumi.Input<GuestConnectionArgs>;
  /** Fingerprint of the guest's data set. */
  readonly dataset: pulumi.Input<string>;
  /** Socket of the database server. */
  readonly socket?: pulumi.Input<string>;
}

export const RunOrigin = {
  Measured: "measured",
  Attached: "attached",
  Kept: "kept",
} as const;

export type RunOrigin = (typeof RunOrigin)[keyof typeof RunOrigin];

export interface RunPlatform {
  /** `lab`: emulated, so that figures say nothing about an array. */
  readonly kind: PlatformKind;
  /** Site and level in one phrase, for reports. */
  readonly label: string;
  /** Vendor and model. */
  readonly array: string;
  /** How hosts are attached, `fcp` or `nvme-fc`. */
  readonly protocol: string;
  /** Version of the array's software. */
  readonly software: string;
}

export interface RunPlatformArgs {
  /** `lab`: emulated, so that figures say nothing about an array. */
  readonly kind: pulumi.Input<PlatformKind>;
  /** Site and level in one phrase, for reports. */
  readonly label: pulumi.Input<string>;
  /** Vendor and model. */
  readonly array: pulumi.Input<string>;
  /** How hosts are attached, `fcp` or `nvme-fc`. */
  readonly protocol: pulumi.Input<string>;
  /** Version of the array's software. */
  readonly software: pulumi.Input<string>;
}

export const RunVerdict = {
  Valid: "valid",
  Invalid: "invalid",
  Partial: "partial",
  Unfinished: "unfinished",
} as const;

export type RunVerdict = (typeof RunVerdict)[keyof typeof RunVerdict];

export const SysbenchPreparedStatements = {
  Auto: "auto",
  Disable: "disable",
} as const;

export type SysbenchPreparedStatements = (typeof SysbenchPreparedStatements)[keyof typeof SysbenchPreparedStatements];

export const SysbenchRandType = {
  Special: "special",
  Uniform: "uniform",
  Gaussian: "gaussian",
  Pareto: "pareto",
} as const;

export type SysbenchRandType = (typeof SysbenchRandType)[keyof typeof SysbenchRandType];

export interface SysbenchWorkload {
  readonly tables: number;
  readonly rows: number;
  readonly threads: number;
  readonly preconditionSeconds: number;
  readonly measureSeconds: number;
  readonly reportIntervalSeconds: number;
  readonly randType?: SysbenchRandType;
  readonly percentile?: number;
  readonly preparedStatements?: SysbenchPreparedStatements;
  readonly maxRetryShare?: number;
  /** `sysbench-oltp`: oltp_read_write of sysbench 1.0. */
  readonly kind: WorkloadKind;
}

export interface SysbenchWorkloadArgs {
  readonly tables: pulumi.Input<number>;
  readonly rows: pulumi.Input<number>;
  readonly threads: pulumi.Input<number>;
  readonly preconditionSeconds: pulumi.Input<number>;
  readonly measureSeconds: pulumi.Input<number>;
  readonly reportIntervalSeconds: pulumi.Input<number>;
  readonly randType?: pulumi.Input<SysbenchRandType>;
  readonly percentile?: pulumi.Input<number>;
  readonly preparedStatements?: pulumi.Input<SysbenchPreparedStatements>;
  readonly maxRetryShare?: pulumi.Input<number>;
  /** `sysbench-oltp`: oltp_read_write of sysbench 1.0. */
  readonly kind: pulumi.Input<WorkloadKind>;
}

export const WorkloadKind = {
  SysbenchOltp: "sysbench-oltp",
} as const;

export type WorkloadKind = (typeof WorkloadKind)[keyof typeof WorkloadKind];
