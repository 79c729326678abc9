// Made from provider/schema.json by tools/generate-sdk.ts. Do not edit.
import * as pulumi from "@pulumi/pulumi";
import { packageVersion, required } from "./version";

/** A host's initiators as members of a host group. */
export class HostEntry extends pulumi.CustomResource {
  /** @internal */
  public static readonly __pulumiType = "sanbed:array:HostEntry";

  /** Looks up an existing resource by its id. */
  public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): HostEntry {
    return new HostEntry(name, undefined as never, { ...opts, id });
  }

  /** True for a HostEntry, also from another copy of this SDK in the same process. */
  public static override isInstance(value: unknown): value is HostEntry {
    return (value as { __pulumiType?: unknown } | undefined)?.__pulumiType === HostEntry.__pulumiType;
  }

  /** Name of the array in the bed. */
  declare public readonly device: pulumi.Output<string>;

  /** Storage tenant. */
  declare public readonly target: pulumi.Output<string>;

  /** Host group that the host belongs to. */
  declare public readonly group: pulumi.Output<string>;

  /** Name of the host. */
  declare public readonly host: pulumi.Output<string>;

  /** How hosts reach the volumes: `fcp` (the default) or `nvme-fc`. */
  declare public readonly protocol: pulumi.Output<DataProtocol | undefined>;

  /** WWPNs of all ports of the host; with `nvme-fc` its NQN. */
  declare public readonly initiators: pulumi.Output<string[]>;

  /** Initiators that were added for this host. */
  declare public readonly owned: pulumi.Output<string[]>;

  constructor(name: string, args: HostEntryArgs, opts: pulumi.CustomResourceOptions = {}) {
    const inputs: pulumi.Inputs = {};
    const given: Partial<HostEntryArgs> = (args as HostEntryArgs | undefined) ?? {};
    if (opts.id === undefined) {
      if (opts.urn === undefined) {
        required(given.device, "device");
        required(given.group, "group");
        required(given.host, "host");
        required(given.initiators, "initiators");
        required(given.target, "target");
      }
      inputs["device"] = given.device;
      inputs["target"] = given.target;
      inputs["group"] = given.group;
      inputs["host"] = given.host;
      inputs["protocol"] = given.protocol;
      inputs["initiators"] = given.initiators;
      inputs["owned"] = undefined;
    } else {
      inputs["device"] = undefined;
      inputs["target"] = undefined;
      inputs["group"] = undefined;
      inputs["host"] = undefined;
      inputs["protocol"] = undefined;
      inputs["initiators"] = undefined;
      inputs["owned"] = undefined;
    }
    const own = { version: packageVersion };
    super(HostEntry.__pulumiType, name, inputs, pulumi.mergeOptions(own, opts));
  }
}

/** Arguments of {@link HostEntry}. */
export interface HostEntryArgs {
  /** Name of the array in the bed. */
  readonly device: pulumi.Input<string>;
  /** Storage tenant. */
  readonly target: pulumi.Input<string>;
  /** Host group that the host belongs to. */
  readonly group: pulumi.Input<string>;
  /** Name of the host. */
  readonly host: pulumi.Input<string>;
  /** How hosts reach the volumes: `fcp` (the default) or `nvme-fc`. */
  readonly protocol?: pulumi.Input<DataProtocol>;
  /** WWPNs of all ports of the host; with `nvme-fc` its NQN. */
  readonly initiators: pulumi.Input<pulumi.Input<string>[]>;
}

/** Group of hosts on an array, which volumes are mapped to. */
export class HostGroup extends pulumi.CustomResource {
  /** @internal */
  public static readonly __pulumiType = "sanbed:array:HostGroup";

  /** Looks up an existing resource by its id. */
  public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): HostGroup {
    return new HostGroup(name, undefined as never, { ...opts, id });
  }

  /** True for a HostGroup, also from another copy of this SDK in the same process. */
  public static override isInstance(value: unknown): value is HostGroup {
    return (value as { __pulumiType?: unknown } | undefined)?.__pulumiType === HostGroup.__pulumiType;
  }

  /** Name of the array in the bed. */
  declare public readonly device: pulumi.Output<string>;

  /** Storage tenant. */
  declare public readonly target: pulumi.Output<string>;

  /** How hosts reach the volumes: `fcp` (the default) or `nvme-fc`. */
  declare public readonly protocol: pulumi.Output<DataProtocol | undefined>;

  /** Name of the group; the mark is added where it is missing. */
  declare public readonly name: pulumi.Output<string>;

  /** Name on the array, with the mark. */
  declare public readonly groupName: pulumi.Output<string>;

  /** The array's own id of the group. */
  declare public readonly groupId: pulumi.Output<string>;

  /** NVMe: the NQN under which hosts find the group. */
  declare public readonly subsystemNqn: pulumi.Output<string | undefined>;

  constructor(name: string, args: HostGroupArgs, opts: pulumi.CustomResourceOptions = {}) {
    const inputs: pulumi.Inputs = {};
    const given: Partial<HostGroupArgs> = (args as HostGroupArgs | undefined) ?? {};
    if (opts.id === undefined) {
      if (opts.urn === undefined) {
        required(given.device, "device");
        required(given.name, "name");
        required(given.target, "target");
      }
      inputs["device"] = given.device;
      inputs["target"] = given.target;
      inputs["protocol"] = given.protocol;
      inputs["name"] = given.name;
      inputs["groupName"] = undefined;
      inputs["groupId"] = undefined;
      inputs["subsystemNqn"] = undefined;
    } else {
      inputs["device"] = undefined;
      inputs["target"] = undefined;
      inputs["protocol"] = undefined;
      inputs["name"] = undefined;
      inputs["groupName"] = undefined;
      inputs["groupId"] = undefined;
      inputs["subsystemNqn"] = undefined;
    }
    const own = { version: packageVersion };
    super(HostGroup.__pulumiType, name, inputs, pulumi.mergeOptions(own, opts));
  }
}

/** Arguments of {@link HostGroup}. */
export interface HostGroupArgs {
  /** Name of the array in the bed. */
  readonly device: pulumi.Input<string>;
  /** Storage tenant. */
  readonly target: pulumi.Input<string>;
  /** How hosts reach the volumes: `fcp` (the default) or `nvme-fc`. */
  readonly protocol?: pulumi.Input<DataProtocol>;
  /** Name of the group; the mark is added where it is missing. */
  readonly name: pulumi.Input<string>;
}

/** Mapping of a group of NVMe namespaces to a host group (subsystem). */
export class NamespaceMap extends pulumi.CustomResource {
  /** @internal */
  public static readonly __pulumiType = "sanbed:array:NamespaceMap";

  /** Looks up an existing resource by its id. */
  public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): NamespaceMap {
    return new NamespaceMap(name, undefined as never, { ...opts, id });
  }

  /** True for a NamespaceMap, also from another copy of this SDK in the same process. */
  public static override isInstance(value: unknown): value is NamespaceMap {
    return (value as { __pulumiType?: unknown } | undefined)?.__pulumiType === NamespaceMap.__pulumiType;
  }

  /** Name of the array in the bed. */
  declare public readonly device: pulumi.Output<string>;

  /** Storage tenant. */
  declare public readonly target: pulumi.Output<string>;

  /** Host group (subsystem) that the namespaces are mapped to. */
  declare public readonly group: pulumi.Output<string>;

  /** Names of the volumes on the array, by a stable key. */
  declare public readonly namespaces: pulumi.Output<Record<string, string>>;

  /** Id of the RescanGuard: it is deleted after the map, and rescans the hosts then. */
  declare public readonly guard: pulumi.Output<string>;

  /** Numbers of the namespaces in the subsystem, given by the array, by key. */
  declare public readonly nsids: pulumi.Output<Record<string, number>>;

  /** Volumes that were mapped. */
  declare public readonly owned: pulumi.Output<string[]>;

  constructor(name: string, args: NamespaceMapArgs, opts: pulumi.CustomResourceOptions = {}) {
    const inputs: pulumi.Inputs = {};
    const given: Partial<NamespaceMapArgs> = (args as NamespaceMapArgs | undefined) ?? {};
    if (opts.id === undefined) {
      if (opts.urn === undefined) {
        required(given.device, "device");
        required(given.group, "group");
        required(given.guard, "guard");
        required(given.namespaces, "namespaces");
        required(given.target, "target");
      }
      inputs["device"] = given.device;
      inputs["target"] = given.target;
      inputs["group"] = given.group;
      inputs["namespaces"] = given.namespaces;
      inputs["guard"] = given.guard;
      inputs["nsids"] = undefined;
      inputs["owned"] = undefined;
    } else {
      inputs["device"] = undefined;
      inputs["target"] = undefined;
      inputs["group"] = undefined;
      inputs["namespaces"] = undefined;
      inputs["guard"] = undefined;
      inputs["nsids"] = undefined;
      inputs["owned"] = undefined;
    }
    const own = { version: packageVersion };
    super(NamespaceMap.__pulumiType, name, inputs, pulumi.mergeOptions(own, opts));
  }
}

/** Arguments of {@link NamespaceMap}. */
export interface NamespaceMapArgs {
  /** Name of the array in the bed. */
  readonly device: pulumi.Input<string>;
  /** Storage tenant. */
  readonly target: pulumi.Input<string>;
  /** Host group (subsystem) that the namespaces are mapped to. */
  readonly group: pulumi.Input<string>;
  /** Names of the volumes on the array, by a stable key. */
  readonly namespaces: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Id of the RescanGuard: it is deleted after the map, and rescans the hosts then. */
  readonly guard: pulumi.Input<string>;
}

/** A group of NVMe namespaces that come and go together. */
export class NamespaceSet extends pulumi.CustomResource {
  /** @internal */
  public static readonly __pulumiType = "sanbed:array:NamespaceSet";

  /** Looks up an existing resource by its id. */
  public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): NamespaceSet {
    return new NamespaceSet(name, undefined as never, { ...opts, id });
  }

  /** True for a NamespaceSet, also from another copy of this SDK in the same process. */
  public static override isInstance(value: unknown): value is NamespaceSet {
    return (value as { __pulumiType?: unknown } | undefined)?.__pulumiType === NamespaceSet.__pulumiType;
  }

  /** Name of the array in the bed. */
  declare public readonly device: pulumi.Output<string>;

  /** Storage tenant. */
  declare public readonly target: pulumi.Output<string>;

  /** The volumes, by a stable key of your choice. */
  declare public readonly volumes: pulumi.Output<Record<string, VolumeSetVolume>>;

  /** Thin: space is taken when written. Else it is reserved. */
  declare public readonly thin: pulumi.Output<boolean>;

  /** How the array saves space in the volumes; what is left out stays as the array makes it. */
  declare public readonly dataReduction: pulumi.Output<VolumeSetDataReduction | undefined>;

  /** Another number makes the whole group anew, without its data. */
  declare public readonly generation: pulumi.Output<number | undefined>;

  /** The volumes as made, by key. */
  declare public readonly set: pulumi.Output<Record<string, VolumeSetMade>>;

  /** What hosts call them, by key. */
  declare public readonly devices: pulumi.Output<Record<string, string>>;

  /** Names that were made, by key. */
  declare public readonly owned: pulumi.Output<Record<string, string>>;

  constructor(name: string, args: NamespaceSetArgs, opts: pulumi.CustomResourceOptions = {}) {
    const inputs: pulumi.Inputs = {};
    const given: Partial<NamespaceSetArgs> = (args as NamespaceSetArgs | undefined) ?? {};
    if (opts.id === undefined) {
      if (opts.urn === undefined) {
        required(given.device, "device");
        required(given.target, "target");
        required(given.thin, "thin");
        required(given.volumes, "volumes");
      }
      inputs["device"] = given.device;
      inputs["target"] = given.target;
      inputs["volumes"] = given.volumes;
      inputs["thin"] = given.thin;
      inputs["dataReduction"] = given.dataReduction;
      inputs["generation"] = given.generation;
      inputs["set"] = undefined;
      inputs["devices"] = undefined;
      inputs["owned"] = undefined;
    } else {
      inputs["device"] = undefined;
      inputs["target"] = undefined;
      inputs["volumes"] = undefined;
      inputs["thin"] = undefined;
      inputs["dataReduction"] = undefined;
      inputs["generation"] = undefined;
      inputs["set"] = undefined;
      inputs["devices"] = undefined;
      inputs["owned"] = undefined;
    }
    const own = { version: packageVersion };
    super(NamespaceSet.__pulumiType, name, inputs, pulumi.mergeOptions(own, opts));
  }
}

/** Arguments of {@link NamespaceSet}. */
export interface NamespaceSetArgs {
  /** Name of the array in the bed. */
  readonly device: pulumi.Input<string>;
  /** Storage tenant. */
  readonly target: pulumi.Input<string>;
  /** The volumes, by a stable key of your choice. */
  readonly volumes: pulumi.Input<Record<string, pulumi.Input<VolumeSetVolumeArgs>>>;
  /** Thin: space is taken when written. Else it is reserved. */
  readonly thin: pulumi.Input<boolean>;
  /** How the array saves space in the volumes; what is left out stays as the array makes it. */
  readonly dataReduction?: pulumi.Input<VolumeSetDataReductionArgs>;
  /** Another number makes the whole group anew, without its data. */
  readonly generation?: pulumi.Input<number>;
}

/** Pool of drives, on arrays that let a client make one. Else use `getPool`. */
export class Pool extends pulumi.CustomResource {
  /** @internal */
  public static readonly __pulumiType = "sanbed:array:Pool";

  /** Looks up an existing resource by its id. */
  public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Pool {
    return new Pool(name, undefined as never, { ...opts, id });
  }

  /** True for a Pool, also from another copy of this SDK in the same process. */
  public static override isInstance(value: unknown): value is Pool {
    return (value as { __pulumiType?: unknown } | undefined)?.__pulumiType === Pool.__pulumiType;
  }

  /** Name of the array in the bed. */
  declare public readonly device: pulumi.Output<string>;

  /** Name of the pool; the mark is added where it is missing. */
  declare public readonly name: pulumi.Output<string>;

  /** Controller that owns it. */
  declare public readonly controller: pulumi.Output<string>;

  /** Number of drives. */
  declare public readonly driveCount: pulumi.Output<number>;

  /** RAID kind in the array's own word, for instance `raid_dp`. */
  declare public readonly raid: pulumi.Output<string>;

  /** Name on the array, with the mark: what volumes name as their pool. */
  declare public readonly poolName: pulumi.Output<string>;

  /** Usable size in bytes. */
  declare public readonly sizeBytes: pulumi.Output<string>;

  constructor(name: string, args: PoolArgs, opts: pulumi.CustomResourceOptions = {}) {
    const inputs: pulumi.Inputs = {};
    const given: Partial<PoolArgs> = (args as PoolArgs | undefined) ?? {};
    if (opts.id === undefined) {
      if (opts.urn === undefined) {
        required(given.controller, "controller");
        required(given.device, "device");
        required(given.driveCount, "driveCount");
        required(given.name, "name");
        required(given.raid, "raid");
      }
      inputs["device"] = given.device;
      inputs["name"] = given.name;
      inputs["controller"] = given.controller;
      inputs["driveCount"] = given.driveCount;
      inputs["raid"] = given.raid;
      inputs["poolName"] = undefined;
      inputs["sizeBytes"] = undefined;
    } else {
      inputs["device"] = undefined;
      inputs["name"] = undefined;
      inputs["controller"] = undefined;
      inputs["driveCount"] = undefined;
      inputs["raid"] = undefined;
      inputs["poolName"] = undefined;
      inputs["sizeBytes"] = undefined;
    }
    const own = { version: packageVersion };
    super(Pool.__pulumiType, name, inputs, pulumi.mergeOptions(own, opts));
  }
}

/** Arguments of {@link Pool}. */
export interface PoolArgs {
  /** Name of the array in the bed. */
  readonly device: pulumi.Input<string>;
  /** Name of the pool; the mark is added where it is missing. */
  readonly name: pulumi.Input<string>;
  /** Controller that owns it. */
  readonly controller: pulumi.Input<string>;
  /** Number of drives. */
  readonly driveCount: pulumi.Input<number>;
  /** RAID kind in the array's own word, for instance `raid_dp`. */
  readonly raid: pulumi.Input<string>;
}

/** Storage tenant with its service and target ports, made by us or the site's own. */
export class Targets extends pulumi.CustomResource {
  /** @internal */
  public static readonly __pulumiType = "sanbed:array:Targets";

  /** Looks up an existing resource by its id. */
  public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Targets {
    return new Targets(name, undefined as never, { ...opts, id });
  }

  /** True for a Targets, also from another copy of this SDK in the same process. */
  public static override isInstance(value: unknown): value is Targets {
    return (value as { __pulumiType?: unknown } | undefined)?.__pulumiType === Targets.__pulumiType;
  }

  /** Name of the array in the bed. */
  declare public readonly device: pulumi.Output<string>;

  /** Storage tenant that owns service, ports and volumes. */
  declare public readonly target: pulumi.Output<string>;

  declare public readonly mode: pulumi.Output<TargetsMode>;

  declare public readonly protocol: pulumi.Output<TargetsProtocol>;

  /** Target ports, by a key of your choice. */
  declare public readonly ports: pulumi.Output<Record<string, TargetsPort>>;

  /** Pools that the tenant may use; ignored with `use`. */
  declare public readonly pools: pulumi.Output<string[]>;

  /** The ports, by the same keys. */
  declare public readonly targetPorts: pulumi.Output<Record<string, TargetPort>>;

  constructor(name: string, args: TargetsArgs, opts: pulumi.CustomResourceOptions = {}) {
    const inputs: pulumi.Inputs = {};
    const given: Partial<TargetsArgs> = (args as TargetsArgs | undefined) ?? {};
    if (opts.id === undefined) {
      if (opts.urn === undefined) {
        required(given.device, "device");
        required(given.mode, "mode");
        required(given.pools, "pools");
        required(given.ports, "ports");
        required(given.protocol, "protocol");
        required(given.target, "target");
      }
      inputs["device"] = given.device;
      inputs["target"] = given.target;
      inputs["mode"] = given.mode;
      inputs["protocol"] = given.protocol;
      inputs["ports"] = given.ports;
      inputs["pools"] = given.pools;
      inputs["targetPorts"] = undefined;
    } else {
      inputs["device"] = undefined;
      inputs["target"] = undefined;
      inputs["mode"] = undefined;
      inputs["protocol"] = undefined;
      inputs["ports"] = undefined;
      inputs["pools"] = undefined;
      inputs["targetPorts"] = undefined;
    }
    const own = { version: packageVersion };
    super(Targets.__pulumiType, name, inputs, pulumi.mergeOptions(own, opts));
  }
}

/** Arguments of {@link Targets}. */
export interface TargetsArgs {
  /** Name of the array in the bed. */
  readonly device: pulumi.Input<string>;
  /** Storage tenant that owns service, ports and volumes. */
  readonly target: pulumi.Input<string>;
  readonly mode: pulumi.Input<TargetsMode>;
  readonly protocol: pulumi.Input<TargetsProtocol>;
  /** Target ports, by a key of your choice. */
  readonly ports: pulumi.Input<Record<string, pulumi.Input<TargetsPortArgs>>>;
  /** Pools that the tenant may use; ignored with `use`. */
  readonly pools: pulumi.Input<pulumi.Input<string>[]>;
}

/** Mapping of a group of volumes to a host group, with LUN numbers. */
export class VolumeMap extends pulumi.CustomResource {
  /** @internal */
  public static readonly __pulumiType = "sanbed:array:VolumeMap";

  /** Looks up an existing resource by its id. */
  public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): VolumeMap {
    return new VolumeMap(name, undefined as never, { ...opts, id });
  }

  /** True for a VolumeMap, also from another copy of this SDK in the same process. */
  public static override isInstance(value: unknown): value is VolumeMap {
    return (value as { __pulumiType?: unknown } | undefined)?.__pulumiType === VolumeMap.__pulumiType;
  }

  /** Name of the array in the bed. */
  declare public readonly device: pulumi.Output<string>;

  /** Storage tenant. */
  declare public readonly target: pulumi.Output<string>;

  /** Host group that the volumes are mapped to. */
  declare public readonly group: pulumi.Output<string>;

  /** Volumes and LUN numbers, by a stable key. */
  declare public readonly luns: pulumi.Output<Record<string, VolumeMapLun>>;

  /** Id of the RescanGuard: it is deleted after the map, and rescans the hosts then. */
  declare public readonly guard: pulumi.Output<string>;

  /** Volumes that were mapped. */
  declare public readonly owned: pulumi.Output<string[]>;

  constructor(name: string, args: VolumeMapArgs, opts: pulumi.CustomResourceOptions = {}) {
    const inputs: pulumi.Inputs = {};
    const given: Partial<VolumeMapArgs> = (args as VolumeMapArgs | undefined) ?? {};
    if (opts.id === undefined) {
      if (opts.urn === undefined) {
        required(given.device, "device");
        required(given.group, "group");
        required(given.guard, "guard");
        required(given.luns, "luns");
        required(given.target, "target");
      }
      inputs["device"] = given.device;
      inputs["target"] = given.target;
      inputs["group"] = given.group;
      inputs["luns"] = given.luns;
      inputs["guard"] = given.guard;
      inputs["owned"] = undefined;
    } else {
      inputs["device"] = undefined;
      inputs["target"] = undefined;
      inputs["group"] = undefined;
      inputs["luns"] = undefined;
      inputs["guard"] = undefined;
      inputs["owned"] = undefined;
    }
    const own = { version: packageVersion };
    super(VolumeMap.__pulumiType, name, inputs, pulumi.mergeOptions(own, opts));
  }
}

/** Arguments of {@link VolumeMap}. */
export interface VolumeMapArgs {
  /** Name of the array in the bed. */
  readonly device: pulumi.Input<string>;
  /** Storage tenant. */
  readonly target: pulumi.Input<string>;
  /** Host group that the volumes are mapped to. */
  readonly group: pulumi.Input<string>;
  /** Volumes and LUN numbers, by a stable key. */
  readonly luns: pulumi.Input<Record<string, pulumi.Input<VolumeMapLunArgs>>>;
  /** Id of the RescanGuard: it is deleted after the map, and rescans the hosts then. */
  readonly guard: pulumi.Input<string>;
}

/** A group of volumes that come and go together. */
export class VolumeSet extends pulumi.CustomResource {
  /** @internal */
  public static readonly __pulumiType = "sanbed:array:VolumeSet";

  /** Looks up an existing resource by its id. */
  public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): VolumeSet {
    return new VolumeSet(name, undefined as never, { ...opts, id });
  }

  /** True for a VolumeSet, also from another copy of this SDK in the same process. */
  public static override isInstance(value: unknown): value is VolumeSet {
    return (value as { __pulumiType?: unknown } | undefined)?.__pulumiType === VolumeSet.__pulumiType;
  }

  /** Name of the array in the bed. */
  declare public readonly device: pulumi.Output<string>;

  /** Storage tenant. */
  declare public readonly target: pulumi.Output<string>;

  /** The volumes, by a stable key of your choice. */
  declare public readonly volumes: pulumi.Output<Record<string, VolumeSetVolume>>;

  /** Thin: space is taken when written. Else it is reserved. */
  declare public readonly thin: pulumi.Output<boolean>;

  /** How the array saves space in the volumes; what is left out stays as the array makes it. */
  declare public readonly dataReduction: pulumi.Output<VolumeSetDataReduction | undefined>;

  /** Another number makes the whole group anew, without its data. */
  declare public readonly generation: pulumi.Output<number | undefined>;

  /** The volumes as made, by key. */
  declare public readonly set: pulumi.Output<Record<string, VolumeSetMade>>;

  /** What hosts call them, by key. */
  declare public readonly devices: pulumi.Output<Record<string, string>>;

  /** Names that were made, by key. */
  declare public readonly owned: pulumi.Output<Record<string, string>>;

  constructor(name: string, args: VolumeSetArgs, opts: pulumi.CustomResourceOptions = {}) {
    const inputs: pulumi.Inputs = {};
    const given: Partial<VolumeSetArgs> = (args as VolumeSetArgs | undefined) ?? {};
    if (opts.id === undefined) {
      if (opts.urn === undefined) {
        required(given.device, "device");
        required(given.target, "target");
        required(given.thin, "thin");
        required(given.volumes, "volumes");
      }
      inputs["device"] = given.device;
      inputs["target"] = given.target;
      inputs["volumes"] = given.volumes;
      inputs["thin"] = given.thin;
      inputs["dataReduction"] = given.dataReduction;
      inputs["generation"] = given.generation;
      inputs["set"] = undefined;
      inputs["devices"] = undefined;
      inputs["owned"] = undefined;
    } else {
      inputs["device"] = undefined;
      inputs["target"] = undefined;
      inputs["volumes"] = undefined;
      inputs["thin"] = undefined;
      inputs["dataReduction"] = undefined;
      inputs["generation"] = undefined;
      inputs["set"] = undefined;
      inputs["devices"] = undefined;
      inputs["owned"] = undefined;
    }
    const own = { version: packageVersion };
    super(VolumeSet.__pulumiType, name, inputs, pulumi.mergeOptions(own, opts));
  }
}

/** Arguments of {@link VolumeSet}. */
export interface VolumeSetArgs {
  /** Name of the array in the bed. */
  readonly device: pulumi.Input<string>;
  /** Storage tenant. */
  readonly target: pulumi.Input<string>;
  /** The volumes, by a stable key of your choice. */
  readonly volumes: pulumi.Input<Record<string, pulumi.Input<VolumeSetVolumeArgs>>>;
  /** Thin: space is taken when written. Else it is reserved. */
  readonly thin: pulumi.Input<boolean>;
  /** How the array saves space in the volumes; what is left out stays as the array makes it. */
  readonly dataReduction?: pulumi.Input<VolumeSetDataReductionArgs>;
  /** Another number makes the whole group anew, without its data. */
  readonly generation?: pulumi.Input<number>;
}

/** Model, release, controllers and licences of an array. */
export function getArrayFacts(args: GetArrayFactsArgs, opts: pulumi.InvokeOptions = {}): Promise<GetArrayFactsResult> {
  return pulumi.runtime.invoke("sanbed:array:getArrayFacts", { device: args.device }, { version: packageVersion, ...opts }) as Promise<GetArrayFactsResult>;
}

/**
 * Model, release, controllers and licences of an array.
 * Arguments may be outputs.
 */
export function getArrayFactsOutput(
  args: GetArrayFactsOutputArgs,
  opts: pulumi.InvokeOutputOptions = {},
): pulumi.Output<GetArrayFactsResult> {
  return pulumi.runtime.invokeOutput("sanbed:array:getArrayFacts", { device: args.device }, { version: packageVersion, ...opts });
}

/** Arguments of {@link getArrayFacts}. */
export interface GetArrayFactsArgs {
  /** Name of the array in the bed. */
  readonly device: string;
}

/** Arguments of {@link getArrayFactsOutput}. */
export interface GetArrayFactsOutputArgs {
  /** Name of the array in the bed. */
  readonly device: pulumi.Input<string>;
}

/** Result of {@link getArrayFacts}. */
export interface GetArrayFactsResult {
  readonly vendor: string;
  readonly model: string;
  readonly name: string;
  /** Release, as the array prints it. */
  readonly software: string;
  /** State of each controller, by name. */
  readonly controllers: Record<string, string>;
  /** Licensed packages, as far as the array tells. */
  readonly licences: string[];
}

/** A pool that exists on an array. */
export function getPool(args: GetPoolArgs, opts: pulumi.InvokeOptions = {}): Promise<GetPoolResult> {
  return pulumi.runtime.invoke("sanbed:array:getPool", { device: args.device, name: args.name }, { version: packageVersion, ...opts }) as Promise<GetPoolResult>;
}

/**
 * A pool that exists on an array.
 * Arguments may be outputs.
 */
export function getPoolOutput(
  args: GetPoolOutputArgs,
  opts: pulumi.InvokeOutputOptions = {},
): pulumi.Output<GetPoolResult> {
  return pulumi.runtime.invokeOutput("sanbed:array:getPool", { device: args.device, name: args.name }, { version: packageVersion, ...opts });
}

/** Arguments of {@link getPool}. */
export interface GetPoolArgs {
  /** Name of the array in the bed. */
  readonly device: string;
  /** Name of the pool on the array. */
  readonly name: string;
}

/** Arguments of {@link getPoolOutput}. */
export interface GetPoolOutputArgs {
  /** Name of the array in the bed. */
  readonly device: pulumi.Input<string>;
  /** Name of the pool on the array. */
  readonly name: pulumi.Input<string>;
}

/** Result of {@link getPool}. */
export interface GetPoolResult {
  readonly name: string;
  readonly controller?: string;
  /** Usable size in bytes. */
  readonly sizeBytes: string;
  /** Free space in bytes, now. */
  readonly freeBytes: string;
}

/** Target ports of a storage tenant. */
export function getTargetPorts(args: GetTargetPortsArgs, opts: pulumi.InvokeOptions = {}): Promise<GetTargetPortsResult> {
  return pulumi.runtime.invoke("sanbed:array:getTargetPorts", { device: args.device, target: args.target }, { version: packageVersion, ...opts }) as Promise<GetTargetPortsResult>;
}

/**
 * Target ports of a storage tenant.
 * Arguments may be outputs.
 */
export function getTargetPortsOutput(
  args: GetTargetPortsOutputArgs,
  opts: pulumi.InvokeOutputOptions = {},
): pulumi.Output<GetTargetPortsResult> {
  return pulumi.runtime.invokeOutput("sanbed:array:getTargetPorts", { device: args.device, target: args.target }, { version: packageVersion, ...opts });
}

/** Arguments of {@link getTargetPorts}. */
export interface GetTargetPortsArgs {
  /** Name of the array in the bed. */
  readonly device: string;
  /** Storage tenant. */
  readonly target: string;
}

/** Arguments of {@link getTargetPortsOutput}. */
export interface GetTargetPortsOutputArgs {
  /** Name of the array in the bed. */
  readonly device: pulumi.Input<string>;
  /** Storage tenant. */
  readonly target: pulumi.Input<string>;
}

/** Result of {@link getTargetPorts}. */
export interface GetTargetPortsResult {
  /** The ports, by name. */
  readonly ports: Record<string, TargetPortInfo>;
}

export const CompactionTime = {
  Off: "off",
  Inline: "inline",
} as const;

export type CompactionTime = (typeof CompactionTime)[keyof typeof CompactionTime];

export const DataProtocol = {
  Fcp: "fcp",
  NvmeFc: "nvme-fc",
} as const;

export type DataProtocol = (typeof DataProtocol)[keyof typeof DataProtocol];

export const ReductionTime = {
  Off: "off",
  Inline: "inline",
  Background: "background",
  Both: "both",
} as const;

export type ReductionTime = (typeof ReductionTime)[keyof typeof ReductionTime];

export interface TargetPort {
  readonly name: string;
  /** What hosts are zoned with. */
  readonly wwpn: string;
  readonly wwnn: string;
  readonly controller: string;
  readonly port: string;
}

export interface TargetPortInfo {
  readonly name: string;
  readonly wwpn: string;
  readonly wwnn: string;
  readonly controller: string;
  /** Physical port behind it. */
  readonly port: string;
  readonly online: boolean;
}

/** `create`: tenant, service and ports are made and removed. `use`: they are the site's. */
export const TargetsMode = {
  Create: "create",
  Use: "use",
} as const;

/** `create`: tenant, service and ports are made and removed. `use`: they are the site's. */
export type TargetsMode = (typeof TargetsMode)[keyof typeof TargetsMode];

export interface TargetsPort {
  /** Name of the port on the array. */
  readonly name: string;
  /** Controller that it lives on. */
  readonly controller: string;
  /** Physical port behind it, `2a`. */
  readonly port: string;
}

export interface TargetsPortArgs {
  /** Name of the port on the array. */
  readonly name: pulumi.Input<string>;
  /** Controller that it lives on. */
  readonly controller: pulumi.Input<string>;
  /** Physical port behind it, `2a`. */
  readonly port: pulumi.Input<string>;
}

/** Data protocol; a tenant serves one. */
export const TargetsProtocol = {
  Fcp: "fcp",
  NvmeFc: "nvme-fc",
} as const;

/** Data protocol; a tenant serves one. */
export type TargetsProtocol = (typeof TargetsProtocol)[keyof typeof TargetsProtocol];

export interface VolumeMapLun {
  /** Name of the volume on the array. */
  readonly volume: string;
  /** LUN number that the hosts see it under. */
  readonly lun: number;
}

export interface VolumeMapLunArgs {
  /** Name of the volume on the array. */
  readonly volume: pulumi.Input<string>;
  /** LUN number that the hosts see it under. */
  readonly lun: pulumi.Input<number>;
}

export interface VolumeSetDataReduction {
  /** Storing equal blocks once: when it happens. */
  readonly deduplication?: ReductionTime;
  /** Compression: when it happens. */
  readonly compression?: ReductionTime;
  /** Packing small pieces into one block. */
  readonly compaction?: CompactionTime;
}

export interface VolumeSetDataReductionArgs {
  /** Storing equal blocks once: when it happens. */
  readonly deduplication?: pulumi.Input<ReductionTime>;
  /** Compression: when it happens. */
  readonly compression?: pulumi.Input<ReductionTime>;
  /** Packing small pieces into one block. */
  readonly compaction?: pulumi.Input<CompactionTime>;
}

export interface VolumeSetMade {
  /** The array's own id. */
  readonly id: string;
  readonly name: string;
  readonly serial: string;
  /** What hosts call it, `naa.…`, `uuid.…`. */
  readonly deviceName: string;
}

export interface VolumeSetVolume {
  /** Name on the array. */
  readonly name: string;
  /** Size in bytes. It may grow, never shrink. */
  readonly sizeBytes: string;
  /** Pool that it lies in. */
  readonly pool: string;
}

export interface VolumeSetVolumeArgs {
  /** Name on the array. */
  readonly name: pulumi.Input<string>;
  /** Size in bytes. It may grow, never shrink. */
  readonly sizeBytes: pulumi.Input<string>;
  /** Pool that it lies in. */
  readonly pool: pulumi.Input<string>;
}
