import { cluster, licences, nodes } from "./cluster";
import type { Endpoint } from "./context";
import { disks } from "./disks";
import { events } from "./events";
import { fcInterfaces } from "./fc-interfaces";
import { fcLogins } from "./fc-logins";
import { fcPorts } from "./fc-ports";
import { fcpServices } from "./fcp-services";
import { igroups } from "./igroups";
import { initiators } from "./initiators";
import { jobEndpoint } from "./job-endpoint";
import { lunMaps } from "./lun-maps";
import { luns } from "./luns";
import { namespaces } from "./namespaces";
import { nvmeControllers } from "./nvme-controllers";
import { nvmeHosts } from "./nvme-hosts";
import { nvmeInterfaces } from "./nvme-interfaces";
import { nvmeMaps } from "./nvme-maps";
import { nvmeServices } from "./nvme-services";
import { nvmeSubsystems } from "./nvme-subsystems";
import { aggregates } from "./pools";
import {
  addProtocols,
  recoveryQueue,
  recoveryQueuePurge,
  removeProtocols,
  vservers,
} from "./private-cli";
import { qosEndpoint } from "./qos";
import { snapshots } from "./snapshots";
import { svms } from "./svms";
import { volumeFiles } from "./volume-files";
import { volumes } from "./volumes";

const endpoints: readonly Endpoint[] = [
  cluster,
  nodes,
  licences,
  jobEndpoint,
  aggregates,
  disks,
  svms,
  fcpServices,
  fcPorts,
  fcInterfaces,
  fcLogins,
  volumes,
  snapshots,
  volumeFiles,
  qosEndpoint,
  luns,
  igroups,
  initiators,
  lunMaps,
  nvmeServices,
  nvmeInterfaces,
  nvmeSubsystems,
  nvmeHosts,
  namespaces,
  nvmeMaps,
  nvmeControllers,
  events,
  recoveryQueue,
  recoveryQueuePurge,
  vservers,
  addProtocols,
  removeProtocols,
];

/** Where a path leads. */
export interface Route {
  readonly endpoint: Endpoint;
  readonly parents: readonly string[];
  /** Keys of one object; undefined for the collection. */
  readonly keys: readonly string[] | undefined;
}

/** Undefined: the array has no such path. */
export function findRoute(path: string): Route | undefined {
  const parts = path.replace(/\/$/, "").split("/").map(decode);
  for (const endpoint of endpoints) {
    const template = endpoint.shape.path.split("/");
    const keyCount = endpoint.shape.keys.length;
    const isCollection = parts.length === template.length;
    if (!isCollection && (keyCount === 0 || parts.length !== template.length + keyCount)) continue;
    const fits = template.every((step, index) => step.startsWith("{") || step === parts[index]);
    if (!fits) continue;
    return {
      endpoint,
      parents: parts.filter((_, index) => template[index]?.startsWith("{") === true),
      keys: isCollection ? undefined : parts.slice(template.length),
    };
  }
  return undefined;
}

/** Verbs of a path, for `Allow`. */
export function verbsOf({ endpoint, keys }: Route): string[] {
  const one = keys !== undefined || endpoint.singleton === true;
  const byQuery = endpoint.byQuery !== false;
  return [
    ...(endpoint.writeOnly === true ? [] : ["GET", "HEAD"]),
    "OPTIONS",
    ...(endpoint.create !== undefined && keys === undefined ? ["POST"] : []),
    ...(endpoint.update !== undefined && (one || byQuery) ? ["PATCH"] : []),
    ...(endpoint.remove !== undefined && (one || byQuery) ? ["DELETE"] : []),
  ];
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
