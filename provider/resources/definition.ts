import { sanbedVersion } from "../../bed/version";
import type { ProviderDefinition } from "../kit/handler";
import { getArrayFacts, getPool, getTargetPorts } from "./array-lookups";
import { hostEntry } from "./array-host-entry";
import { hostGroup } from "./array-host-group";
import { namespaceMap } from "./array-namespace-map";
import { pool } from "./array-pool";
import { targets } from "./array-targets";
import { volumeMap } from "./array-volume-map";
import { namespaceSet, volumeSet } from "./array-volume-set";
import { openBed, type OpenBed } from "./bed-context";
import { certificate } from "./bench-certificate";
import { dataset } from "./bench-dataset";
import { run } from "./bench-run";
import { verdict } from "./bench-verdict";
import { getFabricLogins } from "./fabric-get-logins";
import { hostZones } from "./fabric-host-zones";
import { ready } from "./guest-ready";
import { blockDevices } from "./host-block-devices";
import { datastoreGuard } from "./host-datastore-guard";
import { getDevicePaths, getHostAdapters } from "./host-lookups";
import { machineGuard } from "./host-machine-guard";
import { teardownGate } from "./host-teardown-gate";
import { rescanGuard } from "./host-rescan-guard";
import { checkProviderConfig, providerConfig, refuseOtherBed } from "./provider-config";

/** The package `sanbed`: one provider instance a bed, all its devices in one process. */
export const definition: ProviderDefinition<typeof providerConfig, OpenBed> = {
  name: "sanbed",
  version: sanbedVersion,
  config: providerConfig,
  checkConfig: checkProviderConfig,
  refuseConfig: refuseOtherBed,
  // Another bed id is another bed. Endpoints, credentials and folder change without replacing anything.
  replaceConfigOn: ["bedId"],
  configure: openBed,
  declared: (bed, urn) => {
    bed.declared.add(urn);
  },
  close: (bed) => bed.close(),
  resources: [
    certificate,
    targets,
    hostZones,
    hostGroup,
    hostEntry,
    pool,
    volumeSet,
    namespaceSet,
    rescanGuard,
    volumeMap,
    namespaceMap,
    blockDevices,
    datastoreGuard,
    machineGuard,
    teardownGate,
    ready,
    dataset,
    run,
    verdict,
  ],
  functions: [
    getFabricLogins,
    getArrayFacts,
    getTargetPorts,
    getPool,
    getHostAdapters,
    getDevicePaths,
  ],
};
