"use strict";
// The part of the vSphere package that beds use, with the official names (4.16.2). Written by hand as
// tables: which inputs each resource takes, which outputs it has besides, and what is required.
// index.d.ts holds the types; a test compares both with the official SDK.
const pulumi = require("@pulumi/pulumi");

Object.defineProperty(exports, "__esModule", { value: true });

const version = "4.16.2";

const resources = {
  VmfsDatastore: {
    token: "vsphere:index/vmfsDatastore:VmfsDatastore",
    required: ["disks", "hostSystemId"],
    inputs: ["disks", "folder", "hostSystemId", "name", "tags"],
    outputs: [
      "accessible",
      "capacity",
      "freeSpace",
      "maintenanceMode",
      "multipleHostAccess",
      "uncommittedSpace",
      "url",
    ],
  },
  Folder: {
    token: "vsphere:index/folder:Folder",
    required: ["path", "type"],
    inputs: ["datacenterId", "path", "tags", "type"],
    outputs: [],
  },
  ResourcePool: {
    token: "vsphere:index/resourcePool:ResourcePool",
    required: ["parentResourcePoolId"],
    inputs: [
      "cpuExpandable",
      "cpuLimit",
      "cpuReservation",
      "cpuShareLevel",
      "cpuShares",
      "memoryExpandable",
      "memoryLimit",
      "memoryReservation",
      "memoryShareLevel",
      "memoryShares",
      "name",
      "parentResourcePoolId",
    ],
    outputs: [],
  },
  Tag: {
    token: "vsphere:index/tag:Tag",
    required: ["categoryId"],
    inputs: ["categoryId", "description", "name"],
    outputs: [],
  },
  TagCategory: {
    token: "vsphere:index/tagCategory:TagCategory",
    required: ["associableTypes", "cardinality"],
    inputs: ["associableTypes", "cardinality", "description", "name"],
    outputs: [],
  },
  ComputeClusterVmGroup: {
    token: "vsphere:index/computeClusterVmGroup:ComputeClusterVmGroup",
    required: ["computeClusterId"],
    inputs: ["computeClusterId", "name", "virtualMachineIds"],
    outputs: [],
  },
  ComputeClusterHostGroup: {
    token: "vsphere:index/computeClusterHostGroup:ComputeClusterHostGroup",
    required: ["computeClusterId"],
    inputs: ["computeClusterId", "hostSystemIds", "name"],
    outputs: [],
  },
  ComputeClusterVmHostRule: {
    token: "vsphere:index/computeClusterVmHostRule:ComputeClusterVmHostRule",
    required: ["computeClusterId", "vmGroupName"],
    inputs: [
      "affinityHostGroupName",
      "antiAffinityHostGroupName",
      "computeClusterId",
      "enabled",
      "mandatory",
      "name",
      "vmGroupName",
    ],
    outputs: [],
  },
  ComputeClusterVmAntiAffinityRule: {
    token: "vsphere:index/computeClusterVmAntiAffinityRule:ComputeClusterVmAntiAffinityRule",
    required: ["computeClusterId", "virtualMachineIds"],
    inputs: ["computeClusterId", "enabled", "mandatory", "name", "virtualMachineIds"],
    outputs: [],
  },
  DrsVmOverride: {
    token: "vsphere:index/drsVmOverride:DrsVmOverride",
    required: ["computeClusterId", "virtualMachineId"],
    inputs: ["computeClusterId", "drsAutomationLevel", "drsEnabled", "virtualMachineId"],
    outputs: [],
  },
  VirtualMachine: {
    token: "vsphere:index/virtualMachine:VirtualMachine",
    required: ["resourcePoolId"],
    inputs: [
      "annotation",
      "clone",
      "cpuLimit",
      "cpuReservation",
      "cpuShareLevel",
      "datastoreId",
      "disks",
      "enableDiskUuid",
      "extraConfig",
      "firmware",
      "folder",
      "forcePowerOff",
      "guestId",
      "hardwareVersion",
      "hostSystemId",
      "ignoredGuestIps",
      "latencySensitivity",
      "memory",
      "memoryReservation",
      "memoryReservationLockedToMax",
      "migrateWaitTimeout",
      "name",
      "networkInterfaces",
      "numCoresPerSocket",
      "numCpus",
      "poweronTimeout",
      "replaceTrigger",
      "resourcePoolId",
      "scsiControllerCount",
      "scsiType",
      "shutdownWaitTimeout",
      "swapPlacementPolicy",
      "syncTimeWithHost",
      "tags",
      "waitForGuestIpTimeout",
      "waitForGuestNetRoutable",
      "waitForGuestNetTimeout",
    ],
    outputs: [
      "changeVersion",
      "defaultIpAddress",
      "guestIpAddresses",
      "moid",
      "powerState",
      "rebootRequired",
      "uuid",
      "vmwareToolsStatus",
      "vmxPath",
    ],
  },
};

const functions = {
  getDatacenter: { token: "vsphere:index/getDatacenter:getDatacenter", inputs: ["name"] },
  getHost: { token: "vsphere:index/getHost:getHost", inputs: ["datacenterId", "name"] },
  getComputeCluster: {
    token: "vsphere:index/getComputeCluster:getComputeCluster",
    inputs: ["datacenterId", "name"],
  },
  getDatastore: {
    token: "vsphere:index/getDatastore:getDatastore",
    inputs: ["datacenterId", "name"],
  },
  getNetwork: { token: "vsphere:index/getNetwork:getNetwork", inputs: ["datacenterId", "name"] },
  getResourcePool: {
    token: "vsphere:index/getResourcePool:getResourcePool",
    inputs: ["datacenterId", "name", "parentResourcePoolId"],
  },
  getVirtualMachine: {
    token: "vsphere:index/getVirtualMachine:getVirtualMachine",
    inputs: ["datacenterId", "folder", "name", "uuid", "moid"],
  },
  getVmfsDisks: {
    token: "vsphere:index/getVmfsDisks:getVmfsDisks",
    inputs: ["filter", "hostSystemId", "rescan"],
  },
};

/** Resource class of one row of the table, built like the official SDK's classes. */
function resourceClass(name, { token, required, inputs, outputs }) {
  const type = class extends pulumi.CustomResource {
    static get(resourceName, id, state, opts) {
      return new type(resourceName, state, { ...opts, id });
    }

    static isInstance(obj) {
      return obj !== undefined && obj !== null && obj.__pulumiType === token;
    }

    constructor(resourceName, args, opts) {
      const values = {};
      const isLookup = opts?.id !== undefined;
      if (!isLookup && opts?.urn === undefined) {
        for (const property of required) {
          if (args?.[property] === undefined)
            throw new Error(`Missing required property '${property}'`);
        }
      }
      for (const property of inputs) values[property] = args?.[property];
      for (const property of outputs) values[property] = isLookup ? args?.[property] : undefined;
      super(token, resourceName, values, pulumi.mergeOptions({ version }, opts ?? {}));
    }
  };
  Object.defineProperty(type, "name", { value: name });
  Object.defineProperty(type, "__pulumiType", { value: token });
  return type;
}

for (const [name, description] of Object.entries(resources)) {
  exports[name] = resourceClass(name, description);
}

for (const [name, { token, inputs }] of Object.entries(functions)) {
  const pick = (args) => Object.fromEntries(inputs.map((key) => [key, args?.[key]]));
  exports[name] = (args, opts) =>
    pulumi.runtime.invoke(token, pick(args), pulumi.mergeOptions({ version }, opts ?? {}));
  exports[`${name}Output`] = (args, opts) =>
    pulumi.runtime.invokeOutput(token, pick(args), pulumi.mergeOptions({ version }, opts ?? {}));
}

const fromEnvironment = (name) => process.env[name];

exports.Provider = class Provider extends pulumi.ProviderResource {
  static isInstance(obj) {
    return obj !== undefined && obj !== null && obj.__pulumiType === "pulumi:providers:vsphere";
  }

  constructor(name, args, opts) {
    const unverified = fromEnvironment("VSPHERE_ALLOW_UNVERIFIED_SSL");
    const json = (value) =>
      value === undefined ? undefined : pulumi.output(value).apply(JSON.stringify);
    const password = args.password ?? fromEnvironment("VSPHERE_PASSWORD");
    const values = {
      allowUnverifiedSsl: json(
        args.allowUnverifiedSsl ?? (unverified === undefined ? undefined : unverified === "true"),
      ),
      apiTimeout: json(args.apiTimeout),
      password: password === undefined ? undefined : pulumi.secret(password),
      user: args.user ?? fromEnvironment("VSPHERE_USER"),
      vsphereServer: args.vsphereServer ?? fromEnvironment("VSPHERE_SERVER"),
    };
    super("vsphere", name, values, pulumi.mergeOptions({ version }, opts ?? {}));
  }
};
Object.defineProperty(exports.Provider, "__pulumiType", { value: "vsphere" });
