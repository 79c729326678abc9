import { DeviceError, type DeviceErrorKind } from "../../bed/errors";
import { parseDeviceName, type DeviceName } from "../../bed/identities";
import type { HostDevice, HostStorage } from "../../provider/devices/host-storage";
import { engineWindowMs } from "../../provider/kit/group-commit";
import type { BedContext } from "../../provider/resources/context";
import { testBedId } from "./device-rig";

export function naa(text: string): DeviceName {
  const name = parseDeviceName(text);
  if (name === undefined) throw new Error(`${text} is no device name`);
  return name;
}

export function refusal(kind: DeviceErrorKind, operation: string): DeviceError {
  return new DeviceError({ kind, device: "vcenter", operation, reason: "the vCenter said so" });
}

export function hostDevice(name: DeviceName, usablePaths = 4): HostDevice {
  const path = { adapter: "vmhba2", targetWwpn: undefined, lun: 1, state: "active" } as const;
  return {
    name,
    state: "ok",
    capacityBytes: 1n,
    vendor: "NETAPP",
    model: "LUN",
    paths: Array.from({ length: usablePaths }, () => path),
    policy: "VMW_PSP_RR",
    queueDepth: undefined,
    datastore: undefined,
  };
}

/** A bed whose vCenter does what the test says; everything else fails the test. */
export function bedWithHosts(parts: Partial<HostStorage>): BedContext {
  const none = (name: string): never => {
    throw new Error(`the test did not expect ${name}`);
  };
  const storage = new Proxy({ device: "vcenter", ...parts } as HostStorage, {
    get: (target, name) =>
      name in target ? (Reflect.get(target, name) as unknown) : none(String(name)),
  });
  return {
    bedId: testBedId,
    folder: "/nonexistent",
    fabric: none,
    array: none,
    hosts: () => storage,
    guest: () => none("a guest"),
    fabrics: new Map(),
    arrays: new Map(),
    hypervisors: new Map([["vcenter", storage]]),
    gatherMs: engineWindowMs,
    declared: new Set(),
    warnings: [],
    secret: none,
  };
}
