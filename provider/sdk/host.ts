// Made from provider/schema.json by tools/generate-sdk.ts. Do not edit.
import * as pulumi from "@pulumi/pulumi";
import { packageVersion, required } from "./version";

/**
 * Block devices of one volume group on one host: on every expected path, with path policy and queue
 * depth set.
 */
export class BlockDevices extends pulumi.CustomResource {
  /** @internal */
  public static readonly __pulumiType = "sanbed:host:BlockDevices";

  /** Looks up an existing resource by its id. */
  public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): BlockDevices {
    return new BlockDevices(name, undefined as never, { ...opts, id });
  }

  /** True for a BlockDevices, also from another copy of this SDK in the same process. */
  public static override isInstance(value: unknown): value is BlockDevices {
    return (value as { __pulumiType?: unknown } | undefined)?.__pulumiType === BlockDevices.__pulumiType;
  }

  /** The vCenter, by its name in the bed. */
  declare public readonly device: pulumi.Output<string>;

  /** The host, by its name in the vCenter. */
  declare public readonly host: pulumi.Output<string>;

  /** Names of the devices by stable key. */
  declare public readonly devices: pulumi.Output<Record<string, string>>;

  /** Usable paths that each device must have on this host. */
  declare public readonly expectedPaths: pulumi.Output<number>;

  /** Path selection; default `VMW_PSP_RR`, for NVMe `LB-RR`. */
  declare public readonly policy: pulumi.Output<string | undefined>;

  /** NVMe target ports: hosts look there for what they did not find by themselves. */
  declare public readonly targets: pulumi.Output<Record<string, NvmeTargetPort> | undefined>;

  /** Outstanding requests per device with several guests on it (DSNRO). */
  declare public readonly queueDepth: pulumi.Output<number | undefined>;

  /** Id of the volume map: a new map is a new set of devices. */
  declare public readonly map: pulumi.Output<string>;

  /** What names the host's entry on the array: the devices are let go before that entry goes. */
  declare public readonly entry: pulumi.Output<string | undefined>;

  /** How long to wait for missing paths, seconds, rescanning now and then. */
  declare public readonly waitSeconds: pulumi.Output<number>;

  /** Usable paths by key. */
  declare public readonly paths: pulumi.Output<Record<string, number>>;

  /** Settings before ours by key; put back on delete. */
  declare public readonly previous: pulumi.Output<Record<string, HostDeviceSettings>>;

  constructor(name: string, args: BlockDevicesArgs, opts: pulumi.CustomResourceOptions = {}) {
    const inputs: pulumi.Inputs = {};
    const given: Partial<BlockDevicesArgs> = (args as BlockDevicesArgs | undefined) ?? {};
    if (opts.id === undefined) {
      if (opts.urn === undefined) {
        required(given.device, "device");
        required(given.devices, "devices");
        required(given.expectedPaths, "expectedPaths");
        required(given.host, "host");
        required(given.map, "map");
      }
      inputs["device"] = given.device;
      inputs["host"] = given.host;
      inputs["devices"] = given.devices;
      inputs["expectedPaths"] = given.expectedPaths;
      inputs["policy"] = given.policy;
      inputs["targets"] = given.targets;
      inputs["queueDepth"] = given.queueDepth;
      inputs["map"] = given.map;
      inputs["entry"] = given.entry;
      inputs["waitSeconds"] = given.waitSeconds;
      inputs["paths"] = undefined;
      inputs["previous"] = undefined;
    } else {
      inputs["device"] = undefined;
      inputs["host"] = undefined;
      inputs["devices"] = undefined;
      inputs["expectedPaths"] = undefined;
      inputs["policy"] = undefined;
      inputs["targets"] = undefined;
      inputs["queueDepth"] = undefined;
      inputs["map"] = undefined;
      inputs["entry"] = undefined;
      inputs["waitSeconds"] = undefined;
      inputs["paths"] = undefined;
      inputs["previous"] = undefined;
    }
    const own = { version: packageVersion };
    super(BlockDevices.__pulumiType, name, inputs, pulumi.mergeOptions(own, opts));
  }
}

/** Arguments of {@link BlockDevices}. */
export interface BlockDevicesArgs {
  /** The vCenter, by its name in the bed. */
  readonly device: pulumi.Input<string>;
  /** The host, by its name in the vCenter. */
  readonly host: pulumi.Input<string>;
  /** Names of the devices by stable key. */
  readonly devices: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Usable paths that each device must have on this host. */
  readonly expectedPaths: pulumi.Input<number>;
  /** Path selection; default `VMW_PSP_RR`, for NVMe `LB-RR`. */
  readonly policy?: pulumi.Input<string>;
  /** NVMe target ports: hosts look there for what they did not find by themselves. */
  readonly targets?: pulumi.Input<Record<string, pulumi.Input<NvmeTargetPortArgs>>>;
  /** Outstanding requests per device with several guests on it (DSNRO). */
  readonly queueDepth?: pulumi.Input<number>;
  /** Id of the volume map: a new map is a new set of devices. */
  readonly map: pulumi.Input<string>;
  /** What names the host's entry on the array: the devices are let go before that entry goes. */
  readonly entry?: pulumi.Input<string>;
  /** How long to wait for missing paths, seconds, rescanning now and then. */
  readonly waitSeconds?: pulumi.Input<number>;
}

/** Removes the datastores on the bed's devices, once nothing of others lies on them. */
export class DatastoreGuard extends pulumi.CustomResource {
  /** @internal */
  public static readonly __pulumiType = "sanbed:host:DatastoreGuard";

  /** Looks up an existing resource by its id. */
  public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): DatastoreGuard {
    return new DatastoreGuard(name, undefined as never, { ...opts, id });
  }

  /** True for a DatastoreGuard, also from another copy of this SDK in the same process. */
  public static override isInstance(value: unknown): value is DatastoreGuard {
    return (value as { __pulumiType?: unknown } | undefined)?.__pulumiType === DatastoreGuard.__pulumiType;
  }

  /** The vCenter, by its name in the bed. */
  declare public readonly device: pulumi.Output<string>;

  /** The volume group whose datastores it stands before. */
  declare public readonly group: pulumi.Output<string>;

  /** Devices of the group by stable key. */
  declare public readonly devices: pulumi.Output<Record<string, string>>;

  /** Id of the volume map: with another map all that lies on the devices is made anew. */
  declare public readonly map: pulumi.Output<string | undefined>;

  constructor(name: string, args: DatastoreGuardArgs, opts: pulumi.CustomResourceOptions = {}) {
    const inputs: pulumi.Inputs = {};
    const given: Partial<DatastoreGuardArgs> = (args as DatastoreGuardArgs | undefined) ?? {};
    if (opts.id === undefined) {
      if (opts.urn === undefined) {
        required(given.device, "device");
        required(given.devices, "devices");
        required(given.group, "group");
      }
      inputs["device"] = given.device;
      inputs["group"] = given.group;
      inputs["devices"] = given.devices;
      inputs["map"] = given.map;
    } else {
      inputs["device"] = undefined;
      inputs["group"] = undefined;
      inputs["devices"] = undefined;
      inputs["map"] = undefined;
    }
    const own = { version: packageVersion };
    super(DatastoreGuard.__pulumiType, name, inputs, pulumi.mergeOptions(own, opts));
  }
}

/** Arguments of {@link DatastoreGuard}. */
export interface DatastoreGuardArgs {
  /** The vCenter, by its name in the bed. */
  readonly device: pulumi.Input<string>;
  /** The volume group whose datastores it stands before. */
  readonly group: pulumi.Input<string>;
  /** Devices of the group by stable key. */
  readonly devices: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Id of the volume map: with another map all that lies on the devices is made anew. */
  readonly map?: pulumi.Input<string>;
}

/** After the machines: those that the bed began to make and does not know are destroyed. */
export class MachineGuard extends pulumi.CustomResource {
  /** @internal */
  public static readonly __pulumiType = "sanbed:host:MachineGuard";

  /** Looks up an existing resource by its id. */
  public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): MachineGuard {
    return new MachineGuard(name, undefined as never, { ...opts, id });
  }

  /** True for a MachineGuard, also from another copy of this SDK in the same process. */
  public static override isInstance(value: unknown): value is MachineGuard {
    return (value as { __pulumiType?: unknown } | undefined)?.__pulumiType === MachineGuard.__pulumiType;
  }

  /** The vCenter, by its name in the bed. */
  declare public readonly device: pulumi.Output<string>;

  /** Folder of the bed's machines; its own name carries the mark. */
  declare public readonly folder: pulumi.Output<string>;

  /**
   * Names of the machines that are made in it: a machine that was cut off before it got its mark is
   * known by its name.
   */
  declare public readonly machines: pulumi.Output<string[]>;

  constructor(name: string, args: MachineGuardArgs, opts: pulumi.CustomResourceOptions = {}) {
    const inputs: pulumi.Inputs = {};
    const given: Partial<MachineGuardArgs> = (args as MachineGuardArgs | undefined) ?? {};
    if (opts.id === undefined) {
      if (opts.urn === undefined) {
        required(given.device, "device");
        required(given.folder, "folder");
        required(given.machines, "machines");
      }
      inputs["device"] = given.device;
      inputs["folder"] = given.folder;
      inputs["machines"] = given.machines;
    } else {
      inputs["device"] = undefined;
      inputs["folder"] = undefined;
      inputs["machines"] = undefined;
    }
    const own = { version: packageVersion };
    super(MachineGuard.__pulumiType, name, inputs, pulumi.mergeOptions(own, opts));
  }
}

/** Arguments of {@link MachineGuard}. */
export interface MachineGuardArgs {
  /** The vCenter, by its name in the bed. */
  readonly device: pulumi.Input<string>;
  /** Folder of the bed's machines; its own name carries the mark. */
  readonly folder: pulumi.Input<string>;
  /**
   * Names of the machines that are made in it: a machine that was cut off before it got its mark is
   * known by its name.
   */
  readonly machines: pulumi.Input<pulumi.Input<string>[]>;
}

/** After the unmap: hosts rescanned, devices forgotten and proven gone. */
export class RescanGuard extends pulumi.CustomResource {
  /** @internal */
  public static readonly __pulumiType = "sanbed:host:RescanGuard";

  /** Looks up an existing resource by its id. */
  public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): RescanGuard {
    return new RescanGuard(name, undefined as never, { ...opts, id });
  }

  /** True for a RescanGuard, also from another copy of this SDK in the same process. */
  public static override isInstance(value: unknown): value is RescanGuard {
    return (value as { __pulumiType?: unknown } | undefined)?.__pulumiType === RescanGuard.__pulumiType;
  }

  /** The vCenter, by its name in the bed. */
  declare public readonly device: pulumi.Output<string>;

  /** Hosts that are rescanned, by their names in the vCenter. */
  declare public readonly hosts: pulumi.Output<string[]>;

  /** Devices that must be gone, by stable key. */
  declare public readonly devices: pulumi.Output<Record<string, string>>;

  /** What the guard stands before: a volume group or a host. */
  declare public readonly group: pulumi.Output<string>;

  /** NVMe: NQN of the subsystem; connections to it that hold nothing any more are ended. */
  declare public readonly subsystem: pulumi.Output<string | undefined>;

  /**
   * Id of the volume group. With it the guard goes with its volumes: unmapped, rescanned, then
   * removed.
   */
  declare public readonly volumes: pulumi.Output<string | undefined>;

  constructor(name: string, args: RescanGuardArgs, opts: pulumi.CustomResourceOptions = {}) {
    const inputs: pulumi.Inputs = {};
    const given: Partial<RescanGuardArgs> = (args as RescanGuardArgs | undefined) ?? {};
    if (opts.id === undefined) {
      if (opts.urn === undefined) {
        required(given.device, "device");
        required(given.devices, "devices");
        required(given.group, "group");
        required(given.hosts, "hosts");
      }
      inputs["device"] = given.device;
      inputs["hosts"] = given.hosts;
      inputs["devices"] = given.devices;
      inputs["group"] = given.group;
      inputs["subsystem"] = given.subsystem;
      inputs["volumes"] = given.volumes;
    } else {
      inputs["device"] = undefined;
      inputs["hosts"] = undefined;
      inputs["devices"] = undefined;
      inputs["group"] = undefined;
      inputs["subsystem"] = undefined;
      inputs["volumes"] = undefined;
    }
    const own = { version: packageVersion };
    super(RescanGuard.__pulumiType, name, inputs, pulumi.mergeOptions(own, opts));
  }
}

/** Arguments of {@link RescanGuard}. */
export interface RescanGuardArgs {
  /** The vCenter, by its name in the bed. */
  readonly device: pulumi.Input<string>;
  /** Hosts that are rescanned, by their names in the vCenter. */
  readonly hosts: pulumi.Input<pulumi.Input<string>[]>;
  /** Devices that must be gone, by stable key. */
  readonly devices: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** What the guard stands before: a volume group or a host. */
  readonly group: pulumi.Input<string>;
  /** NVMe: NQN of the subsystem; connections to it that hold nothing any more are ended. */
  readonly subsystem?: pulumi.Input<string>;
  /**
   * Id of the volume group. With it the guard goes with its volumes: unmapped, rescanned, then
   * removed.
   */
  readonly volumes?: pulumi.Input<string>;
}

/**
 * Before anything is taken down: refuses while somebody else uses the group's datastores or
 * devices.
 */
export class TeardownGate extends pulumi.CustomResource {
  /** @internal */
  public static readonly __pulumiType = "sanbed:host:TeardownGate";

  /** Looks up an existing resource by its id. */
  public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): TeardownGate {
    return new TeardownGate(name, undefined as never, { ...opts, id });
  }

  /** True for a TeardownGate, also from another copy of this SDK in the same process. */
  public static override isInstance(value: unknown): value is TeardownGate {
    return (value as { __pulumiType?: unknown } | undefined)?.__pulumiType === TeardownGate.__pulumiType;
  }

  /** The vCenter, by its name in the bed. */
  declare public readonly device: pulumi.Output<string>;

  /** The volume group that it stands before. */
  declare public readonly group: pulumi.Output<string>;

  /** Hosts that the devices are presented to. */
  declare public readonly hosts: pulumi.Output<string[]>;

  /** Devices of the group by stable key. */
  declare public readonly devices: pulumi.Output<Record<string, string>>;

  /** Id of the volume map: with another map all that lies on the devices is made anew. */
  declare public readonly map: pulumi.Output<string | undefined>;

  constructor(name: string, args: TeardownGateArgs, opts: pulumi.CustomResourceOptions = {}) {
    const inputs: pulumi.Inputs = {};
    const given: Partial<TeardownGateArgs> = (args as TeardownGateArgs | undefined) ?? {};
    if (opts.id === undefined) {
      if (opts.urn === undefined) {
        required(given.device, "device");
        required(given.devices, "devices");
        required(given.group, "group");
        required(given.hosts, "hosts");
      }
      inputs["device"] = given.device;
      inputs["group"] = given.group;
      inputs["hosts"] = given.hosts;
      inputs["devices"] = given.devices;
      inputs["map"] = given.map;
    } else {
      inputs["device"] = undefined;
      inputs["group"] = undefined;
      inputs["hosts"] = undefined;
      inputs["devices"] = undefined;
      inputs["map"] = undefined;
    }
    const own = { version: packageVersion };
    super(TeardownGate.__pulumiType, name, inputs, pulumi.mergeOptions(own, opts));
  }
}

/** Arguments of {@link TeardownGate}. */
export interface TeardownGateArgs {
  /** The vCenter, by its name in the bed. */
  readonly device: pulumi.Input<string>;
  /** The volume group that it stands before. */
  readonly group: pulumi.Input<string>;
  /** Hosts that the devices are presented to. */
  readonly hosts: pulumi.Input<pulumi.Input<string>[]>;
  /** Devices of the group by stable key. */
  readonly devices: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Id of the volume map: with another map all that lies on the devices is made anew. */
  readonly map?: pulumi.Input<string>;
}

/** Fibre Channel devices of a host with states, settings and paths. */
export function getDevicePaths(args: GetDevicePathsArgs, opts: pulumi.InvokeOptions = {}): Promise<GetDevicePathsResult> {
  return pulumi.runtime.invoke("sanbed:host:getDevicePaths", { device: args.device, host: args.host, devices: args.devices }, { version: packageVersion, ...opts }) as Promise<GetDevicePathsResult>;
}

/**
 * Fibre Channel devices of a host with states, settings and paths.
 * Arguments may be outputs.
 */
export function getDevicePathsOutput(
  args: GetDevicePathsOutputArgs,
  opts: pulumi.InvokeOutputOptions = {},
): pulumi.Output<GetDevicePathsResult> {
  return pulumi.runtime.invokeOutput("sanbed:host:getDevicePaths", { device: args.device, host: args.host, devices: args.devices }, { version: packageVersion, ...opts });
}

/** Arguments of {@link getDevicePaths}. */
export interface GetDevicePathsArgs {
  /** The vCenter, by its name in the bed. */
  readonly device: string;
  /** The host, by its name in the vCenter. */
  readonly host: string;
  /** Only these; default all Fibre Channel devices. */
  readonly devices?: string[];
}

/** Arguments of {@link getDevicePathsOutput}. */
export interface GetDevicePathsOutputArgs {
  /** The vCenter, by its name in the bed. */
  readonly device: pulumi.Input<string>;
  /** The host, by its name in the vCenter. */
  readonly host: pulumi.Input<string>;
  /** Only these; default all Fibre Channel devices. */
  readonly devices?: pulumi.Input<pulumi.Input<string>[]>;
}

/** Result of {@link getDevicePaths}. */
export interface GetDevicePathsResult {
  /** By name of the device. */
  readonly devices: Record<string, FoundHostDevice>;
}

/** Fibre Channel adapters of a host with their port names. */
export function getHostAdapters(args: GetHostAdaptersArgs, opts: pulumi.InvokeOptions = {}): Promise<GetHostAdaptersResult> {
  return pulumi.runtime.invoke("sanbed:host:getHostAdapters", { device: args.device, host: args.host }, { version: packageVersion, ...opts }) as Promise<GetHostAdaptersResult>;
}

/**
 * Fibre Channel adapters of a host with their port names.
 * Arguments may be outputs.
 */
export function getHostAdaptersOutput(
  args: GetHostAdaptersOutputArgs,
  opts: pulumi.InvokeOutputOptions = {},
): pulumi.Output<GetHostAdaptersResult> {
  return pulumi.runtime.invokeOutput("sanbed:host:getHostAdapters", { device: args.device, host: args.host }, { version: packageVersion, ...opts });
}

/** Arguments of {@link getHostAdapters}. */
export interface GetHostAdaptersArgs {
  /** The vCenter, by its name in the bed. */
  readonly device: string;
  /** The host, by its name in the vCenter. */
  readonly host: string;
}

/** Arguments of {@link getHostAdaptersOutput}. */
export interface GetHostAdaptersOutputArgs {
  /** The vCenter, by its name in the bed. */
  readonly device: pulumi.Input<string>;
  /** The host, by its name in the vCenter. */
  readonly host: pulumi.Input<string>;
}

/** Result of {@link getHostAdapters}. */
export interface GetHostAdaptersResult {
  /** By name on the host, `vmhba2`. */
  readonly adapters: Record<string, FoundHostAdapter>;
  /** Name of the host over NVMe, where the hypervisor tells it. */
  readonly nqn?: string;
}

export interface FoundDevicePath {
  readonly adapter: string;
  /** Target port; absent when the host has forgotten it. */
  readonly targetWwpn?: string;
  /** LUN number. */
  readonly lun?: number;
  /** `active`, `standby`, `disabled`, `dead` or `unknown`. */
  readonly state: string;
}

export interface FoundHostAdapter {
  /** Port name, with colons. */
  readonly wwpn: string;
  /** Node name, with colons. */
  readonly wwnn: string;
  /** `scsi` or `nvme`. */
  readonly protocol: string;
  readonly online: boolean;
  /** Negotiated speed, Gbit/s. */
  readonly speedGbps?: number;
}

export interface FoundHostDevice {
  /** `ok`, `off` (detached), `lostCommunication` or the host's own word. */
  readonly state: string;
  /** Bytes, decimal. */
  readonly capacityBytes: string;
  readonly vendor: string;
  readonly model: string;
  /** Path selection policy. */
  readonly policy?: string;
  /** Outstanding requests with several guests (DSNRO). */
  readonly queueDepth?: number;
  /** Datastore on it. */
  readonly datastore?: string;
  readonly paths: FoundDevicePath[];
}

export interface HostDeviceSettings {
  /** Path selection before ours. */
  readonly policy?: string;
  /** Queue depth before ours. */
  readonly queueDepth?: number;
}

export interface NvmeTargetPort {
  readonly wwpn: string;
  readonly wwnn: string;
}

export interface NvmeTargetPortArgs {
  readonly wwpn: pulumi.Input<string>;
  readonly wwnn: pulumi.Input<string>;
}
