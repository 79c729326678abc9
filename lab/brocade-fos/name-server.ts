import { type Login, logins } from "../world/fabric";
import type { WorldView } from "../world/world";
import { noEntries } from "./errors";
import type { Tree } from "./media";
import { one, type SwitchReads } from "./switch-reads";

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
