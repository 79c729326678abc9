import type { DeviceErrorFields, DeviceErrorKind } from "../../../bed/errors";
import { DeviceError } from "../../../bed/errors";
import type { XmlElement } from "../xml";

/** What was tried, for the error text. */
export interface Attempt {
  readonly operation: string;
  readonly object?: string | undefined;
}

/** A fault of the vSphere Web Services API: its class name, its text, its data. */
export interface VimFault {
  readonly name: string;
  readonly message: string;
  readonly data: XmlElement | undefined;
}

interface Meaning {
  readonly kind: DeviceErrorKind;
  readonly remedy?: string;
}

/**
 * Meaning of the faults that our calls can meet (vSphere Web Services API reference, "Faults" of
 * each method). Anything else is `protocol`: it is shown with its name and text.
 */
const meanings: Readonly<Record<string, Meaning>> = {
  InvalidLogin: {
    kind: "unauthorized",
    remedy: "Check user and password behind the credentials reference.",
  },
  NotAuthenticated: { kind: "unauthorized", remedy: "The session has ended; run again." },
  NoPermission: {
    kind: "unauthorized",
    remedy: "Give the account the privilege that the fault names.",
  },
  ManagedObjectNotFound: { kind: "notFound" },
  NotFound: { kind: "notFound" },
  AlreadyExists: { kind: "alreadyExists" },
  DuplicateName: {
    kind: "alreadyExists",
    remedy: "Remove or rename the object that has the name.",
  },
  ResourceInUse: { kind: "refused", remedy: "Remove what still uses it, then run again." },
  TaskInProgress: { kind: "busy" },
  ConcurrentAccess: { kind: "busy" },
  HostConfigFault: { kind: "refused" },
  PlatformConfigFault: { kind: "refused" },
  InvalidState: { kind: "refused" },
  InvalidPowerState: { kind: "refused" },
  InvalidArgument: { kind: "refused" },
  InvalidRequest: { kind: "protocol" },
  InvalidName: { kind: "refused" },
  InvalidProperty: { kind: "unsupported" },
  InvalidDatastore: { kind: "refused", remedy: "Mount the datastore on the host: rescan it." },
  InvalidDatastorePath: { kind: "refused" },
  InvalidVmConfig: { kind: "refused" },
  InvalidDeviceSpec: { kind: "refused" },
  NoDiskSpace: {
    kind: "refused",
    remedy: "Free space on the datastore or make the disks smaller.",
  },
  InsufficientResourcesFault: { kind: "refused" },
  CustomizationFault: { kind: "refused" },
  NotSupported: { kind: "unsupported" },
  MethodNotFound: { kind: "unsupported" },
  NotImplemented: { kind: "unsupported" },
  HostNotConnected: { kind: "unreachable", remedy: "Reconnect the host in vCenter." },
  HostNotReachable: { kind: "unreachable", remedy: "Reconnect the host in vCenter." },
  HostCommunication: { kind: "unreachable", remedy: "Reconnect the host in vCenter." },
  Timedout: { kind: "timeout" },
  RequestCanceled: { kind: "aborted" },
};

/** The error for a fault. The fault's class name is the vendor code. */
export function faultError(device: string, attempt: Attempt, fault: VimFault): DeviceError {
  const meaning = meanings[fault.name] ?? { kind: "protocol" as const };
  const fields: DeviceErrorFields = {
    kind: meaning.kind,
    device,
    operation: attempt.operation,
    object: attempt.object,
    reason: reasonOf(fault),
    vendorCode: fault.name,
    remedy: meaning.remedy,
  };
  return new DeviceError(fields);
}

/** True for a device error that came from a fault of one of these classes. */
export function isFault(error: unknown, ...names: string[]): error is DeviceError {
  return error instanceof DeviceError && names.includes(error.vendorCode ?? "");
}

/** Reads the fault of a SOAP answer, or of a task's `info.error`. */
export function readFault(message: string | undefined, detail: XmlElement | undefined): VimFault {
  const name = detail?.type ?? detail?.name.replace(/Fault$/, "") ?? "RuntimeFault";
  return { name, message: (message ?? "").trim(), data: detail };
}

function reasonOf(fault: VimFault): string {
  const details = ["privilegeId", "invalidProperty", "name", "reason", "argument"]
    .map((field) => [field, fault.data?.string(field)] as const)
    .filter(([, value]) => value !== undefined && value !== "" && !fault.message.includes(value))
    .map(([field, value]) => `${field} ${value ?? ""}`);
  const text = fault.message === "" ? "the vCenter answered a fault" : fault.message;
  return [text.replace(/[.\s]+$/, ""), ...details].join("; ");
}
