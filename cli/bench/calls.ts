import type { Operation } from "./bench-bed";
import type { DeviceRequest } from "./critical-path";

/** How large a bed is, as far as it decides how many calls it takes. */
export interface BedSize {
  readonly hosts: number;
  readonly portsPerHost: number;
  readonly volumes: number;
  readonly targetPorts: number;
}

export interface CallCount {
  readonly reads: number;
  readonly writes: number;
}

export type BedOperation = "up" | "second up" | "refresh" | "destroy";

/** Calls of one operation to one device. */
export interface DeviceCalls extends CallCount {
  readonly operation: BedOperation;
  /** `vcenter` by our own plugin, `vcenter (vSphere plugin)` by the vSphere plugin, else the device. */
  readonly device: string;
  /** Undefined where the calls are not ours to choose. */
  readonly minimum: CallCount | undefined;
}

const counted = (requests: readonly { readonly write: boolean }[]): CallCount => {
  const writes = requests.filter((request) => request.write).length;
  return { reads: requests.length - writes, writes };
};

/**
 * Calls by device. The vCenter does not tell its clients apart: our own part comes from the plugin's
 * request log, the rest is the vSphere plugin's.
 */
export function countCalls(
  operation: BedOperation,
  { requests, ownVcenterRequests }: Pick<Operation, "requests" | "ownVcenterRequests">,
  size: BedSize,
): DeviceCalls[] {
  const devices = [...new Set(requests.map(({ device }) => device))].sort();
  return devices.flatMap((device): DeviceCalls[] => {
    const all = counted(requests.filter((request: DeviceRequest) => request.device === device));
    if (device !== "vcenter") {
      return [{ operation, device, ...all, minimum: minimumCalls(operation, device, size) }];
    }
    const own = counted(ownVcenterRequests);
    const others = { reads: all.reads - own.reads, writes: all.writes - own.writes };
    return [
      { operation, device, ...own, minimum: minimumCalls(operation, device, size) },
      { operation, device: "vcenter (vSphere plugin)", ...others, minimum: undefined },
    ];
  });
}

/**
 * The fewest calls that a device's own batch calls allow, under the rules of this project: what is
 * written is decided on a fresh read and proven by another, and whatever can be removed alone is
 * removed alone. Argued call by call in docs/budgets.md.
 */
export function minimumCalls(
  operation: BedOperation,
  device: string,
  size: BedSize,
): CallCount | undefined {
  if (operation === "second up") return { reads: 0, writes: 0 };
  if (device.startsWith("fabric")) return fabricMinimum[operation];
  if (device === "array") return arrayMinimum(operation, size);
  if (device === "vcenter") return vcenterMinimum(operation, size);
  return undefined;
}

/** Session 2, inventory 2, staging 3 and name server, proof 2; destroy reads its inventory last. */
const fabricMinimum: Readonly<Record<Exclude<BedOperation, "second up">, CallCount>> = {
  up: { reads: 10, writes: 2 },
  refresh: { reads: 4, writes: 0 },
  destroy: { reads: 9, writes: 4 },
};

function arrayMinimum(
  operation: Exclude<BedOperation, "second up">,
  { hosts, portsPerHost, volumes, targetPorts }: BedSize,
): CallCount {
  const inventory = 9;
  switch (operation) {
    case "up":
      // Release; inventory; tenant 2, service 1, ports 2; volumes and LUNs 4; group 3; maps 2 and LUNs 1.
      return { reads: 1 + inventory + 15, writes: 4 + targetPorts + 3 * volumes };
    case "refresh":
      // Release, tenant, ports, volumes, LUNs, group, maps.
      return { reads: 7, writes: 0 };
    case "destroy":
      return {
        // Release; maps 2 and group 1; entries 1; group 1; volumes 4 and queue 2; tenant 2 and what
        // may be in its way 4; inventory.
        reads: 1 + 3 + 1 + 1 + 6 + 6 + inventory,
        writes: volumes * 3 + hosts * portsPerHost + 1 + targetPorts * 2 + 3,
      };
  }
}

function vcenterMinimum(
  operation: Exclude<BedOperation, "second up">,
  { hosts, volumes }: BedSize,
): CallCount {
  const session = 3;
  switch (operation) {
    case "up":
      // Host directory; per host its parts, its esxcli, what it sees before and after, settings.
      return { reads: session + 3 + hosts * 6, writes: hosts * (2 + volumes) };
    case "refresh":
      return { reads: session + 3 + hosts * 3, writes: 0 };
    case "destroy":
      return { reads: session + 6 + hosts * 6, writes: hosts * (2 + 1 + 2 * volumes) };
  }
}
