import * as pulumi from "@pulumi/pulumi";

/**
 * The part of the vSphere package that beds use, with the official names and types (4.16.2). Stands in
 * where the official package is not installed; programs are the same with either.
 */

export declare namespace inputs {
  interface VirtualMachineDisk {
    datastoreId?: pulumi.Input<string>;
    diskMode?: pulumi.Input<string>;
    eagerlyScrub?: pulumi.Input<boolean>;
    key?: pulumi.Input<number>;
    label: pulumi.Input<string>;
    path?: pulumi.Input<string>;
    size?: pulumi.Input<number>;
    thinProvisioned?: pulumi.Input<boolean>;
    unitNumber?: pulumi.Input<number>;
    uuid?: pulumi.Input<string>;
  }
  interface VirtualMachineNetworkInterface {
    adapterType?: pulumi.Input<string>;
    key?: pulumi.Input<number>;
    macAddress?: pulumi.Input<string>;
    networkId: pulumi.Input<string>;
    useStaticMac?: pulumi.Input<boolean>;
  }
  interface VirtualMachineClone {
    customize?: pulumi.Input<inputs.VirtualMachineCloneCustomize>;
    linkedClone?: pulumi.Input<boolean>;
    templateUuid: pulumi.Input<string>;
    timeout?: pulumi.Input<number>;
  }
  interface VirtualMachineCloneCustomize {
    dnsServerLists?: pulumi.Input<pulumi.Input<string>[]>;
    dnsSuffixLists?: pulumi.Input<pulumi.Input<string>[]>;
    ipv4Gateway?: pulumi.Input<string>;
    linuxOptions?: pulumi.Input<inputs.VirtualMachineCloneCustomizeLinuxOptions>;
    networkInterfaces?: pulumi.Input<
      pulumi.Input<inputs.VirtualMachineCloneCustomizeNetworkInterface>[]
    >;
    timeout?: pulumi.Input<number>;
    windowsOptions?: pulumi.Input<inputs.VirtualMachineCloneCustomizeWindowsOptions>;
  }
  interface VirtualMachineCloneCustomizeLinuxOptions {
    domain: pulumi.Input<string>;
    hostName: pulumi.Input<string>;
    hwClockUtc?: pulumi.Input<boolean>;
    scriptText?: pulumi.Input<string>;
    timeZone?: pulumi.Input<string>;
  }
  interface VirtualMachineCloneCustomizeWindowsOptions {
    adminPassword?: pulumi.Input<string>;
    autoLogon?: pulumi.Input<boolean>;
    autoLogonCount?: pulumi.Input<number>;
    computerName: pulumi.Input<string>;
    domainAdminPassword?: pulumi.Input<string>;
    domainAdminUser?: pulumi.Input<string>;
    domainOu?: pulumi.Input<string>;
    fullName?: pulumi.Input<string>;
    joinDomain?: pulumi.Input<string>;
    organizationName?: pulumi.Input<string>;
    productKey?: pulumi.Input<string>;
    runOnceCommandLists?: pulumi.Input<pulumi.Input<string>[]>;
    timeZone?: pulumi.Input<number>;
    workgroup?: pulumi.Input<string>;
  }
  interface VirtualMachineCloneCustomizeNetworkInterface {
    dnsDomain?: pulumi.Input<string>;
    dnsServerLists?: pulumi.Input<pulumi.Input<string>[]>;
    ipv4Address?: pulumi.Input<string>;
    ipv4Netmask?: pulumi.Input<number>;
  }
}

export declare namespace outputs {
  interface VirtualMachineDisk {
    datastoreId?: string;
    diskMode?: string;
    eagerlyScrub?: boolean;
    key?: number;
    label: string;
    path?: string;
    size?: number;
    thinProvisioned?: boolean;
    unitNumber?: number;
    uuid?: string;
  }
  interface VirtualMachineNetworkInterface {
    adapterType?: string;
    key?: number;
    macAddress?: string;
    networkId: string;
    useStaticMac?: boolean;
  }
  interface VirtualMachineClone {
    customize?: outputs.VirtualMachineCloneCustomize;
    linkedClone?: boolean;
    templateUuid: string;
    timeout?: number;
  }
  interface VirtualMachineCloneCustomize {
    dnsServerLists?: string[];
    dnsSuffixLists?: string[];
    ipv4Gateway?: string;
    linuxOptions?: outputs.VirtualMachineCloneCustomizeLinuxOptions;
    networkInterfaces?: outputs.VirtualMachineCloneCustomizeNetworkInterface[];
    timeout?: number;
    windowsOptions?: outputs.VirtualMachineCloneCustomizeWindowsOptions;
  }
  interface VirtualMachineCloneCustomizeLinuxOptions {
    domain: string;
    hostName: string;
    hwClockUtc?: boolean;
    scriptText?: string;
    timeZone?: string;
  }
  interface VirtualMachineCloneCustomizeWindowsOptions {
    adminPassword?: string;
    autoLogon?: boolean;
    autoLogonCount?: number;
    computerName: string;
    domainAdminPassword?: string;
    domainAdminUser?: string;
    domainOu?: string;
    fullName?: string;
    joinDomain?: string;
    organizationName?: string;
    productKey?: string;
    runOnceCommandLists?: string[];
    timeZone?: number;
    workgroup?: string;
  }
  interface VirtualMachineCloneCustomizeNetworkInterface {
    dnsDomain?: string;
    dnsServerLists?: string[];
    ipv4Address?: string;
    ipv4Netmask?: number;
  }
  interface GetVirtualMachineDisk {
    eagerlyScrub: boolean;
    label: string;
    size: number;
    thinProvisioned: boolean;
    unitNumber: number;
  }
}

export interface VmfsDatastoreArgs {
  disks: pulumi.Input<pulumi.Input<string>[]>;
  folder?: pulumi.Input<string>;
  hostSystemId: pulumi.Input<string>;
  name?: pulumi.Input<string>;
  tags?: pulumi.Input<pulumi.Input<string>[]>;
}

export interface VmfsDatastoreState {
  disks?: pulumi.Input<pulumi.Input<string>[]>;
  folder?: pulumi.Input<string>;
  hostSystemId?: pulumi.Input<string>;
  name?: pulumi.Input<string>;
  tags?: pulumi.Input<pulumi.Input<string>[]>;
  accessible?: pulumi.Input<boolean>;
  capacity?: pulumi.Input<number>;
  freeSpace?: pulumi.Input<number>;
  maintenanceMode?: pulumi.Input<string>;
  multipleHostAccess?: pulumi.Input<boolean>;
  uncommittedSpace?: pulumi.Input<number>;
  url?: pulumi.Input<string>;
}

export declare class VmfsDatastore extends pulumi.CustomResource {
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: VmfsDatastoreState,
    opts?: pulumi.CustomResourceOptions,
  ): VmfsDatastore;
  static isInstance(obj: any): obj is VmfsDatastore;
  readonly disks: pulumi.Output<string[]>;
  readonly folder: pulumi.Output<string | undefined>;
  readonly hostSystemId: pulumi.Output<string>;
  readonly name: pulumi.Output<string>;
  readonly tags: pulumi.Output<string[] | undefined>;
  readonly accessible: pulumi.Output<boolean>;
  readonly capacity: pulumi.Output<number>;
  readonly freeSpace: pulumi.Output<number>;
  readonly maintenanceMode: pulumi.Output<string>;
  readonly multipleHostAccess: pulumi.Output<boolean>;
  readonly uncommittedSpace: pulumi.Output<number>;
  readonly url: pulumi.Output<string>;
  constructor(name: string, args: VmfsDatastoreArgs, opts?: pulumi.CustomResourceOptions);
}

export interface FolderArgs {
  datacenterId?: pulumi.Input<string>;
  path: pulumi.Input<string>;
  tags?: pulumi.Input<pulumi.Input<string>[]>;
  type: pulumi.Input<string>;
}

export interface FolderState {
  datacenterId?: pulumi.Input<string>;
  path?: pulumi.Input<string>;
  tags?: pulumi.Input<pulumi.Input<string>[]>;
  type?: pulumi.Input<string>;
}

export declare class Folder extends pulumi.CustomResource {
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: FolderState,
    opts?: pulumi.CustomResourceOptions,
  ): Folder;
  static isInstance(obj: any): obj is Folder;
  readonly datacenterId: pulumi.Output<string | undefined>;
  readonly path: pulumi.Output<string>;
  readonly tags: pulumi.Output<string[] | undefined>;
  readonly type: pulumi.Output<string>;
  constructor(name: string, args: FolderArgs, opts?: pulumi.CustomResourceOptions);
}

export interface ResourcePoolArgs {
  cpuExpandable?: pulumi.Input<boolean>;
  cpuLimit?: pulumi.Input<number>;
  cpuReservation?: pulumi.Input<number>;
  cpuShareLevel?: pulumi.Input<string>;
  cpuShares?: pulumi.Input<number>;
  memoryExpandable?: pulumi.Input<boolean>;
  memoryLimit?: pulumi.Input<number>;
  memoryReservation?: pulumi.Input<number>;
  memoryShareLevel?: pulumi.Input<string>;
  memoryShares?: pulumi.Input<number>;
  name?: pulumi.Input<string>;
  parentResourcePoolId: pulumi.Input<string>;
}

export interface ResourcePoolState {
  cpuExpandable?: pulumi.Input<boolean>;
  cpuLimit?: pulumi.Input<number>;
  cpuReservation?: pulumi.Input<number>;
  cpuShareLevel?: pulumi.Input<string>;
  cpuShares?: pulumi.Input<number>;
  memoryExpandable?: pulumi.Input<boolean>;
  memoryLimit?: pulumi.Input<number>;
  memoryReservation?: pulumi.Input<number>;
  memoryShareLevel?: pulumi.Input<string>;
  memoryShares?: pulumi.Input<number>;
  name?: pulumi.Input<string>;
  parentResourcePoolId?: pulumi.Input<string>;
}

export declare class ResourcePool extends pulumi.CustomResource {
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: ResourcePoolState,
    opts?: pulumi.CustomResourceOptions,
  ): ResourcePool;
  static isInstance(obj: any): obj is ResourcePool;
  readonly cpuExpandable: pulumi.Output<boolean | undefined>;
  readonly cpuLimit: pulumi.Output<number | undefined>;
  readonly cpuReservation: pulumi.Output<number | undefined>;
  readonly cpuShareLevel: pulumi.Output<string | undefined>;
  readonly cpuShares: pulumi.Output<number>;
  readonly memoryExpandable: pulumi.Output<boolean | undefined>;
  readonly memoryLimit: pulumi.Output<number | undefined>;
  readonly memoryReservation: pulumi.Output<number | undefined>;
  readonly memoryShareLevel: pulumi.Output<string | undefined>;
  readonly memoryShares: pulumi.Output<number>;
  readonly name: pulumi.Output<string>;
  readonly parentResourcePoolId: pulumi.Output<string>;
  constructor(name: string, args: ResourcePoolArgs, opts?: pulumi.CustomResourceOptions);
}

export interface TagArgs {
  categoryId: pulumi.Input<string>;
  description?: pulumi.Input<string>;
  name?: pulumi.Input<string>;
}

export interface TagState {
  categoryId?: pulumi.Input<string>;
  description?: pulumi.Input<string>;
  name?: pulumi.Input<string>;
}

export declare class Tag extends pulumi.CustomResource {
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: TagState,
    opts?: pulumi.CustomResourceOptions,
  ): Tag;
  static isInstance(obj: any): obj is Tag;
  readonly categoryId: pulumi.Output<string>;
  readonly description: pulumi.Output<string | undefined>;
  readonly name: pulumi.Output<string>;
  constructor(name: string, args: TagArgs, opts?: pulumi.CustomResourceOptions);
}

export interface TagCategoryArgs {
  associableTypes: pulumi.Input<pulumi.Input<string>[]>;
  cardinality: pulumi.Input<string>;
  description?: pulumi.Input<string>;
  name?: pulumi.Input<string>;
}

export interface TagCategoryState {
  associableTypes?: pulumi.Input<pulumi.Input<string>[]>;
  cardinality?: pulumi.Input<string>;
  description?: pulumi.Input<string>;
  name?: pulumi.Input<string>;
}

export declare class TagCategory extends pulumi.CustomResource {
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: TagCategoryState,
    opts?: pulumi.CustomResourceOptions,
  ): TagCategory;
  static isInstance(obj: any): obj is TagCategory;
  readonly associableTypes: pulumi.Output<string[]>;
  readonly cardinality: pulumi.Output<string>;
  readonly description: pulumi.Output<string | undefined>;
  readonly name: pulumi.Output<string>;
  constructor(name: string, args: TagCategoryArgs, opts?: pulumi.CustomResourceOptions);
}

export interface ComputeClusterVmGroupArgs {
  computeClusterId: pulumi.Input<string>;
  name?: pulumi.Input<string>;
  virtualMachineIds?: pulumi.Input<pulumi.Input<string>[]>;
}

export interface ComputeClusterVmGroupState {
  computeClusterId?: pulumi.Input<string>;
  name?: pulumi.Input<string>;
  virtualMachineIds?: pulumi.Input<pulumi.Input<string>[]>;
}

export declare class ComputeClusterVmGroup extends pulumi.CustomResource {
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: ComputeClusterVmGroupState,
    opts?: pulumi.CustomResourceOptions,
  ): ComputeClusterVmGroup;
  static isInstance(obj: any): obj is ComputeClusterVmGroup;
  readonly computeClusterId: pulumi.Output<string>;
  readonly name: pulumi.Output<string>;
  readonly virtualMachineIds: pulumi.Output<string[] | undefined>;
  constructor(name: string, args: ComputeClusterVmGroupArgs, opts?: pulumi.CustomResourceOptions);
}

export interface ComputeClusterHostGroupArgs {
  computeClusterId: pulumi.Input<string>;
  hostSystemIds?: pulumi.Input<pulumi.Input<string>[]>;
  name?: pulumi.Input<string>;
}

export interface ComputeClusterHostGroupState {
  computeClusterId?: pulumi.Input<string>;
  hostSystemIds?: pulumi.Input<pulumi.Input<string>[]>;
  name?: pulumi.Input<string>;
}

export declare class ComputeClusterHostGroup extends pulumi.CustomResource {
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: ComputeClusterHostGroupState,
    opts?: pulumi.CustomResourceOptions,
  ): ComputeClusterHostGroup;
  static isInstance(obj: any): obj is ComputeClusterHostGroup;
  readonly computeClusterId: pulumi.Output<string>;
  readonly hostSystemIds: pulumi.Output<string[] | undefined>;
  readonly name: pulumi.Output<string>;
  constructor(name: string, args: ComputeClusterHostGroupArgs, opts?: pulumi.CustomResourceOptions);
}

export interface ComputeClusterVmHostRuleArgs {
  affinityHostGroupName?: pulumi.Input<string>;
  antiAffinityHostGroupName?: pulumi.Input<string>;
  computeClusterId: pulumi.Input<string>;
  enabled?: pulumi.Input<boolean>;
  mandatory?: pulumi.Input<boolean>;
  name?: pulumi.Input<string>;
  vmGroupName: pulumi.Input<string>;
}

export interface ComputeClusterVmHostRuleState {
  affinityHostGroupName?: pulumi.Input<string>;
  antiAffinityHostGroupName?: pulumi.Input<string>;
  computeClusterId?: pulumi.Input<string>;
  enabled?: pulumi.Input<boolean>;
  mandatory?: pulumi.Input<boolean>;
  name?: pulumi.Input<string>;
  vmGroupName?: pulumi.Input<string>;
}

export declare class ComputeClusterVmHostRule extends pulumi.CustomResource {
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: ComputeClusterVmHostRuleState,
    opts?: pulumi.CustomResourceOptions,
  ): ComputeClusterVmHostRule;
  static isInstance(obj: any): obj is ComputeClusterVmHostRule;
  readonly affinityHostGroupName: pulumi.Output<string | undefined>;
  readonly antiAffinityHostGroupName: pulumi.Output<string | undefined>;
  readonly computeClusterId: pulumi.Output<string>;
  readonly enabled: pulumi.Output<boolean | undefined>;
  readonly mandatory: pulumi.Output<boolean | undefined>;
  readonly name: pulumi.Output<string>;
  readonly vmGroupName: pulumi.Output<string>;
  constructor(
    name: string,
    args: ComputeClusterVmHostRuleArgs,
    opts?: pulumi.CustomResourceOptions,
  );
}

export interface ComputeClusterVmAntiAffinityRuleArgs {
  computeClusterId: pulumi.Input<string>;
  enabled?: pulumi.Input<boolean>;
  mandatory?: pulumi.Input<boolean>;
  name?: pulumi.Input<string>;
  virtualMachineIds: pulumi.Input<pulumi.Input<string>[]>;
}

export interface ComputeClusterVmAntiAffinityRuleState {
  computeClusterId?: pulumi.Input<string>;
  enabled?: pulumi.Input<boolean>;
  mandatory?: pulumi.Input<boolean>;
  name?: pulumi.Input<string>;
  virtualMachineIds?: pulumi.Input<pulumi.Input<string>[]>;
}

export declare class ComputeClusterVmAntiAffinityRule extends pulumi.CustomResource {
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: ComputeClusterVmAntiAffinityRuleState,
    opts?: pulumi.CustomResourceOptions,
  ): ComputeClusterVmAntiAffinityRule;
  static isInstance(obj: any): obj is ComputeClusterVmAntiAffinityRule;
  readonly computeClusterId: pulumi.Output<string>;
  readonly enabled: pulumi.Output<boolean | undefined>;
  readonly mandatory: pulumi.Output<boolean | undefined>;
  readonly name: pulumi.Output<string>;
  readonly virtualMachineIds: pulumi.Output<string[]>;
  constructor(
    name: string,
    args: ComputeClusterVmAntiAffinityRuleArgs,
    opts?: pulumi.CustomResourceOptions,
  );
}

export interface DrsVmOverrideArgs {
  computeClusterId: pulumi.Input<string>;
  drsAutomationLevel?: pulumi.Input<string>;
  drsEnabled?: pulumi.Input<boolean>;
  virtualMachineId: pulumi.Input<string>;
}

export interface DrsVmOverrideState {
  computeClusterId?: pulumi.Input<string>;
  drsAutomationLevel?: pulumi.Input<string>;
  drsEnabled?: pulumi.Input<boolean>;
  virtualMachineId?: pulumi.Input<string>;
}

export declare class DrsVmOverride extends pulumi.CustomResource {
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: DrsVmOverrideState,
    opts?: pulumi.CustomResourceOptions,
  ): DrsVmOverride;
  static isInstance(obj: any): obj is DrsVmOverride;
  readonly computeClusterId: pulumi.Output<string>;
  readonly drsAutomationLevel: pulumi.Output<string | undefined>;
  readonly drsEnabled: pulumi.Output<boolean | undefined>;
  readonly virtualMachineId: pulumi.Output<string>;
  constructor(name: string, args: DrsVmOverrideArgs, opts?: pulumi.CustomResourceOptions);
}

export interface VirtualMachineArgs {
  annotation?: pulumi.Input<string>;
  clone?: pulumi.Input<inputs.VirtualMachineClone>;
  cpuLimit?: pulumi.Input<number>;
  cpuReservation?: pulumi.Input<number>;
  cpuShareLevel?: pulumi.Input<string>;
  datastoreId?: pulumi.Input<string>;
  disks?: pulumi.Input<pulumi.Input<inputs.VirtualMachineDisk>[]>;
  enableDiskUuid?: pulumi.Input<boolean>;
  extraConfig?: pulumi.Input<{ [key: string]: pulumi.Input<string> }>;
  firmware?: pulumi.Input<string>;
  folder?: pulumi.Input<string>;
  forcePowerOff?: pulumi.Input<boolean>;
  guestId?: pulumi.Input<string>;
  hardwareVersion?: pulumi.Input<number>;
  hostSystemId?: pulumi.Input<string>;
  ignoredGuestIps?: pulumi.Input<pulumi.Input<string>[]>;
  latencySensitivity?: pulumi.Input<string>;
  memory?: pulumi.Input<number>;
  memoryReservation?: pulumi.Input<number>;
  memoryReservationLockedToMax?: pulumi.Input<boolean>;
  migrateWaitTimeout?: pulumi.Input<number>;
  name?: pulumi.Input<string>;
  networkInterfaces?: pulumi.Input<pulumi.Input<inputs.VirtualMachineNetworkInterface>[]>;
  numCoresPerSocket?: pulumi.Input<number>;
  numCpus?: pulumi.Input<number>;
  poweronTimeout?: pulumi.Input<number>;
  replaceTrigger?: pulumi.Input<string>;
  resourcePoolId: pulumi.Input<string>;
  scsiControllerCount?: pulumi.Input<number>;
  scsiType?: pulumi.Input<string>;
  shutdownWaitTimeout?: pulumi.Input<number>;
  swapPlacementPolicy?: pulumi.Input<string>;
  syncTimeWithHost?: pulumi.Input<boolean>;
  tags?: pulumi.Input<pulumi.Input<string>[]>;
  waitForGuestIpTimeout?: pulumi.Input<number>;
  waitForGuestNetRoutable?: pulumi.Input<boolean>;
  waitForGuestNetTimeout?: pulumi.Input<number>;
}

export interface VirtualMachineState {
  annotation?: pulumi.Input<string>;
  clone?: pulumi.Input<inputs.VirtualMachineClone>;
  cpuLimit?: pulumi.Input<number>;
  cpuReservation?: pulumi.Input<number>;
  cpuShareLevel?: pulumi.Input<string>;
  datastoreId?: pulumi.Input<string>;
  disks?: pulumi.Input<pulumi.Input<inputs.VirtualMachineDisk>[]>;
  enableDiskUuid?: pulumi.Input<boolean>;
  extraConfig?: pulumi.Input<{ [key: string]: pulumi.Input<string> }>;
  firmware?: pulumi.Input<string>;
  folder?: pulumi.Input<string>;
  forcePowerOff?: pulumi.Input<boolean>;
  guestId?: pulumi.Input<string>;
  hardwareVersion?: pulumi.Input<number>;
  hostSystemId?: pulumi.Input<string>;
  ignoredGuestIps?: pulumi.Input<pulumi.Input<string>[]>;
  latencySensitivity?: pulumi.Input<string>;
  memory?: pulumi.Input<number>;
  memoryReservation?: pulumi.Input<number>;
  memoryReservationLockedToMax?: pulumi.Input<boolean>;
  migrateWaitTimeout?: pulumi.Input<number>;
  name?: pulumi.Input<string>;
  networkInterfaces?: pulumi.Input<pulumi.Input<inputs.VirtualMachineNetworkInterface>[]>;
  numCoresPerSocket?: pulumi.Input<number>;
  numCpus?: pulumi.Input<number>;
  poweronTimeout?: pulumi.Input<number>;
  replaceTrigger?: pulumi.Input<string>;
  resourcePoolId?: pulumi.Input<string>;
  scsiControllerCount?: pulumi.Input<number>;
  scsiType?: pulumi.Input<string>;
  shutdownWaitTimeout?: pulumi.Input<number>;
  swapPlacementPolicy?: pulumi.Input<string>;
  syncTimeWithHost?: pulumi.Input<boolean>;
  tags?: pulumi.Input<pulumi.Input<string>[]>;
  waitForGuestIpTimeout?: pulumi.Input<number>;
  waitForGuestNetRoutable?: pulumi.Input<boolean>;
  waitForGuestNetTimeout?: pulumi.Input<number>;
  changeVersion?: pulumi.Input<string>;
  defaultIpAddress?: pulumi.Input<string>;
  guestIpAddresses?: pulumi.Input<pulumi.Input<string>[]>;
  moid?: pulumi.Input<string>;
  powerState?: pulumi.Input<string>;
  rebootRequired?: pulumi.Input<boolean>;
  uuid?: pulumi.Input<string>;
  vmwareToolsStatus?: pulumi.Input<string>;
  vmxPath?: pulumi.Input<string>;
}

export declare class VirtualMachine extends pulumi.CustomResource {
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: VirtualMachineState,
    opts?: pulumi.CustomResourceOptions,
  ): VirtualMachine;
  static isInstance(obj: any): obj is VirtualMachine;
  readonly annotation: pulumi.Output<string>;
  readonly clone: pulumi.Output<outputs.VirtualMachineClone | undefined>;
  readonly cpuLimit: pulumi.Output<number | undefined>;
  readonly cpuReservation: pulumi.Output<number | undefined>;
  readonly cpuShareLevel: pulumi.Output<string | undefined>;
  readonly datastoreId: pulumi.Output<string>;
  readonly disks: pulumi.Output<outputs.VirtualMachineDisk[]>;
  readonly enableDiskUuid: pulumi.Output<boolean | undefined>;
  readonly extraConfig: pulumi.Output<{ [key: string]: string } | undefined>;
  readonly firmware: pulumi.Output<string | undefined>;
  readonly folder: pulumi.Output<string | undefined>;
  readonly forcePowerOff: pulumi.Output<boolean | undefined>;
  readonly guestId: pulumi.Output<string>;
  readonly hardwareVersion: pulumi.Output<number>;
  readonly hostSystemId: pulumi.Output<string>;
  readonly ignoredGuestIps: pulumi.Output<string[] | undefined>;
  readonly latencySensitivity: pulumi.Output<string | undefined>;
  readonly memory: pulumi.Output<number | undefined>;
  readonly memoryReservation: pulumi.Output<number | undefined>;
  readonly memoryReservationLockedToMax: pulumi.Output<boolean | undefined>;
  readonly migrateWaitTimeout: pulumi.Output<number | undefined>;
  readonly name: pulumi.Output<string>;
  readonly networkInterfaces: pulumi.Output<outputs.VirtualMachineNetworkInterface[] | undefined>;
  readonly numCoresPerSocket: pulumi.Output<number | undefined>;
  readonly numCpus: pulumi.Output<number | undefined>;
  readonly poweronTimeout: pulumi.Output<number | undefined>;
  readonly replaceTrigger: pulumi.Output<string | undefined>;
  readonly resourcePoolId: pulumi.Output<string>;
  readonly scsiControllerCount: pulumi.Output<number | undefined>;
  readonly scsiType: pulumi.Output<string | undefined>;
  readonly shutdownWaitTimeout: pulumi.Output<number | undefined>;
  readonly swapPlacementPolicy: pulumi.Output<string | undefined>;
  readonly syncTimeWithHost: pulumi.Output<boolean | undefined>;
  readonly tags: pulumi.Output<string[] | undefined>;
  readonly waitForGuestIpTimeout: pulumi.Output<number | undefined>;
  readonly waitForGuestNetRoutable: pulumi.Output<boolean | undefined>;
  readonly waitForGuestNetTimeout: pulumi.Output<number | undefined>;
  readonly changeVersion: pulumi.Output<string>;
  readonly defaultIpAddress: pulumi.Output<string>;
  readonly guestIpAddresses: pulumi.Output<string[]>;
  readonly moid: pulumi.Output<string>;
  readonly powerState: pulumi.Output<string>;
  readonly rebootRequired: pulumi.Output<boolean>;
  readonly uuid: pulumi.Output<string>;
  readonly vmwareToolsStatus: pulumi.Output<string>;
  readonly vmxPath: pulumi.Output<string>;
  constructor(name: string, args: VirtualMachineArgs, opts?: pulumi.CustomResourceOptions);
}

export interface GetDatacenterArgs {
  name?: string;
}

export interface GetDatacenterOutputArgs {
  name?: pulumi.Input<string | undefined>;
}

export interface GetDatacenterResult {
  readonly id: string;
  readonly name?: string;
}

export declare function getDatacenter(
  args?: GetDatacenterArgs,
  opts?: pulumi.InvokeOptions,
): Promise<GetDatacenterResult>;
export declare function getDatacenterOutput(
  args?: GetDatacenterOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetDatacenterResult>;

export interface GetHostArgs {
  datacenterId: string;
  name?: string;
}

export interface GetHostOutputArgs {
  datacenterId: pulumi.Input<string>;
  name?: pulumi.Input<string | undefined>;
}

export interface GetHostResult {
  readonly datacenterId: string;
  readonly id: string;
  readonly name?: string;
  readonly resourcePoolId: string;
}

export declare function getHost(
  args: GetHostArgs,
  opts?: pulumi.InvokeOptions,
): Promise<GetHostResult>;
export declare function getHostOutput(
  args: GetHostOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetHostResult>;

export interface GetComputeClusterArgs {
  datacenterId?: string;
  name: string;
}

export interface GetComputeClusterOutputArgs {
  datacenterId?: pulumi.Input<string | undefined>;
  name: pulumi.Input<string>;
}

export interface GetComputeClusterResult {
  readonly datacenterId?: string;
  readonly id: string;
  readonly name: string;
  readonly resourcePoolId: string;
}

export declare function getComputeCluster(
  args: GetComputeClusterArgs,
  opts?: pulumi.InvokeOptions,
): Promise<GetComputeClusterResult>;
export declare function getComputeClusterOutput(
  args: GetComputeClusterOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetComputeClusterResult>;

export interface GetDatastoreArgs {
  datacenterId?: string;
  name: string;
}

export interface GetDatastoreOutputArgs {
  datacenterId?: pulumi.Input<string | undefined>;
  name: pulumi.Input<string>;
}

export interface GetDatastoreResult {
  readonly datacenterId?: string;
  readonly id: string;
  readonly name: string;
}

export declare function getDatastore(
  args: GetDatastoreArgs,
  opts?: pulumi.InvokeOptions,
): Promise<GetDatastoreResult>;
export declare function getDatastoreOutput(
  args: GetDatastoreOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetDatastoreResult>;

export interface GetNetworkArgs {
  datacenterId?: string;
  name: string;
}

export interface GetNetworkOutputArgs {
  datacenterId?: pulumi.Input<string | undefined>;
  name: pulumi.Input<string>;
}

export interface GetNetworkResult {
  readonly datacenterId?: string;
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

export declare function getNetwork(
  args: GetNetworkArgs,
  opts?: pulumi.InvokeOptions,
): Promise<GetNetworkResult>;
export declare function getNetworkOutput(
  args: GetNetworkOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetNetworkResult>;

export interface GetResourcePoolArgs {
  datacenterId?: string;
  name?: string;
  parentResourcePoolId?: string;
}

export interface GetResourcePoolOutputArgs {
  datacenterId?: pulumi.Input<string | undefined>;
  name?: pulumi.Input<string | undefined>;
  parentResourcePoolId?: pulumi.Input<string | undefined>;
}

export interface GetResourcePoolResult {
  readonly datacenterId?: string;
  readonly id: string;
  readonly name?: string;
  readonly parentResourcePoolId?: string;
}

export declare function getResourcePool(
  args?: GetResourcePoolArgs,
  opts?: pulumi.InvokeOptions,
): Promise<GetResourcePoolResult>;
export declare function getResourcePoolOutput(
  args?: GetResourcePoolOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetResourcePoolResult>;

export interface GetVirtualMachineArgs {
  datacenterId?: string;
  folder?: string;
  name?: string;
  uuid?: string;
  moid?: string;
}

export interface GetVirtualMachineOutputArgs {
  datacenterId?: pulumi.Input<string | undefined>;
  folder?: pulumi.Input<string | undefined>;
  name?: pulumi.Input<string | undefined>;
  uuid?: pulumi.Input<string | undefined>;
  moid?: pulumi.Input<string | undefined>;
}

export interface GetVirtualMachineResult {
  readonly annotation: string;
  readonly datacenterId?: string;
  readonly defaultIpAddress: string;
  readonly disks: outputs.GetVirtualMachineDisk[];
  readonly firmware?: string;
  readonly folder?: string;
  readonly guestId: string;
  readonly guestIpAddresses: string[];
  readonly id: string;
  readonly memory?: number;
  readonly moid: string;
  readonly name?: string;
  readonly networkInterfaceTypes: string[];
  readonly numCoresPerSocket?: number;
  readonly numCpus?: number;
  readonly scsiType: string;
  readonly uuid: string;
}

export declare function getVirtualMachine(
  args?: GetVirtualMachineArgs,
  opts?: pulumi.InvokeOptions,
): Promise<GetVirtualMachineResult>;
export declare function getVirtualMachineOutput(
  args?: GetVirtualMachineOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetVirtualMachineResult>;

export interface GetVmfsDisksArgs {
  filter?: string;
  hostSystemId: string;
  rescan?: boolean;
}

export interface GetVmfsDisksOutputArgs {
  filter?: pulumi.Input<string | undefined>;
  hostSystemId: pulumi.Input<string>;
  rescan?: pulumi.Input<boolean | undefined>;
}

export interface GetVmfsDisksResult {
  readonly disks: string[];
  readonly filter?: string;
  readonly hostSystemId: string;
  readonly id: string;
  readonly rescan?: boolean;
}

export declare function getVmfsDisks(
  args: GetVmfsDisksArgs,
  opts?: pulumi.InvokeOptions,
): Promise<GetVmfsDisksResult>;
export declare function getVmfsDisksOutput(
  args: GetVmfsDisksOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetVmfsDisksResult>;

export interface ProviderArgs {
  /** Skip the check of the server's certificate. */
  allowUnverifiedSsl?: pulumi.Input<boolean>;
  /** Longest wait for an operation, minutes. */
  apiTimeout?: pulumi.Input<number>;
  password: pulumi.Input<string>;
  user: pulumi.Input<string>;
  /** Host, or host:port. */
  vsphereServer?: pulumi.Input<string>;
}

export declare class Provider extends pulumi.ProviderResource {
  static isInstance(obj: any): obj is Provider;
  readonly password: pulumi.Output<string>;
  readonly user: pulumi.Output<string>;
  readonly vsphereServer: pulumi.Output<string | undefined>;
  constructor(name: string, args: ProviderArgs, opts?: pulumi.ResourceOptions);
}
