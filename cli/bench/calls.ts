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

/** Reads: session, inventory, staging with name server and lock, proof. No call grows with the hosts. */
const fabricMinimum: Readonly<Record<Exclude<BedOperation, "second up">, CallCount>> = {
  up: { reads: 10, writes: 2 },
  refresh: { reads: 4, writes: 0 },
  destroy: { reads: 9, writes: 4 },
};

function arrayMinimum(
  operation: Exclude<BedOperation, "second up">,
  { hosts, portsPerHost, volumes, targetPorts }: BedSize,
): CallCount {
  switch (operation) {
    case "up":
      return { reads: 29, writes: 4 + targetPorts + 3 * volumes };
    case "refresh":
      return { reads: 7, writes: 0 };
    case "destroy":
      return {
        reads: 36 + 2 * volumes,
        writes: 4 + 2 * targetPorts + 3 * volumes + hosts * portsPerHost,
      };
  }
}

function vcenterMinimum(
  operation: Exclude<BedOperation, "second up">,
  { hosts, volumes }: BedSize,
): CallCount {
  switch (operation) {
    case "up":
      return { reads: 7 + 7 * hosts, writes: hosts * (2 + volumes) };
    case "refresh":
      return { reads: 5 + 3 * hosts, writes: 0 };
    case "destroy":
      return { reads: 7 + 9 * hosts, writes: hosts * (3 + 2 * volumes) };
  }
}
