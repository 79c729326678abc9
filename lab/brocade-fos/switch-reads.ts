import { type Login, logins } from "../world/fabric";
import type { Fabric, Switch, SwitchPort } from "../world/state";
import type { DeepReadonly, WorldView } from "../world/world";
import { invalidUri, noEntries } from "./errors";
import type { Tree } from "./media";
import type { LogicalSwitch } from "./logical-switches";
import { portStatistics } from "./port-statistics";
import type { Readings, Release } from "./release";
import { lockTimeoutMs } from "./transactions";

/** What the read-only models need of the world. */
export interface SwitchReads {
  readonly world: WorldView;
  readonly fabric: DeepReadonly<Fabric>;
  readonly device: DeepReadonly<Switch>;
  readonly release: Release;
  readonly readings: Readings;
  /** Undefined with Virtual Fabrics off. */
  readonly fid: number | undefined;
  /** All logical switches of the chassis. */
  readonly logical: readonly LogicalSwitch[];
  readonly now: () => number;
  readonly bootedAtMs: number;
}

/** `brocade-fibrechannel-switch/fibrechannel-switch`: this switch alone. */
export function readSwitch(reads: SwitchReads, path: readonly string[]): Tree {
  const { device, release } = reads;
  const entry: Tree = {
    name: device.wwn,
    "domain-id": device.domain,
    "user-friendly-name": device.name,
    "fcid-hex": `0xfffc${hex(device.domain, 2)}`,
    "vf-id": reads.fid ?? -1,
    principal: isPrincipal(reads, device) ? 1 : 0,
    ...(release.nine ? { "is-principal": isPrincipal(reads, device) } : {}),
    "is-enabled-state": device.enabled,
    "operational-status": device.enabled ? 2 : 3,
    "up-time": Math.floor((reads.now() - reads.bootedAtMs) / 1000),
    // Switch type 183: the second version of the G620.
    model: "183.0",
    "firmware-version": release.version,
    "fabric-user-friendly-name": "",
    "ag-mode": 1,
  };
  return one("fibrechannel-switch", "name", [entry], path);
}

/** `brocade-fabric/fabric-switch`: all switches of the fabric. */
export function readFabric(reads: SwitchReads, path: readonly string[]): Tree {
  const entries = Object.values(reads.fabric.switches).map((device) => ({
    name: device.wwn,
    "switch-user-friendly-name": device.name,
    "chassis-wwn": device.wwn,
    "domain-id": device.domain,
    principal: isPrincipal(reads, device) ? 1 : 0,
    "ip-address": "127.0.0.1",
    "firmware-version": reads.release.version,
  }));
  return one("fabric-switch", "name", entries, path);
}

/** `brocade-chassis/chassis`. */
export function readChassis(reads: SwitchReads, path: readonly string[]): Tree {
  if (path.length > 0) throw invalidUri();
  return {
    Response: {
      chassis: {
        "chassis-wwn": reads.device.wwn,
        "product-name": "Brocade G620",
        "serial-number": `LAB${reads.device.wwn.replaceAll(":", "").slice(-8).toUpperCase()}`,
        "vf-enabled": reads.fid !== undefined,
        "vf-supported": true,
      },
    },
  };
}

/** `brocade-fibrechannel-logical-switch/fibrechannel-logical-switch`: those of the chassis. */
export function readLogicalSwitches(reads: SwitchReads, path: readonly string[]): Tree {
  const entries = reads.logical.flatMap(({ fid, device }): Tree[] => {
    if (fid === undefined) return [];
    const ports = Object.keys(device.ports);
    return [
      {
        "fabric-id": fid,
        "switch-wwn": device.wwn,
        "base-switch-enabled": 0,
        "default-switch-status": fid === 128 ? 1 : 0,
        "logical-isl-enabled": 1,
        "ficon-mode-enabled": 0,
        ...(ports.length === 0 ? {} : { "port-member-list": { "port-member": ports } }),
      },
    ];
  });
  if (entries.length === 0) throw noEntries("Virtual Fabrics is not enabled");
  return one("fibrechannel-logical-switch", "fabric-id", entries, path);
}

/** `brocade-chassis/management-interface-configuration` (9.1 and later). */
export function readManagementInterface(sessionCap: number, path: readonly string[]): Tree {
  if (path.length > 0) throw invalidUri();
  return {
    Response: {
      "management-interface-configuration": {
        "rest-enabled": true,
        "https-protocol-enabled": true,
        "effective-protocol": "https",
        "max-rest-sessions": sessionCap,
        "https-keep-alive-enabled": true,
        "https-keep-alive-timeout": 15,
      },
    },
  };
}

/** `brocade-fibrechannel-configuration/zone-configuration` (lock timer: 9.0 and later). */
export function readZoneConfiguration(reads: SwitchReads, path: readonly string[]): Tree {
  if (path.length > 0) throw invalidUri();
  return {
    Response: {
      "zone-configuration": {
        "node-name-zoning-enabled": true,
        ...(reads.release.nine ? { "fabric-lock-timeout": lockTimeoutMs / 60_000 } : {}),
      },
    },
  };
}

/** `brocade-interface/fibrechannel-statistics`: what the ports have counted. */
export function readStatistics(reads: SwitchReads, path: readonly string[]): Tree {
  const entries = Object.values(reads.device.ports).map((port) =>
    portStatistics(port, reads.now(), reads.readings.counters),
  );
  return one("fibrechannel-statistics", "name", entries, path);
}

/** `brocade-interface/fibrechannel`: the ports. */
export function readPorts(reads: SwitchReads, path: readonly string[]): Tree {
  const here = logins(reads.world).filter((login) => login.switch === reads.device.device);
  const entries = Object.values(reads.device.ports).map((port) => portTree(reads, port, here));
  return one("fibrechannel", "name", entries, path);
}

function portTree(reads: SwitchReads, port: DeepReadonly<SwitchPort>, here: Login[]): Tree {
  const behind = here.filter((login) => login.switchPort.name === port.name);
  const online = behind.length > 0;
  const status = online ? 2 : port.failed && port.enabled ? 5 : 3;
  return {
    name: port.name,
    wwn: port.wwn,
    index: port.index,
    "default-index": port.index,
    "operational-status": status,
    ...(reads.release.nine
      ? { "operational-status-string": statusWords[status] ?? "offline" }
      : {}),
    "is-enabled-state": port.enabled,
    "user-friendly-name": `port${port.index.toString()}`,
    "physical-state": online ? "online" : port.failed ? "port_fault" : "no_light",
    "fcid-hex": `0x${hex(reads.device.domain, 2)}${hex(port.index, 2)}00`,
    ...(online ? { neighbor: { wwn: behind.map((login) => login.wwpn) } } : {}),
    speed: (BigInt(port.speedGbps) * 1_000_000_000n).toString(),
    "max-speed": "32000000000",
    "port-type": online ? 17 : 0,
    ...(reads.release.nine ? { "port-type-string": online ? "f-port" : "unknown" } : {}),
    "npiv-enabled": true,
    "npiv-pp-limit": 126,
  };
}

const statusWords: Record<number, string> = { 2: "online", 3: "offline", 5: "faulty" };

/** A list, or with a key in the path one entry of it. */
export function one(
  list: string,
  key: string,
  entries: readonly Tree[],
  path: readonly string[],
): Tree {
  const [keyLeaf, value, ...rest] = path;
  if (keyLeaf === undefined) return { Response: { [list]: entries } };
  if (keyLeaf !== key || value === undefined || rest.length > 0) throw invalidUri();
  const found = entries.find((entry) => leafText(entry[key]) === value.toLowerCase());
  if (found === undefined) throw noEntries();
  return { Response: { [list]: found } };
}

function leafText(value: Tree[string]): string {
  return typeof value === "object" || value === undefined ? "" : String(value);
}

/** The switch with the lowest domain is the principal one. */
function isPrincipal(reads: SwitchReads, device: DeepReadonly<Switch>): boolean {
  const domains = Object.values(reads.fabric.switches).map((other) => other.domain);
  return device.domain === Math.min(...domains);
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
