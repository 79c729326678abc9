import { type Login, logins } from "../world/fabric";
import type { Fabric, Switch, SwitchPort } from "../world/state";
import type { DeepReadonly, WorldView } from "../world/world";
import { invalidUri, noEntries } from "./errors";
import type { Tree } from "./media";
import type { Release } from "./release";

/** What the read-only models need of the world. */
export interface SwitchReads {
  readonly world: WorldView;
  readonly fabric: DeepReadonly<Fabric>;
  readonly device: DeepReadonly<Switch>;
  readonly release: Release;
}

/** `brocade-fibrechannel-switch/fibrechannel-switch`: this switch alone. */
export function readSwitch(reads: SwitchReads, path: readonly string[]): Tree {
  const { device, release } = reads;
  const entry: Tree = {
    name: device.wwn,
    "domain-id": device.domain,
    "user-friendly-name": device.name,
    "fcid-hex": `0xfffc${hex(device.domain, 2)}`,
    "vf-id": -1,
    principal: isPrincipal(reads, device) ? 1 : 0,
    ...(release.nine ? { "is-principal": isPrincipal(reads, device) } : {}),
    "is-enabled-state": device.enabled,
    "operational-status": device.enabled ? 2 : 3,
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

/** `brocade-chassis/chassis`. Virtual Fabrics are off. */
export function readChassis(reads: SwitchReads, path: readonly string[]): Tree {
  if (path.length > 0) throw invalidUri();
  return {
    Response: {
      chassis: {
        "chassis-wwn": reads.device.wwn,
        "product-name": "Brocade G620",
        "serial-number": `LAB${reads.device.wwn.replaceAll(":", "").slice(-8).toUpperCase()}`,
        "vf-enabled": false,
        "vf-supported": true,
      },
    },
  };
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

/** `brocade-name-server/fibrechannel-name-server`: every device logged in to the fabric. */
export function readNameServer(
  reads: SwitchReads,
  path: readonly string[],
  query: URLSearchParams,
): Tree {
  const entries = logins(reads.world)
    .filter((login) => login.fabric === reads.fabric.name)
    .map((login) => nameServerEntry(reads, login))
    .filter((entry) => selected(reads, entry, query));
  if (entries.length === 0) throw noEntries("No entries in Name Server");
  return one("fibrechannel-name-server", "port-id", entries, path);
}

/** Queries on the name server came with FOS 9.0; before, parameters are ignored. */
function selected(reads: SwitchReads, entry: Tree, query: URLSearchParams): boolean {
  if (!reads.release.nine) return true;
  return ["port-id", "port-name", "node-name"].every((leaf) => {
    const wanted = query.get(leaf);
    return wanted === null || entry[leaf] === wanted.toLowerCase();
  });
}

function nameServerEntry(reads: SwitchReads, login: Login): Tree {
  const npiv = login.permanentWwpn !== login.wwpn;
  return {
    "port-id": `0x${login.fcId}`,
    "port-name": login.wwpn,
    "node-name": login.wwnn,
    "fabric-port-name": login.switchPort.wwn,
    "permanent-port-name": login.permanentWwpn,
    "port-symbolic-name": symbolic(portSymbol(reads.world, login)),
    "node-symbolic-name": symbolic(nodeSymbol(login)),
    "class-of-service": 8,
    "fc4-type": "FCP",
    "fc4-features": { initiator: "FCP-Initiator", target: "FCP-Target", silent: "" }[login.kind],
    "name-server-device-type": deviceType(login, npiv),
    "port-index": login.switchPort.index,
    "link-speed": `${login.switchPort.speedGbps.toString()}G`,
  };
}

function deviceType(login: Login, npiv: boolean): string {
  const where = npiv ? "NPIV" : "Physical";
  const what = {
    initiator: "Initiator",
    target: "Target",
    silent: "Unknown(initiator/target)",
  }[login.kind];
  return `${where} ${what}`;
}

/** The form in which the switch gives symbolic names: length in brackets, text in quotes. */
function symbolic(text: string): string {
  return `[${text.length.toString()}] "${text}"`;
}

function portSymbol(world: WorldView, login: Login): string {
  const owner = login.owner;
  switch (owner.type) {
    case "other":
      return owner.label;
    case "hba":
      return world.hosts[owner.host]?.hbas[owner.hba]?.model ?? "";
    case "arrayPort": {
      const port = world.arrays[owner.array]?.ports[owner.portId];
      return port === undefined ? "" : `FC Target Adapter ${port.controller}:${port.name}`;
    }
    case "targetPort":
      return targetSymbol(world, owner.array, owner.targetPortId);
  }
}

function targetSymbol(world: WorldView, arrayName: string, id: string): string {
  const array = world.arrays[arrayName];
  const port = array?.targetPorts[id];
  if (array === undefined || port === undefined) return "";
  return `FC LIF ${array.tenants[port.tenantId]?.name ?? ""}:${port.name}`;
}

function nodeSymbol(login: Login): string {
  return login.owner.type === "hba" ? `host ${login.owner.host}` : "";
}

/** A list, or with a key in the path one entry of it. */
function one(list: string, key: string, entries: readonly Tree[], path: readonly string[]): Tree {
  const [keyLeaf, value, ...rest] = path;
  if (keyLeaf === undefined) return { Response: { [list]: entries } };
  if (keyLeaf !== key || value === undefined || rest.length > 0) throw invalidUri();
  const found = entries.find((entry) => entry[key] === value.toLowerCase());
  if (found === undefined) throw noEntries();
  return { Response: { [list]: found } };
}

/** The switch with the lowest domain is the principal one. */
function isPrincipal(reads: SwitchReads, device: DeepReadonly<Switch>): boolean {
  const domains = Object.values(reads.fabric.switches).map((other) => other.domain);
  return device.domain === Math.min(...domains);
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
