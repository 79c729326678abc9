import type { ProviderDefinition } from "../../../provider/kit/handler";
import { computeClusterHostGroup, computeClusterVmGroup } from "./cluster-groups";
import { computeClusterVmAntiAffinityRule, computeClusterVmHostRule } from "./cluster-rules";
import type { VsphereContext } from "./context";
import { closeContext, openContext, vsphereConfig } from "./context";
import { drsVmOverride } from "./drs-vm-override";
import { folder } from "./folder";
import {
  getComputeCluster,
  getDatacenter,
  getDatastore,
  getHost,
  getNetwork,
  getResourcePool,
} from "./lookups";
import { resourcePool } from "./resource-pool";
import { tag, tagCategory } from "./tag";
import { virtualMachine } from "./virtual-machine";
import { getVirtualMachine, getVmfsDisks } from "./vm-lookups";
import { vmfsDatastore } from "./vmfs-datastore";

/**
 * Stands in for the official vSphere plugin 4.16.2 where that cannot be had: same names, tokens and
 * types, for the part that beds use. What is not here is refused by name, never ignored.
 */
export const vsphereProvider: ProviderDefinition<typeof vsphereConfig, VsphereContext> = {
  name: "vsphere",
  version: "4.16.2",
  description: "Stand-in for the official vSphere provider: the part that beds use.",
  config: vsphereConfig,
  checkConfig: ({ vsphereServer }) =>
    vsphereServer === undefined ? [{ path: "vsphereServer", message: "is missing" }] : [],
  replaceConfigOn: [],
  configure: openContext,
  close: closeContext,
  resources: [
    vmfsDatastore,
    virtualMachine,
    folder,
    resourcePool,
    tag,
    tagCategory,
    computeClusterVmGroup,
    computeClusterHostGroup,
    computeClusterVmHostRule,
    computeClusterVmAntiAffinityRule,
    drsVmOverride,
  ],
  functions: [
    getDatacenter,
    getHost,
    getComputeCluster,
    getDatastore,
    getNetwork,
    getResourcePool,
    getVirtualMachine,
    getVmfsDisks,
  ],
};
