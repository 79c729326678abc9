import type { Tree } from "./media";
import { readNameServer } from "./name-server";
import type { FosParts } from "./parts";
import {
  readChassis,
  readFabric,
  readLogicalSwitches,
  readManagementInterface,
  readPorts,
  readStatistics,
  readSwitch,
  readZoneConfiguration,
  one,
  type SwitchReads,
} from "./switch-reads";

type Reads = Readonly<Record<string, () => Tree>>;

/**
 * The read-only lists that a release serves, by `module/list`. Which models a release has, and under
 * which root: github.com/brocade/yang, a folder per release.
 */
export function readsOf(
  reads: SwitchReads,
  path: readonly string[],
  query: URLSearchParams,
  { login, log }: Pick<FosParts, "login" | "log">,
): Reads {
  const { release } = reads;
  const always: Reads = {
    "brocade-interface/fibrechannel": () => readPorts(reads, path),
    "brocade-interface/fibrechannel-statistics": () => readStatistics(reads, path),
  };
  const old: Reads = {
    "switch/fibrechannel-switch": () => readSwitch(reads, path),
    "fabric/fabric-switch": () => readFabric(reads, path),
    ...(release.nameServer
      ? { "logical-switch/fibrechannel-logical-switch": () => readLogicalSwitches(reads, path) }
      : {}),
  };
  const renamed: Reads = {
    "brocade-fibrechannel-switch/fibrechannel-switch": () => readSwitch(reads, path),
    "brocade-fabric/fabric-switch": () => readFabric(reads, path),
    "brocade-fibrechannel-logical-switch/fibrechannel-logical-switch": () =>
      readLogicalSwitches(reads, path),
  };
  const nameServer: Reads = {
    "brocade-name-server/fibrechannel-name-server": () => readNameServer(reads, path, query),
  };
  const chassis: Reads = {
    "brocade-chassis/chassis": () => readChassis(reads, path),
    "brocade-fibrechannel-configuration/zone-configuration": () =>
      readZoneConfiguration(reads, path),
  };
  return {
    ...always,
    ...(release.oldRoots ? old : {}),
    ...(release.newRoots ? renamed : {}),
    ...(release.nameServer ? nameServer : {}),
    ...(release.chassis ? chassis : {}),
    ...(release.errorLog
      ? {
          "brocade-logging/error-log": () =>
            one("error-log", "sequence-number", log.list(reads.device.name, release), path),
        }
      : {}),
    ...(release.nineOne
      ? {
          "brocade-chassis/management-interface-configuration": () =>
            readManagementInterface(login.sessions.cap, path),
        }
      : {}),
  };
}
